from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.ode import ODE, SPODE
from spamnb.errors import ParameterError
from tests.bayes.dependence import TABLE_X, TABLE_Y, slow_tree_joint
from tests.strategies import labelled_counts, modest


@st.composite
def forests(draw, n_features):
    """A parent map without cycles, as an array."""
    order = draw(st.permutations(range(n_features)))
    parents = np.full(n_features, -1)
    for at, j in enumerate(order):
        parents[j] = draw(st.sampled_from([-1, *order[:at]]))
    return parents


@modest
@given(labelled_counts(), st.sampled_from([0.0, 0.1, 1.0]), st.data())
def test_scores_equal_the_slow_ones(labelled, alpha, data):
    X, y = labelled[0] > 0, labelled[1]
    parents = data.draw(forests(X.shape[1]))
    estimator = ODE(parents=parents, alpha=alpha).fit(X, y)
    assert_array_equal(estimator.parents_, parents)
    as_map = {j: None if p < 0 else p for j, p in enumerate(parents.tolist())}
    expected = slow_tree_joint(X, y, as_map, alpha, X)
    assert_allclose(estimator.predict_joint_log_proba(X), expected, rtol=1e-10, atol=1e-10)


@modest
@given(labelled_counts())
def test_without_parents_it_is_naive_bayes(labelled):
    X, y = labelled
    estimator = ODE(parents=[-1] * X.shape[1]).fit(X, y)
    expected = BernoulliNB().fit(X, y).predict_joint_log_proba(X)
    assert_allclose(estimator.predict_joint_log_proba(X), expected, rtol=1e-10, atol=1e-12)


@modest
@given(labelled_counts(), st.data())
def test_a_super_parent_is_everybodys_parent(labelled, data):
    X, y = labelled
    parent = data.draw(st.integers(0, X.shape[1] - 1))
    parents = np.where(np.arange(X.shape[1]) == parent, -1, parent)
    expected = ODE(parents=parents).fit(X, y).predict_joint_log_proba(X)
    estimator = SPODE(parent=parent).fit(X, y)
    assert_array_equal(estimator.parents_, parents)
    assert_array_equal(estimator.predict_joint_log_proba(X), expected)


def test_a_super_parent_is_chosen_even_if_it_tells_nothing():
    X = np.hstack([TABLE_X, np.ones((9, 1), int)])
    estimator = SPODE(parent=3, k=2).fit(X, TABLE_Y)
    assert_array_equal(estimator.selected_features_, [0, 3])
    assert_array_equal(estimator.parents_, [3, -1])


def test_a_feature_whose_parent_is_not_chosen_has_none():
    X = np.hstack([TABLE_X, np.ones((9, 1), int)])
    estimator = ODE(parents=[3, 0, 1, -1], k=3).fit(X, TABLE_Y)
    assert_array_equal(estimator.selected_features_, [0, 1, 2])
    assert_array_equal(estimator.parents_, [-1, 0, 1])


@pytest.mark.parametrize("parents", [[0, 1], [1, 0, -1], [0, -1, -1], [-1, -1, 3], [-1.0, 0, 1]])
def test_a_map_that_is_no_forest_is_refused(parents):
    with pytest.raises(ParameterError) as caught:
        ODE(parents=parents).fit(TABLE_X, TABLE_Y)
    assert str(caught.value) == (
        f"parents must be 3 columns from -1 to 2 without a cycle, got {parents}"
    )


@pytest.mark.parametrize("parent", [-1, 3, 0.5])
def test_a_parent_that_is_no_column_is_refused(parent):
    with pytest.raises(ParameterError) as caught:
        SPODE(parent=parent).fit(TABLE_X, TABLE_Y)
    assert str(caught.value) == f"parent must be a column from 0 to 2, got {parent}"


def test_without_a_given_parent_the_feature_that_tells_most_is_that():
    X = [[1, 1, 0], [1, 0, 0], [0, 1, 1], [0, 1, 1], [0, 0, 1], [1, 1, 1]]
    y = ["a", "a", "b", "b", "b", "b"]
    # Feature 2 alone tells the classes apart.
    free, given_parent = SPODE().fit(X, y), SPODE(parent=2).fit(X, y)
    assert free.parents_.tolist() == [2, 2, -1]
    assert_array_equal(free.predict_joint_log_proba(X), given_parent.predict_joint_log_proba(X))
