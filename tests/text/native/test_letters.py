"""The compiled search for words in disguise finds what its twin finds."""

import pytest
from hypothesis import given, settings

from spamnb.text import letters
from tests.text.native.strategies import TEXTS

native = pytest.importorskip("spamnb.text.native.letters")


@settings(max_examples=1_000, deadline=None)
@given(TEXTS)
def test_the_same_words_in_any_text(text):
    assert native.disguised_words(text) == letters.disguised_words(text)


@pytest.mark.parametrize(
    "text", ["v1agra now", "V.I.A.G.R.A", "v i a g r a", "x fr33!$ex me@ex4mple.com", "a b c d", ""]
)
def test_the_same_words_in_a_table(text):
    assert native.disguised_words(text) == letters.disguised_words(text)
