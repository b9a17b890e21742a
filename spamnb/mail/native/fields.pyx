"""Well-formed header fields, as in nearly all mail; twin of `spamnb.mail.fields.plain_fields`.

The bytes are read by pointer: indices run from ``start`` to ``end``, which are checked once.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeLatin1


cdef inline bint _is_blank(unsigned char c) noexcept nogil:
    return c == 32 or c == 9


def plain_fields(
    bytes data not None,
    Py_ssize_t start,
    Py_ssize_t end,
    Py_ssize_t header_bytes,
    Py_ssize_t header_lines,
):
    """Return the leading fields that are well formed; see the twin."""
    cdef const unsigned char* text = <const unsigned char*> PyBytes_AS_STRING(data)
    cdef Py_ssize_t position = start, name, value, i, n_lines = 0, n_more
    cdef list fields = []
    if not 0 <= start <= end <= PyBytes_GET_SIZE(data):
        raise ValueError((start, end))
    while position < end and text[position] != 10:
        i = position
        while i < end and 33 <= text[i] <= 126 and text[i] != 58:
            i += 1
        name = i
        while i < end and _is_blank(text[i]):
            i += 1
        if name == position or i >= end or text[i] != 58:
            break
        i += 1
        while i < end and _is_blank(text[i]):
            i += 1
        value = i
        n_more = 1
        while i < end and not (text[i] == 10 and not (i + 1 < end and _is_blank(text[i + 1]))):
            n_more += text[i] == 10
            i += 1
        if i - position > header_bytes or n_lines + n_more > header_lines:
            break
        n_lines += n_more
        fields.append((
            PyUnicode_DecodeLatin1(<const char*> text + position, name - position, NULL),
            data[value:i],
        ))
        position = i + 1 if i < end else end
    return fields, position, n_lines
