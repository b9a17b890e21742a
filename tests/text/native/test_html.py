"""The compiled reader of HTML reads what its twin reads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text import html as twin
from spamnb.text.html import DEEPEST_SEARCH, MOST_TAGS

native = pytest.importorskip("spamnb.text.native.html")

PIECES = (
    *("word ", "a", " ", "\n", "\t\r\n", "\x0b", "é", "中文", "\U0001f600", "\ud800", "\xa0"),
    *("<", ">", "</", "/>", "<!", "<!--", "-->", "--!>", "<!-->", "<?", '"', "'", "=", "<>", "</>"),
    *(
        "&amp;",
        "&nbsp;",
        "&lt",
        "&#65;",
        "&#x41",
        "&",
        "&;",
        "&notit;",
        "&bogus;",
        "&#99999999999;",
    ),
    *("<p>", "</p>", "<br>", "<br/>", "<BR >", "</br>", "<div>", "</div>", "<hr>", "<wbr>"),
    *(
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<font color=white>",
        '<font color="#ff0000" size=1>',
        "</font>",
    ),
    *("<a href=http://a.example/>", '<a href="http://b.example/?a&amp;b">', "</a>", "<a name=x>"),
    *("<table>", "<tr>", "<td>", "<TD bgcolor='white'>", "</td>", "</tr>", "</table>", "<th>"),
    *("<ul>", "<li>", "</ul>", "<dl>", "<dt>", "<dd>", "<option>", "<select>", "<tbody>"),
    *("<style>p{display:none}</style>", "<style>.x{color:#fff}", "</style>", '<p class="x">'),
    *("<script>if (a<b) x()</script>", "<script>", "</script>", "<title>T", "</title>", "<xmp><b>"),
    *("</xmp>", "<textarea>&amp;<b>", "</textarea>", "<pre> a  b ", "</pre>", "<body text=white>"),
    *("<html>", "<body bgcolor=#ffffff>", "</body>", '<img src="http://c.example/a.gif" alt="A">'),
    *("<img>", "<area href=x>", '<span style="display:none">', "</span>", "<p hidden>", "<x-y>"),
    *(
        '<p style="display:block" title=">">',
        "<a b='>' c",
        "<p a=b=c>",
        '<p a="b"c>',
        "<input size=3",
    ),
    *('<iframe src="d">', "</iframe>", '<div style="font-size:1px">', "<span style=display:block>"),
)

TAGS = st.text(st.sampled_from(" \n/=\"'>ab"), max_size=12) | st.sampled_from(
    ("href=x ", "style=color:red ", "\u017ftyle=a ", "on", "onload=b", "onſ", "HREF = '&amp;' ")
)
"""Pieces of the inside of a tag."""

PAGES = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@settings(max_examples=3_000, deadline=None)
@given(PAGES | st.text(st.characters() | st.sampled_from("<>/\"'=&; pbr!-"), max_size=60))
def test_the_same_reading_of_any_text(page):
    assert native.read_html(page) == twin.read_page(page)
    assert list(native.read_html(page).tags) == list(twin.read_page(page).tags)


@settings(max_examples=2_000, deadline=None)
@given(st.lists(TAGS, max_size=6).map("".join))
def test_the_same_reading_of_any_tag(inside):
    page = f"<font {inside}>x<a{inside}>y</a>{inside}<img {inside}/>"
    assert native.read_html(page) == twin.read_page(page)


@pytest.mark.parametrize(
    "page",
    [
        "<b>x" * (MOST_TAGS // 2 + 9) + "<p>y</p>z",
        "a<p>" * (MOST_TAGS // 2 - 1) + "end",
        "<p>" + "<b>" * (DEEPEST_SEARCH - 1) + "<p>x",
        "<p>" + "<b>" * DEEPEST_SEARCH + "<p>x",
        "<table><tr><td>" + "<i>" * 9 + "</table>x",
    ],
    ids=["most tags", "last text", "deep enough", "too deep", "many reopened"],
)
def test_the_same_at_the_limits(page):
    assert native.read_html(page) == twin.read_page(page)
