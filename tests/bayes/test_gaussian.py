from __future__ import annotations

from fractions import Fraction
from math import inf, log, nan, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn import naive_bayes
from sklearn.datasets import load_iris

from spamnb.bayes.gaussian import GaussianNB
from spamnb.errors import MatrixError, ParameterError
from tests.strategies import FORMS, LABELS, modest

LEARNED = ("theta_", "var_", "epsilon_", "class_prior_", "class_count_", "class_log_prior_")


@st.composite
def labeled_values(draw):
    """(X, y, weight) of values of which many are zero, some large."""
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    value = st.sampled_from([0.0, 0.0, 1.0, -2.5, 0.125, 40.0])
    X = draw(arrays(np.float64, shape, elements=value))
    y = draw(st.lists(st.sampled_from(LABELS), min_size=len(X), max_size=len(X)))
    weights = st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=len(X), max_size=len(X))
    return X, np.array(y), np.array(draw(weights))


def slow_variance(values, weights):
    """(mean, variance), in fractions, so that what never varies has the variance 0."""
    pairs = [(Fraction(v), Fraction(w)) for v, w in zip(values, weights, strict=True)]
    total = sum(w for _, w in pairs)
    mean = sum(w * v for v, w in pairs) / total
    return float(mean), float(sum(w * (v - mean) ** 2 for v, w in pairs) / total)


def slow_joint(X, y, weight, var_smoothing, rows):
    """log P(class, sample) from the formula."""
    largest = max(slow_variance(column, weight)[1] for column in X.T)
    epsilon = var_smoothing * (largest or 1.0)
    joint = []
    for row in rows:
        scores = []
        for label in sorted(set(y)):
            own = y == label
            score = log(weight[own].sum() / weight.sum())
            for value, column in zip(row, X.T, strict=True):
                mean, var = slow_variance(column[own], weight[own])
                var += epsilon
                score -= 0.5 * log(2 * pi * var) + (value - mean) ** 2 / (2 * var)
            scores.append(score)
        joint.append(scores)
    return joint


def test_iris_equals_scikit_learn():
    X, y = load_iris(return_X_y=True)
    ours, theirs = GaussianNB().fit(X, y), naive_bayes.GaussianNB().fit(X, y)
    for name in LEARNED[:-1]:
        expected = getattr(theirs, name)
        assert_allclose(getattr(ours, name), expected, rtol=0, atol=1e-12, err_msg=name)
    for predict in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        expected = getattr(theirs, predict)(X)
        assert_allclose(getattr(ours, predict)(X), expected, rtol=1e-12, atol=1e-12)
    assert_array_equal(ours.predict(X), theirs.predict(X))


@modest
@given(labeled_values(), st.sampled_from([1e-3, 0.5]), st.sampled_from(sorted(FORMS)))
def test_scores_equal_the_slow_ones(labeled, var_smoothing, form):
    X, y, weight = labeled
    # The form of repeated ones is for counts.
    make = FORMS["csr_array" if form == "messy csr" else form]
    estimator = GaussianNB(var_smoothing=var_smoothing).fit(make(X), y, weight)
    expected = slow_joint(X, y, weight, var_smoothing, X)
    assert_allclose(estimator.predict_joint_log_proba(make(X)), expected, rtol=1e-10, atol=1e-10)


@modest
@given(labeled_values(), st.data())
def test_learning_in_any_parts_equals_learning_at_once(labeled, data):
    X, y, weight = labeled
    cuts = sorted(data.draw(st.lists(st.integers(0, len(y)), max_size=4)))
    in_parts = GaussianNB()
    for start, stop in zip([0, *cuts], [*cuts, len(y)], strict=True):
        part = slice(start, stop)
        in_parts.partial_fit(X[part], y[part], np.unique(y), weight[part])
    at_once = GaussianNB().fit(X, y, weight)
    for name in LEARNED:
        assert_allclose(getattr(in_parts, name), getattr(at_once, name), rtol=1e-10, atol=1e-10)


def test_merging_does_not_cancel():
    X = 1e8 + np.array([[1.0], [2.0], [3.0], [4.0]])
    estimator = GaussianNB(var_smoothing=0)
    for row in X:
        estimator.partial_fit([row], ["a"], classes=["a"])
    assert_allclose(estimator.var_, [[1.25]], rtol=1e-7)


