"""Disguised words and invisible characters; twins of functions in `spamnb.text.letters`.

The patterns of the Python form run over nearly all text in vain.  Here they see only the pieces in
which they can find something.

Characters are read by index: each loop compares it with the length n before it reads.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t

from spamnb.native.characters cimport (
    PyUnicode_READ,
    is_alpha,
    is_letter,
    is_white,
    is_word,
)

from spamnb.text.letters import (
    APART,
    CHUNK,
    INVISIBLE,
    NFKC,
    joined_letters,
    words_put_back,
)

cdef Py_ssize_t _CHUNK = CHUNK

# Of `spamnb.text.letters`: the longest short chunk, how many short chunks in a row are suspicious,
# and the least number of letters of a word whose letters are separated.
cdef enum:
    _SHORT = 4
    _LEAST_SPACED = 3
    _LEAST_LETTERS = 4
    _LONGEST_SEPARATOR = 4


cpdef list disguised_words(str text):
    """Return the disguised words of a text, lower-case; see the twin."""
    if text is None:
        raise TypeError(text)
    return _spaced(text) + _put_back(text)


cdef bint _is_invisible(uint32_t c) noexcept nogil:
    return (
        c == 0xAD or c == 0x34F or c == 0x61C or c == 0x115F or c == 0x1160 or c == 0x3164
        or 0x17B4 <= c <= 0x17B5 or 0x180B <= c <= 0x180E or 0x200B <= c <= 0x200F
        or 0x202A <= c <= 0x202E or 0x2060 <= c <= 0x206F or 0xFE00 <= c <= 0xFE0F
        or c == 0xFEFF or c == 0xFFA0 or 0xE0000 <= c <= 0xE0FFF
    )


def without_invisible(str text not None):
    """Return a text without characters that a reader does not see."""
    return INVISIBLE.sub("", text) if _has_invisible(text) else text


cdef bint _has_invisible(str text) except -1:
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i
    cdef uint32_t c
    for i in range(PyUnicode_GET_LENGTH(text)):
        c = PyUnicode_READ(kind, data, i)
        if c >= 0xAD and _is_invisible(c):
            return True
    return False


def normalized(str text not None):
    """Return a text in NFKC, one non-ASCII run at a time; see the twin."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i = 0, start = 0, first, n = PyUnicode_GET_LENGTH(text)
    cdef list parts = []
    if text.isascii():
        return text
    while i < n:
        if PyUnicode_READ(kind, data, i) < 0x80:
            i += 1
            continue
        first = i
        while i < n and i - first < _CHUNK and PyUnicode_READ(kind, data, i) >= 0x80:
            i += 1
        # A mark can combine with the ASCII letter before it, unless that is in the last run.
        first -= first > start and PyUnicode_READ(kind, data, first - 1) < 0x80
        parts.append(text[start:first])
        parts.append(NFKC[text[first:i]])
        start = i
    parts.append(text[start:])
    return "".join(parts)[: 2 * n + _CHUNK]


cdef list _spaced(str text):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t start, i = 0, n = PyUnicode_GET_LENGTH(text), n_short = 0
    cdef bint is_plain
    cdef uint32_t c
    cdef list everywhere = [], pieces = []
    _add_apart(everywhere, text, 0, n)
    if not everywhere:  # as in nearly all text
        return []
    while i < n:
        if is_white(PyUnicode_READ(kind, data, i)):
            i += 1
            continue
        start = i
        is_plain = True
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if is_white(c):
                break
            is_plain = is_plain and is_alpha(c)
            i += 1
        if is_plain and i - start > 1:
            n_short = 0
        elif i - start <= _SHORT:
            n_short += 1
            if n_short == _LEAST_SPACED:
                return joined_letters(APART.join(everywhere))
        else:
            n_short = 0
            if i - start > 2 * _LEAST_SPACED:
                _add_apart(pieces, text, start, i)
    return joined_letters(APART.join(pieces)) if pieces else []


cdef int _add_apart(list pieces, str text, Py_ssize_t start, Py_ssize_t end) except -1:
    """Add the pieces of a text with at least four single letters and little between them."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i, n = 0, first = 0, last = start - 2 * _LONGEST_SEPARATOR
    cdef bint is_single
    for i in range(start, end):
        if not is_letter(PyUnicode_READ(kind, data, i)):
            continue
        is_single = i - last > 1 and not (
            i + 1 < end and is_letter(PyUnicode_READ(kind, data, i + 1))
        )
        if n and (not is_single or i - last - 1 > _LONGEST_SEPARATOR):
            if n >= _LEAST_LETTERS:
                pieces.append(text[first : last + 1])
            n = 0
        if is_single:
            first = first if n else i
            n += 1
        last = i
    if n >= _LEAST_LETTERS:
        pieces.append(text[first : last + 1])
    return 0


cdef inline bint _is_leet_symbol(uint32_t c) noexcept nogil:
    return c == 64 or c == 36 or c == 33 or c == 124 or c == 43 or c == 0x20AC or c == 0xA3


cdef inline bint _is_leet_digit(uint32_t c) noexcept nogil:
    return 48 <= c <= 56 and c != 50 and c != 54


cdef list _put_back(str text):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t start, end, i = 0, last = 0, n = PyUnicode_GET_LENGTH(text)
    cdef uint32_t c
    cdef list runs = []
    while i < n:
        c = PyUnicode_READ(kind, data, i)
        if not (_is_leet_digit(c) or _is_leet_symbol(c)):
            i += 1
            continue
        start, end = i, i + 1
        while start > last and _is_of_run(PyUnicode_READ(kind, data, start - 1)):
            start -= 1
        while end < n and _is_of_run(PyUnicode_READ(kind, data, end)):
            end += 1
        if _may_be_disguised(kind, data, start, end, n):
            runs.append(text[start : end + 1])
        i = last = end
    return words_put_back(" ".join(runs)) if runs else []


cdef inline bint _is_of_run(uint32_t c) noexcept nogil:
    return is_word(c) or _is_leet_symbol(c)


cdef bint _may_be_disguised(
    int kind, void* data, Py_ssize_t start, Py_ssize_t end, Py_ssize_t n
) noexcept nogil:
    """Return whether a run of letters, digits and symbols can contain a disguised word."""
    cdef Py_ssize_t i, n_letters = 0
    cdef bint has_trigger = False, parts = False, is_plain = True
    cdef uint32_t c
    for i in range(start, end):
        c = PyUnicode_READ(kind, data, i)
        if is_alpha(c):
            n_letters += 1
        elif c == 64:
            has_trigger = True
            is_plain = is_plain and not (end < n and PyUnicode_READ(kind, data, end) == 46)
        elif c == 36 or _is_leet_digit(c):
            has_trigger = True
        elif _is_leet_symbol(c):
            parts = True
            # "!" and the like stand for a letter only before one.
            has_trigger = has_trigger or c >= 0x80 or (
                i + 1 < end and is_word(PyUnicode_READ(kind, data, i + 1))
            )
        else:
            is_plain = is_plain and c >= 0x80  # 2, 6, 9 and _ stand for no letter
    if not has_trigger or n_letters < 2:
        return False
    # Unless a symbol splits it, a run is a disguised word as a whole or not at all.
    return parts or (is_plain and 2 * n_letters >= end - start)
