"""HTML → what a person sees of it; twin of `spamnb.text.html` and `spamnb.text.tags.pieces`.

What is rare is left to the Python form: tags that end nowhere plain, style sheets, raw text.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from libc.stdint cimport uint32_t

from spamnb.native_characters cimport PyUnicode_READ

from html import unescape

from spamnb.memo import Memo
from spamnb.text.css import (
    CLEAR,
    LEAST_CONTRAST,
    LINK,
    PLAIN,
    STYLING,
    UNKNOWN,
    Sheet,
    Style,
    style_of,
)
from spamnb.text.html import (
    CELLS,
    DEEPEST_SEARCH,
    ENDS,
    FORMATTING,
    MOST_TAGS,
    P_SCOPES,
    SCOPES,
    SHOWN_RAW_TEXT,
    VOID,
    HtmlText,
)
from spamnb.text.links import Link
from spamnb.text.tags import (
    BLOCKS,
    LONGEST_NAME,
    RAW_TEXT,
    TELLING,
    TELLING_ATTRIBUTES,
    Tag,
    after_comment,
    end_of_tag,
    raw_end,
    unescaped,
)

cdef object _REFERENCES = Memo(unescape, 1 << 10)
cdef Py_ssize_t _MOST_TAGS = MOST_TAGS
cdef frozenset _PARTING = BLOCKS | CELLS | {"br", "img"}
cdef object _STYLE = Style()
cdef object _NO_SHEET = Sheet()
cdef tuple _TELLING_WORDS = (
    *("style", "class", "id", "hidden", "color", "background", "size", "href", "alt", "text"),
    *("media", "src", "width", "height", "action"),
)


cdef inline bint _is_space(uint32_t c) noexcept nogil:
    return c == 32 or c == 10 or c == 9 or c == 13 or c == 12


cdef inline bint _is_ascii_letter(uint32_t c) noexcept nogil:
    return 97 <= c <= 122 or 65 <= c <= 90


cdef Py_ssize_t _plain_end(int kind, void* data, Py_ssize_t start, Py_ssize_t n) noexcept nogil:
    """Return where a tag ends whose name ends at ``start``, 0 where that is not plain.

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


cdef bint _is_telling(str text) except -1:
    """Tell whether a tag says anything that matters here."""
    cdef str lower, word
    cdef Py_ssize_t i
    if not text.isascii():  # letters beyond ASCII can be the same but for their case
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
        if _is_space(c) or c == 47 or c == 62:
            continue
        start = i - 1
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if _is_space(c) or c == 47 or c == 62 or c == 61:
                break
            i += 1
        name, value = text[start:i].lower(), ""
        end = i
        while end < n and _is_space(PyUnicode_READ(kind, data, end)):
            end += 1
        if end < n and PyUnicode_READ(kind, data, end) == 61:
            i = end + 1
            while i < n and _is_space(PyUnicode_READ(kind, data, i)):
                i += 1
            quote = PyUnicode_READ(kind, data, i) if i < n else 0
            end = text.find('"' if quote == 34 else "'", i + 1) if quote in (34, 39) else -1
            if end >= 0:
                value, i = text[i + 1 : end], end + 1
            else:
                start = i
                while i < n:
                    c = PyUnicode_READ(kind, data, i)
                    if _is_space(c) or c == 62:
                        break
                    i += 1
                value = text[start:i]
        if name not in found:
            found[name] = _unescaped(value)
    return found


cdef object _tag(str markup):
    """Return the tag that is written so, as `spamnb.text.tags` does."""
    cdef int kind = PyUnicode_KIND(markup)
    cdef void* data = PyUnicode_DATA(markup)
    cdef bint closes = PyUnicode_READ(kind, data, 1) == 47
    cdef Py_ssize_t end = 1 + closes, n = PyUnicode_GET_LENGTH(markup)
    cdef uint32_t c
    cdef str name, short
    cdef dict attributes
    while end < n:
        c = PyUnicode_READ(kind, data, end)
        if _is_space(c) or c == 47 or c == 62:
            break
        end += 1
    name = markup[1 + closes : end].lower()
    attributes = _attributes(markup[end:])
    own = PLAIN
    if attributes:
        if "style" in attributes or not STYLING.isdisjoint(attributes):
            own = style_of(name, attributes, _NO_SHEET, name in BLOCKS)
        elif name == "a" and "href" in attributes:
            own = LINK
    short = name[:LONGEST_NAME]
    telling = [f"{short}:{each}" for each in attributes if each in TELLING_ATTRIBUTES]
    return Tag(name, closes, attributes, own, (short, *telling))


