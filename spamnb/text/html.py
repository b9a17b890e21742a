"""HTML → what a person sees of it, in time linear in its length.

A tokenizer after the WHATWG HTML standard, section 13.2.5, and a stack of open elements instead of
a tree: enough to tell text from markup, and visible text from hidden.  The parsers that build
trees take quadratic time on hostile input (selectolax 1.0.2, 2026-11: 100,000 nested ``<div>``,
half a megabyte, 22 s; one tag of 100,000 attributes 39 s; ``benchmarks/html_parsers.py``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import NamedTuple

from spamnb.text.css import Style, hiding_selectors, style_of

_SPACE = " \t\n\f\r"
# A tag up to its end or first quote; a comment; a declaration.
_MARKUP = re.compile(rf"<(?:(/?)([a-zA-Z][^{_SPACE}/>]*)([^>\"']*>)?|(!--)|[!?/])")
_ATTRIBUTE = re.compile(
    rf"[{_SPACE}/]*(?:(>)|([^{_SPACE}/>][^{_SPACE}/>=]*)"
    rf"(?:[{_SPACE}]*=[{_SPACE}]*(?:\"([^\"]*)\"|'([^']*)'|([^{_SPACE}>]*)))?)"
)
_COMMENT_END = re.compile(r"--!?>")
# In their content "<" begins no tag; most of it is nothing that a reader sees.
_RAW_TEXT = frozenset({"script", "style", "noembed", "noframes", "iframe", "template", "title",
                       "xmp", "textarea"})  # fmt: skip
_SHOWN_RAW_TEXT = frozenset({"xmp", "textarea"})
_RAW_END = {name: re.compile(rf"</{name}(?=[{_SPACE}/>])", re.IGNORECASE) for name in _RAW_TEXT}
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta",
                   "param", "source", "track", "wbr"})  # fmt: skip
# Elements that go on after the block around them has ended (the standard's formatting elements).
_FORMATTING = frozenset({"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small",
                         "strike", "strong", "tt", "u"})  # fmt: skip
# Tags that stand inside a word without breaking it; all others part words.
_INLINE = _FORMATTING | {"abbr", "acronym", "bdi", "bdo", "cite", "del", "dfn", "ins", "kbd",
                         "mark", "q", "samp", "span", "sub", "sup", "var", "wbr"}  # fmt: skip
_CELLS = frozenset({"td", "th"})
# Which open element ends when another begins, though nobody has closed it.
_ENDED_BY = {
    "td": {"td", "th"},
    "th": {"td", "th"},
    "tr": {"td", "th", "tr"},
    "li": {"li"},
    "option": {"option"},
}
_NOT_IN_P = frozenset({"address", "article", "blockquote", "center", "div", "dl", "fieldset",
                       "form", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre",
                       "section", "table", "ul"})  # fmt: skip
_TOO_LONG_NUMBER = re.compile(r"&#(?:[xX][0-9a-fA-F]{7,}|[0-9]{8,});?")


class Link(NamedTuple):
    """A link: where it leads, and the text that a reader sees over it."""

    href: str
    text: str


@dataclass(frozen=True, slots=True)
class HtmlText:
    """What there is to read in a piece of HTML.

    Attributes
    ----------
    text : str
        The text that a reader sees, alternative texts of images included.
    hidden : str
        The text that no reader sees.
    links : tuple of Link
        The links, in order.
    """

    text: str
    hidden: str
    links: tuple[Link, ...]


def read_html(html: str) -> HtmlText:
    """Read a piece of HTML as a browser would show it.

    An inline tag or a comment inside a word leaves the word whole; a table cell parts words, any
    other tag becomes a line end.  Character references are replaced, with or without their
    semicolon, as browsers do.

    Parameters
    ----------
    html : str
        Any text at all; what is not markup comes back as it is.

    Returns
    -------
    HtmlText
    """
    return _Page().read(html)


def strip_tags(html: str) -> str:
    """Return the text of a piece of HTML that a reader sees; see `read_html`."""
    return read_html(html).text


class _Tag(NamedTuple):
    """A tag, or a text where the name is ``""``; raw is the text, or what an element holds."""

    name: str
    closes: bool = False
    attributes: str = ""
    raw: str = ""


class _Open(NamedTuple):
    """An open element and the style that its text has."""

    name: str
    style: Style


class _Page:
    """The state of reading one piece of HTML."""

    def __init__(self) -> None:
        self.visible: list[str] = []
        self.hidden: list[str] = []
        self.links: list[Link] = []
        self.link_start: int | None = None
        self.href = ""
        self.stack: list[_Open] = []
        self.n_open: Counter[str] = Counter()
        self.hiding: frozenset[str] = frozenset()
        self.style = Style()

    def read(self, html: str) -> HtmlText:
        for tag in _tags(html):
            if not tag.name:
                (self.hidden if self.style.is_hidden else self.visible).append(tag.raw)
            elif tag.closes:
                self._close(tag.name)
            else:
                self._open(tag)
        self._end_link()
        return HtmlText("".join(self.visible), "".join(self.hidden), tuple(self.links))

    def _open(self, tag: _Tag) -> None:
        name = tag.name
        self._part_words(name)
        if name in _RAW_TEXT:
            if name == "style":
                self.hiding |= hiding_selectors(tag.raw)
            elif name in _SHOWN_RAW_TEXT:
                self.visible.append(tag.raw)
            return
        self._end_implied(name)
        attributes = _attributes(tag.attributes)
        if name == "img" and attributes.get("alt") and not self.style.is_hidden:
            self.visible.append(f" {attributes['alt']} ")
        if name == "a":
            self._end_link()
            self.href = attributes.get("href", "").strip()
            self.link_start = len(self.visible)
        own = style_of(name, attributes, self.hiding)
        if name == "body":  # has no end that matters, and may come twice
            self.style = self.style.with_own(own)
        elif name not in _VOID:
            self._push(name, self.style.with_own(own))

    def _close(self, name: str) -> None:
        self._part_words(name)
        if name == "a":
            self._end_link()
        if not self.n_open[name]:
            return
        reopened: list[_Open] = []
        while True:
            element = self._pop()
            if element.name == name:
                break
            # The standard reopens them all, but at most three of a kind; a mail that needs more
            # than three is no mail, and would take quadratic time.
            if element.name in _FORMATTING and len(reopened) < 3:
                reopened.append(element)
        if name not in _FORMATTING:
            for element in reversed(reopened):
                self._push(element.name, element.style)

    def _end_implied(self, name: str) -> None:
        """End the open element that cannot hold a new one."""
        if not self.stack:
            return
        open_name = self.stack[-1].name
        if open_name == "p" and name in _NOT_IN_P:
            self._pop()
        while self.stack and name in _ENDED_BY.get(self.stack[-1].name, ()):
            self._pop()
            if name in _CELLS:
                break

    def _push(self, name: str, style: Style) -> None:
        self.stack.append(_Open(name, self.style))
        self.n_open[name] += 1
        self.style = style

    def _pop(self) -> _Open:
        """Close the innermost element; return it with the style that it gave."""
        element = self.stack.pop()
        self.n_open[element.name] -= 1
        inside, self.style = self.style, element.style
        return _Open(element.name, inside)

    def _part_words(self, name: str) -> None:
        if name not in _INLINE:
            self.visible.append(" " if name in _CELLS or name == "img" else "\n")

    def _end_link(self) -> None:
        if self.link_start is not None:
            self.links.append(Link(self.href, "".join(self.visible[self.link_start :]).strip()))
            self.link_start = None


def _tags(html: str) -> Iterator[_Tag]:
    """Yield the tags and the texts between them; raw elements whole."""
    position = 0
    while True:
        match = _MARKUP.search(html, position)
        end = match.start() if match else len(html)
        if end > position:
            yield _Tag("", raw=_unescape(html[position:end]))
        if match is None:
            return
        slash, name, simple, comment = match.groups()
        if name is None:
            position = _after_comment(html, match.end(), bool(comment))
            continue
        start = match.end(2)
        position = match.end() if simple else _end_of_tag(html, start)
        name = name.lower()
        attributes = html[start:position]
        raw = ""
        if name in _RAW_TEXT and not slash:
            found = _RAW_END[name].search(html, position)
            raw_end = found.start() if found else len(html)
            raw = html[position:raw_end]
            position = raw_end
        yield _Tag(name, bool(slash), attributes, raw)


def _after_comment(html: str, start: int, is_comment: bool) -> int:
    """Return the position after a comment or declaration; one without end swallows the rest."""
    if not is_comment:
        return html.find(">", start) + 1 or len(html)
    # "<!-->" and "<!--->" are whole comments.
    if html.startswith((">", "->"), start):
        return html.index(">", start) + 1
    end = _COMMENT_END.search(html, start)
    return end.end() if end else len(html)


def _end_of_tag(html: str, position: int) -> int:
    """Return the position after the tag whose attributes begin at ``position``.

    A tag without end swallows the rest of the text, as in a browser.
    """
    while match := _ATTRIBUTE.match(html, position):
        if match[1]:
            return match.end()
        if (match[5] or "").startswith(("'", '"')) or match.end() == position:
            break  # a quote without its twin
        position = match.end()
    return len(html)


def _attributes(text: str) -> dict[str, str]:
    """Return the attributes of a tag, the first of equal names, values unescaped."""
    found: dict[str, str] = {}
    if len(text) < 3:
        return found
    for _, name, double, single, bare in _ATTRIBUTE.findall(text):
        if name:
            found.setdefault(name.lower(), _unescape(double or single or bare))
    return found


def _unescape(text: str) -> str:
    if "&" not in text:
        return text
    try:
        return unescape(text)
    except ValueError:  # more digits than Python turns into a number
        return unescape(_TOO_LONG_NUMBER.sub("\ufffd", text))
