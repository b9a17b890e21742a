"""Header fields → tokens; twins of functions in `spamnb.text.fields`.

Characters are read by index: each loop compares it with the length n before it reads, and
`_next_address` goes back no further than where it began.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t

from spamnb.native.characters cimport (
    PyUnicode_READ,
    Py_UNICODE_ISDECIMAL,
    is_letter,
    is_word,
)
from spamnb.native.memo cimport known
from spamnb.text.native.links cimport registered_domain

from spamnb.memo import Memo
from spamnb.text.fields import (
    LONGEST_DOMAIN,
    LONGEST_FORM,
    LONGEST_LOCAL,
    LONGEST_NAME,
    LONGEST_VALUE,
    LONGEST_WORD,
    MOST_WORDS,
    PREFIXES,
    SENDERS,
    name_tokens,
)

cdef Py_ssize_t _LONGEST_DOMAIN = LONGEST_DOMAIN
cdef Py_ssize_t _LONGEST_FORM = LONGEST_FORM
cdef Py_ssize_t _LONGEST_LOCAL = LONGEST_LOCAL
cdef Py_ssize_t _LONGEST_NAME = LONGEST_NAME
cdef Py_ssize_t _LONGEST_VALUE = LONGEST_VALUE
cdef Py_ssize_t _LONGEST_WORD = LONGEST_WORD
cdef Py_ssize_t _MOST_WORDS = MOST_WORDS


cdef class _Name:
    """What follows from the name of a field; ``prefix`` is None for one that is not read."""

    cdef str lower
    cdef str prefix
    cdef str token
    cdef str odd
    cdef bint is_sender


cdef _Name _name(str name):
    cdef _Name found = _Name.__new__(_Name)
    cdef str cut = name[:_LONGEST_NAME]
    found.lower = cut.lower()
    found.prefix = PREFIXES[found.lower]
    found.is_sender = found.lower in SENDERS
    found.token = "name:" + found.lower
    found.odd = "meta:field:" + cut if cut != cut.title() else None
    return found


# Names in any case; they recur from mail to mail.
cdef object _NAMES = Memo(_name, 1 << 10)


cdef list _names(tuple headers):
    """Return the names of the fields that are read, and their values."""
    cdef list found = []
    cdef _Name name
    for header in headers:
        name = known(_NAMES, (<tuple> header)[0])
        if name.prefix is not None:
            found.append(name)
            found.append((<tuple> header)[1])
    return found


def field_tokens(tuple headers not None, split):
    """Return what the header fields of a message say; see `spamnb.text.fields.field_tokens`."""
    cdef list sender = [], words = []
    cdef set tokens = set()
    cdef list found = _names(headers)
    cdef Py_ssize_t i
    cdef _Name name
    cdef str value
    for i in range(0, len(found), 2):
        name, value = found[i], found[i + 1]
        tokens.add(name.token)
        if name.is_sender:
            _add_sender(sender, name.prefix, value[:_LONGEST_VALUE], split)
        elif name.prefix:
            _add_words(words, name.prefix, value[:_LONGEST_VALUE].lower())
    return {"from": sender, "header": words, "name": sorted(tokens)}


def header_style_tokens(tuple headers not None):
    """Return the header style; see `spamnb.text.fields.header_style_tokens`."""
    cdef list found = _names(headers), order = []
    cdef set odd = set()
    cdef Py_ssize_t i
    cdef _Name name, before = None
    for i in range(0, len(found), 2):
        name = found[i]
        if name.odd is not None:
            odd.add(name.odd)
        if before is not None:
            order.append(f"meta:order:{before.lower}>{name.lower}")
        before = name
    return sorted(odd) + order


cdef int _add_words(list tokens, str prefix, str value) except -1:
    """Add the words of a field: ``[\\w.-]+``."""
    cdef int kind = PyUnicode_KIND(value)
    cdef void* data = PyUnicode_DATA(value)
    cdef Py_ssize_t i = 0, start, n = PyUnicode_GET_LENGTH(value), n_words = 0
    cdef uint32_t c
    while i < n and n_words < _MOST_WORDS:
        start = i
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if not (is_word(c) or c == 46 or c == 45):
                break
            i += 1
        if i > start:
            n_words += 1
            if i - start <= _LONGEST_WORD:
                tokens.append(prefix + value[start:i])
        else:
            i += 1
    return 0


cdef bint _next_address(
    str text, Py_ssize_t begin, Py_ssize_t* start, Py_ssize_t* at, Py_ssize_t* end
) except -1:
    """Find the next address, ``[\\w.+=&-]{1,64}@[\\w.-]{1,255}``."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i, n = PyUnicode_GET_LENGTH(text), first, last
    cdef uint32_t c
    for i in range(begin, n):
        if PyUnicode_READ(kind, data, i) != 64:
            continue
        first = i
        while first > begin and i - first < _LONGEST_LOCAL:
            c = PyUnicode_READ(kind, data, first - 1)
            if not (is_word(c) or c == 46 or c == 43 or c == 61 or c == 38 or c == 45):
                break
            first -= 1
        last = i + 1
        while last < n and last - i - 1 < _LONGEST_DOMAIN:
            c = PyUnicode_READ(kind, data, last)
            if not (is_word(c) or c == 46 or c == 45):
                break
            last += 1
        if first < i and last > i + 1:
            start[0], at[0], end[0] = first, i, last
            return True
    return False


