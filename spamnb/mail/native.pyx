"""Header fields as nearly all mail has them; the rest is left to the twins.

Twins of the beginnings of `spamnb.mail.fields.read_fields` and
`spamnb.mail.headers.decode_header`, and of a look at Chinese charsets.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport (
    PyUnicode_DecodeASCII,
    PyUnicode_DecodeLatin1,
    PyUnicode_GET_LENGTH,
)


cdef inline bint _is_blank(unsigned char c) noexcept nogil:
    return c == 32 or c == 9


cdef inline bint _is_space(unsigned char c) noexcept nogil:
    return c == 32 or 9 <= c <= 13


def plain_fields(
    bytes data not None,
    Py_ssize_t start,
    Py_ssize_t end,
    Py_ssize_t header_bytes,
    Py_ssize_t header_lines,
):
    """Return the fields at the beginning that are well formed and within the limits.

    Parameters
    ----------
    data : bytes
        The mail.
    start, end : int
        Where the entity is in it.
    header_bytes, header_lines : int
        Of `spamnb.mail.limits.Limits`.

    Returns
    -------
    fields : list of (str, bytes)
    position : int
        Where the next line begins, of which nothing is said.
    n_lines : int
        How many lines the fields have.
    """
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


def plain_value(bytes raw not None):
    """Return the value of a field on one line, None unless it is plain ASCII."""
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


def plain_headers(list fields not None, value):
    """Return the header fields of a mail with their values as text.

    Parameters
    ----------
    fields : list of (str, bytes)
        Names and values as they stand in the mail.
    value : callable
        Returns the text of a field, from its name and its value, where that is not plain or is
        the subject.
    """
    cdef list found = []
    cdef str name
    cdef bytes raw
    for field in fields:
        name, raw = <tuple> field
        plain = None
        if not (PyUnicode_GET_LENGTH(name) == 7 and name.lower() == "subject"):
            plain = plain_value(raw)
        found.append((name, value(name, raw) if plain is None else plain))
    return tuple(found)


def count_gb_pairs(bytes data not None, Py_ssize_t end):
    """Return how many 8-bit characters begin before ``end``, and how many are common hanzi.

    See `spamnb.mail.charsets.count_gb_pairs`.
    """
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
