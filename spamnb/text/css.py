"""As much of CSS and of presentational HTML as it takes to tell hidden text from visible.

In case of doubt (a picture or an unknown color behind the text, a selector that is not
simple), the text counts as visible: a good mail must not lose its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from spamnb.memo import Memo
from spamnb.patterns import lazy_pattern

Color = tuple[int, int, int]
Declarations = dict[str, str]

UNKNOWN: Color = (-1, -1, -1)
"""A color that cannot be determined."""
CLEAR: Color = (-2, -2, -2)
"""The color ``transparent``."""

_BLACK: Color = (0, 0, 0)
_WHITE: Color = (255, 255, 255)
_LINK_BLUE: Color = (0, 0, 238)
# The names of HTML 4, and other names near white, which hide text on a white background.
_COLORS: dict[str, Color] = {
    "black": _BLACK, "white": _WHITE, "red": (255, 0, 0), "lime": (0, 255, 0),
    "blue": (0, 0, 255), "yellow": (255, 255, 0), "aqua": (0, 255, 255), "cyan": (0, 255, 255),
    "fuchsia": (255, 0, 255), "magenta": (255, 0, 255), "silver": (192, 192, 192),
    "gray": (128, 128, 128), "grey": (128, 128, 128), "maroon": (128, 0, 0),
    "olive": (128, 128, 0), "green": (0, 128, 0), "navy": (0, 0, 128), "purple": (128, 0, 128),
    "teal": (0, 128, 128), "orange": (255, 165, 0), "snow": (255, 250, 250),
    "ivory": (255, 255, 240), "whitesmoke": (245, 245, 245), "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240), "lightyellow": (255, 255, 224), "azure": (240, 255, 255),
    "mintcream": (245, 255, 250), "seashell": (255, 245, 238), "honeydew": (240, 255, 240),
    "transparent": CLEAR,
}  # fmt: skip
# Colors that differ less in every channel cannot be told apart by a reader.
LEAST_CONTRAST = 16
_PROPERTIES = frozenset({"display", "visibility", "opacity", "text-indent", "position", "left",
                         "top", "height", "max-height", "width", "overflow", "font", "font-size",
                         "color", "background", "background-color",
                         "background-image"})  # fmt: skip
_NO_COLOR = frozenset({"", "none", "inherit", "initial", "unset", "currentcolor"})

_DECLARATION = lazy_pattern(r"([a-z-]{1,40})[ \t\n\f\r]*:([^;]*)")
_HEX = lazy_pattern(r"#?(?:([0-9a-f]{6})([0-9a-f]{2})?|([0-9a-f]{3})([0-9a-f])?)$")
_RGB = lazy_pattern(r"rgba?\(([^()]{5,60})\)$")
_LENGTH = lazy_pattern(r"([+-]?(?:\d{1,6}(?:\.\d{0,6})?|\.\d{1,6}))(px|pt|em|rem|ex|%|in|cm|mm)?$")
_PIXELS = {"px": 1.0, "pt": 1.3, "em": 16.0, "rem": 16.0, "in": 96.0, "cm": 38.0, "mm": 3.8}
_FONT_SIZE = lazy_pattern(r"(?:^|[ \t])([\d.]{1,12}(?:px|pt|em|rem|ex|%)?)(?:/|[ \t]|$)")
_COMMENT = lazy_pattern(r"/\*.*?(?:\*/|$)", re.DOTALL)
_BRACE = lazy_pattern(r"[{}]")
_SIMPLE = lazy_pattern(r"(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?", re.ASCII)
_COMBINATOR = lazy_pattern(r"[ \t\n>+~]+")
_FIRST_PART = lazy_pattern(r"[a-z][a-z0-9]*|[.#][\w-]+", re.ASCII)
_LONGEST_SELECTOR = 200
_MOST_RULES = 1_000


class Own(NamedTuple):
    """What an element says of itself; None where it says nothing."""

    display: str = ""
    is_away: bool = False
    is_visible: bool | None = None
    is_tiny: bool | None = None
    color: Color | None = None
    background: Color | None = None


class Style(NamedTuple):
    """How the text inside an element looks; it is hidden where a reader sees nothing of it."""

    never_shown: bool = False
    is_visible: bool = True
    is_tiny: bool = False
    color: Color = _BLACK
    background: Color = _WHITE
    is_hidden: bool = False

    def with_own(self, own: Own) -> Style:
        """Return the style of an element inside one of this style."""
        if own is PLAIN:
            return self
        never_shown = self.never_shown or own.is_away or own.display == "none"
        is_visible = self.is_visible if own.is_visible is None else own.is_visible
        is_tiny = self.is_tiny if own.is_tiny is None else own.is_tiny
        color = self.color if own.color is None else own.color
        background = self.background if own.background is None else own.background
        is_hidden = never_shown or is_tiny or not is_visible or _is_faint(color, background)
        return Style(never_shown, is_visible, is_tiny, color, background, is_hidden)


PLAIN = Own()
LINK = Own(color=_LINK_BLUE)
# The attributes that say how an element looks, besides its style.
STYLING = frozenset({"hidden", "color", "text", "size", "bgcolor", "background"})


def _is_faint(color: Color, background: Color) -> bool:
    """Return whether text of a color cannot be seen on a background."""
    if color == CLEAR:
        return True
    if color == UNKNOWN or background == UNKNOWN:
        return False
    return all(abs(a - b) < LEAST_CONTRAST for a, b in zip(color, background, strict=True))


class Sheet:
    """The rules of the style sheets of a page, as far as their selectors are simple.

    A simple selector is a tag, a class, an id, or a tag with one of them.  Of another selector
    only a background counts, as unknown, for what its last part matches.
    """

    def __init__(self) -> None:
        self._rules: dict[str, Declarations] = {}

    def add(self, text: str) -> None:
        """Add the rules of a style sheet.

        Rules inside ``@media`` and the like hold on some screens only: of these too, only a
        background counts, as unknown.
        """
        for selectors, body, is_conditional in _rules(text):
            declared = declarations(body)
            is_background = any(name.startswith("background") for name in declared)
            for selector in selectors.split(","):
                name = selector.strip()
                if not name or len(name) > _LONGEST_SELECTOR:
                    continue
                if _SIMPLE.fullmatch(name) and not is_conditional:
                    self._rules.setdefault(name, {}).update(declared)
                elif is_background:
                    last = _FIRST_PART.match(_COMBINATOR.split(name)[-1])
                    if last:
                        self._rules.setdefault(last[0], {}).update({"background": "unknown"})

    def __bool__(self) -> bool:
        return bool(self._rules)

    def declared(self, name: str, attributes: dict[str, str]) -> Declarations:
        """Return what the rules declare for an element, the most specific last."""
        if not self._rules:
            return {}
        marks = [f".{word}" for word in attributes.get("class", "").lower().split()[:20]]
        if "id" in attributes:
            marks.append(f"#{attributes['id'].strip().lower()}")
        found: Declarations = {}
        for selector in (name, *marks, *(name + mark for mark in marks)):
            found.update(self._rules.get(selector, {}))
        return found


def style_of(name: str, attributes: dict[str, str], sheet: Sheet, is_block: bool) -> Own:
    """Return what an element says of how it looks.

    Parameters
    ----------
    name : str
        The element, lower-case.
    attributes : dict of str to str
        Its attributes.
    sheet : Sheet
        The page's style sheets.
    is_block : bool
        Whether the element is a block where no style says otherwise.
    """
    declared = sheet.declared(name, attributes)
    if "style" in attributes:
        declared.update(declarations(attributes["style"]))
    if not declared and STYLING.isdisjoint(attributes):  # nearly all of them
        return LINK if name == "a" and "href" in attributes else PLAIN
    if declared:
        declared = {name.rstrip("!"): value for name, value in sorted(declared.items())}
    display = declared.get("display") or ("none" if "hidden" in attributes else "")
    is_block = "block" in display or (is_block and display != "inline")
    color = declared.get("color") or attributes.get("text" if name == "body" else "color", "")
    own_color = _COLOR[color]
    if own_color is None and name == "a" and "href" in attributes:
        own_color = _LINK_BLUE
    visibility = declared.get("visibility")
    return Own(
        display=display,
        is_away=_is_away(declared, is_block),
        is_visible=None if visibility is None else visibility not in {"hidden", "collapse"},
        is_tiny=_is_tiny(declared, name, attributes),
        color=own_color,
        background=_background(declared, attributes),
    )


def declarations(text: str) -> Declarations:
    """Return the declarations of a style that matter here, lower-case; of equal names, the last.

    The key of one marked ``!important`` is its name with "!" at the end; it wins.
    """
    if "/*" in text:
        text = _COMMENT.sub("", text)
    found: Declarations = {}
    for name, value in _DECLARATION.findall(text.lower()):
        if name in _PROPERTIES:
            plain, mark, _ = value.partition("!important")
            found.update({name + mark[:1]: plain.strip()})
    return found


def _rules(sheet: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the selectors and the body of each rule, and whether it is nested in another."""
    sheet = _COMMENT.sub("", sheet.lower()).replace("<!--", "").replace("-->", "")
    depth = position = 0
    selectors = ""
    for number, brace in enumerate(_BRACE.finditer(sheet)):
        if number > 2 * _MOST_RULES:
            return
        piece = sheet[position : brace.start()]
        position = brace.end()
        if brace[0] == "{":
            depth += 1
            selectors = piece.rpartition(";")[2].strip()
        else:
            if selectors and not selectors.startswith("@"):
                yield selectors, piece, depth > 1
            depth = max(0, depth - 1)
            selectors = ""


