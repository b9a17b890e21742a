from libc.stdint cimport uint64_t

from spamnb.text.native.fingerprints cimport Base, Keys
from spamnb.text.native.words cimport Splitter, Words

cdef enum:
    WORD, SUBJECT_WORD, PAIR, RUN, LAST_WORD, SHAPE, N_KINDS

cdef class Spelling:
    cdef Base base
    cdef uint64_t[N_KINDS] prefixes
    cdef uint64_t key(self, int kind, Words words, Py_ssize_t i) noexcept

cdef str token_of(int kind, Words words, Py_ssize_t i)

cdef class Finder:
    cdef int add(self, int kind, Words words, Py_ssize_t i) except -1
    cdef int add_other(self, str token) except -1
    cdef int find(self, reading, Splitter splitter) except -1

cdef class TextKeys(Finder):
    cdef Spelling spelling
    cdef readonly Keys words
    cdef readonly Keys punctuation
    cdef readonly Keys subject
    cdef readonly Keys pairs
    cdef readonly Keys chars
    cdef readonly Keys end
    cdef readonly Keys shapes
    cdef readonly list odd

cdef class MessageReader:
    cdef readonly Base base
    cdef str tokenizer
    cdef frozenset stop_words
    cdef object analyzer
    cdef dict find(self, message, Finder found)
