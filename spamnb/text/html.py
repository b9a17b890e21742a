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
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from spamnb.text.css import Own, Sheet, Style, style_of

_SPACE = " \t\n\f\r"
# A tag, to its end where that is plain (no quotes, or none but around values without ">"); a
# comment; a declaration.
_MARKUP = re.compile(
    rf"<(?:(/?)([a-zA-Z][^{_SPACE}/>]*)"
    r"([^>\"']*>|(?:[^>\"'=]*=\"[^\"<>]*\")+[^>\"'=]*>)?|(!--)|[!?/])"
)
# Whether a tag says anything that matters here.
_TELLING = re.compile(
    r"style|class|id|hidden|color|background|size|href|alt|text|media|src|width|height|action"
    r"|\bon[a-z]",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    rf"[{_SPACE}/]*(?:(>)|([^{_SPACE}/>][^{_SPACE}/>=]*)"
    rf"(?:[{_SPACE}]*=[{_SPACE}]*(?:\"([^\"]*)\"|'([^']*)'|([^{_SPACE}>]*)))?)"
)
_COMMENT_END = re.compile(r"--!?>")
# In their content "<" begins no tag; most of it is nothing that a reader sees.
_RAW_TEXT = frozenset({"script", "style", "noembed", "noframes", "iframe", "template", "title",
                       "xmp", "textarea"})  # fmt: skip
_RAW_END = {name: re.compile(rf"</{name}(?=[{_SPACE}/>])", re.IGNORECASE) for name in _RAW_TEXT}
_SHOWN_RAW_TEXT = frozenset({"xmp", "textarea"})
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta",
                   "param", "source", "track", "wbr"})  # fmt: skip
# Elements that go on after the block around them has ended (the standard's formatting elements).
_FORMATTING = frozenset({"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small",
                         "strike", "strong", "tt", "u"})  # fmt: skip
# Elements that begin and end a line; unknown ones stand inside words.
_BLOCKS = frozenset({"address", "article", "aside", "blockquote", "body", "caption", "center",
                     "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
                     "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3",
                     "h4", "h5", "h6", "head", "header", "hr", "html", "legend", "li", "main",
                     "menu", "nav", "ol", "optgroup", "option", "p", "pre", "section", "summary",
                     "table", "tbody", "textarea", "tfoot", "thead", "title", "tr", "ul",
                     "xmp"})  # fmt: skip
_CELLS = frozenset({"td", "th"})
# Which open elements end when another begins, though nobody has closed them, and where the search
# for them stops.
_NOT_IN_P = frozenset({"address", "article", "blockquote", "center", "div", "dl", "fieldset",
                       "form", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre",
                       "section", "table", "ul"})  # fmt: skip
