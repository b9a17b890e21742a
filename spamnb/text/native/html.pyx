"""HTML → what a person sees of it; twin of `spamnb.text.html`.

Characters are read by index, below the length of their text (`_collapsed`, `_Page._last`); what
`_collapsed` writes is never longer than what it reads.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from libc.stdint cimport uint32_t

from spamnb.native.characters cimport PyUnicode_READ
from spamnb.text.native.tags cimport Pieces, Tag, is_space, pieces

from spamnb.text.css import CLEAR, LEAST_CONTRAST, PLAIN, UNKNOWN, Sheet, Style, style_of
from spamnb.text.html import (
    CELLS,
    DEEPEST_SEARCH,
    FORMATTING,
    P_SCOPES,
    SCOPES,
    HtmlText,
)
from spamnb.text.links import Link
from spamnb.text.tags import BLOCKS, unescaped

cdef object _new = tuple.__new__  # what named tuples call, after a call in Python
cdef frozenset _PARTING = BLOCKS | CELLS | {"br", "img"}
# No channel of another color is negative.
cdef int _CLEAR = CLEAR[0]
cdef int _UNKNOWN = UNKNOWN[0]


cdef class _Look:
    """How the text inside an element looks; see `spamnb.text.css.Style`."""

    cdef bint never_shown
    cdef bint is_visible
    cdef bint is_tiny
    cdef bint is_hidden
    cdef tuple color
    cdef tuple background


cdef _Look _look_of(tuple style):
    """Return a style of `spamnb.text.css`."""
    cdef _Look look = _Look.__new__(_Look)
    look.never_shown, look.is_visible, look.is_tiny = style[0], style[1], style[2]
    look.color, look.background, look.is_hidden = style[3], style[4], style[5]
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
    look.color = around.color if said[4] is None else said[4]
    look.background = around.background if said[5] is None else said[5]
    look.is_hidden = (
        look.never_shown
        or look.is_tiny
        or not look.is_visible
        or _is_faint(look.color, look.background)
    )
    return look


cdef bint _is_faint(tuple color, tuple background) except -1:
    """Return whether text of a color cannot be seen on a background."""
    cdef int i, least = LEAST_CONTRAST, difference
    if <int> color[0] == _CLEAR:
        return True
    if <int> color[0] == _UNKNOWN or <int> background[0] == _UNKNOWN:
        return False
    for i in range(3):
        difference = <int> color[i] - <int> background[i]
        if not -least < difference < least:
            return False
    return True


cdef str _collapsed(str text):
    """Return a text with each run of white space as one blank."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i, n = PyUnicode_GET_LENGTH(text), size = 0
    cdef bint was_space = False, is_one, is_changed = False
    cdef uint32_t c
    cdef uint32_t* buffer
    for i in range(n):
        c = PyUnicode_READ(kind, data, i)
        is_one = is_space(c)
        is_changed = is_changed or (is_one and (was_space or c != 32))
        was_space = is_one
    if not is_changed:
        return text
    buffer = <uint32_t*> PyMem_Malloc(n * sizeof(uint32_t))
    if buffer == NULL:
        raise MemoryError
    was_space = False
    try:
        for i in range(n):
            c = PyUnicode_READ(kind, data, i)
            is_one = is_space(c)
            if not (is_one and was_space):
                buffer[size] = 32 if is_one else c
                size += 1
            was_space = is_one
        return <str> PyUnicode_FromKindAndData(4, buffer, size)
    finally:
        PyMem_Free(buffer)


cdef bint _parts_words(str name, own) except -1:
    """Return whether an element separates the words around it."""
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
    """The state while one piece of HTML is read."""

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
        cdef Pieces found = pieces(html)
        cdef Py_ssize_t i
        cdef Tag tag
        cdef str text
        for tag, raw in found.sheets:
            self._add_sheet(tag, raw)
        self.has_sheet = bool(self.sheet)
        if self.has_sheet:
            for name in ("html", "body"):  # they exist even without tags
                self.look = _with_own(self.look, style_of(name, {}, self.sheet, True))
        for i in range(len(found.texts)):
            text = found.texts[i]
            if text:
                self._add_text(text)
            tag = found.tags[i]
            if tag is not None:
                if tag.closes:
                    self._close(tag.name)
                else:
                    self._open(tag, found.raws[i])
        self.visible += found.rest
        self._end_link()
        return HtmlText(
            "".join(self.visible),
            "".join(self.hidden),
            tuple(self.links),
            tuple(self.sources),
            self._counted(),
        )

    cdef int _add_sheet(self, Tag tag, str raw) except -1:
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

    cdef int _open(self, Tag tag, str raw) except -1:
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
        elif name == "body":  # its end tag does not matter, and it may occur twice
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

    cdef object _styled(self, Tag tag):
        """Return how an element looks by its tag and the style sheets."""
        own = self.styled.get(tag)
        if own is None:
            own = style_of(tag.name, tag.attributes, self.sheet, tag.is_block)
            self.styled[tag] = own
        return own

    cdef dict _counted(self):
        """Return how often each tag is opened, and each with an attribute that matters."""
        cdef dict counted = {}
        cdef Tag tag
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
