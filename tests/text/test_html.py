import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text.html import read_html, strip_tags

pytestmark = pytest.mark.usefixtures("form")


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("", ""),
        ("plain text", "plain text"),
        ("<p>one</p><p>two</p>", "one two"),
        ("one<br>two<BR/>three<hr />four", "one two three four"),
        ("<td>one</td><td>two</td>", "one two"),
        # Inside a word
        ("pi<b>ll</b>s", "pills"),
        ("pi<FONT size=1>ll</FONT>s", "pills"),
        ("ch<!-- x -->eap", "cheap"),
        ("ch<!---->eap ch<!-->eap ch<!--->eap", "cheap cheap cheap"),
        ("ch<!-- > -- a -->eap", "cheap"),
        ("ch<!-- a --!>eap", "cheap"),
        ("发<span></span>票", "发票"),
        # What no reader sees
        ("a<script>var b = '<p>';</script>c", "ac"),
        ("a<style>b</style >c", "ac"),
        ("a<SCRIPT>b</script\n>c", "ac"),
        ("a<script>b</scripts>c</script>d", "ad"),
        ("a<script>never closed", "a"),
        ("a<script/>b</script>c", "ac"),
        ("a</script>b", "ab"),
        # What looks like it, and is shown all the same
        ("a<xmp>b <i>c</xmp>d", "a b <i>c d"),
        ("a<script\xa0>b", "ab"),
        ("a<!-- never closed", "a"),
        ("<!DOCTYPE html>a<?xml x?>b</3>c</>d", "abcd"),
        # Attributes
        ('<a title="x > y">b</a>', "b"),
        ("<a title='x > y'>b</a>", "b"),
        ("<a title = \"x > y\" b='>'>c", "c"),
        ('<a title="x\'>">b', "b"),
        ("<a title=x'y>b</a> c'd", "b c'd"),
        ("<a don't>b</a> c'd", "b c'd"),
        ('<a b=c=">d</a>', "d"),
        ('<a title="never closed>b', ""),
        ("a <b never closed", "a"),
        # Not markup
        ("a < b", "a < b"),
        ("1<2 <3", "1<2 <3"),
        ("a > b", "a > b"),
        ("<", "<"),
        # Character references
        ("&lt;b&gt; &amp;amp;", "<b> &amp;"),
        ("caf&eacute; caf&eacute &#233; &#xE9; &#XE9", "café café é é é"),
        ("AT&T &unheard; &", "AT&T &unheard; &"),
        ("a&nbsp;b", "a b"),
        ("&#21457;&#x7968;", "发票"),
        ("pi&#108;ls v&shy;ia", "pills v\xadia"),
        ("a&#" + "9" * 5000 + ";b", "a\ufffdb"),
    ],
)
def test_the_text_is_what_a_reader_sees(html, words):
    assert strip_tags(html).split() == words.split()


def test_white_space_collapses_but_in_pre():
    assert strip_tags("a  <b>b</b>\n c") == "a b c"
    assert strip_tags("<pre>a  b\n c</pre>").strip() == "a  b\n c"


MARKS = ["<", ">", "</", "<!", "<!--", "-->", "<p", "<b ", "script", "/", "=", '"', "'", "&", "&#"]
PIECES = st.sampled_from(
    [*MARKS, f"&#{'9' * 5000}", "&amp", ";", "&#x110000;", "\0", " ", "\n", "x", "发票"]
)


@settings(deadline=None)
@given(st.text() | st.lists(PIECES, max_size=30).map("".join))
def test_any_text_can_be_stripped(text):
    assert isinstance(strip_tags(text), str)


@given(st.text(st.characters(exclude_characters="<&")))
def test_text_without_markup_comes_back(text):
    assert strip_tags(text).split() == text.split()


HOSTILE = {
    "nested tags": "<div>" * 100_000,
    "attributes": "<p " + "a=b " * 100_000,
    "quoted attributes": "<p " + 'a="b" ' * 100_000 + ">",
    "unclosed quotes": '<p a="' * 150_000,
    "quotes that open nothing": "<p " + '"' * 1_000_000,
    "quotes of two kinds": "<a " + "=\"'" * 300_000,
    "quotes after spaces": "<a =" + (" " * 70 + '"') * 14_000,
    "unclosed comments": "<!--" * 250_000,
    "unclosed declarations": "<!" * 500_000,
    "closed comments": "<!-- -->" * 120_000,
    "unclosed scripts": "<script>" * 120_000,
    "near script ends": "<script>" + "</script" * 120_000,
    "less-than signs": "<" * 1_000_000,
    "tag openings": "<a" * 500_000,
    "closing openings": "</" * 500_000,
    "ampersands": "&" * 1_000_000,
    "number references": "&#" * 500_000,
    "one digit reference": "&#" + "9" * 1_000_000,
    "one hexadecimal reference": "&#x" + "f" * 1_000_000,
    "near names": "&notit" * 160_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_markup_takes_linear_time(kind):
    start = time.process_time()
    strip_tags(HOSTILE[kind])
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("html", "tags"),
    [
        ("", {}),
        ("text </p>", {}),
        ("<P>a<p>b</p><br/>", {"p": 2, "br": 1}),
        (
            "<font color=red SIZE=2>a</font><font color=blue>b</font><font face=x>c</font>",
            {"font": 3, "font:color": 2, "font:size": 1},
        ),
        ("<a href=x class=y title=z>a</a>", {"a": 1, "a:href": 1, "a:class": 1}),
        ("<img src=x width=1 height=1 alt=y>", {
            "img": 1, "img:src": 1, "img:width": 1, "img:height": 1, "img:alt": 1,
        }),
        ("<body onload=f() bgcolor=red>", {"body": 1, "body:onload": 1, "body:bgcolor": 1}),
        ("<script src=x>if (a<b>c) {}</script>", {"script": 1, "script:src": 1}),
        ("<style><p></style>", {"style": 1}),
        ("<!-- <p> --><!doctype html>", {}),
        ("<" + "x" * 50 + ">", {"x" * 20: 1}),
    ],
)  # fmt: skip
def test_the_tags_are_counted(html, tags):
    assert read_html(html).tags == tags


@pytest.mark.parametrize(
    ("html", "sources"),
    [
        ("", ()),
        ("<a href=http://a.example>a</a>", ()),
        ("<img src=' http://a.example/1.gif '>", ("http://a.example/1.gif",)),
        ("<table background=b.png><td background='c.png'>", ("b.png", "c.png")),
        ("<iframe src=d></iframe><script src=e></script>", ("d", "e")),
        ("<img src=cid:1><img src=''><img>", ("cid:1",)),
        ("<img src=a?b&amp;c>", ("a?b&c",)),
    ],
)
def test_the_sources_are_what_the_page_loads_by_itself(html, sources):
    assert read_html(html).sources == sources


@settings(max_examples=100, deadline=None)
@given(st.text() | st.lists(PIECES, max_size=30).map("".join))
def test_any_text_has_tags_and_sources(html):
    page = read_html(html)
    assert all(count > 0 and 0 < len(name) <= 32 for name, count in page.tags.items())
    assert all(isinstance(source, str) for source in page.sources)
