"""The compiled counter counts what its twin counts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text.counted import TokenCounter
from spamnb.text.full import text_tokens
from spamnb.text.tokenizers import make_segmenter
from spamnb.text.words import FullSplitter
from tests.text.native.strategies import READINGS

native = pytest.importorskip("spamnb.text.native.counting")
OTHERS = st.dictionaries(st.sampled_from(["url", "name"]), st.lists(st.sampled_from(["u:a", "b"])))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(READINGS, OTHERS), max_size=5))
def test_the_same_counts_of_a_batch(mails):
    counter, twin = native.NativeCounter(), TokenCounter()
    segment = make_segmenter("chars")
    found = [counter.count(reading, segment, frozenset(), others) for reading, others in mails]
    for got, (reading, others) in zip(found, mails, strict=True):
        groups = {**text_tokens(reading, FullSplitter(segment)), "": [], **others}
        groups[""] = text_tokens(reading, FullSplitter(segment))[""]
        expected = twin(token for tokens in groups.values() for token in tokens)
        assert got.as_counts() == expected.as_counts()
        assert got.shared is found[0].shared
        assert len(set(got.shared)) == len(got.shared)
