"""HTML → tags, and the texts between them; twin of `spamnb.text.tags`.

Characters are read by index: each loop compares it with the length n before it reads.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t

from spamnb.native.characters cimport PyUnicode_READ
from spamnb.native.memo cimport known

from html import unescape

from spamnb.memo import Memo
from spamnb.text.css import LINK, PLAIN, STYLING, Sheet, style_of
from spamnb.text.html import ENDS, MOST_TAGS, SHOWN_RAW_TEXT, VOID
from spamnb.text.tags import (
    BLOCKS,
    LONGEST_NAME,
    RAW_TEXT,
    TELLING,
    TELLING_ATTRIBUTES,
    after_comment,
    raw_end,
    unescaped,
)

cdef object _REFERENCES = Memo(unescape, 1 << 10)
cdef Py_ssize_t _MOST_TAGS = MOST_TAGS
cdef object _NO_SHEET = Sheet()
cdef Py_ssize_t _LONGEST_KEPT = 200
cdef Py_ssize_t _MOST_STYLES = 1 << 12
cdef frozenset _LOOKS = STYLING | {"style"}
cdef dict _STYLES = {}
cdef tuple _TELLING_WORDS = (
    *("style", "class", "id", "hidden", "color", "background", "size", "href", "alt", "text"),
    *("media", "src", "width", "height", "action"),
)


cdef inline bint _is_ascii_letter(uint32_t c) noexcept nogil:
    return 97 <= c <= 122 or 65 <= c <= 90


cdef Py_ssize_t _plain_end(int kind, void* data, Py_ssize_t start, Py_ssize_t n) noexcept nogil:
    """Return the end of a tag whose name ends at ``start``, 0 if that is not plain.

    That is ``[^>"']*>|(?:[^>"'=]*="[^"<>]*")+[^>"'=]*>``.
    """
    cdef Py_ssize_t i = start
    cdef uint32_t c = 0
    while i < n:
        c = PyUnicode_READ(kind, data, i)
        if c == 62:
            return i + 1
        if c == 34 or c == 39:
            break
        i += 1
    i = start
    while True:
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if c == 62 or c == 34 or c == 39 or c == 61:
                break
            i += 1
        if i >= n or c == 34 or c == 39:
            return 0
        if c == 62:
            return i + 1 if i > start else 0
        if i + 1 >= n or PyUnicode_READ(kind, data, i + 1) != 34:
            return 0
        i += 2
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if c == 34 or c == 60 or c == 62:
                break
            i += 1
        if i >= n or c != 34:
            return 0
        i += 1


cdef Py_ssize_t _end_of_tag(int kind, void* data, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the position after the tag whose attributes begin at ``i``; see `end_of_tag`."""
    cdef uint32_t c, quote
    cdef Py_ssize_t value
    while True:
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if not (is_space(c) or c == 47):
                break
            i += 1
        if i >= n:
            return n
        i += 1
        if c == 62:
            return i
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if is_space(c) or c == 47 or c == 62 or c == 61:
                break
            i += 1
        value = i
        while value < n and is_space(PyUnicode_READ(kind, data, value)):
            value += 1
        if value >= n or PyUnicode_READ(kind, data, value) != 61:
            continue
        i = value + 1
        while i < n and is_space(PyUnicode_READ(kind, data, i)):
            i += 1
        quote = PyUnicode_READ(kind, data, i) if i < n else 0
        if quote == 34 or quote == 39:
            i += 1
            while i < n and PyUnicode_READ(kind, data, i) != quote:
                i += 1
            if i >= n:
                return n
            i += 1
            continue
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if is_space(c) or c == 62:
                break
            i += 1


cdef bint _is_telling(str text) except -1:
    """Return whether a tag has an attribute that may matter here."""
    cdef str lower, word
    if not text.isascii():  # non-ASCII letters can equal ASCII ones but for case
        return TELLING.search(text) is not None
    lower = text.lower()
    for word in _TELLING_WORDS:
        if word in lower:
            return True
    return "on" in lower and TELLING.search(text) is not None


