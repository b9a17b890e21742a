"""Compiled tokens of links are those of their twin."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text.links import (
    LONGEST_AUTHORITY,
    LONGEST_PATH,
    MOST_PATH_WORDS,
    Link,
    link_tokens,
)
from tests.text.native.strategies import TEXTS

native = pytest.importorskip("spamnb.text.native.links")

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
