"""Pieces of HTML, and pages of them."""

from hypothesis import strategies as st

from spamnb.text.html import DEEPEST_SEARCH, MOST_TAGS

HTML_PIECES = (
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

INSIDES = st.text(st.sampled_from(" \n/=\"'>ab"), max_size=12) | st.sampled_from(
    ("href=x ", "style=color:red ", "\u017ftyle=a ", "on", "onload=b", "onſ", "HREF = '&amp;' ")
)
"""Pieces of the inside of a tag."""

PAGES = st.one_of(
    st.lists(st.sampled_from(HTML_PIECES), max_size=40).map("".join),
    st.text(st.characters() | st.sampled_from("<>/\"'=&; pbr!-"), max_size=60),
    st.lists(INSIDES, max_size=6)
    .map("".join)
    .map(lambda inside: f"<font {inside}>x<a{inside}>y</a>{inside}<img {inside}/>"),
)

LIMITS = (
    "<b>x" * (MOST_TAGS // 2 + 9) + "<p>y</p>z",
    "a<p>" * (MOST_TAGS // 2 - 1) + "end",
    "<p>" + "<b>" * (DEEPEST_SEARCH - 1) + "<p>x",
    "<p>" + "<b>" * DEEPEST_SEARCH + "<p>x",
    "<table><tr><td>" + "<i>" * 9 + "</table>x",
)
"""As many tags as are read, and one more; as deep as is searched, and deeper; many reopened."""