cdef int _add_sender(list tokens, str prefix, str value, split) except -1:
    cdef str lower = value.lower(), domain, registered, written, local, first_local = None
    cdef Py_ssize_t start, at, end = 0
    while _next_address(lower, end, &start, &at, &end):
        local, domain = lower[start:at], lower[at + 1 : end]
        if first_local is None:
            first_local = local
        registered = registered_domain(domain)
        tokens.append(prefix + lower[start:end])
        tokens.append(prefix + "@" + domain)
        if registered != domain:
            tokens.append(prefix + "@" + registered)
        tokens.append(prefix + "tld:" + domain[domain.rfind(".") + 1 :])
        _add_local(tokens, prefix, local)
    written = _without_addresses(value)
    for word in split(written):
        tokens.append(prefix + word)
    for word in name_tokens(written, first_local):
        tokens.append(prefix + word)
    return 0


cdef int _add_local(list tokens, str prefix, str local) except -1:
    """Add the words and numbers of a local part, and its form."""
    cdef int kind = PyUnicode_KIND(local)
    cdef void* data = PyUnicode_DATA(local)
    cdef Py_ssize_t i = 0, start, n = PyUnicode_GET_LENGTH(local)
    cdef uint32_t c
    cdef list form = []
    while i < n:
        start = i
        c = PyUnicode_READ(kind, data, i)
        i += 1
        if is_letter(c):
            while i < n and is_letter(PyUnicode_READ(kind, data, i)):
                i += 1
            form.append("a")
        elif Py_UNICODE_ISDECIMAL(c):
            while i < n and Py_UNICODE_ISDECIMAL(PyUnicode_READ(kind, data, i)):
                i += 1
            form.append("0")
        else:
            form.append(local[start])
            continue
        tokens.append(prefix + local[start:i])
    tokens.append(prefix + "local:" + "".join(form[:_LONGEST_FORM]))
    return 0


cdef str _without_addresses(str value):
    """Return a sender's name: a field with its addresses and their punctuation as blanks."""
    cdef Py_ssize_t start, at, end = 0, done = 0
    cdef list parts = []
    cdef str mark, written
    while _next_address(value, end, &start, &at, &end):
        parts.append(value[done:start])
        parts.append(" ")
        done = end
    parts.append(value[done:])
    written = "".join(parts)
    for mark in "<>()[]\"',;:":
        if mark in written:
            written = written.replace(mark, " ")
    return written
