from libc.stdint cimport uint64_t

from spamnb.native_keys cimport Base, Keys
from spamnb.text.native.words cimport Words

cdef class Found:
    cdef Base base
    cdef int word(self, Words words, Py_ssize_t i) except -1
    cdef int subject_word(self, Words words, Py_ssize_t i) except -1
    cdef int pair(self, Words words, Py_ssize_t i) except -1
    cdef int run(self, Words words, Py_ssize_t start) except -1
    cdef int last_word(self, Words words, Py_ssize_t i) except -1
    cdef int shape(self, Words words, Py_ssize_t i) except -1
    cdef int mixed(self) except -1

cdef class TextKeys(Found):
    cdef readonly Keys words
    cdef readonly Keys signs
    cdef readonly Keys subject
    cdef readonly Keys pairs
    cdef readonly Keys chars
    cdef readonly Keys end
    cdef readonly Keys shapes
    cdef readonly list odd
    cdef uint64_t subject_prefix
    cdef uint64_t pair_prefix
    cdef uint64_t run_prefix
    cdef uint64_t end_prefix
    cdef uint64_t shape_prefix
