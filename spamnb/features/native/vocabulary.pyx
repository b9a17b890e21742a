"""Numbers of tokens; twin of `spamnb.features.vocabulary.numbering`."""

from libc.stdint cimport int32_t, int64_t

from spamnb.text.native.fingerprints cimport Base, Numbering

import numpy as np

from spamnb.text.native.fingerprints import random_base

cdef Base _BASE = random_base()


def numbering(list tokens not None):
    """Return what gives tokens their numbers; see the twin."""
    return _Numbers(tokens).add


cdef class _Numbers:
    """Finds the numbers of tokens by their fingerprints: of a million tokens two have the same one
    with a probability of 3 · 10⁻⁸.

    Parameters
    ----------
    tokens : list of str
        The first tokens, all different; new ones are appended to it.
    """

    cdef list _tokens
    cdef Numbering _numbering

    def __init__(self, list tokens not None):
        self._tokens = tokens
        self._numbering = Numbering()
        for token in tokens:
            self._number(token)

    def add(self, tokens):
        """Return the number of each token; one that is new gets the next."""
        cdef Py_ssize_t i = 0
        cdef int32_t number
        found = np.empty(len(tokens), np.int64)
        cdef int64_t[::1] numbers = found
        for token in tokens:
            number = self._number(token)
            if number == len(self._tokens):
                self._tokens.append(str(token))
            numbers[i] = number
            i += 1
        return found

    cdef int32_t _number(self, token) except -1:
        return self._numbering.number(_BASE.key(token if type(token) is str else str(token)))
