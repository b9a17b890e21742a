"""Compiled links, header words and gaps are those of their twins."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spamnb.text.fields import MOST_WORDS, word_tokens
from spamnb.text.links import (
    LONGEST_AUTHORITY,
    LONGEST_PATH,
    MOST_PATH_WORDS,
    Link,
    link_tokens,
)
from spamnb.text.structure import count_kinds, has_gap
from tests.text.native.strategies import TEXTS

native = pytest.importorskip("spamnb.text.native.others")

PIECES = (
    *(
        "http://",
        "https://",
        "HTTP://",
        "ftp://",
        "httpſ://",
        "xhttp://",
        "://",
        "www.",
        "WWW.",
        ":",
    ),
    *("a.example", "b.co.uk", "1.2.3.4", "0x7f.1.1.1", "user@", "u%40@", ":80", "[::1]", "bit.ly"),
    *("/", "/path/to_the-page", "?q=Ünï&x=1", "#top", "index.HTML", "a" * 25, "é", "\\", "xn--a"),
    *(" ", "\n", "\t", '"', "'", "<", ">", ".", ",", "_", "-", "mailto:a@b", "javascript:x", "٣"),
)
ADDRESSES = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
LINKS = st.builds(Link, ADDRESSES, ADDRESSES)


@settings(max_examples=2_000, deadline=None)
@given(ADDRESSES | TEXTS, st.lists(LINKS, max_size=4).map(tuple), st.lists(ADDRESSES, max_size=3))
def test_the_same_tokens_of_any_links(text, links, sources):
    expected = list(link_tokens(text, links, tuple(sources)))
    assert native.link_tokens(text, links, tuple(sources)) == expected


@pytest.mark.parametrize("n", [LONGEST_AUTHORITY, LONGEST_AUTHORITY + 1, LONGEST_PATH + 9])
def test_the_same_tokens_of_long_links(n):
    text = f"http://{'a' * n}/b http://c/{'d' * n}e http://f/{'g/' * (MOST_PATH_WORDS + 1)}"
    links = tuple(Link(address, "x") for address in text.split())
    assert native.link_tokens(text, links, ()) == list(link_tokens(text, links))


@settings(max_examples=1_000, deadline=None)
@given(TEXTS)
@example("a " * (MOST_WORDS + 1))
@example("x" * 40 + " " + "x" * 41 + " -._ ")
def test_the_same_words_of_any_field(value):
    assert native.word_tokens("header:x:", value) == word_tokens("header:x:", value)


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_the_same_kinds_in_any_text(text):
    assert native.count_kinds(text) == count_kinds(text)


GAPS = ("\n", " ", "\t", "\xa0", "\x0b", "a", "\n" * 20, " " * 199, " \n" * 9, "\u2003")


@settings(max_examples=1_000, deadline=None)
@given(st.lists(st.sampled_from(GAPS), max_size=8).map("".join))
@example("a" + "\n \t" * 21 + "b")
@example("a" + " " * 200 + "b")
def test_the_same_gaps_in_any_text(text):
    assert native.has_gap(text) == has_gap(text)