cdef dict _attributes(str text):
    """Return the attributes of a tag, as `spamnb.text.tags` does."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i = 0, n = PyUnicode_GET_LENGTH(text), start, end
    cdef uint32_t c, quote
    cdef dict found = {}
    cdef str name, value
    if n < 3 or not _is_telling(text):
        return found
    while i < n:
        c = PyUnicode_READ(kind, data, i)
        i += 1
        if is_space(c) or c == 47 or c == 62:
            continue
        start = i - 1
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if is_space(c) or c == 47 or c == 62 or c == 61:
                break
            i += 1
        name, value = text[start:i].lower(), ""
        end = i
        while end < n and is_space(PyUnicode_READ(kind, data, end)):
            end += 1
        if end < n and PyUnicode_READ(kind, data, end) == 61:
            i = end + 1
            while i < n and is_space(PyUnicode_READ(kind, data, i)):
                i += 1
            quote = PyUnicode_READ(kind, data, i) if i < n else 0
            end = text.find('"' if quote == 34 else "'", i + 1) if quote in (34, 39) else -1
            if end >= 0:
                value, i = text[i + 1 : end], end + 1
            else:
                start = i
                while i < n:
                    c = PyUnicode_READ(kind, data, i)
                    if is_space(c) or c == 62:
                        break
                    i += 1
                value = text[start:i]
        if name not in found:
            found[name] = _unescaped(value)
    return found


cdef class Tag:
    """A tag, and what follows from its name and its attributes alone."""


cdef Tag _tag(str markup):
    """Return the tag for its markup, as `spamnb.text.tags` does."""
    cdef int kind = PyUnicode_KIND(markup)
    cdef void* data = PyUnicode_DATA(markup)
    cdef bint closes = PyUnicode_READ(kind, data, 1) == 47
    cdef Py_ssize_t end = 1 + closes, n = PyUnicode_GET_LENGTH(markup)
    cdef uint32_t c
    cdef str name, short, each
    cdef dict attributes
    cdef list telling
    cdef Tag tag = Tag.__new__(Tag)
    while end < n:
        c = PyUnicode_READ(kind, data, end)
        if is_space(c) or c == 47 or c == 62:
            break
        end += 1
    name = markup[1 + closes : end].lower()
    attributes = _attributes(markup[end:])
    tag.name, tag.closes, tag.attributes, tag.own = name, closes, attributes, PLAIN
    tag.is_block, tag.is_raw, tag.is_void = name in BLOCKS, name in RAW_TEXT, name in VOID
    tag.is_shown_raw, tag.ends = name in SHOWN_RAW_TEXT, ENDS.get(name)
    short = name[:LONGEST_NAME]
    if not attributes:
        tag.counted = (short,)
        return tag
    if "style" in attributes or not STYLING.isdisjoint(attributes):
        tag.own = _own_style(tag, PyUnicode_GET_LENGTH(markup) <= _LONGEST_KEPT)
    elif name == "a" and "href" in attributes:
        tag.own = LINK
    source = attributes.get("src") or attributes.get("background")
    if source:
        tag.source = source.strip()
    telling = [short]
    for each in attributes:
        if each in TELLING_ATTRIBUTES:
            telling.append(f"{short}:{each}")
    tag.counted = tuple(telling)
    return tag


# The same tags recur: two of three in a new page of the SpamAssassin corpus.
cdef object _TAGS = Memo(_tag, 1 << 13, _LONGEST_KEPT)


cdef object _own_style(Tag tag, bint is_kept):
    """Return how an element looks by its tag; new tags often look like earlier ones."""
    cdef list said = [tag.name, "href" in tag.attributes]
    cdef tuple key
    for name, value in tag.attributes.items():
        if name in _LOOKS:
            said.append(name)
            said.append(value)
    key = tuple(said)
    own = _STYLES.get(key)
    if own is None:
        own = style_of(tag.name, tag.attributes, _NO_SHEET, tag.is_block)
        if is_kept:
            if len(_STYLES) >= _MOST_STYLES:
                _STYLES.clear()
            _STYLES[key] = own
    return own


cdef str _unescaped(str text):
    """Return a text with its character references replaced; most are a name and a semicolon."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i = 0, start = 0, end, n = PyUnicode_GET_LENGTH(text)
    cdef uint32_t c
    cdef list parts = None
    while i < n:
        if PyUnicode_READ(kind, data, i) != 38:
            i += 1
            continue
        end = i + 1
        while end < n and end - i < 32:
            c = PyUnicode_READ(kind, data, end)
            if not (_is_ascii_letter(c) or 48 <= c <= 57):
                break
            end += 1
        if end == i + 1 or end >= n or PyUnicode_READ(kind, data, end) != 59:
            return unescaped(text)
        if parts is None:
            parts = []
        parts.append(text[start:i])
        start = end + 1
        parts.append(known(_REFERENCES, text[i:start]))
        i = start
    if parts is None:
        return text
    parts.append(text[start:])
    return "".join(parts)


