import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text.css import CLEAR, UNKNOWN, Own, Sheet, Style, style_of
from spamnb.text.html import read_html

pytestmark = pytest.mark.usefixtures("form")

HIDDEN = [
    "display:none",
    "DISPLAY : NONE",
    "color:red;display:none !important;",
    "display/**/:/* block */none",
    "display:block;display:none",
    "visibility:hidden",
    "visibility:collapse",
    "opacity:0",
    "opacity:.0",
    "opacity:0%",
    "font-size:0",
    "font-size:0px",
    "font-size:0.0em",
    "font-size:1px",
    "font-size:0.5px",
    "height:0;overflow:hidden",
    "max-height:0px;overflow:hidden",
    "text-indent:-9999px",
    "position:absolute;left:-999em",
    "position:absolute;top:-1000px",
]
SHOWN = [
    "",
    ";",
    "display",
    "display:",
    ":none",
    "display:block",
    "display:none;display:block",
    "x-display:none",
    "display:nonesuch",
    "visibility:visible",
    "opacity:0.5",
    "opacity:1",
    "font-size:10px",
    "font-size:12px",
    "font-size:1em",
    "font-size:0.9em",
    "font-size:100%",
    "height:0",
    "overflow:hidden",
    "height:10px;overflow:hidden",
    "text-indent:-20px",
    "text-indent:100px",
    "margin:0;padding:0;border:0",
]


def own_style(name="div", sheet="", **attributes):
    rules = Sheet()
    rules.add(sheet)
    return style_of(name, attributes, rules, is_block=name in {"div", "p", "body"})


def is_hidden(name="div", sheet="", **attributes):
    return Style().with_own(own_style(name, sheet, **attributes)).is_hidden


@pytest.mark.parametrize("style", HIDDEN)
def test_a_style_that_hides(style):
    assert is_hidden(style=style)
    assert is_hidden(sheet="div {" + style + "}")


@pytest.mark.parametrize("style", SHOWN)
def test_a_style_that_does_not_hide(style):
    assert not is_hidden(style=style)
    assert not is_hidden(sheet="div {" + style + "}")


OFF = "{display:none}"


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("", False),
        (f"p{OFF}", True),
        (f".a{OFF}", True),
        (f"#i {OFF}", True),
        (f"P.A{OFF}", True),
        (f"p#i{OFF}", True),
        (f".x, .b ,#d_e{OFF}", True),
        (f".x{OFF} #a{OFF} div{OFF} div.a{OFF} .p{OFF}", False),
        (f".a{{color:red}} .b{OFF} .c{{}}", True),
        (f"<!-- .a{OFF} -->", True),
        (f"/* .a{OFF} */ .x{OFF}", False),
        (f".a/* x */{OFF}", True),
        (f".a{OFF} /* never closed", True),
        (f"/* never closed .a{OFF}", False),
        (f"@media print {{ .a{OFF} }}", False),
        (f"@media print {{ .x{OFF} }} .a{OFF}", True),
        (f"@media a {{ @media b {{ .x{OFF} }} .a{OFF} }} .x{OFF}", False),
        (f"@import url(a.css); .a{OFF}", True),
        (f'@charset "utf-8"; .a{OFF}', True),
        (f".a:hover{OFF} .a .b{OFF} a>b{OFF}", False),
        (f".a{OFF} .a{{display:block}}", False),
        (f".a{{display:block}} .a{OFF}", True),
        (f"#i{{display:block}} .a{OFF} p{OFF}", False),
        (f"p.a{{display:block}} .a{OFF}", False),
    ],
)
def test_the_rules_of_a_sheet(sheet, expected):
    attributes = {"class": "a  b", "id": "i"}
    assert is_hidden("p", sheet, **attributes) is expected


def test_a_style_of_its_own_comes_before_the_sheet():
    assert not is_hidden("p", f"p{OFF}", style="display:block")
    assert is_hidden("p", "p{display:block}", style="display:none")
    assert is_hidden("p", hidden="")
    assert not is_hidden("p", hidden="", style="display:block")
    assert not is_hidden("p", **{"class": "hidden", "title": "display:none"})


