# cython: boundscheck=False
"""Transposition; twin of `spamnb.features.matrix.transposed`.

Indices are not checked one by one, for speed: that ``indptr`` rises from 0 to the number of stored
values, and that each column is one of the matrix, is checked before a value is moved.
"""

from libc.stdint cimport int64_t

import numpy as np


def transposed(data not None, indices not None, indptr not None, Py_ssize_t n_columns):
    """Return the arrays of the transposed matrix; see the twin."""
    data, indices, indptr = map(np.ascontiguousarray, (data, indices, indptr))
    return _transposed(data, indices, indptr, n_columns)


cdef tuple _transposed(
    const double[::1] data,
    const int64_t[::1] indices,
    const int64_t[::1] indptr,
    Py_ssize_t n_columns,
):
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
