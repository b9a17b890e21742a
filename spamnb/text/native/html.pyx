"""HTML → what a person sees of it; twin of `spamnb.text.html` and `spamnb.text.tags.pieces`.

What is rare is left to the Python form: tags that end nowhere plain, style sheets, raw text.
"""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
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
    after_comment,
    raw_end,
    unescaped,
)

cdef object _new = tuple.__new__  # what named tuples call, after a call in Python
cdef object _REFERENCES = Memo(unescape, 1 << 10)
cdef Py_ssize_t _MOST_TAGS = MOST_TAGS
cdef frozenset _PARTING = BLOCKS | CELLS | {"br", "img"}
cdef object _NO_SHEET = Sheet()
# No channel of another colour is negative.
cdef int _CLEAR = CLEAR[0]
cdef int _UNKNOWN = UNKNOWN[0]
cdef tuple _TELLING_WORDS = (
    *("style", "class", "id", "hidden", "color", "background", "size", "href", "alt", "text"),
    *("media", "src", "width", "height", "action"),
)


cdef inline object _known(object memo, str key):
    """Return what a `Memo` says of a text; past the slot of a subclass of dict."""
    cdef PyObject* found = PyDict_GetItemWithError(memo, key)
    return <object> found if found != NULL else memo[key]


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


