from libc.stdint cimport int32_t, uint32_t, uint64_t

cdef enum:
    N_POWERS = 256

cdef class Keys:
    cdef uint64_t* data
    cdef readonly Py_ssize_t n
    cdef Py_ssize_t room
    cdef int append(self, uint64_t key) except -1
    cdef int make_room(self, Py_ssize_t n) except -1

cdef class Base:
    cdef readonly uint64_t number
    cdef uint64_t[N_POWERS] powers
    cdef uint64_t key(self, str token) except? 0
    cdef uint64_t power(self, Py_ssize_t n_bytes) noexcept nogil

cdef class Numbering:
    cdef Keys keys
    cdef int32_t* slots
    cdef int bits
    cdef int room_bits
    cdef int clear(self, Py_ssize_t n_expected) except -1
    cdef int32_t number(self, uint64_t key) except -1
    cdef int _resize(self, int bits) except -1

cdef uint64_t spelled(uint64_t key, uint64_t base, uint32_t character) noexcept nogil
cdef Py_ssize_t n_bytes(uint32_t character) noexcept nogil
