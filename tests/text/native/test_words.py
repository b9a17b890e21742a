"""The compiled splitter gives the words of its twin."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text.tokenizers import TOKENIZERS, make_segmenter
from spamnb.text.words import FullSplitter
from tests.text.native.strategies import TEXTS

native = pytest.importorskip("spamnb.text.native.words")
Base = pytest.importorskip("spamnb.text.native.fingerprints").Base


@settings(deadline=None)
@given(TEXTS, st.sampled_from(TOKENIZERS), st.sets(st.sampled_from(["the", "的", "!", "a"])))
def test_the_same_words_in_any_text(text, tokenizer, stop_words):
    expected = FullSplitter(make_segmenter(tokenizer), frozenset(stop_words))(text)
    split = native.Splitter(Base(3), make_segmenter(tokenizer), frozenset(stop_words))
    assert split.words(text) == expected


def test_a_segmenter_may_leave_characters_out():
    split = native.Splitter(Base(3), lambda run: [run[:1]])
    assert split.words("中文字 a") == ["中", "a"]


def test_a_segmenter_that_invents_characters_is_refused():
    with pytest.raises(ValueError, match="中中中"):
        native.Splitter(Base(3), lambda run: [run * 3]).words("中")
