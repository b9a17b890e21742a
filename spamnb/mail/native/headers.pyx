"""Values of header fields; twins of functions in `spamnb.mail.headers`.

The bytes are read by pointer, at indices below their length; what is written is never longer.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DecodeASCII, PyUnicode_GET_LENGTH


cdef inline bint _is_blank(unsigned char c) noexcept nogil:
    return c == 32 or c == 9


cdef inline bint _is_space(unsigned char c) noexcept nogil:
    return c == 32 or 9 <= c <= 13


def plain_value(bytes raw not None):
    """Return the value of a field on one line, None unless it is plain ASCII; see the twin."""
    return _plain_value(raw)


cdef object _plain_value(bytes raw):
    cdef const unsigned char* text = <const unsigned char*> PyBytes_AS_STRING(raw)
    cdef Py_ssize_t start = 0, end = PyBytes_GET_SIZE(raw), i, size = 0
    cdef bint is_folded = False
    cdef unsigned char c
    cdef char* line
    for i in range(end):
        c = text[i]
        if c >= 127 or (c == 61 and i + 1 < end and text[i + 1] == 63):
            return None
        if c == 10 or c == 13:
            is_folded = True
        elif c < 32 and c != 9:
            return None
    while start < end and _is_space(text[start]):
        start += 1
    while start < end and _is_space(text[end - 1]):
        end -= 1
    if not is_folded:
        for i in range(start, end):
            if text[i] == 9:
                return None
        return PyUnicode_DecodeASCII(<const char*> text + start, end - start, NULL)
    line = <char*> PyMem_Malloc(end - start + 1)
    if line == NULL:
        raise MemoryError
    try:
        i = start
        while i < end:
            c = text[i]
            i += 1
            if c == 9:
                return None
            if c == 10 or c == 13:
                while i < end and (text[i] == 10 or text[i] == 13):
                    i += 1
                while i < end and _is_blank(text[i]):
                    i += 1
                c = 32
            line[size] = c
            size += 1
        return PyUnicode_DecodeASCII(line, size, NULL)
    finally:
        PyMem_Free(line)


def decoded_headers(list fields not None, decode):
    """Return the header fields of a mail with their values as text; see the twin."""
    cdef list found = []
    cdef str name
    cdef bytes raw
    for field in fields:
        name, raw = <tuple> field
        if name is None or raw is None:
            raise TypeError(field)
        plain = None
        if not (PyUnicode_GET_LENGTH(name) == 7 and name.lower() == "subject"):
            plain = _plain_value(raw)
        found.append((name, decode(name, raw) if plain is None else plain))
    return tuple(found)
