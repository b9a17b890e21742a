"""Links → tokens; twin of `spamnb.text.links.link_tokens`, and of `registered_domain` there.

Characters are read by index: each loop compares it with the length n before it reads, and
characters before an index are read only if there are as many (`_add_urls`, `_has_bare_host`).
"""

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_FindChar,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from libc.stdint cimport uint32_t

from spamnb.native.characters cimport (
    PyUnicode_READ,
    Py_UNICODE_ISDECIMAL,
    is_white,
    is_word,
)

from spamnb.text.links import (
    LONGEST_AUTHORITY,
    LONGEST_PATH,
    LONGEST_PATH_WORD,
    MOST_PATH_WORDS,
    SECOND_LEVEL,
    bare_host_tokens,
    differs_from_text,
    host_tokens,
    registered_domain as registered_domain_of_any,
    scheme_tokens,
    without_line_ends,
)

cdef Py_ssize_t _LONGEST_AUTHORITY = LONGEST_AUTHORITY
cdef Py_ssize_t _LONGEST_PATH = LONGEST_PATH
cdef Py_ssize_t _LONGEST_PATH_WORD = LONGEST_PATH_WORD
cdef Py_ssize_t _MOST_PATH_WORDS = MOST_PATH_WORDS


cdef struct Url:
    Py_ssize_t start
    Py_ssize_t authority
    Py_ssize_t path
    Py_ssize_t end


cdef inline bint _is_like(uint32_t c, uint32_t letter) noexcept nogil:
    """Return whether a character is a letter in any case, as `re` decides it."""
    return c | 32 == letter and c < 128 or letter == 115 and c == 0x17F


cdef bint _url_at(int kind, void* data, Py_ssize_t start, Py_ssize_t n, Url* url) noexcept nogil:
    """Find the URL that begins at an index; `spamnb.text.links` has the pattern."""
    cdef Py_ssize_t i = start
    cdef uint32_t c
    cdef int k
    cdef const char* scheme = b"http"
    if n - start < 7:
        return False
    if _is_like(PyUnicode_READ(kind, data, i), 102):
        scheme = b"ftp"
    while scheme[0]:
        if i >= n or not _is_like(PyUnicode_READ(kind, data, i), scheme[0]):
            return False
        scheme += 1
        i += 1
    if i - start == 4 and i < n and _is_like(PyUnicode_READ(kind, data, i), 115):
        i += 1
    for k in range(3):
        if i >= n or PyUnicode_READ(kind, data, i) != (58 if k == 0 else 47):
            return False
        i += 1
    url.start, url.authority = start, i
    while i < n and i - url.authority < _LONGEST_AUTHORITY:
        c = PyUnicode_READ(kind, data, i)
        if c in (47, 63, 35, 60, 62, 34, 39, 92) or is_white(c):
            break
        i += 1
    if i == url.authority:
        return False
    url.path = i
    while i < n and i - url.path < _LONGEST_PATH:
        c = PyUnicode_READ(kind, data, i)
        if c in (60, 62, 34, 39) or is_white(c):
            break
        i += 1
    url.end = i
    return True


cdef int _add_url(list tokens, str text, Url* url) except -1:
    cdef str path, word
    cdef int kind
    cdef void* data
    cdef Py_ssize_t i = 0, start, n, n_words = 0
    cdef uint32_t c
    tokens.append("url:scheme:" + text[url.start : url.authority - 3].lower())
    tokens += host_tokens(text[url.authority : url.path])
    if url.end - url.path < 2:
        return 0
    path = text[url.path : url.end].lower()
    kind, data, n = PyUnicode_KIND(path), PyUnicode_DATA(path), PyUnicode_GET_LENGTH(path)
    while i < n and n_words < _MOST_PATH_WORDS:
        start = i
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if c == 95 or not is_word(c):
                break
            i += 1
        if i > start:
            n_words += 1
            if i - start <= _LONGEST_PATH_WORD:
                tokens.append("url:path:" + path[start:i])
        else:
            i += 1
    return 0


cdef int _add_urls(list tokens, str text) except -1:
    """Add the tokens of the URLs in a text, found by their ``://``."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t end = 0, colon, start, n = PyUnicode_GET_LENGTH(text), size
    cdef Url url
    cdef bint is_found
    while True:
        colon = text.find("://", end)
        if colon < 0:
            return 0
        is_found = False
        for size in (5, 4, 3):
            start = colon - size
            if start < end or not _url_at(kind, data, start, n, &url) or url.authority != colon + 3:
                continue
            if start > 0 and is_word(PyUnicode_READ(kind, data, start - 1)):
                continue
            is_found = True
            break
        if is_found:
            _add_url(tokens, text, &url)
            end = url.end
        else:
            end = colon + 1


cdef bint _add_address(list tokens, str address) except -1:
    """Add the tokens of an address; return whether it is a URL with a host."""
    cdef str plain = address
    cdef Url url
    if "\n" in plain or "\t" in plain or "\r" in plain:
        plain = without_line_ends(plain)
    if _url_at(PyUnicode_KIND(plain), PyUnicode_DATA(plain), 0, PyUnicode_GET_LENGTH(plain), &url):
        _add_url(tokens, plain, &url)
        return True
    tokens += scheme_tokens(address)
    return False


cdef bint _has_bare_host(str text) except -1:
    """Return whether there is a ``www.`` where a host without a scheme can begin."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), dot = 2, k
    cdef uint32_t c
    while True:
        dot = PyUnicode_FindChar(text, 46, dot + 1, n, 1)
        if dot < 0:
            return False
        for k in range(1, 4):
            if PyUnicode_READ(kind, data, dot - k) | 32 != 119:
                break
        else:
            c = PyUnicode_READ(kind, data, dot - 4) if dot > 3 else 32
            if not (c == 47 or c == 46 or c == 64 or c == 45 or is_word(c)):
                return True


def link_tokens(str text not None, tuple links not None=(), tuple sources not None=()):
    """Return the tokens of the links of a text; see the twin."""
    cdef list tokens = []
    cdef str address
    _add_urls(tokens, text)
    if _has_bare_host(text):
        tokens += bare_host_tokens(text)
    for address in sources:
        _add_address(tokens, address)
    for link in links:
        if _add_address(tokens, (<tuple> link)[0]) and "." in (<tuple> link)[1]:
            if differs_from_text(link):
                tokens.append("url:text-differs")
    return tokens


cdef str registered_domain(str host):
    """Return the registered part of a lower-case host; see the twin."""
    cdef Py_ssize_t last = host.rfind("."), second, third
    cdef str label
    if last <= 0:
        return host
    second = host.rfind(".", 0, last)
    if second < 0:
        return host
    label = host[last + 1 :]
    if not label or Py_UNICODE_ISDECIMAL(label[0]):  # perhaps a numeric address
        return registered_domain_of_any(host)
    if len(label) == 2 and host[second + 1 : last] in SECOND_LEVEL:
        third = host.rfind(".", 0, second) if second else -1
        return host[third + 1 :]
    return host[second + 1 :]
