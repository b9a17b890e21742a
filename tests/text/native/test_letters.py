"""The compiled search for words in disguise finds what its twin finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text import letters
from tests.text.native.strategies import TEXTS

native = pytest.importorskip("spamnb.text.native.letters")


@settings(max_examples=1_000, deadline=None)
@given(TEXTS)
def test_the_same_words_in_any_text(text):
    assert native.disguised_words(text) == letters.disguised_words(text)


@settings(max_examples=500, deadline=None)
@given(TEXTS | st.text(st.characters(min_codepoint=0x300, max_codepoint=0x36F) | st.just("e")))
def test_the_same_form_of_any_text(text):
    assert native.normalised(text) == letters._normalised(text)


def test_every_invisible_character_is_known():
    for number in range(0x110000):
        found = letters._INVISIBLE.search(chr(number)) is not None
        assert native.has_invisible(chr(number)) == found, hex(number)


def test_a_long_run_is_cut_where_its_twin_cuts_it():
    for text in ("é" * letters.CHUNK + "\u0301", "a" + "\u0301" * (2 * letters.CHUNK + 3) + "b"):
        assert native.normalised(text) == letters._normalised(text)


@pytest.mark.parametrize(
    "text", ["v1agra now", "V.I.A.G.R.A", "v i a g r a", "x fr33!$ex me@ex4mple.com", "a b c d", ""]
)
def test_the_same_words_in_a_table(text):
    assert native.disguised_words(text) == letters.disguised_words(text)