# The same tags come again and again: two of three in a new page of the SpamAssassin corpus.
cdef object _TAGS = Memo(_tag, 1 << 13, 200)


cdef object _with_own(style, own):
    """Return the style of an element, as `Style.with_own` does."""
    cdef tuple around, said
    if own is PLAIN:
        return style
    around, said = <tuple> style, <tuple> own
    cdef bint never_shown = around[0] or said[1] or said[0] == "none"
    cdef bint is_visible = around[1] if said[2] is None else said[2]
    cdef bint is_tiny = around[2] if said[3] is None else said[3]
    cdef tuple colour = around[3] if said[4] is None else said[4]
    cdef tuple ground = around[4] if said[5] is None else said[5]
    is_hidden = never_shown or is_tiny or not is_visible or _is_faint(colour, ground)
    return Style(never_shown, is_visible, is_tiny, colour, ground, is_hidden)


cdef bint _is_faint(tuple colour, tuple ground) except -1:
    """Tell whether a colour cannot be seen on a ground."""
    cdef int i, least = LEAST_CONTRAST, difference
    if colour == CLEAR:
        return True
    if colour == UNKNOWN or ground == UNKNOWN:
        return False
    for i in range(3):
        difference = <int> colour[i] - <int> ground[i]
        if not -least < difference < least:
            return False
    return True


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
        parts.append(_REFERENCES[text[i:start]])
        i = start
    if parts is None:
        return text
    parts.append(text[start:])
    return "".join(parts)