cdef Py_ssize_t _end_of_tag(int kind, void* data, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the position after the tag whose attributes begin at a place; see `end_of_tag`."""
    cdef uint32_t c, quote
    cdef Py_ssize_t value
    while True:
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if not (_is_space(c) or c == 47):
                break
            i += 1
        if i >= n:
            return n
        i += 1
        if c == 62:
            return i
        while i < n:
            c = PyUnicode_READ(kind, data, i)
            if _is_space(c) or c == 47 or c == 62 or c == 61:
                break
            i += 1
        value = i
        while value < n and _is_space(PyUnicode_READ(kind, data, value)):
            value += 1
        if value >= n or PyUnicode_READ(kind, data, value) != 61:
            continue
        i = value + 1
        while i < n and _is_space(PyUnicode_READ(kind, data, i)):
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
            if _is_space(c) or c == 62:
                break
            i += 1


cdef bint _is_telling(str text) except -1:
    """Tell whether a tag says anything that matters here."""
    cdef str lower, word
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


cdef class _Tag:
    """A tag, and what follows from its name and its attributes alone."""

    cdef str name
    cdef bint closes
    cdef dict attributes
    cdef object own
    cdef tuple counted
    cdef tuple ends
    cdef str source
    cdef bint is_block
    cdef bint is_raw
    cdef bint is_shown_raw
    cdef bint is_void


cdef _Tag _tag(str markup):
    """Return the tag that is written so, as `spamnb.text.tags` does."""
    cdef int kind = PyUnicode_KIND(markup)
    cdef void* data = PyUnicode_DATA(markup)
    cdef bint closes = PyUnicode_READ(kind, data, 1) == 47
    cdef Py_ssize_t end = 1 + closes, n = PyUnicode_GET_LENGTH(markup)
    cdef uint32_t c
    cdef str name, short, each
    cdef dict attributes
    cdef list telling
    cdef _Tag tag = _Tag.__new__(_Tag)
    while end < n:
        c = PyUnicode_READ(kind, data, end)
        if _is_space(c) or c == 47 or c == 62:
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
        tag.own = style_of(name, attributes, _NO_SHEET, tag.is_block)
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


# The same tags come again and again: two of three in a new page of the SpamAssassin corpus.
cdef object _TAGS = Memo(_tag, 1 << 13, 200)


cdef class _Look:
    """How the text inside an element looks; see `spamnb.text.css.Style`."""

    cdef bint never_shown
    cdef bint is_visible
    cdef bint is_tiny
    cdef bint is_hidden
    cdef tuple colour
    cdef tuple ground


cdef _Look _look_of(tuple style):
    """Return a style of `spamnb.text.css`."""
    cdef _Look look = _Look.__new__(_Look)
    look.never_shown, look.is_visible, look.is_tiny = style[0], style[1], style[2]
    look.colour, look.ground, look.is_hidden = style[3], style[4], style[5]
    return look


cdef _Look _PAGE = _look_of(tuple(Style()))


cdef _Look _with_own(_Look around, own):
    """Return the look of an element, as `Style.with_own` does."""
    cdef tuple said
    cdef _Look look
    if own is PLAIN:
        return around
    said = <tuple> own
    look = _Look.__new__(_Look)
    look.never_shown = around.never_shown or said[1] or said[0] == "none"
    look.is_visible = around.is_visible if said[2] is None else said[2]
    look.is_tiny = around.is_tiny if said[3] is None else said[3]
    look.colour = around.colour if said[4] is None else said[4]
    look.ground = around.ground if said[5] is None else said[5]
    look.is_hidden = (
        look.never_shown
        or look.is_tiny
        or not look.is_visible
        or _is_faint(look.colour, look.ground)
    )
    return look


cdef bint _is_faint(tuple colour, tuple ground) except -1:
    """Tell whether a colour cannot be seen on a ground."""
    cdef int i, least = LEAST_CONTRAST, difference
    if <int> colour[0] == _CLEAR:
        return True
    if <int> colour[0] == _UNKNOWN or <int> ground[0] == _UNKNOWN:
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
        parts.append(_known(_REFERENCES, text[i:start]))
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


cdef bint _parts_words(str name, own) except -1:
    """Tell whether an element stands apart from the words around it."""
    if own is PLAIN:
        return name in _PARTING
    display = (<tuple> own)[0]
    if display == "inline" or display == "contents":
        return False
    return name in _PARTING or (bool(display) and display != "none")


cdef class _Open:
    """An open element, what it says of itself, and the style around it."""

    cdef str name
    cdef object own
    cdef _Look around
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
    cdef dict opened
    cdef _Look look

    def __cinit__(self):
        self.visible, self.hidden, self.links = [], [], []
        self.link_start, self.href = -1, ""
        self.stack, self.n_open = [], {}
        self.sheet, self.styled, self.has_sheet = Sheet(), {}, False
        self.sources, self.opened = [], {}
        self.look = _PAGE

    cdef object read(self, str html):
        cdef list texts = [], tags = [], raws = [], rest = []
        cdef Py_ssize_t i
        cdef _Tag tag
        self._split(html, texts, tags, raws, rest)
        self.has_sheet = bool(self.sheet)
        if self.has_sheet:
            for name in ("html", "body"):  # they are there without their tags
                self.look = _with_own(self.look, style_of(name, {}, self.sheet, True))
        for i in range(len(texts)):
            if texts[i]:
                self._add_text(texts[i])
            tag = tags[i]
            if tag is not None:
                if tag.closes:
                    self._close(tag.name)
                else:
                    self._open(tag, raws[i])
        self.visible += rest
        self._end_link()
        return HtmlText(
            "".join(self.visible),
            "".join(self.hidden),
            tuple(self.links),
            tuple(self.sources),
            self._counted(),
        )

    cdef int _split(self, str html, list texts, list tags, list raws, list rest) except -1:
        """Gather the texts and the tags after them, as `pieces` yields them."""
        cdef int kind = PyUnicode_KIND(html)
        cdef void* data = PyUnicode_DATA(html)
        cdef Py_ssize_t i = 0, n = PyUnicode_GET_LENGTH(html), position = 0, end, n_items = 0
        cdef uint32_t c
        cdef bint closes
        cdef str text, raw
        cdef _Tag tag
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
                position = _plain_end(kind, data, end, n) or _end_of_tag(kind, data, end, n)
                tag = _known(_TAGS, html[i:position])
                if tag.is_raw and not closes:
                    end = raw_end(tag.name, html, position)
                    raw = html[position:end]
                    position = end
                    if tag.name == "style":  # for what stands before it too
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
                rest.append("\n" if tag is not None and tag.is_block else "")
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

    cdef int _add_sheet(self, _Tag tag, str raw) except -1:
        media = tag.attributes.get("media", "").lower()
        if not media or "screen" in media or "all" in media:
            self.sheet.add(raw)
        return 0

    cdef int _add_text(self, str text) except -1:
        if self.look.is_hidden or not self.n_open.get("pre"):
            text = _collapsed(text)
        if self.look.is_hidden:
            self.hidden.append(text)
        elif text != " " or not self._is_after_space():
            self.visible.append(text)
        return 0

    cdef int _open(self, _Tag tag, str raw) except -1:
        cdef str name = tag.name
        cdef dict attributes = tag.attributes
        cdef bint parts_words
        cdef _Open element
        cdef _Look look
        own = self._styled(tag) if self.has_sheet else tag.own
        self.opened[tag] = self.opened.get(tag, 0) + 1
        if tag.source is not None:
            self.sources.append(tag.source)
        if tag.is_raw and not tag.is_shown_raw:
            return 0
        if tag.ends is not None:
            self._end_implied(tag.ends)
        look = _with_own(self.look, own)
        parts_words = _parts_words(name, own)
        if parts_words and not look.never_shown:
            self._part_words(name)
        if tag.is_shown_raw:
            shown = raw if name == "xmp" else unescaped(raw)
            (self.hidden if look.is_hidden else self.visible).append(shown)
            self._part_words(name)
        elif name == "img" and attributes.get("alt") and not look.is_hidden:
            self.visible.append(f" {attributes['alt']} ")
        elif name == "area" and attributes.get("href"):
            self.links.append(_new(Link, (attributes["href"].strip(), "")))
        elif name == "body":  # has no end that matters, and may come twice
            self.look = look
        elif not tag.is_void:
            if name == "a":
                self._end_link()
                self.href = attributes.get("href", "").strip()
                self.link_start = len(self.visible)
            element = _Open.__new__(_Open)
            element.name, element.own = name, own
            element.around, element.parts_words = self.look, parts_words
            self._push(element, look)
        return 0

    cdef object _styled(self, _Tag tag):
        """Return what a tag and the style sheets say of how its element looks."""
        own = self.styled.get(tag)
        if own is None:
            own = style_of(tag.name, tag.attributes, self.sheet, tag.is_block)
            self.styled[tag] = own
        return own

    cdef dict _counted(self):
        """Return how often each tag is opened, and each with an attribute that matters."""
        cdef dict counted = {}
        cdef _Tag tag
        for tag, n in self.opened.items():
            for each in tag.counted:
                counted[each] = counted.get(each, 0) + n
        return counted

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
                again.around, again.parts_words = self.look, element.parts_words
                self._push(again, _with_own(self.look, element.own))
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

    cdef int _push(self, _Open element, _Look look) except -1:
        self.stack.append(element)
        self.n_open[element.name] = self.n_open.get(element.name, 0) + 1
        self.look = look
        return 0

    cdef _Open _pop(self):
        cdef _Open element = self.stack.pop()
        self.n_open[element.name] -= 1
        if element.parts_words and not self.look.never_shown:
            self._part_words(element.name)
        self.look = element.around
        return element

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
            self.links.append(_new(Link, (self.href, text)))
            self.link_start = -1
        return 0


def read_html(str html not None):
    """Read a piece of HTML as a browser would show it; see `spamnb.text.html.read_html`."""
    cdef _Page page = _Page()
    return page.read(html)
