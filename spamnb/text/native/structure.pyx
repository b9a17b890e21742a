"""The shape of a message → tokens; twin of `spamnb.text.structure.shape_tokens`.

Characters are read by index, below the length of their text.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t

from spamnb.native.characters cimport (
    PyUnicode_READ,
    Py_UNICODE_ISDIGIT,
    Py_UNICODE_ISUPPER,
    is_alpha,
    is_white,
)

from spamnb.text.structure import (
    BEGINNING,
    DIGIT_STEPS,
    MANY_LINES,
    MANY_SPACES,
    TOP_STEP,
    UPPER_STEPS,
)

cdef Py_ssize_t _BEGINNING = BEGINNING
cdef Py_ssize_t _MANY_LINES = MANY_LINES
cdef Py_ssize_t _MANY_SPACES = MANY_SPACES
cdef Py_ssize_t _UPPER_STEPS = UPPER_STEPS
cdef Py_ssize_t _DIGIT_STEPS = DIGIT_STEPS
cdef Py_ssize_t _TOP_STEP = TOP_STEP


cdef inline bint _is_blank(uint32_t c) noexcept nogil:
    return c == 32 or c == 9 or c == 0xA0


cdef str _size(Py_ssize_t number):
    """Return the number of binary digits of a number."""
    cdef int n = 0
    while number:
        number >>= 1
        n += 1
    return str(n)


def shape_tokens(reading, str text not None):
    """Return the shape of what there is to read; see the twin."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i, n = PyUnicode_GET_LENGTH(text), n_letters = 0, n_capitals = 0, n_digits = 0
    cdef uint32_t c
    cdef bint is_empty = True, has_gap = False
    cdef dict tags = reading.tags
    cdef str each
    cdef list tokens = ["meta:size:" + _size(n)]
    n = min(n, _BEGINNING)
    for i in range(n):
        c = PyUnicode_READ(kind, data, i)
        if is_alpha(c):
            n_letters += 1
            n_capitals += Py_UNICODE_ISUPPER(c)
        elif Py_UNICODE_ISDIGIT(c):
            n_digits += 1
    if n_letters:
        tokens.append(f"meta:caps:{min(_UPPER_STEPS * n_capitals // n_letters, _TOP_STEP)}")
    tokens.append(f"meta:digits:{min(_DIGIT_STEPS * n_digits // max(n, 1), _TOP_STEP)}")
    tokens.append("meta:links:" + _size(len(reading.links) + text.count("://")))
    tokens.append("meta:images:" + _size(tags.get("img", 0)))
    for each in reading.texts:
        is_empty = is_empty and _is_white(each)
        has_gap = has_gap or _has_gap(each)
    if is_empty:
        tokens.append("meta:no-text")
    if has_gap:
        tokens.append("meta:gap")
    return tokens


cdef bint _is_white(str text) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i
    for i in range(PyUnicode_GET_LENGTH(text)):
        if not is_white(PyUnicode_READ(kind, data, i)):
            return False
    return True


cdef bint _has_gap(str text) noexcept:
    """Return whether text is pushed out of the visible area; see `spamnb.text.structure.has_gap`.

    A gap has only blanks and line ends, at least ``MANY_LINES`` of them, so it is enough to look
    at one character in ``MANY_LINES``.
    """
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t start = 0, end = PyUnicode_GET_LENGTH(text), i, first, n_spaces, n_lines
    cdef uint32_t c
    while start < end and is_white(PyUnicode_READ(kind, data, start)):
        start += 1
    while start < end and is_white(PyUnicode_READ(kind, data, end - 1)):
        end -= 1
    i = start + _MANY_LINES - 1
    while i < end:
        c = PyUnicode_READ(kind, data, i)
        if not (_is_blank(c) or c == 10):
            i += _MANY_LINES
            continue
        first = i
        while first > start:
            c = PyUnicode_READ(kind, data, first - 1)
            if not (_is_blank(c) or c == 10):
                break
            first -= 1
        n_spaces = n_lines = 0
        for i in range(first, end):
            c = PyUnicode_READ(kind, data, i)
            if _is_blank(c):
                n_spaces += 1
            elif c == 10:
                n_spaces = 0
                n_lines += 1
            else:
                break
            if n_spaces == _MANY_SPACES or n_lines == _MANY_LINES:
                return True
        i += _MANY_LINES
    return False