@pytest.mark.parametrize(
    ("value", "color"),
    [
        ("white", (255, 255, 255)),
        (" Navy ", (0, 0, 128)),
        ("#fff", (255, 255, 255)),
        ("#A1b2C3", (0xA1, 0xB2, 0xC3)),
        ("a1b2c3", (0xA1, 0xB2, 0xC3)),
        ("rgb(1,2,3)", (1, 2, 3)),
        ("rgb( 1 , 2 , 999 )", (1, 2, 255)),
        ("rgba(1,2,3,1)", (1, 2, 3)),
        ("rgb(1 2 3)", (1, 2, 3)),
        ("rgb(100%, 0%, 0%)", (255, 0, 0)),
        ("#0a0b0cff", (10, 11, 12)),
        ("#12", UNKNOWN),
        ("hsl(1,2%,3%)", UNKNOWN),
        ("rgb(1,2)", UNKNOWN),
        ("inherit", None),
        ("", None),
    ],
)
def test_a_color(value, color):
    assert own_style(style=f"color:{value}").color == color
    assert own_style(style=f"background:{value}").background == color


@pytest.mark.parametrize("value", ["transparent", "rgba(1,2,3,0)", "rgba(0 0 0 / 0%)", "#12345600"])
def test_a_transparent_color(value):
    assert own_style(style=f"color:{value}").color == CLEAR
    assert own_style(style=f"background:{value}").background is None


def test_where_a_color_can_stand():
    assert own_style("font", color="red").color == (255, 0, 0)
    body = own_style("body", text="red", bgcolor="black")
    assert (body.color, body.background) == ((255, 0, 0), (0, 0, 0))
    assert own_style("font", color="red", style="color:blue").color == (0, 0, 255)
    assert own_style("td", style="background:#fff url(a.gif) no-repeat").background == UNKNOWN
    assert own_style("td", style="background:no-repeat #010203").background == (1, 2, 3)
    assert own_style("td", background="a.gif").background == UNKNOWN


def test_text_of_the_color_of_its_background_is_hidden():
    assert not Style().is_hidden
    white = Style().with_own(Own(color=(250, 255, 250)))
    assert white.is_hidden
    assert not white.with_own(Own(background=(0, 0, 0))).is_hidden
    assert not white.with_own(Own(background=UNKNOWN)).is_hidden
    assert not Style().with_own(Own(color=(200, 200, 200))).is_hidden
    assert Style().with_own(Own(color=CLEAR)).is_hidden


def test_what_a_child_can_and_cannot_undo():
    def inside(outer, inner):
        return Style().with_own(own_style(style=outer)).with_own(own_style(style=inner)).is_hidden

    assert inside("display:none", "display:block")
    assert inside("opacity:0", "opacity:1")
    assert not inside("visibility:hidden", "visibility:visible")
    assert not inside("font-size:0", "font-size:12px")
    assert inside("font-size:0", "font-size:2em")


MARKS = ["{", "}", "/*", "*/", ":", ";", ",", "(", ")", "-", "%", "\\", '"', "\n", "é", "px", "0"]
WORDS = [".a", "#b", "@media ", "display:none", "color:rgb(", "font-size:", "opacity:", "9" * 50]
PIECES = st.sampled_from([*MARKS, *WORDS, "!important"])
ANY = st.text() | st.lists(PIECES, max_size=20).map("".join)


@settings(deadline=None)
@given(ANY, ANY, ANY)
def test_any_text_can_be_a_style(style, color, sheet):
    attributes = {"style": style, "color": color, "bgcolor": color, "class": color, "id": style}
    assert is_hidden("td", sheet, **attributes) in {True, False}


def test_many_selectors_of_many_declarations_take_little_memory():
    selectors = ",".join(f".a{number}" for number in range(2_000))
    names = [f"{a}{b}{c}:0" for a in "abcdefghijkl" for b in "abcdefghijkl" for c in "abcdefghij"]
    tracemalloc.start()
    try:
        Sheet().add(selectors + "{" + ";".join(names) + "}")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


def test_a_long_selector_takes_no_time():
    started = time.process_time()
    Sheet().add(".a" * 20_000 + "{background:red}" + "." + "a" * 20_000 + ">{background:red}")
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    ("html", "is_hidden"),
    [
        ("<style>.h{display:none!important}</style><p class=h style='display:block'>x", True),
        ("<style>body{background:#000}p{color:#fff}</style><p>x", False),
        ("<style>@media screen{div{background:#000}}</style><div style='color:#fff'>x", False),
        ("<div style='background:#000;color:#fff'><p style='background:#ffffff1a'>x", False),
        ("<div style='background:#000;color:#fff'><p style='background:rgba(9,9,9,.1)'>x", False),
        ("<p style='text-indent:-8in'>x", True),
        ("<p style='text-indent:-100px'>x", False),
    ],
)
def test_what_cannot_be_told_is_visible(html, is_hidden):
    page = read_html(html)
    assert ("x" in page.hidden, "x" in page.text) == (is_hidden, not is_hidden)
