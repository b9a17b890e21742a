"""Fingerprints of tokens, as `spamnb.text.fingerprints` has them, and numbers for them.

Pointers stay inside: `Keys` grows before it is written past its room; a slot of `Numbering` is
masked by the size of its table, which is never full, and holds a number of a key that is there.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from spamnb.native.characters cimport PyUnicode_READ

from spamnb.text.fingerprints import SPREAD

cdef uint64_t _SPREAD = SPREAD


cdef class Keys:
    """A growing array of fingerprints."""

    def __dealloc__(self):
        PyMem_Free(self.data)

    def __len__(self):
        return self.n

    def __iter__(self):
        return (self.data[i] for i in range(self.n))

    cdef int append(self, uint64_t key) except -1:
        if self.n == self.room:
            self.make_room(2 * self.room + 64)
        self.data[self.n] = key
        self.n += 1
        return 0

    cdef int make_room(self, Py_ssize_t n) except -1:
        """Make room for ``n`` in all."""
        cdef uint64_t* data
        if n > self.room:
            data = <uint64_t*> PyMem_Realloc(self.data, n * sizeof(uint64_t))
            if data == NULL:
                raise MemoryError
            self.data, self.room = data, n
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


def random_base():
    """Return a random base, so that nobody can construct two words with the same fingerprint."""
    import os  # not needed for a single mail

    return Base(int.from_bytes(os.urandom(8), "big") | 1)


cdef class Numbering:
    """Numbers for fingerprints, in the order of their first occurrence.

    A hash table with open addressing, at most half full.
    """

    def __cinit__(self):
        self.keys = Keys()
        self.clear(0)

    def __dealloc__(self):
        PyMem_Free(self.slots)

    cdef int clear(self, Py_ssize_t n_expected) except -1:
        """Forget all."""
        cdef int bits = 6
        while (<Py_ssize_t> 1 << bits) < 2 * n_expected:
            bits += 1
        self.keys.n = 0
        return self._resize(bits)

    cdef int32_t number(self, uint64_t key) except -1:
        """Return the number of a fingerprint, the next free number for a new one."""
        cdef uint64_t mask = (<uint64_t> 1 << self.bits) - 1
        cdef uint64_t slot = key * _SPREAD >> (64 - self.bits)
        cdef int32_t number
        while True:
            number = self.slots[slot]
            if number == 0:
                break
            if self.keys.data[number - 1] == key:
                return number - 1
            slot = (slot + 1) & mask
        if self.keys.n >= (1 << 30):
            raise MemoryError
        self.keys.append(key)
        self.slots[slot] = <int32_t> self.keys.n
        if 2 * self.keys.n > <Py_ssize_t> mask:
            self._resize(self.bits + 1)
        return <int32_t> (self.keys.n - 1)

    cdef int _resize(self, int bits) except -1:
        """Put all known fingerprints into a table of 2 ** ``bits`` slots."""
        cdef uint64_t mask = (<uint64_t> 1 << bits) - 1, slot
        cdef Py_ssize_t i
        cdef int32_t* slots
        if bits > self.room_bits:
            slots = <int32_t*> PyMem_Calloc(<size_t> 1 << bits, sizeof(int32_t))
            if slots == NULL:
                raise MemoryError
            PyMem_Free(self.slots)
            self.slots, self.room_bits = slots, bits
        else:
            memset(self.slots, 0, (<size_t> 1 << bits) * sizeof(int32_t))
        self.bits = bits
        for i in range(self.keys.n):
            slot = self.keys.data[i] * _SPREAD >> (64 - bits)
            while self.slots[slot]:
                slot = (slot + 1) & mask
            self.slots[slot] = <int32_t> (i + 1)
        return 0


cdef uint64_t spelled(uint64_t key, uint64_t base, uint32_t character) noexcept nogil:
    """Return a fingerprint extended by one more character, in UTF-8."""
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
