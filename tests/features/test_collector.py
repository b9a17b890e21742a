from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.features.collector import CountCollector
from spamnb.features.vectorizer import CountVectorizer
from tests.strategies import TOKENS, few, modest, to_dense

DOCUMENTS = st.lists(st.lists(st.sampled_from(TOKENS), max_size=6), max_size=6)


@few
@given(st.lists(DOCUMENTS, max_size=4), st.data())
def test_batches_give_what_counting_at_once_gives(batches, data):
    collector = CountCollector()
    for batch in batches:
        collector.add(batch)
    documents = [tokens for batch in batches for tokens in batch]
    vectorizer = CountVectorizer()
    at_once = to_dense(vectorizer.learn(documents))
    assert list(collector.vocabulary) == list(vectorizer.vocabulary)
    assert_array_equal(collector.document_frequency(), (at_once > 0).sum(axis=0))
    columns = np.array(data.draw(st.permutations(range(at_once.shape[1]))), dtype=np.int64)
    columns = columns[: data.draw(st.integers(0, 7))]
    X = collector.take(columns).whole()
    assert_array_equal(to_dense(X), at_once[:, columns])
    for row in range(X.shape[0]):
        assert np.all(np.diff(X.indices[X.indptr[row] : X.indptr[row + 1]]) > 0)


def test_nothing_gathered():
    collector = CountCollector()
    assert collector.document_frequency().shape == (0,)
    assert collector.take(np.empty(0, np.int64)).shape == (0, 0)


def test_a_count_beyond_16_bits_is_kept_as_the_greatest():
    collector = CountCollector()
    collector.add([["a"] * 65_534 + ["b"] * 65_535 + ["c"] * 65_537])
    assert to_dense(collector.take(np.arange(3)).whole()).tolist() == [[65_534, 65_535, 65_535]]


def test_documents_can_come_from_a_generator():
    collector = CountCollector()
    collector.add(iter(text) for text in ("ab", "", "b"))
    assert to_dense(collector.take(np.array([1])).whole()).tolist() == [[1], [0], [1]]


# Bounded memory


STREAMS = st.lists(st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=4), max_size=3))


def collected(batches, **limits):
    collector = CountCollector(**limits)
    for batch in batches:
        collector.add(batch)
    return collector


def counts_by_token(collector):
    tokens = list(collector.vocabulary)
    X = to_dense(collector.take(np.arange(len(tokens))).whole())
    return dict(zip(tokens, X.T.tolist(), strict=True))


@modest
@given(STREAMS, st.integers(2, 6))
def test_of_no_token_are_more_documents_forgotten_than_is_said(batches, most_tokens):
    documents = [tokens for batch in batches for tokens in batch]
    true = Counter(token for tokens in documents for token in set(tokens))
    collector = collected(batches, most_tokens=most_tokens)
    known = dict(zip(collector.vocabulary, collector.document_frequency(), strict=True))
    threshold = collector.forgotten.threshold if collector.forgotten else 0
    for token, frequency in true.items():
        if frequency > threshold:
            assert token in known
        assert frequency - threshold <= known.get(token, 0) <= frequency
    assert len(known) <= most_tokens
    if collector.forgotten:
        assert 0 < collector.forgotten.times <= collector.forgotten.tokens
    # What is known of a token are its counts from some document on, and nothing before.
    for token, found in counts_by_token(collector).items():
        expected = [tokens.count(token) for tokens in documents]
        own = np.flatnonzero(found)
        assert len(own) == known[token]
        start = own[0] if len(own) else len(documents)
        assert found[start:] == expected[start:]


@modest
@given(STREAMS, st.integers(2, 6), st.sampled_from([None, 0, 20]))
def test_the_same_documents_in_the_same_order_are_forgotten_the_same(batches, most, most_bytes):
    one = collected(batches, most_tokens=most)
    other = collected(batches, most_tokens=most, most_bytes=most_bytes)
    assert one.forgotten == other.forgotten
    assert counts_by_token(one) == counts_by_token(other)


@modest
@given(STREAMS)
def test_below_the_limit_nothing_changes(batches):
    free, limited = collected(batches), collected(batches, most_tokens=10, most_bytes=0)
    assert limited.forgotten is None
    assert list(limited.vocabulary) == list(free.vocabulary)
    assert_array_equal(limited.document_frequency(), free.document_frequency())
    assert counts_by_token(limited) == counts_by_token(free)


def test_tokens_in_the_fewest_documents_are_forgotten_first():
    collector = CountCollector(most_tokens=4)
    collector.add([["a", "b", "c"], ["a", "b"], ["a", "b"]])
    collector.add([["d", "e"]])  # five: those in one document go
    assert list(collector.vocabulary) == ["a", "b"]
    assert collector.forgotten == (1, 3, 1)
    collector.add([["e", "f"], ["e"]])
    collector.add([["e", "g"]])  # e may have been in four documents, f and g in two
    assert list(collector.vocabulary) == ["e"]
    assert collector.forgotten == (2, 7, 3)
    assert counts_by_token(collector) == {"e": [0, 0, 0, 0, 1, 1, 1]}
