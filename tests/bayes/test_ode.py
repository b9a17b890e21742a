from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.ode import ODE, SPODE, kdb_parents
from spamnb.errors import ParameterError
from tests.bayes.dependence import (
    TABLE_X,
    TABLE_Y,
    slow_conditional_information,
    slow_information,
    slow_tree_joint,
)
from tests.strategies import labeled_counts, modest


@st.composite
def forests(draw, n_features):
    """A parent map without cycles, as an array."""
    order = draw(st.permutations(range(n_features)))
    parents = np.full(n_features, -1)
    for at, j in enumerate(order):
        parents[j] = draw(st.sampled_from([-1, *order[:at]]))
    return parents


@modest
@given(labeled_counts(), st.sampled_from([0.0, 0.1, 1.0]), st.data())
def test_scores_equal_the_slow_ones(labeled, alpha, data):
    X, y = labeled[0] > 0, labeled[1]
    parents = data.draw(forests(X.shape[1]))
    estimator = ODE(parents=parents, alpha=alpha).fit(X, y)
    assert_array_equal(estimator.parents_, parents)
    as_map = {j: None if p < 0 else p for j, p in enumerate(parents.tolist())}
    expected = slow_tree_joint(X, y, as_map, alpha, X)
    assert_allclose(estimator.predict_joint_log_proba(X), expected, rtol=1e-10, atol=1e-10)


@modest
@given(labeled_counts())
def test_without_parents_it_is_naive_bayes(labeled):
    X, y = labeled
    estimator = ODE(parents=[-1] * X.shape[1]).fit(X, y)
    expected = BernoulliNB().fit(X, y).predict_joint_log_proba(X)
    assert_allclose(estimator.predict_joint_log_proba(X), expected, rtol=1e-10, atol=1e-12)


@modest
@given(labeled_counts(), st.data())
def test_a_super_parent_is_everybodys_parent(labeled, data):
    X, y = labeled
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


# Parents that KDB finds.


def test_the_hand_worked_table():
    # offer and free stand in 3 of 4 spam and 1 of 5 ham, meeting in 1 of 4 and 3 of 5, so that
    # the order is offer, free (a tie: the first), meeting.  Where it is spam, offer leaves no
    # doubt of meeting: H(1/4) = .5623 nats; where it is ham, .1185.  free tells .0850 and .2231.
    estimator = ODE().fit(TABLE_X, TABLE_Y)
    assert estimator.parents_.tolist() == [-1, 0, 0]
    assert_allclose(estimator.edge_weights_[0], 0)
    assert_allclose(estimator.edge_weights_[2], (4 * 0.5623 + 5 * 0.1185) / 9, atol=1e-4)
    # log P(c, x) of the first row, by fractions: the prior, then offer, free | offer and
    # meeting | offer with one more of each.
    expected = [5 / 9 * 2 / 7 * 1 / 3 * 1 / 3, 4 / 9 * 4 / 6 * 3 / 5 * 4 / 5]
    got = np.exp(estimator.predict_joint_log_proba(TABLE_X[:1])[0])
    assert_allclose(got, expected, rtol=1e-12)


def test_the_parents_do_not_depend_on_where_the_columns_stand():
    estimator = ODE().fit(TABLE_X[:, [2, 0, 1]], TABLE_Y)
    assert estimator.parents_.tolist() == [1, -1, 1]


@pytest.mark.parametrize(
    ("information", "dependence", "parents"),
    [
        ([], np.zeros((0, 0)), []),
        ([0.5], [[0]], [-1]),
        # Of equal information the first comes first; of equal dependence the most informed.
        ([1, 1, 1], np.zeros((3, 3)), [-1, 0, 0]),
        ([1, 2, 3], np.zeros((3, 3)), [2, 2, -1]),
        # The strongest edge of all, 0 to 1, is not open to 1, which comes first of the two.
        ([1, 2, 3], [[0, 9, 1], [9, 0, 2], [1, 2, 0]], [1, 2, -1]),
    ],
)
def test_kdb_by_hand(information, dependence, parents):
    found = kdb_parents(np.array(information, float), np.array(dependence, float))
    assert found.tolist() == parents


@modest
@given(labeled_counts(), st.sampled_from([0.0, 0.1, 1.0]))
def test_scores_of_found_parents_equal_the_slow_ones(labeled, alpha):
    X, y = labeled[0] > 0, labeled[1]
    estimator = ODE(alpha=alpha).fit(X, y)
    as_map = {j: None if p < 0 else p for j, p in enumerate(estimator.parents_.tolist())}
    expected = slow_tree_joint(X, y, as_map, alpha, X)
    assert_allclose(estimator.predict_joint_log_proba(X), expected, rtol=1e-10, atol=1e-10)


@modest
@given(labeled_counts())
def test_every_parent_tells_more_of_the_class_and_most_of_the_child(labeled):
    X, y = labeled[0] > 0, labeled[1]
    n = X.shape[1]
    estimator = ODE().fit(X, y)
    parents = estimator.parents_.tolist()
    assert parents.count(-1) == 1
    information = [slow_information(X, y, j) for j in range(n)]
    for j, parent in enumerate(parents):
        # No way up ends where it began.
        seen, ancestor = {j}, parent
        while ancestor >= 0:
            assert ancestor not in seen
            seen.add(ancestor)
            ancestor = parents[ancestor]
        if parent < 0:
            assert information[j] >= max(information) - 1e-10
            continue
        assert information[parent] >= information[j] - 1e-10
        best = slow_conditional_information(X, y, j, parent)
        assert_allclose(estimator.edge_weights_[j], best, atol=1e-10)
        for other in range(n):
            if information[other] > information[j] + 1e-10:
                assert best >= slow_conditional_information(X, y, j, other) - 1e-10


