"""Numbers and bytes of tokens, and rows and columns exchanged.

Twins of `add_all` in `spamnb.features.vocabulary`, of `gathered` in `spamnb.features.packed`, and
of `transpose` in `spamnb.features.matrix`.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from spamnb.text.native.fingerprints cimport Base, Numbering

import numpy as np

from spamnb.text.native.fingerprints import drawn_base

cdef Base _BASE = drawn_base()


cdef class TokenNumbers:
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
            self._numbering.number(_BASE.key(token))

    def add(self, tokens):
        """Return the number of each token; one that is new gets the next."""
        cdef Py_ssize_t i = 0
        cdef int32_t number
        cdef str token
        found = np.empty(len(tokens), np.int64)
        cdef int64_t[::1] numbers = found
        for each in tokens:
            token = each if type(each) is str else str(each)
            number = self._numbering.number(_BASE.key(token))
            if number == len(self._tokens):
                self._tokens.append(token)
            numbers[i] = number
            i += 1
        return found


def transposed(
    const double[::1] data not None,
    const int64_t[::1] indices not None,
    const int64_t[::1] indptr not None,
    Py_ssize_t n_columns,
):
    """Return the data, the row numbers and the ends of the columns of a matrix.

    Parameters
    ----------
    data, indices, indptr : ndarray
        Of a `CountMatrix`.
    n_columns : int

    Returns
    -------
    data, indices, indptr : ndarray
        Of the transposed one.

    Raises
    ------
    ValueError
        When the arrays do not fit together.
    """
    cdef Py_ssize_t n_stored = data.shape[0], n_rows = indptr.shape[0] - 1, row, i
    cdef int64_t column, place
    if n_rows < 0 or indptr[0] != 0 or indptr[n_rows] != n_stored or indices.shape[0] != n_stored:
        raise ValueError(n_stored)
    for row in range(n_rows):
        if indptr[row] > indptr[row + 1]:
            raise ValueError(row)
    new_data = np.empty(n_stored)
    new_indices = np.empty(n_stored, np.int64)
    new_indptr = np.zeros(n_columns + 1, np.int64)
    cdef double[::1] out_data = new_data
    cdef int64_t[::1] out_indices = new_indices
    cdef int64_t[::1] ends = new_indptr
    for i in range(n_stored):
        column = indices[i]
        if not 0 <= column < n_columns:
            raise ValueError(column)
        ends[column + 1] += 1
    for i in range(n_columns):
        ends[i + 1] += ends[i]
    cdef int64_t[::1] places = new_indptr[:n_columns].copy()
    for row in range(n_rows):
        for i in range(indptr[row], indptr[row + 1]):
            place = places[indices[i]]
            places[indices[i]] = place + 1
            out_data[place] = data[i]
            out_indices[place] = row
    return new_data, new_indices, new_indptr


def gathered(
    const uint8_t[::1] text not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] lengths not None,
):
    """Return pieces of an array of bytes, one after the other.

    Parameters
    ----------
    text : ndarray of uint8
    starts, lengths : ndarray of int
        Where each piece begins, and how long it is.

    Raises
    ------
    ValueError
        When one is not inside.
    """
    cdef Py_ssize_t i, n = starts.shape[0], size = 0, n_bytes = text.shape[0]
    if lengths.shape[0] != n:
        raise ValueError(n)
    for i in range(n):
        if starts[i] < 0 or lengths[i] < 0 or lengths[i] > n_bytes - starts[i]:
            raise ValueError(i)
        size += lengths[i]
    found = np.empty(size, np.uint8)
    cdef uint8_t[::1] out = found
    size = 0
    for i in range(n):
        if lengths[i]:
            memcpy(&out[size], &text[starts[i]], lengths[i])
            size += lengths[i]
    return found
