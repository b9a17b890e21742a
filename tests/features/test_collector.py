import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.features.collector import CountCollector
from spamnb.features.vectorizer import CountVectorizer
from tests.strategies import TOKENS, few, to_dense

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