def _is_away(declared: Declarations, is_block: bool) -> bool:
    """Return whether an element has no size, is transparent, or is off-screen."""
    if not declared:
        return False
    get = declared.get
    if _is_zero(get("opacity", "")) or _is_far(get("text-indent", "")):
        return True
    is_placed = get("position") in {"absolute", "fixed", "relative"}
    if is_placed and (_is_far(get("left", "")) or _is_far(get("top", ""))):
        return True
    has_no_room = any(_is_zero(get(side, "")) for side in ("height", "max-height", "width"))
    return is_block and has_no_room and get("overflow") == "hidden"


def _is_tiny(declared: Declarations, name: str, attributes: dict[str, str]) -> bool | None:
    """Return whether an element's text is too small to see, None where it says nothing."""
    size = declared.get("font-size", "")
    if not size and "font" in declared:
        match = _FONT_SIZE.search(declared["font"])
        size = match[1] if match else ""
    if not size:
        return False if name == "font" and "size" in attributes else None
    match = _LENGTH.match(size)
    if match is None:
        return False
    number, unit = float(match[1]), match[2] or ""
    if unit in {"em", "rem", "ex", "%"} and number > 0:
        return None if unit in {"em", "%"} else False
    return number <= 1


def _is_zero(value: str) -> bool:
    match = _LENGTH.match(value)
    return match is not None and float(match[1]) == 0


