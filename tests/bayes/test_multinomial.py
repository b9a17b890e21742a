from __future__ import annotations

from collections import Counter
from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.multinomial import MultinomialNB
from tests.strategies import labeled_counts, modest

# Manning, Raghavan and Schütze, Introduction to Information Retrieval, table 13.1.
# Columns: Beijing, Chinese, Japan, Macao, Shanghai, Tokyo.
X = [[1, 2, 0, 0, 0, 0], [0, 2, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]]
Y = ["yes", "yes", "yes", "no"]
TEST = [[0, 3, 1, 0, 0, 1]]


def log0(value):
    return log(value) if value else -inf


def slow_parameters(X, y, alpha):
    """P(feature | class) from the formula, {class: [probability, ...]}."""
    n_features = len(X[0])
    result = {}
    for label in sorted(set(y)):
        tokens = Counter()
        for row, own in zip(X, y, strict=True):
            if own == label:
                tokens.update({j: int(n) for j, n in enumerate(row)})
        total = sum(tokens.values()) + alpha * n_features
        result[label] = [(tokens[j] + alpha) / total if total else 0.0 for j in range(n_features)]
    return result


def slow_joint(X, y, alpha, rows):
    parameters, n = slow_parameters(X, y, alpha), Counter(y.tolist())
    return [
        [
            log(n[label] / len(y)) + sum(k * log0(p) for k, p in zip(row, ps, strict=True) if k)
            for label, ps in parameters.items()
        ]
        for row in rows
    ]


def test_the_textbook_probabilities():
    estimator = MultinomialNB().fit(X, Y)
    assert estimator.classes_.tolist() == ["no", "yes"]
    assert_array_equal(estimator.class_count_, [1, 3])
    assert_array_equal(estimator.feature_count_, [[0, 1, 1, 0, 0, 1], [1, 5, 0, 1, 1, 0]])
    no = [1 / 9, 2 / 9, 2 / 9, 1 / 9, 1 / 9, 2 / 9]
    yes = [1 / 7, 3 / 7, 1 / 14, 1 / 7, 1 / 7, 1 / 14]
    assert_allclose(np.exp(estimator.feature_log_prob_), [no, yes], rtol=1e-14)


def test_the_textbook_scores():
    estimator = MultinomialNB().fit(X, Y)
    no = 1 / 4 * (2 / 9) ** 3 * (2 / 9) ** 2
    yes = 3 / 4 * (3 / 7) ** 3 * (1 / 14) ** 2
    assert (round(no, 4), round(yes, 4)) == (0.0001, 0.0003)
    assert_allclose(np.exp(estimator.predict_joint_log_proba(TEST)), [[no, yes]], rtol=1e-13)
    assert_allclose(estimator.predict_proba(TEST)[0, 1], yes / (no + yes), rtol=1e-13)
    assert estimator.predict(TEST).tolist() == ["yes"]


def test_binary_counts_each_positive_count_as_one():
    estimator = MultinomialNB(binary=True).fit(X, Y)
    assert_array_equal(estimator.feature_count_, [[0, 1, 1, 0, 0, 1], [1, 3, 0, 1, 1, 0]])
    no, yes = 1 / 4 * (2 / 9) ** 3, 3 / 4 * (4 / 12) * (1 / 12) ** 2
    assert_allclose(np.exp(estimator.predict_joint_log_proba(TEST)), [[no, yes]], rtol=1e-13)


@modest
@given(labeled_counts(), st.sampled_from([0.0, 0.1, 1.0, 2.5]))
def test_parameters_and_scores_equal_the_slow_ones(labeled, alpha):
    X, y = labeled
    estimator = MultinomialNB(alpha=alpha).fit(X, y)
    slow = list(slow_parameters(X, y, alpha).values())
    assert_allclose(np.exp(estimator.feature_log_prob_), slow, rtol=1e-12)
    joint = estimator.predict_joint_log_proba(X)
    assert_allclose(joint, slow_joint(X, y, alpha, X), rtol=1e-12, atol=1e-12)


@modest
@given(labeled_counts(), st.sampled_from([1e-10, 0.1, 1.0]))
def test_the_probabilities_of_the_features_sum_to_one(labeled, alpha):
    estimator = MultinomialNB(alpha=alpha).fit(*labeled)
    assert_allclose(np.exp(estimator.feature_log_prob_).sum(axis=1), 1, rtol=1e-12)


def test_alpha_per_feature_smooths_each_feature_by_its_own():
    estimator = MultinomialNB(alpha=[0.5, 2]).fit([[1, 0], [0, 3]], [0, 1])
    expected = [[1.5 / 3.5, 2 / 3.5], [0.5 / 5.5, 5 / 5.5]]
    assert_allclose(np.exp(estimator.feature_log_prob_), expected, rtol=1e-14)


def test_alpha_0_is_maximum_likelihood():
    estimator = MultinomialNB(alpha=0).fit(X, Y)
    expected = [[0, 1 / 3, 1 / 3, 0, 0, 1 / 3], [1 / 8, 5 / 8, 0, 1 / 8, 1 / 8, 0]]
    assert_allclose(np.exp(estimator.feature_log_prob_), expected, rtol=1e-14)
    assert_array_equal(estimator.predict_joint_log_proba(TEST)[0, 1], -inf)
    assert_array_equal(estimator.predict_proba(TEST), [[1, 0]])


def test_alpha_0_gives_a_sample_that_no_class_can_have_the_prior():
    estimator = MultinomialNB(alpha=0).fit(X, Y)
    beijing_tokyo = [[1, 0, 0, 0, 0, 1]]
    assert_array_equal(estimator.predict_joint_log_proba(beijing_tokyo), [[-inf, -inf]])
    assert_allclose(estimator.predict_proba(beijing_tokyo), [[1 / 4, 3 / 4]], rtol=1e-14)


@pytest.mark.parametrize("alpha", [0, 1])
def test_a_class_of_empty_documents_is_learned(alpha):
    estimator = MultinomialNB(alpha=alpha).fit([[0, 0], [2, 1]], ["empty", "full"])
    assert_allclose(estimator.predict_proba([[0, 0]]), [[0.5, 0.5]], rtol=1e-14)
    assert estimator.predict([[4, 2]]).tolist() == ["full"]


def test_weights_and_intercept_are_the_log_probabilities():
    estimator = MultinomialNB().fit(X, Y)
    assert_array_equal(estimator.weights, estimator.feature_log_prob_)
    assert_allclose(np.exp(estimator.intercept), [1 / 4, 3 / 4], rtol=1e-14)
