"""As much of CSS and of presentational HTML as tells hidden text from visible."""

from __future__ import annotations

import re
from typing import NamedTuple

Colour = tuple[int, int, int]

_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)
_COLOURS: dict[str, Colour] = {
    "black": _BLACK, "white": _WHITE, "red": (255, 0, 0), "lime": (0, 255, 0),
    "blue": (0, 0, 255), "yellow": (255, 255, 0), "aqua": (0, 255, 255), "cyan": (0, 255, 255),
    "fuchsia": (255, 0, 255), "magenta": (255, 0, 255), "silver": (192, 192, 192),
    "gray": (128, 128, 128), "grey": (128, 128, 128), "maroon": (128, 0, 0),
    "olive": (128, 128, 0), "green": (0, 128, 0), "navy": (0, 0, 128), "purple": (128, 0, 128),
    "teal": (0, 128, 128), "orange": (255, 165, 0), "snow": (255, 250, 250),
    "ivory": (255, 255, 240), "whitesmoke": (245, 245, 245), "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240), "lightyellow": (255, 255, 224),
}  # fmt: skip
# Colours that differ less in every channel cannot be told apart by a reader.
_LEAST_CONTRAST = 16

_DECLARATION = re.compile(r"([a-z-]+)\s*:\s*([^;]*)")
_HEX = re.compile(r"#?([0-9a-f]{6}|[0-9a-f]{3})$")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*([\d.]+)\s*)?\)")
_ZERO = re.compile(r"[+-]?0*\.?0*(?:[a-z]+|%)?$")
_TINY = re.compile(r"(?:0*1(?:\.0*)?|0*\.\d+)px$")
_FAR_AWAY = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em)?$")
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_SIMPLE_SELECTOR = re.compile(r"[a-z][a-z0-9]*|[.#][\w-]+", re.ASCII)
_MOST_RULES = 1_000


class Own(NamedTuple):
    """What an element says of itself."""

    is_hidden: bool = False
    colour: Colour | None = None
    background: Colour | None = None
    has_picture: bool = False


class Style(NamedTuple):
    """How the text inside an element looks."""

    never_shown: bool = False
    colour: Colour = _BLACK
    background: Colour | None = _WHITE

    @property
    def is_hidden(self) -> bool:
        """True where a reader sees nothing of the text."""
        if self.never_shown:
            return True
        if self.background is None:
            return False
        return all(
            abs(a - b) < _LEAST_CONTRAST for a, b in zip(self.colour, self.background, strict=True)
        )

    def with_own(self, own: Own) -> Style:
        """Return the style of an element inside one of this style."""
        background = own.background or self.background
        return Style(
            self.never_shown or own.is_hidden,
            own.colour or self.colour,
            None if own.has_picture else background,
        )


_PLAIN = Own()


def style_of(name: str, attributes: dict[str, str], hiding: frozenset[str]) -> Own:
    """Return what an element says of how it looks.

    Parameters
    ----------
    name : str
        The element, lower-case.
    attributes : dict of str to str
        Its attributes.
    hiding : frozenset of str
        The selectors of style sheets that hide what they match.
    """
    if not attributes and not hiding:
        return _PLAIN
    declared = _declarations(attributes.get("style", ""))
    selectors = {name, f"#{attributes.get('id', '')}"}
    selectors.update(f".{word}" for word in attributes.get("class", "").split()[:20])
    colour = declared.get("color") or attributes.get("text" if name == "body" else "color", "")
    background = (
        declared.get("background-color")
        or declared.get("background")
        or attributes.get("bgcolor", "")
    )
    pictures = (attributes.get("background", ""), declared.get("background-image", ""), background)
    return Own(
        is_hidden="hidden" in attributes or _hides(declared) or not hiding.isdisjoint(selectors),
        colour=_colour(colour),
        background=_colour(background),
        has_picture=bool(pictures[0]) or any("url(" in p or "gradient" in p for p in pictures),
    )


def hiding_selectors(sheet: str) -> frozenset[str]:
    """Return the simple selectors (``tag``, ``.class``, ``#id``) that a style sheet hides.

    Rules inside ``@media`` and the like do not count: they hide on some screens only, as honest
    mail does.
    """
    found: set[str] = set()
    sheet = _COMMENT.sub("", sheet.lower()).replace("<!--", "").replace("-->", "")
    depth = position = 0
    selector = ""
    for number, brace in enumerate(_BRACE.finditer(sheet)):
        piece = sheet[position : brace.start()]
        position = brace.end()
        if number > 2 * _MOST_RULES:
            break
        if brace[0] == "{":
            depth += 1
            selector = piece if depth == 1 else ""
            continue
        if depth == 1 and selector and _hides(_declarations(piece)):
            names = (name.strip() for name in selector.split(","))
            found.update(name for name in names if _SIMPLE_SELECTOR.fullmatch(name))
        depth = max(0, depth - 1)
        selector = ""
    return frozenset(found)


def _declarations(text: str) -> dict[str, str]:
    """Return the declarations of a style, the last of equal names."""
    if not text:
        return {}
    clean = _COMMENT.sub("", text.lower())
    return {
        name: value.replace("!important", "").strip() for name, value in _DECLARATION.findall(clean)
    }


def _hides(declared: dict[str, str]) -> bool:
    """Tell whether declarations leave nothing to see of an element's text."""
    if not declared:
        return False
    get = declared.get
    no_room = any(_is_zero(get(side, "")) for side in ("height", "max-height", "width"))
    return (
        get("display") == "none"
        or get("visibility") in {"hidden", "collapse"}
        or get("mso-hide") == "all"
        or _is_zero(get("opacity", ""))
        or _is_zero(get("font-size", ""))
        or bool(_TINY.match(get("font-size", "")))
        or (no_room and get("overflow") == "hidden")
        or any(_FAR_AWAY.match(get(side, "")) for side in ("text-indent", "left", "top"))
    )


def _is_zero(value: str) -> bool:
    return any(c == "0" for c in value) and bool(_ZERO.match(value))


def _colour(text: str) -> Colour | None:
    """Return the colour that a value names, None for one that it does not or cannot tell."""
    if not text:
        return None
    text = text.strip().lower()
    if text in _COLOURS:
        return _COLOURS[text]
    if match := _HEX.match(text):
        digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if match := _RGB.match(text):
        red, green, blue = (min(int(number), 255) for number in match.groups()[:3])
        return red, green, blue
    first = text.split(None, 1)[0] if " " in text else ""
    return _colour(first) if first else None
