from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.complement import ComplementNB
from tests.strategies import labeled_counts, modest

# The documents of the IR-book, table 13.1: Beijing, Chinese, Japan, Macao, Shanghai, Tokyo.
X = [[1, 2, 0, 0, 0, 0], [0, 2, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]]
Y = ["yes", "yes", "yes", "no"]
TEST = [[0, 3, 1, 0, 0, 1]]


def slow_weights(X, y, alpha, norm):
    """The weights from the formula, in the order of the classes."""
    weights = []
    for label in sorted(set(y)):
        others = [row for row, own in zip(X, y, strict=True) if own != label]
        smoothed = [sum(int(row[j]) for row in others) + alpha for j in range(len(X[0]))]
        shares = [n / sum(smoothed) if n else 0.0 for n in smoothed]
        row = [-log(share) if share else inf for share in shares]
        weights.append([w / sum(row) for w in row] if norm else row)
    return weights


def slow_joint(weights, rows):
    return [
        [sum(k * w for k, w in zip(row, ws, strict=True) if k) for ws in weights] for row in rows
    ]


def test_hand_worked_weights():
    estimator = ComplementNB().fit(X, Y)
    outside_no = np.array([2, 6, 1, 2, 2, 1]) / 14
    outside_yes = np.array([1, 2, 2, 1, 1, 2]) / 9
    expected = -np.log([outside_no, outside_yes])
    assert_allclose(estimator.feature_log_prob_, expected, rtol=1e-14)


def test_hand_worked_scores():
    estimator = ComplementNB().fit(X, Y)
    no, yes = (14 / 6) ** 3 * 14**2, (9 / 2) ** 5
    assert_allclose(np.exp(estimator.predict_joint_log_proba(TEST)), [[no, yes]], rtol=1e-13)
    assert_allclose(estimator.predict_proba(TEST)[0, 0], no / (no + yes), rtol=1e-13)
    assert estimator.predict(TEST).tolist() == ["no"]


def test_hand_worked_normalised_weights():
    estimator = ComplementNB(norm=True).fit([[1, 0], [0, 1]], ["a", "b"])
    likely, unlikely = (log(share) / log(2 / 9) for share in (2 / 3, 1 / 3))
    assert_allclose(
        estimator.feature_log_prob_, [[unlikely, likely], [likely, unlikely]], rtol=1e-14
    )


@modest
@given(labeled_counts(min_columns=2), st.sampled_from([0.1, 1.0, 2.5]), st.booleans())
def test_weights_and_scores_equal_the_slow_ones(labeled, alpha, norm):
    X, y = labeled
    estimator = ComplementNB(alpha=alpha, norm=norm).fit(X, y)
    weights = slow_weights(X, y, alpha, norm)
    assert_allclose(estimator.feature_log_prob_, weights, rtol=1e-12)
    prior = estimator.class_log_prior_ if len(weights) == 1 else 0
    joint = np.array(slow_joint(weights, X)) + prior
    assert_allclose(estimator.predict_joint_log_proba(X), joint, rtol=1e-12, atol=1e-13)


@modest
@given(labeled_counts())
def test_alpha_0_equals_the_slow_weights(labeled):
    X, y = labeled
    estimator = ComplementNB(alpha=0).fit(X, y)
    weights = slow_weights(X, y, 0, norm=False)
    assert_allclose(estimator.feature_log_prob_, weights, rtol=1e-12, atol=1e-15)
    assert_allclose(estimator.predict_joint_log_proba(X), slow_joint(weights, X), rtol=1e-12)


# Feature 0 stands only in "a", feature 1 only in "b", feature 2 in both.
APART = ([[1, 0, 1], [0, 1, 1]], ["a", "b"])


@pytest.mark.parametrize(
    ("sample", "proba"),
    [([1, 0, 0], [1, 0]), ([0, 2, 1], [0, 1]), ([1, 1, 0], [0.5, 0.5]), ([0, 0, 1], [0.5, 0.5])],
)
def test_alpha_0_is_certain_of_what_the_other_classes_never_have(sample, proba):
    assert_allclose(ComplementNB(alpha=0).fit(*APART).predict_proba([sample])[0], proba, rtol=1e-14)


@pytest.mark.parametrize(
    ("labeled", "alpha"),
    [(APART, 0), (([[1], [2]], ["a", "b"]), 1), (([[1], [2]], ["a", "b"]), 0)],
    ids=["alpha 0", "one feature", "one feature, alpha 0"],
)
def test_normalised_weights_never_give_nan(labeled, alpha):
    X, y = labeled
    proba = ComplementNB(alpha=alpha, norm=True).fit(X, y).predict_proba(X)
    assert_allclose(proba.sum(axis=1), 1, rtol=1e-12)


def test_the_prior_plays_no_part_with_several_classes():
    for prior in ([0.5, 0.5], [0.1, 0.9], [0, 1]):
        estimator = ComplementNB(class_prior=prior).fit(X, Y)
        assert_allclose(np.exp(estimator.class_log_prior_), prior, rtol=1e-14)
        assert_array_equal(estimator.intercept, [0, 0])
        assert_array_equal(
            estimator.predict_joint_log_proba(TEST),
            ComplementNB().fit(X, Y).predict_joint_log_proba(TEST),
        )


def test_binary_counts_each_positive_count_as_one():
    estimator = ComplementNB(binary=True).fit(X, Y)
    no, yes = (12 / 4) * 12**2, (9 / 2) ** 3
    assert_allclose(np.exp(estimator.predict_joint_log_proba(TEST)), [[no, yes]], rtol=1e-13)
