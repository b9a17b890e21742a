"""Counting GB2312 pairs; twin of `spamnb.mail.charsets.count_gb_pairs`.

The bytes are read by pointer, at indices below their length.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE


def count_gb_pairs(bytes data not None, Py_ssize_t end):
    """Count the non-ASCII characters that begin before a position, and the common ones."""
    cdef const unsigned char* text = <const unsigned char*> PyBytes_AS_STRING(data)
    cdef Py_ssize_t i = 0, n_pairs = 0, n_common = 0
    cdef unsigned char first, second
    end = min(end, PyBytes_GET_SIZE(data))
    while i < end:
        first = text[i]
        i += 1
        if first < 0x80:
            continue
        n_pairs += 1
        second = text[i] if i < end else 0
        if 0xB0 <= first <= 0xD7 and 0xA1 <= second <= 0xFE:
            n_common += 1
            i += 1
        elif 0x81 <= first <= 0xFE and 0x40 <= second <= 0xFE:
            i += 1
    return n_pairs, n_common
