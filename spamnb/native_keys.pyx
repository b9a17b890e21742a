"""Fingerprints of tokens; twin of `spamnb.table.fingerprint`."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND

from spamnb.native_characters cimport PyUnicode_READ


cdef class Keys:
    """A growing array of fingerprints."""

    def __dealloc__(self):
        PyMem_Free(self.data)

    def __len__(self):
        return self.n

    def __iter__(self):
        return (self.data[i] for i in range(self.n))

    cdef int append(self, uint64_t key) except -1:
        cdef uint64_t* data
        if self.n == self.room:
            data = <uint64_t*> PyMem_Realloc(self.data, 2 * (self.room + 32) * sizeof(uint64_t))
            if data == NULL:
                raise MemoryError
            self.data = data
            self.room = 2 * (self.room + 32)
        self.data[self.n] = key
        self.n += 1
        return 0


cdef class Base:
    """The base of a table's fingerprints, and its first powers.

    The fingerprint of two strings one after the other is that of the first, times the base to the
    power of the number of bytes of the second, plus that of the second.
    """

    def __init__(self, uint64_t number):
        cdef Py_ssize_t i
        self.number = number
        self.powers[0] = 1
        for i in range(1, N_POWERS):
            self.powers[i] = self.powers[i - 1] * number

    def fingerprint(self, str token not None):
        """Return the fingerprint of a token."""
        return self.key(token)

    cdef uint64_t key(self, str token) except? 0:
        cdef Py_ssize_t i
        cdef int kind = PyUnicode_KIND(token)
        cdef void* data = PyUnicode_DATA(token)
        cdef uint64_t key = 0
        for i in range(PyUnicode_GET_LENGTH(token)):
            key = spelled(key, self.number, PyUnicode_READ(kind, data, i))
        return key

    cdef uint64_t power(self, Py_ssize_t n_bytes) noexcept nogil:
        cdef uint64_t power
        if n_bytes < N_POWERS:
            return self.powers[n_bytes]
        power = self.powers[N_POWERS - 1]
        for _ in range(n_bytes - N_POWERS + 1):
            power *= self.number
        return power


cdef uint64_t spelled(uint64_t key, uint64_t base, uint32_t character) noexcept nogil:
    """Return the fingerprint of what has one, and one more character in UTF-8."""
    if character < 0x80:
        return key * base + character + 1
    if character < 0x800:
        key = key * base + (0xC0 | character >> 6) + 1
    else:
        if character < 0x10000:
            key = key * base + (0xE0 | character >> 12) + 1
        else:
            key = key * base + (0xF0 | character >> 18) + 1
            key = key * base + (0x80 | character >> 12 & 0x3F) + 1
        key = key * base + (0x80 | character >> 6 & 0x3F) + 1
    return key * base + (0x80 | character & 0x3F) + 1


cdef Py_ssize_t n_bytes(uint32_t character) noexcept nogil:
    """Return how many bytes a character has in UTF-8."""
    return 1 + (character >= 0x80) + (character >= 0x800) + (character >= 0x10000)