cdef str _collapsed(str text):
    """Return a text with each run of white space as one blank."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i, n = PyUnicode_GET_LENGTH(text), size = 0
    cdef bint was_space = False, is_space, is_changed = False
    cdef uint32_t c
    cdef uint32_t* buffer
    for i in range(n):
        c = PyUnicode_READ(kind, data, i)
        is_space = _is_space(c)
        is_changed = is_changed or (is_space and (was_space or c != 32))
        was_space = is_space
    if not is_changed:
        return text
    buffer = <uint32_t*> PyMem_Malloc(n * sizeof(uint32_t))
    if buffer == NULL:
        raise MemoryError
    was_space = False
    try:
        for i in range(n):
            c = PyUnicode_READ(kind, data, i)
            is_space = _is_space(c)
            if not (is_space and was_space):
                buffer[size] = 32 if is_space else c
                size += 1
            was_space = is_space
        return <str> PyUnicode_FromKindAndData(4, buffer, size)
    finally:
        PyMem_Free(buffer)


cdef class _Open:
    """An open element, what it says of itself, and the style around it."""

    cdef str name
    cdef object own
    cdef object around
    cdef bint parts_words


cdef class _Page:
    """The state of reading one piece of HTML."""

    cdef list visible
    cdef list hidden
    cdef list links
    cdef Py_ssize_t link_start
    cdef str href
    cdef list stack
    cdef dict n_open
    cdef object sheet
    cdef bint has_sheet
    cdef dict styled
    cdef list sources
    cdef dict counted
    cdef object style
    cdef bint is_hidden
    cdef bint never_shown

    def __cinit__(self):
        self.visible, self.hidden, self.links = [], [], []
        self.link_start, self.href = -1, ""
        self.stack, self.n_open = [], {}
        self.sheet, self.styled, self.has_sheet = Sheet(), {}, False
        self.sources, self.counted = [], {}
        self._set_style(_STYLE)

    cdef int _set_style(self, style) except -1:
        if style is not self.style:
            self.style = style
            self.never_shown, self.is_hidden = (<tuple> style)[0], (<tuple> style)[5]
        return 0

    cdef object read(self, str html):
        cdef list texts = [], tags = [], raws = [], rest = []
        cdef Py_ssize_t i
        self._split(html, texts, tags, raws, rest)
        self.has_sheet = bool(self.sheet)
        if self.has_sheet:
            for name in ("html", "body"):  # they are there without their tags
                self._set_style(_with_own(self.style, style_of(name, {}, self.sheet, True)))
        for i in range(len(texts)):
            if texts[i]:
                self._add_text(texts[i])
            tag = tags[i]
            if tag is not None:
                if tag[1]:
                    self._close(tag[0])
                else:
                    self._open(tag, raws[i])
        self.visible += rest
        self._end_link()
        return HtmlText(
            "".join(self.visible),
            "".join(self.hidden),
            tuple(self.links),
            tuple(self.sources),
            self.counted,
        )

    cdef int _split(self, str html, list texts, list tags, list raws, list rest) except -1:
        """Gather the texts and the tags after them, as `pieces` yields them."""
        cdef int kind = PyUnicode_KIND(html)
        cdef void* data = PyUnicode_DATA(html)
        cdef Py_ssize_t i = 0, n = PyUnicode_GET_LENGTH(html), position = 0, end, n_items = 0
        cdef uint32_t c
        cdef bint closes
        cdef str text, raw
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
                    if _is_space(c) or c == 47 or c == 62:
                        break
                    end += 1
                position = _plain_end(kind, data, end, n) or end_of_tag(html, end)
                tag = _TAGS[html[i:position]]
                if not closes and tag[0] in RAW_TEXT:
                    end = raw_end(tag[0], html, position)
                    raw = html[position:end]
                    position = end
                    if tag[0] == "style":  # for what stands before it too
                        self._add_sheet(tag, raw)
            elif html.startswith("<!--", i):
                position = after_comment(html, i + 4, True)
            else:
                position = after_comment(html, i + 2, False)
            n_items += bool(text) + (tag is not None)
            if n_items <= _MOST_TAGS:
                texts.append(text)
                tags.append(tag)
                raws.append(raw)
            else:
                rest.append(text)
                rest.append("\n" if tag is not None and tag[0] in BLOCKS else "")
            i = position
        if position < n:
            text = _unescaped(html[position:])
            if n_items + 1 <= _MOST_TAGS:
                texts.append(text)
                tags.append(None)
                raws.append("")
            else:
                rest.append(text)
        return 0

    cdef int _add_sheet(self, tag, str raw) except -1:
        media = tag.attributes.get("media", "").lower()
        if not media or "screen" in media or "all" in media:
            self.sheet.add(raw)
        return 0

    cdef int _add_text(self, str text) except -1:
        if self.is_hidden or not self.n_open.get("pre"):
            text = _collapsed(text)
        if self.is_hidden:
            self.hidden.append(text)
        elif text != " " or not self._is_after_space():
            self.visible.append(text)
        return 0

    cdef int _open(self, tag, str raw) except -1:
        cdef str name
        cdef dict attributes, counted = self.counted
        cdef bint parts_words
        cdef _Open element
        name, _, attributes, own, names = <tuple> tag
        if self.has_sheet:
            own = self._styled(tag)
        for each in <tuple> names:
            counted[each] = counted.get(each, 0) + 1
        if attributes:
            source = attributes.get("src") or attributes.get("background")
            if source:
                self.sources.append(source.strip())
        if name in RAW_TEXT and name not in SHOWN_RAW_TEXT:
            return 0
        ends = ENDS.get(name)
        if ends is not None:
            self._end_implied(<tuple> ends)
        style = _with_own(self.style, own)
        parts_words = self._parts_words(name, own)
        if parts_words and not (<tuple> style)[0]:
            self._part_words(name)
        if name in SHOWN_RAW_TEXT:
            shown = raw if name == "xmp" else unescaped(raw)
            (self.hidden if style.is_hidden else self.visible).append(shown)
            self._part_words(name)
        elif name == "img" and attributes.get("alt") and not style.is_hidden:
            self.visible.append(f" {attributes['alt']} ")
        elif name == "area" and attributes.get("href"):
            self.links.append(Link(attributes["href"].strip(), ""))
        elif name == "body":  # has no end that matters, and may come twice
            self._set_style(style)
        elif name not in VOID:
            if name == "a":
                self._end_link()
                self.href = attributes.get("href", "").strip()
                self.link_start = len(self.visible)
            element = _Open.__new__(_Open)
            element.name, element.own = name, own
            element.around, element.parts_words = self.style, parts_words
            self._push(element, style)
        return 0

    cdef object _styled(self, tag):
        """Return what a tag and the style sheets say of how its element looks."""
        own = self.styled.get(id(tag))
        if own is None:
            own = style_of(tag.name, tag.attributes, self.sheet, tag.name in BLOCKS)
            self.styled[id(tag)] = own
        return own

    cdef int _close(self, str name) except -1:
        if name == "a":
            self._end_link()
        if not self.n_open.get(name):
            if name == "br" or name == "p":  # a browser opens them
                self._part_words(name)
            return 0
        return self._pop_to(name)

    cdef int _pop_to(self, str name) except -1:
        """Close the innermost element of a name, and what is open inside it."""
        cdef list reopened = []
        cdef _Open element, again
        while True:
            element = self._pop()
            if element.name == name:
                break
            # As in the Python form, three at most.
            if element.name in FORMATTING and len(reopened) < 3:
                reopened.append(element)
        if reopened and name not in FORMATTING:
            for element in reversed(reopened):
                again = _Open.__new__(_Open)
                again.name, again.own = element.name, element.own
                again.around, again.parts_words = self.style, element.parts_words
                self._push(again, _with_own(self.style, element.own))
        return 0

    cdef int _end_implied(self, tuple ends) except -1:
        """End the open elements that cannot hold a new one."""
        cdef Py_ssize_t i
        cdef _Open element
        for ended in ends:
            if not self.n_open.get(ended):
                continue
            scopes = P_SCOPES if ended == "p" else SCOPES
            for i in range(len(self.stack) - 1, max(len(self.stack) - 1 - DEEPEST_SEARCH, -1), -1):
                element = self.stack[i]
                if element.name == ended:
                    self._pop_to(ended)
                    break
                if element.name in scopes:
                    break
        return 0

    cdef int _push(self, _Open element, style) except -1:
        self.stack.append(element)
        self.n_open[element.name] = self.n_open.get(element.name, 0) + 1
        return self._set_style(style)

    cdef _Open _pop(self):
        cdef _Open element = self.stack.pop()
        self.n_open[element.name] -= 1
        if element.parts_words and not self.never_shown:
            self._part_words(element.name)
        self._set_style(element.around)
        return element

    cdef bint _parts_words(self, str name, own) except -1:
        """Tell whether an element stands apart from the words around it."""
        if own is PLAIN:
            return name in _PARTING
        display = own.display
        if display == "inline" or display == "contents":
            return False
        return name in _PARTING or (bool(display) and display != "none")

    cdef int _part_words(self, str name) except -1:
        if name == "td" or name == "th" or name == "img":
            if not self._is_after_space():
                self.visible.append(" ")
        elif name == "br" or not self._is_after_line():
            self.visible.append("\n")
        return 0

    cdef bint _is_after_space(self) except -1:
        cdef uint32_t c
        if not self.visible:
            return True
        c = self._last()
        return c == 32 or c == 10

    cdef bint _is_after_line(self) except -1:
        return bool(self.visible) and self._last() == 10

    cdef uint32_t _last(self) except? 0:
        """Return the last character of the last visible text, 0 for none."""
        cdef str text = <str> self.visible[len(self.visible) - 1]
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
        return PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), n - 1) if n else 0

    cdef int _end_link(self) except -1:
        if self.link_start >= 0:
            text = "".join(self.visible[self.link_start :]).strip()
            self.links.append(Link(self.href, text))
            self.link_start = -1
        return 0


def read_html(str html not None):
    """Read a piece of HTML as a browser would show it; see `spamnb.text.html.read_html`."""
    cdef _Page page = _Page()
    return page.read(html)