cdef class Pieces:
    """The texts of a piece of HTML, the tags after them, and the contents of raw text elements.

    ``rest`` is what follows the first `MOST_TAGS`; ``sheets`` are the style sheets.
    """

    def __cinit__(self):
        self.texts, self.tags, self.raws, self.rest, self.sheets = [], [], [], [], []


cdef Pieces pieces(str html):
    """Return the texts of a piece of HTML and the tags that end them, as the twin yields them."""
    cdef Pieces found = Pieces.__new__(Pieces)
    cdef int kind = PyUnicode_KIND(html)
    cdef void* data = PyUnicode_DATA(html)
    cdef Py_ssize_t i = 0, n = PyUnicode_GET_LENGTH(html), position = 0, end, n_items = 0
    cdef uint32_t c
    cdef bint closes
    cdef str text, raw
    cdef Tag tag
    while i + 1 < n:
        if PyUnicode_READ(kind, data, i) != 60:
            i += 1
            continue
        end = i + 1
        c = PyUnicode_READ(kind, data, end)
        closes = c == 47
        if closes and end + 1 < n and _is_ascii_letter(PyUnicode_READ(kind, data, end + 1)):
            end += 1
            c = PyUnicode_READ(kind, data, end)
        if not _is_ascii_letter(c) and c != 33 and c != 63 and c != 47:
            i += 1
            continue
        text = _unescaped(html[position:i])
        tag, raw = None, ""
        if _is_ascii_letter(c):
            while end < n:
                c = PyUnicode_READ(kind, data, end)
                if is_space(c) or c == 47 or c == 62:
                    break
                end += 1
            position = _plain_end(kind, data, end, n) or _end_of_tag(kind, data, end, n)
            tag = known(_TAGS, html[i:position])
            if tag.is_raw and not closes:
                end = raw_end(tag.name, html, position)
                raw = html[position:end]
                position = end
                if tag.name == "style":  # applies to what precedes it too
                    found.sheets.append((tag, raw))
        elif html.startswith("<!--", i):
            position = after_comment(html, i + 4, True)
        else:
            position = after_comment(html, i + 2, False)
        n_items += bool(text) + (tag is not None)
        if n_items <= _MOST_TAGS:
            found.texts.append(text)
            found.tags.append(tag)
            found.raws.append(raw)
        else:
            found.rest.append(text)
            found.rest.append("\n" if tag is not None and tag.is_block else "")
        i = position
    if position < n:
        text = _unescaped(html[position:])
        if n_items + 1 <= _MOST_TAGS:
            found.texts.append(text)
            found.tags.append(None)
            found.raws.append("")
        else:
            found.rest.append(text)
    return found