def test_a_wide_sparse_matrix_stays_sparse():
    # Dense, it would have 8 TB.
    X = sparse.csr_array(
        (np.arange(1.0, 7), (np.array([0, 1, 2, 3, 3, 4]), np.array([0, 0, 5, 5, 1, 9]))),
        shape=(1_000_000, 100_000),
    )
    y = np.arange(1_000_000) % 2
    estimator = GaussianNB().fit(X, y)
    assert_allclose(estimator.theta_[0, 5], 3 / 500_000, rtol=1e-12)
    small, columns = X[:6].toarray()[:, [0, 1, 5, 9]], [0, 1, 5, 9]
    joint = estimator.predict_joint_log_proba(X)[:6]
    var, theta = estimator.var_, estimator.theta_
    terms = np.log(2 * np.pi * var) + theta**2 / var
    rest = -0.5 * np.delete(terms, columns, axis=1).sum(axis=1)
    of_columns = np.log(2 * np.pi * var[:, columns]) + (
        (small[:, np.newaxis] - theta[:, columns]) ** 2 / var[:, columns]
    )
    assert_allclose(joint, np.log(0.5) + rest - 0.5 * of_columns.sum(axis=2), rtol=1e-9)


def test_priors_are_given_learned_or_uniform():
    X, y = [[0.0], [1.0], [3.0]], ["a", "a", "b"]
    assert_allclose(GaussianNB(priors=[0.3, 0.7]).fit(X, y).class_prior_, [0.3, 0.7])
    assert_allclose(GaussianNB().fit(X, y).class_prior_, [2 / 3, 1 / 3])
    assert_allclose(GaussianNB(fit_prior=False).fit(X, y).class_prior_, [0.5, 0.5])
    assert_allclose(GaussianNB(prior_alpha=1).fit(X, y).class_prior_, [0.6, 0.4])


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e8 + 0.1, 1e-200])
@pytest.mark.parametrize("var_smoothing", [0, 1e-9])
def test_what_never_varies_has_no_variance_by_rounding(value, var_smoothing):
    X, y, weight = [[value]] * 7, ["a", "b"] * 3 + ["a"], [0.1, 0.2, 0.3, 0.7, 1.1, 1.3, 0.9]
    estimator = GaussianNB(var_smoothing=var_smoothing)
    for row, label, w in zip(X, y, weight, strict=True):
        estimator.partial_fit([row], [label], ["a", "b"], [w])
    assert_array_equal(estimator.var_, [[var_smoothing or 1.0]] * 2)


@pytest.mark.parametrize("var_smoothing", [0, 1e-9])
def test_features_that_never_vary_give_no_nan(var_smoothing):
    estimator = GaussianNB(var_smoothing=var_smoothing).fit([[1, 0], [1, 0]], ["a", "b"])
    assert_allclose(estimator.predict_proba([[1, 0], [0, 0], [1, 7]]), 0.5)


def test_parameters_are_recovered_from_samples():
    true = GaussianNB(priors=[0.3, 0.7])
    true.fit([[0, 5], [2, 9], [10, -1], [11, -5]], ["a", "a", "b", "b"])
    X, y = true.sample(20_000, random_state=0)
    learned = GaussianNB().fit(X, y)
    # Five standard errors at 6,000 samples; the largest standard deviation is 2.
    assert_allclose(learned.class_prior_, true.class_prior_, atol=5 * np.sqrt(0.21 / 20_000))
    assert_allclose(learned.theta_, true.theta_, atol=5 * 2 / np.sqrt(6_000))
    assert_allclose(learned.var_, true.var_, rtol=5 * np.sqrt(2 / 6_000))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"priors": [1.0]}, "priors must be 2 numbers ≥ 0 with the sum 1, got [1.0]"),
        ({"priors": [-1.0, 2.0]}, "priors must be 2 numbers ≥ 0 with the sum 1, got [-1.0, 2.0]"),
        ({"var_smoothing": -1}, "var_smoothing must be a number ≥ 0, got -1"),
        ({"var_smoothing": nan}, "var_smoothing must be a number ≥ 0, got nan"),
        ({"var_smoothing": [1, 2]}, "var_smoothing must be a number ≥ 0, got [1, 2]"),
    ],
)
def test_parameters_that_cannot_work_are_refused(parameters, message):
    with pytest.raises(ParameterError) as caught:
        GaussianNB(**parameters).fit([[1.0], [2.0]], ["a", "b"])
    assert str(caught.value) == message


@pytest.mark.parametrize("bad", [nan, inf, -inf])
def test_values_that_are_no_numbers_are_refused(bad):
    with pytest.raises(MatrixError) as caught:
        GaussianNB().fit([[1.0], [bad]], ["a", "b"])
    assert str(caught.value) == "expected finite numbers, got NaN or infinity in X"
