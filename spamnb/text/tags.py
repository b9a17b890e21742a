"""HTML → tags, and the texts between them, in time linear in its length.

A tokenizer modeled on the WHATWG HTML standard, section 13.2.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from spamnb.memo import Memo
from spamnb.patterns import lazy_pattern
from spamnb.text.css import Own, Sheet, style_of

_SPACE = " \t\n\f\r"
# A tag, to its end if that is plain (no quotes, or only around values without ">"); a
# comment; a declaration.
_MARKUP = lazy_pattern(
    rf"<(?:(/?)([a-zA-Z][^{_SPACE}/>]*)"
    r"([^>\"']*>|(?:[^>\"'=]*=\"[^\"<>]*\")+[^>\"'=]*>)?|(!--)|[!?/])"
)
# Whether a tag says anything that matters here.
TELLING = lazy_pattern(
    r"style|class|id|hidden|color|background|size|href|alt|text|media|src|width|height|action"
    r"|\bon[a-z]",
    re.IGNORECASE,
)
_ATTRIBUTE = lazy_pattern(
    rf"[{_SPACE}/]*(?:(>)|([^{_SPACE}/>][^{_SPACE}/>=]*)"
    rf"(?:[{_SPACE}]*=[{_SPACE}]*(?:\"([^\"]*)\"|'([^']*)'|([^{_SPACE}>]*)))?)"
)
_COMMENT_END = lazy_pattern(r"--!?>")
# In their content "<" begins no tag; a reader sees little of it.
RAW_TEXT = frozenset({"script", "style", "noembed", "noframes", "iframe", "template", "title",
                       "xmp", "textarea"})  # fmt: skip
_RAW_END = {name: lazy_pattern(rf"</{name}(?=[{_SPACE}/>])", re.IGNORECASE) for name in RAW_TEXT}
# Elements that begin and end a line; unknown elements are inline.
BLOCKS = frozenset({"address", "article", "aside", "blockquote", "body", "caption", "center",
                     "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
                     "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3",
                     "h4", "h5", "h6", "head", "header", "hr", "html", "legend", "li", "main",
                     "menu", "nav", "ol", "optgroup", "option", "p", "pre", "section", "summary",
                     "table", "tbody", "textarea", "tfoot", "thead", "title", "tr", "ul",
                     "xmp"})  # fmt: skip
LONGEST_NAME = 20
# Attributes that are counted with their tags: how a page looks, runs and calls home.
TELLING_ATTRIBUTES = frozenset({"style", "class", "id", "color", "bgcolor", "background", "size",
                                 "width", "height", "src", "href", "alt", "action", "onload",
                                 "onclick", "onmouseover"})  # fmt: skip
_TOO_LONG_NUMBER = lazy_pattern(r"&#(?:[xX][0-9a-fA-F]{7,}|[0-9]{8,});?")
_TAG_NAME = lazy_pattern(rf"<(/?)([a-zA-Z][^{_SPACE}/>]*)")


class Tag(NamedTuple):
    """A tag.

    Attributes
    ----------
    name : str
        The element, lower-case.
    closes : bool
        True for an end tag.
    attributes : dict of str to str
        Empty if none of them matters here.
    own : Own
        How its element looks, style sheets aside.
    counted : tuple of str
        Its name (``font``), and the name with each attribute that matters (``font:color``).
    """

    name: str
    closes: bool
    attributes: dict[str, str]
    own: Own
    counted: tuple[str, ...]


class Piece(NamedTuple):
    """A text, the tag after it, and the content of that tag's element if it is raw text."""

    text: str
    tag: Tag | None
    raw: str = ""


def pieces(html: str) -> Iterator[Piece]:
    """Yield the texts of a piece of HTML and the tags that end them; comments end texts too.

    Parameters
    ----------
    html : str
        Any text at all.
    """
    position = 0
    while match := _MARKUP.search(html, position):
        start, end = match.span()
        text = unescaped(html[position:start]) if start > position else ""
        slash, name, simple, comment = match.groups()
        if name is None:
            position = after_comment(html, end, bool(comment))
            yield Piece(text, None)
            continue
        position = end if simple else end_of_tag(html, end)
        tag = _TAGS[html[start:position]]
        raw = ""
        if tag.name in RAW_TEXT and not slash:
            end = raw_end(tag.name, html, position)
            raw = html[position:end]
            position = end
        yield Piece(text, tag, raw)
    if position < len(html):
        yield Piece(unescaped(html[position:]), None)


def _tag(markup: str) -> Tag:
    """Return the tag for its markup, from ``<`` to ``>``."""
    slash, name = _TAG_NAME.match(markup).groups()  # type: ignore[union-attr]
    attributes = _attributes(markup[1 + len(slash) + len(name) :])
    name = name.lower()
    own = style_of(name, attributes, _NO_SHEET, name in BLOCKS)
    short = name[:LONGEST_NAME]
    telling = [f"{short}:{each}" for each in attributes if each in TELLING_ATTRIBUTES]
    return Tag(name, bool(slash), attributes, own, (short, *telling))


_NO_SHEET = Sheet()
# The same tags recur: two of three in a new page of the SpamAssassin corpus.
_TAGS = Memo(_tag, 1 << 13, 200)


def raw_end(name: str, html: str, position: int) -> int:
    """Return the end of an element's raw text that begins at ``position``."""
    found = _RAW_END[name].search(html, position)
    return found.start() if found else len(html)


def after_comment(html: str, start: int, is_comment: bool) -> int:
    """Return the position after a comment or declaration; an unclosed one swallows the rest."""
    if not is_comment:
        return html.find(">", start) + 1 or len(html)
    # "<!-->" and "<!--->" are whole comments.
    if html.startswith((">", "->"), start):
        return html.index(">", start) + 1
    end = _COMMENT_END.search(html, start)
    return end.end() if end else len(html)


def end_of_tag(html: str, position: int) -> int:
    """Return the position after the tag whose attributes begin at ``position``.

    An unclosed tag swallows the rest of the text, as in a browser.
    """
    while match := _ATTRIBUTE.match(html, position):
        if match[1]:
            return match.end()
        if (match[5] or "").startswith(("'", '"')) or match.end() == position:
            break  # an unclosed quote
        position = match.end()
    return len(html)


def _attributes(text: str) -> dict[str, str]:
    """Return the attributes of a tag, values unescaped; of equal names, the first.

    Empty if none of them matters here.
    """
    found: dict[str, str] = {}
    if len(text) < 3 or not TELLING.search(text):
        return found
    for _, name, double, single, bare in _ATTRIBUTE.findall(text):
        if name:
            found.setdefault(name.lower(), unescaped(double or single or bare))
    return found


def unescaped(text: str) -> str:
    """Return a text with its character references replaced, as browsers do."""
    if "&" not in text:
        return text
    from html import unescape  # takes 1 ms to import

    try:
        return unescape(text)
    except ValueError:  # more digits than Python converts to a number
        return unescape(_TOO_LONG_NUMBER.sub("\ufffd", text))
