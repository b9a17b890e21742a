"""HTML → what a person sees of it, in time linear in its length.

A stack of open elements instead of a tree is enough to tell visible text from hidden.  The parsers
that build trees take quadratic time on hostile input (selectolax 1.0.2, 2026-11: 100,000 nested
``<div>``, half a megabyte, 22 s; one tag of 100,000 attributes 39 s; benchmarks/html_parsers.py).
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import NamedTuple

from spamnb.native.twins import has_twin
from spamnb.patterns import lazy_pattern
from spamnb.text.css import Own, Sheet, Style, style_of
from spamnb.text.links import Link
from spamnb.text.tags import BLOCKS, RAW_TEXT, Piece, Tag, pieces, unescaped

_SPACE = " \t\n\f\r"
SHOWN_RAW_TEXT = frozenset({"xmp", "textarea"})
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta",
                   "param", "source", "track", "wbr"})  # fmt: skip
# Elements that continue after the block around them has ended (the standard's formatting elements).
FORMATTING = frozenset({"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small",
                         "strike", "strong", "tt", "u"})  # fmt: skip
CELLS = frozenset({"td", "th"})
# Which open elements are closed implicitly when another begins, and where the search for them
# stops.
_NOT_IN_P = frozenset({"address", "article", "blockquote", "center", "div", "dl", "fieldset",
                       "form", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre",
                       "section", "table", "ul"})  # fmt: skip
ENDS: dict[str, tuple[str, ...]] = dict.fromkeys(_NOT_IN_P, ("p",)) | {
    "td": ("td", "th"),
    "th": ("td", "th"),
    "tr": ("td", "th", "tr"),
    "tbody": ("td", "th", "tr", "tbody", "thead"),
    "tfoot": ("td", "th", "tr", "tbody"),
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "option": ("option",),
}
SCOPES = frozenset({"table", "ul", "ol", "dl", "select", "object", "button"})
P_SCOPES = SCOPES - {"ul", "ol", "dl"} | CELLS
DEEPEST_SEARCH = 50
# The largest of the 1,210 HTML parts of the SpamAssassin corpus has 3,174 tags and texts.  What
# follows this many is read without regard to its style, which takes a third of the time.
MOST_TAGS = 20_000
_WHITE = lazy_pattern(rf"[{_SPACE}]+")


class HtmlText(NamedTuple):
    """What there is to read in a piece of HTML.

    Attributes
    ----------
    text : str
        The text that a reader sees, alternative texts of images included.
    hidden : str
        The text that no reader sees.
    links : tuple of Link
        The links, in order.
    sources : tuple of str
        The addresses of what the page loads by itself: images, frames, backgrounds.
    tags : dict of str to int
        How often each tag is opened (``font``), and with each attribute that matters
        (``font:color``); the names are cut to 20 characters.
    """

    text: str
    hidden: str
    links: tuple[Link, ...]
    sources: tuple[str, ...]
    tags: dict[str, int]


@has_twin
def read_html(html: str) -> HtmlText:
    """Read a piece of HTML as a browser would show it.

    An inline tag or a comment inside a word leaves the word whole; a table cell separates words;
    any other tag becomes a line end.  Character references are replaced, with or without their
    semicolon, as browsers do.

    Parameters
    ----------
    html : str
        Any text at all; what is not markup is returned unchanged.
    """
    return _Page().read(html)


def strip_tags(html: str) -> str:
    """Return the text of a piece of HTML that a reader sees; see `read_html`."""
    return read_html(html).text


class _Open(NamedTuple):
    """An open element, what it says of itself, and the style around it."""

    name: str
    own: Own
    around: Style
    parts_words: bool


class _Page:
    """The state while one piece of HTML is read."""

    def __init__(self) -> None:
        self.visible: list[str] = []
        self.hidden: list[str] = []
        self.links: list[Link] = []
        self.link_start: int | None = None
        self.href = ""
        self.stack: list[_Open] = []
        self.n_open: Counter[str] = Counter()
        self.sheet = Sheet()
        self.styled: dict[int, Own] = {}
        self.sources: list[str] = []
        self.opened: list[Tag] = []
        self.style = Style()

    def read(self, html: str) -> HtmlText:
        shown: list[Piece] = []
        rest: list[str] = []  # strings, since the garbage collector would look at all the tags
        n_items = 0
        for piece in pieces(html):
            text, tag, raw = piece
            if tag and tag.name == "style" and not tag.closes:  # applies to what precedes it too
                self._add_sheet(tag, raw)
            n_items += bool(text) + (tag is not None)
            if n_items <= MOST_TAGS:
                shown.append(piece)
            else:
                rest += (text, "\n" * (tag is not None and tag.name in BLOCKS))
        for name in ("html", "body") if self.sheet else ():  # they exist even without tags
            self.style = self.style.with_own(style_of(name, {}, self.sheet, True))
        for text, tag, raw in shown:
            if text:
                self._add_text(text)
            if tag is not None:
                if tag.closes:
                    self._close(tag.name)
                else:
                    self._open(tag, raw)
        self.visible += rest
        self._end_link()
        return HtmlText(
            "".join(self.visible),
            "".join(self.hidden),
            tuple(self.links),
            tuple(self.sources),
            dict(Counter(chain.from_iterable(tag.counted for tag in self.opened))),
        )

    def _add_sheet(self, tag: Tag, raw: str) -> None:
        media = tag.attributes.get("media", "").lower()
        if not media or "screen" in media or "all" in media:
            self.sheet.add(raw)

    def _add_text(self, text: str) -> None:
        is_hidden = self.style.is_hidden
        if is_hidden or not self.n_open["pre"]:
            text = _WHITE.sub(" ", text)
        if is_hidden:
            self.hidden.append(text)
        elif text != " " or not self._is_after_space():
            self.visible.append(text)

    def _open(self, tag: Tag, raw: str) -> None:
        name, _, attributes, own, _ = tag
        if self.sheet:
            own = self._styled(tag)
        self.opened.append(tag)
        source = attributes.get("src") or attributes.get("background") if attributes else None
        if source:
            self.sources.append(source.strip())
        if name in RAW_TEXT and name not in SHOWN_RAW_TEXT:
            return
        if name in ENDS:
            self._end_implied(name)
        style = self.style.with_own(own)
        parts_words = self._parts_words(name, own)
        if parts_words and not style.never_shown:
            self._part_words(name)
        if name in SHOWN_RAW_TEXT:
            shown = raw if name == "xmp" else unescaped(raw)
            (self.hidden if style.is_hidden else self.visible).append(shown)
            self._part_words(name)
        elif name == "img" and attributes.get("alt") and not style.is_hidden:
            self.visible.append(f" {attributes['alt']} ")
        elif name == "area" and attributes.get("href"):
            self.links.append(Link(attributes["href"].strip(), ""))
        elif name == "body":  # its end tag does not matter, and it may occur twice
            self.style = style
        elif name not in VOID:
            if name == "a":
                self._end_link()
                self.href = attributes.get("href", "").strip()
                self.link_start = len(self.visible)
            self._push(_Open(name, own, self.style, parts_words), style)

    def _styled(self, tag: Tag) -> Own:
        """Return how an element looks by its tag and the style sheets."""
        own = self.styled.get(id(tag))
        if own is None:
            own = style_of(tag.name, tag.attributes, self.sheet, tag.name in BLOCKS)
            self.styled[id(tag)] = own
        return own

    def _close(self, name: str) -> None:
        if name == "a":
            self._end_link()
        if not self.n_open[name]:
            if name in {"br", "p"}:  # a browser opens them
                self._part_words(name)
            return
        self._pop_to(name)

    def _pop_to(self, name: str) -> None:
        """Close the innermost element of a name, and what is open inside it."""
        reopened: list[_Open] = []
        while True:
            element = self._pop()
            if element.name == name:
                break
            # The standard reopens them all, but at most three of a kind; a mail that needs more
            # than three is not a real one, and would take quadratic time.
            if element.name in FORMATTING and len(reopened) < 3:
                reopened.append(element)
        if name not in FORMATTING:
            for element in reversed(reopened):
                inside = self.style.with_own(element.own)
                self._push(element._replace(around=self.style), inside)

    def _end_implied(self, name: str) -> None:
        """End the open elements that cannot hold a new one."""
        for ended in ENDS[name]:
            if not self.n_open[ended]:
                continue
            scopes = P_SCOPES if ended == "p" else SCOPES
            for element in self.stack[: -DEEPEST_SEARCH - 1 : -1]:
                if element.name == ended:
                    self._pop_to(ended)
                    break
                if element.name in scopes:
                    break

    def _push(self, element: _Open, style: Style) -> None:
        self.stack.append(element)
        self.n_open[element.name] += 1
        self.style = style

    def _pop(self) -> _Open:
        element = self.stack.pop()
        self.n_open[element.name] -= 1
        if element.parts_words and not self.style.never_shown:
            self._part_words(element.name)
        self.style = element.around
        return element

    @staticmethod
    def _parts_words(name: str, own: Own) -> bool:
        """Return whether an element separates the words around it."""
        if own.display in {"inline", "contents"}:
            return False
        return (
            name in BLOCKS
            or name in CELLS
            or name in {"br", "img"}
            or (bool(own.display) and own.display != "none")
        )

    def _part_words(self, name: str) -> None:
        if name in CELLS or name == "img":
            if not self._is_after_space():
                self.visible.append(" ")
        elif name == "br" or not self.visible or not self.visible[-1].endswith("\n"):
            self.visible.append("\n")

    def _is_after_space(self) -> bool:
        return not self.visible or self.visible[-1][-1:] in {" ", "\n"}

    def _end_link(self) -> None:
        if self.link_start is not None:
            self.links.append(Link(self.href, "".join(self.visible[self.link_start :]).strip()))
            self.link_start = None
