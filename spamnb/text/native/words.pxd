from libc.stdint cimport uint64_t

from spamnb.text.native.fingerprints cimport Base

cdef struct Word:
    Py_ssize_t start
    Py_ssize_t end
    uint64_t key
    uint64_t power
    bint has_digit
    bint has_colon

cdef class Words:
    cdef readonly str text
    cdef int kind
    cdef void* data
    cdef Word* items
    cdef Py_ssize_t n
    cdef Py_ssize_t room
    cdef int append(self, Py_ssize_t start, Py_ssize_t end, Base base) except -1
    cdef str word(self, Py_ssize_t number)

cdef class Splitter:
    cdef Base base
    cdef object segment
    cdef frozenset stop_words
    cdef Words whole(self, list tokens)
    cdef Words split(self, str text)
    cdef int _add(self, Words words, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int _add_by_script(self, Words words, Py_ssize_t start, Py_ssize_t end, object segment) except -1
    cdef int _add_segments(self, Words words, Py_ssize_t start, Py_ssize_t end, object segment) except -1
