from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse.csgraph import minimum_spanning_tree

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.ode import ODE
from spamnb.bayes.tan import TAN, maximum_spanning_tree
from spamnb.errors import ParameterError
from tests.bayes.dependence import (
    TABLE_X,
    TABLE_Y,
    slow_conditional_information,
    slow_information,
    slow_tree_joint,
)
from tests.strategies import labeled_counts, modest


def test_the_hand_worked_table():
    edges = {
        (i, j): slow_conditional_information(TABLE_X, TABLE_Y, i, j)
        for i, j in combinations(range(3), 2)
    }
    # Of the three edges the tree leaves out the lightest.
    lightest = min(edges, key=edges.__getitem__)
    estimator = TAN(root=2).fit(TABLE_X, TABLE_Y)
    tree = {tuple(sorted((j, int(p)))) for j, p in enumerate(estimator.parents_) if p >= 0}
    assert tree == set(edges) - {lightest}
    assert estimator.parents_[2] == -1
    for j, p in enumerate(estimator.parents_.tolist()):
        weight = 0 if p < 0 else edges[tuple(sorted((j, p)))]
        assert_allclose(estimator.edge_weights_[j], weight, atol=1e-12)
    as_map = {j: None if p < 0 else p for j, p in enumerate(estimator.parents_.tolist())}
    expected = slow_tree_joint(TABLE_X, TABLE_Y, as_map, 1.0, TABLE_X)
    assert_allclose(estimator.predict_joint_log_proba(TABLE_X), expected, rtol=1e-12)


def test_the_root_is_the_feature_that_tells_most_about_the_class():
    estimator = TAN().fit(TABLE_X, TABLE_Y)
    information = [slow_information(TABLE_X, TABLE_Y, j) for j in range(3)]
    assert estimator.root_ == int(np.argmax(information))
    assert estimator.parents_[estimator.root_] == -1


@modest
@given(labeled_counts(), st.sampled_from([0.0, 0.1, 1.0]), st.data())
def test_scores_equal_the_slow_ones(labeled, alpha, data):
    X, y = labeled[0] > 0, labeled[1]
    root = data.draw(st.none() | st.integers(0, X.shape[1] - 1))
    estimator = TAN(alpha=alpha, root=root).fit(X, y)
    assert root in (None, estimator.root_)
    parents = estimator.parents_.tolist()
    # The tree is as heavy as the heaviest, and its weights are the slow ones.
    n = X.shape[1]
    weights = np.array(
        [[slow_conditional_information(X, y, i, j) for j in range(n)] for i in range(n)]
    )
    heaviest = -minimum_spanning_tree(-(weights + 1) * (1 - np.eye(n))).sum() - (n - 1)
    assert_allclose(estimator.edge_weights_.sum(), heaviest, atol=1e-10)
    as_map = {j: None if p < 0 else p for j, p in enumerate(parents)}
    expected = slow_tree_joint(X, y, as_map, alpha, X)
    assert_allclose(estimator.predict_joint_log_proba(X), expected, rtol=1e-10, atol=1e-10)


@modest
@given(st.integers(1, 8), st.data())
def test_the_spanning_tree_is_a_tree_of_the_greatest_weight(n, data):
    weights = np.zeros((n, n))
    for i, j in combinations(range(n), 2):
        weights[i, j] = weights[j, i] = data.draw(st.integers(1, 9))
    root = data.draw(st.integers(0, n - 1))
    parents = maximum_spanning_tree(weights, root)
    assert parents[root] == -1
    ancestor = np.append(parents, -1)
    for _ in range(n):
        ancestor = ancestor[ancestor]
    assert np.all(ancestor == -1)
    total = sum(weights[j, p] for j, p in enumerate(parents) if p >= 0)
    assert total == -minimum_spanning_tree(-weights).sum()


def drawn_from_a_tree():
    """(train, test) of twenty features, each of which repeats or inverts the one before."""
    rng = np.random.default_rng(0)
    n, k = 4_000, 20
    y = rng.integers(2, size=n)
    X = np.zeros((n, k), int)
    X[:, 0] = rng.random(n) < 0.4 + 0.2 * y
    for j in range(1, k):
        same = rng.random(n) < np.where(y == 1, 0.8, 0.4)
        X[:, j] = np.where(same, X[:, j - 1], 1 - X[:, j - 1])
    return (X[:2000], y[:2000]), (X[2000:], y[2000:])


def test_dependence_beats_naive_bayes_on_data_drawn_from_a_tree():
    (X, y), (X_test, y_test) = drawn_from_a_tree()

    def log_loss(estimator):
        log_proba = estimator.fit(X, y).predict_log_proba(X_test)
        return -log_proba[np.arange(len(y_test)), y_test].mean()

    naive = log_loss(BernoulliNB())
    assert log_loss(TAN()) < naive / 2
    assert log_loss(AODE()) < naive * 0.9
    # The tree that the data were drawn from is found.
    found = TAN(root=0).fit(X, y)
    assert_array_equal(found.parents_, np.arange(20) - 1)
    true = ODE(parents=np.arange(20) - 1)
    assert_allclose(log_loss(TAN(root=0)), log_loss(true), rtol=1e-12)


def test_the_tree_is_found_again_in_samples():
    (X, y), _ = drawn_from_a_tree()
    true = TAN(root=0).fit(X, y)
    again = TAN(root=0).fit(*true.sample(4_000, 0))
    assert_array_equal(again.parents_, true.parents_)
    # Five standard errors at 400 samples of each class with each parent value.
    assert_allclose(
        np.exp(again.feature_log_prob_), np.exp(true.feature_log_prob_), atol=5 * 0.5 / 20
    )


def test_the_root_is_chosen_even_if_it_tells_nothing():
    X = np.hstack([TABLE_X, np.ones((9, 1), int)])
    estimator = TAN(root=3, k=2).fit(X, TABLE_Y)
    assert_array_equal(estimator.selected_features_, [0, 3])
    assert_array_equal(estimator.parents_, [3, -1])


@pytest.mark.parametrize("root", [-1, 3, 0.5])
def test_a_root_that_is_no_column_is_refused(root):
    with pytest.raises(ParameterError) as caught:
        TAN(root=root).fit(TABLE_X, TABLE_Y)
    assert str(caught.value) == f"root must be a column from 0 to 2, got {root}"
