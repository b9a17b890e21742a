# cython: boundscheck=False
"""Many tokens as one array of bytes; twins of functions in `spamnb.features.packed`.

Indices are not checked one by one, for speed: that each piece lies within the text is checked
before it is read, and the pieces together are as long as what is written.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

import numpy as np


def gathered(
    const uint8_t[::1] text not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] lengths not None,
):
    """Return pieces of an array of bytes, one after the other; see the twin."""
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


def fingerprints(
    const uint8_t[::1] text not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] lengths not None,
    uint64_t base,
):
    """Return the fingerprints of tokens in UTF-8; see the twin."""
    cdef Py_ssize_t i, place, n = starts.shape[0]
    cdef uint64_t key
    if lengths.shape[0] != n:
        raise ValueError(n)
    found = np.empty(n, np.uint64)
    cdef uint64_t[::1] keys = found
    for i in range(n):
        if starts[i] < 0 or lengths[i] < 0 or lengths[i] > text.shape[0] - starts[i]:
            raise ValueError(i)
        key = 0
        for place in range(starts[i], starts[i] + lengths[i]):
            key = key * base + text[place] + 1
        keys[i] = key
    return found