_ENDS: dict[str, tuple[str, ...]] = dict.fromkeys(_NOT_IN_P, ("p",)) | {
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
_SCOPES = frozenset({"table", "ul", "ol", "dl", "select", "object", "button"})
_P_SCOPES = _SCOPES - {"ul", "ol", "dl"} | _CELLS
_DEEPEST_SEARCH = 50
# The largest of the 1,210 HTML parts of the SpamAssassin corpus has 3,174 tags and texts.  What
# comes after so many is read without regard to its style, which takes a third of the time.
_MOST_TAGS = 20_000
_LONGEST_NAME = 20
# Attributes that are counted with their tags: how a page looks, runs and calls home.
_TELLING_ATTRIBUTES = frozenset({"style", "class", "id", "color", "bgcolor", "background", "size",
                                 "width", "height", "src", "href", "alt", "action", "onload",
                                 "onclick", "onmouseover"})  # fmt: skip
_WHITE = re.compile(rf"[{_SPACE}]+")
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
    sources : tuple of str
        The addresses of what the page loads by itself: pictures, frames, grounds.
    tags : dict of str to int
        How often each tag is opened (``font``), and with each attribute that matters
        (``font:color``); the names are cut to 20 characters.
    """

    text: str
    hidden: str
    links: tuple[Link, ...]
    sources: tuple[str, ...] = ()
    tags: dict[str, int] = field(default_factory=dict)


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
    """An open element, what it says of itself, and the style around it."""

    name: str
    own: Own
    around: Style
    parts_words: bool


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
        self.sheet = Sheet()
        self.described: dict[tuple[str, str], tuple[dict[str, str], Own]] = {}
        self.sources: list[str] = []
        self.opened: Counter[tuple[str, str]] = Counter()
        self.style = Style()

    def read(self, html: str) -> HtmlText:
        tags: list[_Tag] = []
        rest: list[str] = []  # strings, since the garbage collector would look at all the tags
        for tag in _tags(html):
            if tag.name == "style" and not tag.closes:  # holds for what stands before it too
                self._add_sheet(tag)
            if len(tags) < _MOST_TAGS:
                tags.append(tag)
            else:
                rest.append(tag.raw if not tag.name else "\n" * (tag.name in _BLOCKS))
        for name in ("html", "body") if self.sheet else ():  # they are there without their tags
            self.style = self.style.with_own(style_of(name, {}, self.sheet, True))
        for tag in tags:
            if not tag.name:
                self._add_text(tag.raw)
            elif tag.closes:
                self._close(tag.name)
            else:
                self._open(tag)
        self.visible += rest
        self._end_link()
        return HtmlText(
            "".join(self.visible),
            "".join(self.hidden),
            tuple(self.links),
            tuple(self.sources),
            self._tag_counts(),
        )

    def _tag_counts(self) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for key, n in self.opened.items():
            counts[key[0][:_LONGEST_NAME]] += n
            for attribute in _TELLING_ATTRIBUTES & self.described[key][0].keys():
                counts[f"{key[0][:_LONGEST_NAME]}:{attribute}"] += n
        return dict(counts)

    def _add_sheet(self, tag: _Tag) -> None:
        media = _attributes(tag.attributes).get("media", "").lower()
        if not media or "screen" in media or "all" in media:
            self.sheet.add(tag.raw)

    def _add_text(self, text: str) -> None:
        if not (self.n_open["pre"] and not self.style.is_hidden):
            text = _WHITE.sub(" ", text)
        if self.style.is_hidden:
            self.hidden.append(text)
        elif text != " " or not self._is_after_space():
            self.visible.append(text)

    def _open(self, tag: _Tag) -> None:
        name = tag.name
        attributes, own = self._described(tag)
        self.opened[name, tag.attributes] += 1
        source = attributes.get("src") or attributes.get("background")
        if source:
            self.sources.append(source.strip())
        if name in _RAW_TEXT and name not in _SHOWN_RAW_TEXT:
            return
        self._end_implied(name)
        style = self.style.with_own(own)
        parts_words = self._parts_words(name, own)
        if parts_words and not style.never_shown:
            self._part_words(name)
        if name in _SHOWN_RAW_TEXT:
            shown = tag.raw if name == "xmp" else _unescape(tag.raw)
            (self.hidden if style.is_hidden else self.visible).append(shown)
            self._part_words(name)
        elif name == "img" and attributes.get("alt") and not style.is_hidden:
            self.visible.append(f" {attributes['alt']} ")
        elif name == "area" and attributes.get("href"):
            self.links.append(Link(attributes["href"].strip(), ""))
        elif name == "body":  # has no end that matters, and may come twice
            self.style = style
        elif name not in _VOID:
            if name == "a":
                self._end_link()
                self.href = attributes.get("href", "").strip()
                self.link_start = len(self.visible)
            self._push(name, own, parts_words)

    def _described(self, tag: _Tag) -> tuple[dict[str, str], Own]:
        """Return a tag's attributes and what they say; the same tags come again and again."""
        key = (tag.name, tag.attributes)
        found = self.described.get(key)
        if found is None:
            attributes = _attributes(tag.attributes)
            own = style_of(tag.name, attributes, self.sheet, tag.name in _BLOCKS)
            found = self.described[key] = attributes, own
        return found

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
            # than three is no mail, and would take quadratic time.
            if element.name in _FORMATTING and len(reopened) < 3:
                reopened.append(element)
        if name not in _FORMATTING:
            for element in reversed(reopened):
                self._push(element.name, element.own, element.parts_words)

    def _end_implied(self, name: str) -> None:
        """End the open elements that cannot hold a new one."""
        for ended in _ENDS.get(name, ()):
            if not self.n_open[ended]:
                continue
            scopes = _P_SCOPES if ended == "p" else _SCOPES
            for element in self.stack[: -_DEEPEST_SEARCH - 1 : -1]:
                if element.name == ended:
                    self._pop_to(ended)
                    break
                if element.name in scopes:
                    break

    def _push(self, name: str, own: Own, parts_words: bool) -> None:
        self.stack.append(_Open(name, own, self.style, parts_words))
        self.n_open[name] += 1
        self.style = self.style.with_own(own)

    def _pop(self) -> _Open:
        element = self.stack.pop()
        self.n_open[element.name] -= 1
        if element.parts_words and not self.style.never_shown:
            self._part_words(element.name)
        self.style = element.around
        return element

    @staticmethod
    def _parts_words(name: str, own: Own) -> bool:
        """Tell whether an element stands apart from the words around it."""
        if own.display in {"inline", "contents"}:
            return False
        return (
            name in _BLOCKS
            or name in _CELLS
            or name in {"br", "img"}
            or (bool(own.display) and own.display != "none")
        )

    def _part_words(self, name: str) -> None:
        if name in _CELLS or name == "img":
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


def _tags(html: str) -> Iterator[_Tag]:
    """Yield the tags and the texts between them; raw elements whole."""
    position = 0
    while True:
        match = _MARKUP.search(html, position)
        end = match.start() if match else len(html)
        if end > position:
            yield _Tag("", False, "", _unescape(html[position:end]))
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
    """Return the attributes of a tag, the first of equal names, values unescaped.

    Nothing, where none of them matters here.
    """
    found: dict[str, str] = {}
    if len(text) < 3 or not _TELLING.search(text):
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
