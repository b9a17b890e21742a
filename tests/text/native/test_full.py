"""The compiled tokens are those of the twin, as fingerprints."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text.fingerprints import fingerprint
from spamnb.text.full import text_tokens
from spamnb.text.reading import Reading
from spamnb.text.tokenizers import make_segmenter
from spamnb.text.words import FullSplitter
from tests.text.native.strategies import BASES, READINGS

native = pytest.importorskip("spamnb.text.native.full")
Base = pytest.importorskip("spamnb.text.native.fingerprints").Base


def assert_same(reading: Reading, base: int, tokenizer: str, stop_words: frozenset[str]) -> None:
    tokens = text_tokens(reading, FullSplitter(make_segmenter(tokenizer), stop_words))
    assert native.text_tokens(reading, make_segmenter(tokenizer), stop_words) == tokens
    keys = native.text_keys(reading, Base(base), make_segmenter(tokenizer), stop_words)
    found = {
        "subject": list(keys.subject),
        "pair": list(keys.pairs),
        "char": list(keys.chars),
        "end": list(keys.end),
        "shape": list(keys.shapes),
        "word": [fingerprint(token, base) for token in keys.odd],
    }
    body = tokens.pop("")
    assert found == {
        group: [fingerprint(token, base) for token in each] for group, each in tokens.items()
    }
    assert list(keys.words) == [fingerprint(word, base) for word in body if ":" not in word]
    assert list(keys.signs) == [fingerprint(word, base) for word in body if ":" in word]


@settings(max_examples=1_000, deadline=None)
@given(READINGS, BASES, st.sampled_from(["auto", "chars"]), st.sets(st.sampled_from("a的!")))
def test_the_same_tokens_of_any_text(reading, base, tokenizer, stop_words):
    assert_same(reading, base, tokenizer, frozenset(stop_words))


EDGES = (
    "aZ[@\u00bf\u00c0\u024f\u0250\u036f\u0370\u03ff\u0400\u052f\u0530\u058f\u0590\u139f\u13a0\u13ff"
)
EDGES += "\u1dff\u1e00\u1eff\u1f00\u1fff\u2e7f\u2e80\uab6f\uab70\uabbf\uabc0"


@settings(max_examples=1_000, deadline=None)
@given(st.text(EDGES + " ", max_size=8))
def test_the_same_mixed_scripts(text):
    reading = Reading("", (text,), 0, (), (), {})
    words = text_tokens(reading, FullSplitter(make_segmenter("chars")))["word"]
    assert native.text_tokens(reading, make_segmenter("chars"))["word"] == words


def test_the_last_words_of_several_texts_and_the_letters_of_the_first():
    texts = (" ".join(f"word{i}" for i in range(40)), "", "short one", "x" * 50, "some more " * 40)
    for end in range(len(texts) + 1):
        assert_same(Reading("A subject", texts[:end], 0, (), (), {}), 5, "auto", frozenset())
