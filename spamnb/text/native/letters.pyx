"""Words in disguise; twin of `spamnb.text.letters.disguised_words`.

The patterns of the Python form run over nearly all text in vain.  Here they see only the pieces in
which they can find something.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t

from spamnb.native_characters cimport (
    PyUnicode_READ,
    Py_UNICODE_ISSPACE,
    is_alpha,
    is_letter,
    is_word,
)

from spamnb.text.letters import APART, joined_letters, words_put_back

# Of `spamnb.text.letters`: how long a chunk is short, how many of them in a row tell, and how many
# letters a word with its letters apart has at least.
cdef enum:
    _SHORT = 4
    _LEAST_SPACED = 3
    _LEAST_LETTERS = 4
    _LONGEST_SEPARATOR = 4


cpdef list disguised_words(str text):
    """Return the words that a text holds in disguise, lower-case."""
    return _spaced(text) + _put_back(text)


cdef list _spaced(str text):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t start, i = 0, n = PyUnicode_GET_LENGTH(text), n_short = 0
    cdef bint is_plain
    cdef uint32_t c
    cdef list long_chunks = []
    while i < n:
        if Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, i)):
            i += 1
            continue
        start = i
        is_plain = True
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if Py_UNICODE_ISSPACE(c):
                break
            is_plain = is_plain and is_alpha(c)
            i += 1
        if is_plain and i - start > 1:
            n_short = 0
        elif i - start <= _SHORT:
            n_short += 1
            if n_short == _LEAST_SPACED:
                return joined_letters(text) if _are_apart(kind, data, 0, n) else []
        else:
            n_short = 0
            if i - start > 2 * _LEAST_SPACED and _are_apart(kind, data, start, i):
                long_chunks.append(text[start:i])
    return joined_letters(APART.join(long_chunks)) if long_chunks else []


cdef bint _are_apart(int kind, void* data, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Tell whether there are four letters by themselves with little between them."""
    cdef Py_ssize_t i, n = 0, last = start - 2 * _LONGEST_SEPARATOR
    cdef bint is_single = False
    for i in range(start, end):
        if not is_letter(PyUnicode_READ(kind, data, i)):
            continue
        is_single = i - last > 1 and (i + 1 == end or not is_letter(PyUnicode_READ(kind, data, i + 1)))
        n = (n + 1 if i - last - 1 <= _LONGEST_SEPARATOR else 1) if is_single else 0
        if n == _LEAST_LETTERS:
            return True
        last = i
    return False


cdef inline bint _is_sign(uint32_t c) noexcept nogil:
    return c == 64 or c == 36 or c == 33 or c == 124 or c == 43 or c == 0x20AC or c == 0xA3


cdef inline bint _is_leet_digit(uint32_t c) noexcept nogil:
    return 48 <= c <= 56 and c != 50 and c != 54


cdef list _put_back(str text):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t start, i = 0, n = PyUnicode_GET_LENGTH(text), n_letters
    cdef bint has_trigger, has_sign, has_other
    cdef uint32_t c
    cdef list runs = []
    while i < n:
        start = i
        n_letters = 0
        has_trigger = has_sign = has_other = False
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if is_alpha(c):
                n_letters += 1
            elif _is_leet_digit(c):
                has_trigger = True
            elif _is_sign(c):
                has_trigger = True
                has_sign = has_sign or not (c == 64 or c == 36)
            elif is_word(c):
                has_other = has_other or c < 0x80  # no sign stands for 2, 6, 9 or _
            else:
                break
            i += 1
        # Where no sign parts it, a run is a word in disguise as a whole or not at all.
        if has_trigger and n_letters > 1 and (
            has_sign or not has_other and 2 * n_letters >= i - start
        ):
            runs.append(text[start : i + 1])
        i += i == start or i < n
    return words_put_back(" ".join(runs)) if runs else []