@modest
@given(st.integers(1, 8), st.data())
def test_parents_come_earlier_in_the_order(n, data):
    values = st.sampled_from([0.0, 0.1, 0.5, 1.0])  # ties are common
    information = np.array([data.draw(values) for _ in range(n)])
    dependence = np.array([[data.draw(values) for _ in range(n)] for _ in range(n)])
    rank = {j: (-information[j], j) for j in range(n)}
    for j, parent in enumerate(kdb_parents(information, dependence).tolist()):
        earlier = [i for i in range(n) if rank[i] < rank[j]]
        earlier.sort(key=rank.__getitem__)  # of equals max takes the first
        assert parent == max(earlier, key=lambda i: dependence[j, i], default=-1)


def true_model():
    """A tree in which each feature repeats its parent with probability .85, the root the class."""
    parents = np.array([2, 0, -1, 0, 2, 4, 4])
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=4_000)
    X = np.zeros((len(y), 7), int)
    for j in [2, 0, 4, 1, 3, 5, 6]:
        above = y if parents[j] < 0 else X[:, parents[j]]
        X[:, j] = np.where(rng.random(len(y)) < 0.85, above, 1 - above)
    return ODE(parents=parents).fit(X, y)


def test_the_parents_that_the_data_were_drawn_from_are_found():
    # What is passed on twice tells less, of the class as of one another, so KDB must find them.
    true = true_model()
    X, y = true.sample(4_000, 0)
    found = ODE().fit(X, y)
    assert_array_equal(found.parents_, true.parents_)
    X_test, y_test = true.sample(4_000, 1)

    def log_loss(estimator):
        log_proba = estimator.predict_log_proba(X_test)
        return -log_proba[np.arange(len(y_test)), y_test].mean()

    naive, best = log_loss(BernoulliNB().fit(X, y)), log_loss(true)
    assert best - 0.01 < log_loss(found) < best + 0.01
    assert naive > best + 0.1
    everything = (np.arange(2**7)[:, np.newaxis] >> np.arange(7)) & 1

    def distance(estimator):
        p = np.exp(estimator.predict_joint_log_proba(everything))
        return np.abs(p - np.exp(true.predict_joint_log_proba(everything))).sum() / 2

    assert distance(found) < distance(BernoulliNB().fit(X, y)) / 5


def test_more_samples_can_change_the_found_parents():
    estimator = ODE().fit(TABLE_X, TABLE_Y)
    more = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 1], [1, 0, 0]] * 9)
    labels = ["spam", "ham", "spam", "ham"] * 9
    estimator.partial_fit(more, labels)
    at_once = ODE().fit(np.vstack([TABLE_X, more]), np.append(TABLE_Y, labels))
    assert_array_equal(estimator.parents_, at_once.parents_)
    assert estimator.parents_.tolist() != [-1, 0, 0]


def test_a_feature_that_loses_its_parent_has_none():
    X = np.hstack([TABLE_X, TABLE_X[:, ::-1]])
    estimator = ODE(parents=[-1, 0, 1, 2, 3, 4]).fit(X, TABLE_Y).take_columns(np.array([4, 1, 2]))
    assert estimator.parents_.tolist() == [-1, -1, 1]
    alone = ODE(parents=[-1, -1, 1]).fit(X[:, [4, 1, 2]], TABLE_Y)
    expected = alone.predict_joint_log_proba(X[:, [4, 1, 2]])
    assert_array_equal(estimator.predict_joint_log_proba(X[:, [4, 1, 2]]), expected)


def test_found_parents_are_kept_with_the_counts():
    # As if another machine had made the other choice of two that are all but equal.
    state = ODE().fit(TABLE_X, TABLE_Y).state()
    assert state["parents"].tolist() == [0, 0, 0]  # the first is its own: it has none
    restored = ODE().set_state(["ham", "spam"], 3, {**state, "parents": np.array([0, 0, 1])})
    assert restored.parents_.tolist() == [-1, 0, 1]
    expected = ODE(parents=[-1, 0, 1]).fit(TABLE_X, TABLE_Y).predict_joint_log_proba(TABLE_X)
    assert_array_equal(restored.predict_joint_log_proba(TABLE_X), expected)
    restored.alpha = 0.5
    assert restored.update().parents_.tolist() == [-1, 0, 1]


@pytest.mark.parametrize("parents", [[1, 0, 0], [1, 2, 0], [0, 3, 0], [-1, 0, 0], [0, 0.5, 0]])
def test_stored_parents_that_are_no_forest_are_refused(parents):
    state = ODE().fit(TABLE_X, TABLE_Y).state()
    with pytest.raises(ParameterError, match=r"^stored .*parents must be"):
        ODE().set_state(["ham", "spam"], 3, {**state, "parents": np.array(parents)})
