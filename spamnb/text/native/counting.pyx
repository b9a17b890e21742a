"""The tokens of mails, counted; twin of `spamnb.text.counting`.

A token becomes a string when it first occurs; after that its fingerprint stands for it.  The base
of the fingerprints is random, so that nobody can construct two words with the same one; by chance
it happens in one of 5 · 10⁸ lists of 262,144 tokens.

Counts and numbers are read by pointer: `_count` makes room for a number before it is counted, and
a number without a count has 0.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memset

from spamnb.text.native.fingerprints cimport Base, Numbering
from spamnb.text.native.full cimport Finder, MessageReader, Spelling, token_of
from spamnb.text.native.words cimport Words

from array import array

from spamnb.text.counted import CountedTokens
from spamnb.text.native.fingerprints import random_base

cdef Base _BASE = random_base()


def make_counter(config):
    """Return a function that counts the tokens of messages over one shared list."""
    return MessageCounter(config)


cdef class MessageCounter(Finder):
    """Counts the tokens of messages over one shared list."""

    cdef MessageReader reader
    cdef Spelling spelling
    cdef Numbering numbering
    cdef list shared
    cdef uint32_t* counts
    cdef Py_ssize_t room
    cdef uint32_t* numbers
    cdef Py_ssize_t n_numbers
    cdef Py_ssize_t room_numbers

    def __init__(self, config):
        self.reader = MessageReader(config, _BASE)
        self.spelling = Spelling(_BASE)
        self.numbering = Numbering()
        self.shared = []

    def __dealloc__(self):
        PyMem_Free(self.counts)
        PyMem_Free(self.numbers)

    def __call__(self, message):
        """Count the tokens of a message."""
        cdef Py_ssize_t i
        cdef uint32_t[::1] numbers
        cdef uint32_t[::1] counts
        self.n_numbers = 0
        for tokens in self.reader.find(message, self).values():
            for token in tokens:
                self.add_other(token)
        found, times = (array("I", bytes(4 * self.n_numbers)) for _ in range(2))
        if self.n_numbers:
            numbers, counts = found, times
            for i in range(self.n_numbers):
                numbers[i] = self.numbers[i]
                counts[i] = self.counts[self.numbers[i]]
                self.counts[self.numbers[i]] = 0
        return CountedTokens(self.shared, found, times)

    cdef int add(self, int kind, Words words, Py_ssize_t i) except -1:
        cdef int32_t number = self.numbering.number(self.spelling.key(kind, words, i))
        if number == len(self.shared):
            self.shared.append(token_of(kind, words, i))
        return self._count(number)

    cdef int add_other(self, str token) except -1:
        cdef int32_t number = self.numbering.number(_BASE.key(token))
        if number == len(self.shared):
            self.shared.append(token)
        return self._count(number)

    cdef int _count(self, int32_t number) except -1:
        cdef Py_ssize_t room
        if number >= self.room:
            room = 2 * number + 1024
            self.counts = _enlarged(self.counts, room)
            memset(&self.counts[self.room], 0, (room - self.room) * sizeof(uint32_t))
            self.room = room
        if self.counts[number] == 0:
            if self.n_numbers == self.room_numbers:
                room = 2 * self.n_numbers + 1024
                self.numbers = _enlarged(self.numbers, room)
                self.room_numbers = room
            self.numbers[self.n_numbers] = number
            self.n_numbers += 1
        self.counts[number] += 1
        return 0


cdef uint32_t* _enlarged(uint32_t* old, Py_ssize_t room) except NULL:
    cdef uint32_t* new = <uint32_t*> PyMem_Realloc(old, room * sizeof(uint32_t))
    if new == NULL:
        raise MemoryError
    return new
