from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.features.vectorizer import CountVectorizer
from spamnb.features.vocabulary import Vocabulary
from tests.strategies import TOKENS, modest, to_dense

DOCUMENTS = st.lists(st.lists(st.sampled_from(TOKENS), max_size=6), max_size=5)


def slow_counts(documents, vocabulary):
    table = [[Counter(tokens)[token] for token in vocabulary] for tokens in documents]
    return np.array(table, dtype=float).reshape(len(documents), len(vocabulary))


def test_learn_numbers_new_tokens_and_counts_all():
    vectorizer = CountVectorizer()
    X = vectorizer.learn([["b", "a", "b"], [], ["c", "a"]])
    assert list(vectorizer.vocabulary) == ["b", "a", "c"]
    assert_array_equal(to_dense(X), [[2, 1, 0], [0, 0, 0], [0, 1, 1]])


def test_transform_leaves_unknown_tokens_out():
    vectorizer = CountVectorizer(Vocabulary("ab"))
    X = vectorizer.transform([["b", "x", "b"], ["x"]])
    assert_array_equal(to_dense(X), [[0, 2], [0, 0]])
    assert list(vectorizer.vocabulary) == ["a", "b"]


@modest
@given(DOCUMENTS)
def test_learn_counts_as_transform_does_afterwards(documents):
    vectorizer = CountVectorizer()
    learned = to_dense(vectorizer.learn(iter(map(iter, documents))))
    assert_array_equal(learned, slow_counts(documents, vectorizer.vocabulary))
    assert_array_equal(learned, to_dense(vectorizer.transform(iter(map(iter, documents)))))


@modest
@given(DOCUMENTS, DOCUMENTS)
def test_learning_in_two_batches_gives_the_columns_of_learning_at_once(first, second):
    twice, once = CountVectorizer(), CountVectorizer()
    assert twice.learn(first).shape[1] == len(set().union(*first))
    twice.learn(second)
    once.learn(first + second)
    assert list(twice.vocabulary) == list(once.vocabulary)