def _is_far(value: str) -> bool:
    """Return whether a position is off-screen; a hanging indent is not."""
    match = _LENGTH.match(value)
    return match is not None and float(match[1]) * _PIXELS.get(match[2] or "px", 0) <= -500


def _background(declared: Declarations, attributes: dict[str, str]) -> Color | None:
    texts = [declared[key] for key in ("background-image", "background") if key in declared]
    if attributes.get("background") or any("url(" in t or "gradient" in t for t in texts):
        return UNKNOWN
    text = declared.get("background-color") or declared.get("background")
    text = text or attributes.get("bgcolor", "")
    color = _COLOR[text]
    if color == UNKNOWN and " " in text:
        found = {_COLOR[word] for word in text.split()} - {None, UNKNOWN}
        color = found.pop() if found else UNKNOWN
    return None if color == CLEAR else color


def _color(text: str) -> Color | None:
    """Return the color that a value names, `UNKNOWN` if it cannot be determined, None for none."""
    text = text.strip().lower()
    if text in _NO_COLOR:
        return None
    if text in _COLORS:
        return _COLORS[text]
    if match := _HEX.match(text):
        alpha = match[2] or match[4] or "f"
        if set(alpha) != {"f"}:
            return CLEAR if set(alpha) == {"0"} else UNKNOWN
        digits = match[1] or "".join(2 * digit for digit in match[3])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if match := _RGB.match(text):
        return _channels(match[1])
    return UNKNOWN


# The same few colors recur.
_COLOR = Memo(_color, 1 << 10)


def _channels(text: str) -> Color:
    """Return the color for the arguments of ``rgb(...)``."""
    words = text.replace(",", " ").replace("/", " ").split()
    values = []
    for word in words:
        match = _LENGTH.match(word)
        if match is None:
            return UNKNOWN
        values.append(float(match[1]) * (2.55 if match[2] == "%" else 1))
    if len(values) not in {3, 4}:
        return UNKNOWN
    if len(values) == 4 and values[3] < 1:
        return CLEAR if values[3] == 0 else UNKNOWN
    red, green, blue = (min(max(round(value), 0), 255) for value in values[:3])
    return red, green, blue
