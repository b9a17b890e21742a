from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.errors import ParameterError
from tests.strategies import labeled_counts, modest

# Manning, Raghavan and Schütze, Introduction to Information Retrieval, table 13.1.
# Columns: Beijing, Chinese, Japan, Macao, Shanghai, Tokyo.
X = [[1, 2, 0, 0, 0, 0], [0, 2, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]]
Y = ["yes", "yes", "yes", "no"]
TEST = [[0, 3, 1, 0, 0, 1]]


def log0(value):
    return log(value) if value else -inf


def slow_parameters(X, y, alpha):
    """P(feature present | class) from the formula, {class: [probability, ...]}."""
    result = {}
    for label in sorted(set(y)):
        rows = [row for row, own in zip(X, y, strict=True) if own == label]
        with_feature = [sum(row[j] > 0 for row in rows) for j in range(len(X[0]))]
        result[label] = [(n + alpha) / (len(rows) + 2 * alpha) for n in with_feature]
    return result


def slow_joint(X, y, alpha, rows):
    parameters, y = slow_parameters(X, y, alpha), y.tolist()
    return [
        [
            log(y.count(label) / len(y))
            + sum(log0(p if k else 1 - p) for k, p in zip(row, ps, strict=True))
            for label, ps in parameters.items()
        ]
        for row in rows
    ]


def test_the_textbook_probabilities():
    estimator = BernoulliNB().fit(X, Y)
    no = [1 / 3, 2 / 3, 2 / 3, 1 / 3, 1 / 3, 2 / 3]
    yes = [2 / 5, 4 / 5, 1 / 5, 2 / 5, 2 / 5, 1 / 5]
    assert_allclose(np.exp(estimator.feature_log_prob_), [no, yes], rtol=1e-14)


def test_the_textbook_scores():
    estimator = BernoulliNB().fit(X, Y)
    no = 1 / 4 * (2 / 3) ** 3 * (1 - 1 / 3) ** 3
    yes = 3 / 4 * 4 / 5 * 1 / 5 * 1 / 5 * (1 - 2 / 5) ** 3
    assert (round(no, 3), round(yes, 3)) == (0.022, 0.005)
    assert_allclose(np.exp(estimator.predict_joint_log_proba(TEST)), [[no, yes]], rtol=1e-13)
    assert estimator.predict(TEST).tolist() == ["no"]


@modest
@given(labeled_counts(), st.sampled_from([0.0, 0.1, 1.0, 2.5]))
def test_parameters_and_scores_equal_the_slow_ones(labeled, alpha):
    X, y = labeled
    estimator = BernoulliNB(alpha=alpha).fit(X, y)
    slow = list(slow_parameters(X, y, alpha).values())
    assert_allclose(np.exp(estimator.feature_log_prob_), slow, rtol=1e-12)
    joint = estimator.predict_joint_log_proba(X)
    assert_allclose(joint, slow_joint(X, y, alpha, X), rtol=1e-11, atol=1e-12)


@modest
@given(labeled_counts(), st.sampled_from([0.1, 1.0]))
def test_the_linear_form_is_the_joint_log_likelihood(labeled, alpha):
    X, y = labeled
    estimator = BernoulliNB(alpha=alpha).fit(X, y)
    linear = (X > 0) @ estimator.weights.T + estimator.intercept
    assert_allclose(linear, slow_joint(X, y, alpha, X), rtol=1e-11, atol=1e-12)


def test_alpha_per_feature_smooths_each_feature_by_its_own():
    estimator = BernoulliNB(alpha=[0.5, 2]).fit([[1, 0], [0, 3]], [0, 1])
    expected = [[1.5 / 2, 2 / 5], [0.5 / 2, 3 / 5]]
    assert_allclose(np.exp(estimator.feature_log_prob_), expected, rtol=1e-14)
    absent = 1 / 2 * np.array([0.5 / 2 * 3 / 5, 1.5 / 2 * 2 / 5])
    assert_allclose(np.exp(estimator.intercept), absent, rtol=1e-14)


@pytest.mark.parametrize(
    ("binarize", "counts"),
    [(0.0, [2, 1, 1]), (0.5, [2, 1, 1]), (1.0, [1, 0, 1]), (2.5, [0, 0, 1]), (9, [0, 0, 0])],
)
def test_a_feature_is_present_above_the_threshold(binarize, counts):
    X = [[2, 0, 3], [1, 1, 0]]
    estimator = BernoulliNB(binarize=binarize).fit(X, [0, 0])
    assert_array_equal(estimator.feature_count_, [counts])


def test_without_a_threshold_zeros_and_ones_are_taken_as_they_are():
    X = np.array([[1, 0, 1], [0, 1, 1]])
    with_threshold, without = (BernoulliNB(binarize=b).fit(X, [0, 1]) for b in (0, None))
    assert_array_equal(with_threshold.feature_log_prob_, without.feature_log_prob_)
    assert_array_equal(with_threshold.predict_proba(X), without.predict_proba(X))


@pytest.mark.parametrize("binarize", [-1, -1e-9, float("nan")])
def test_a_threshold_below_0_is_refused(binarize):
    with pytest.raises(ParameterError, match="binarize must be a number ≥ 0, or None, got"):
        BernoulliNB(binarize=binarize).fit(X, Y)


# Feature 0 stands in every "a" and no "b", feature 1 in one of two "a" and every "b".
CERTAIN = ([[1, 1], [1, 0], [0, 1]], ["a", "a", "b"])


@pytest.mark.parametrize(
    ("sample", "joint"),
    [
        ([1, 1], [log(2 / 3 * 1 / 2), -inf]),  # impossible in b, which never has feature 0
        ([0, 1], [-inf, log(1 / 3)]),  # impossible in a, which always has it
        ([1, 0], [log(2 / 3 * 1 / 2), -inf]),
        ([0, 0], [-inf, -inf]),
    ],
)
def test_alpha_0_is_maximum_likelihood(sample, joint):
    estimator = BernoulliNB(alpha=0).fit(*CERTAIN)
    assert_allclose(np.exp(estimator.feature_log_prob_), [[1, 1 / 2], [0, 1]], rtol=1e-14)
    assert_allclose(estimator.predict_joint_log_proba([sample])[0], joint, rtol=1e-14)


def test_alpha_0_gives_a_sample_that_no_class_can_have_the_prior():
    estimator = BernoulliNB(alpha=0).fit(*CERTAIN)
    assert_allclose(estimator.predict_proba([[0, 0]]), [[2 / 3, 1 / 3]], rtol=1e-14)


def test_alpha_0_with_weights_that_do_not_add_up_exactly():
    # Summed in pairs 0.7 * 10 is 7, one after the other 7.000000000000001.
    estimator = BernoulliNB(alpha=0).fit([[1]] * 10, ["a"] * 10, sample_weight=[0.7] * 10)
    assert_array_equal(estimator.predict_proba([[0], [1]]), [[1], [1]])


def test_alpha_0_with_a_feature_that_is_always_present_everywhere():
    estimator = BernoulliNB(alpha=0).fit([[1, 0], [1, 1]], ["a", "b"])
    assert_array_equal(estimator.predict_proba([[1, 0], [1, 1]]), [[1, 0], [0, 1]])
    assert_array_equal(estimator.predict_proba([[0, 0]]), [[0.5, 0.5]])
