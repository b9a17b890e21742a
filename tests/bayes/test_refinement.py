from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize as scipy_minimize
from sklearn.linear_model import LogisticRegression

from spamnb.bayes.refinement import fit_refinement, minimize
from spamnb.features.matrix import CountMatrix
from tests.strategies import few

pytestmark = pytest.mark.usefixtures("form")

C = 20.0


def random_problem(seed, n, k, strength):
    """(X, y, offset, evidence), the labels in part at random."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, k)) * (rng.random((n, k)) < 0.5)
    y = X @ rng.normal(size=k) + rng.normal(size=n) > 0
    offset = strength * (rng.normal(size=n) + np.where(y, 0.5, -0.5))
    return X, y, offset, 2 * rng.normal(size=k)


PROBLEMS = st.builds(
    random_problem,
    st.integers(0, 10_000),
    st.integers(1, 40),
    st.integers(1, 6),
    st.sampled_from([0.0, 1.0, 5.0]),
)


def scale_of(X, evidence):
    """1 + |evidence|, over what keeps the sum of the squares of all entries."""
    scale = 1 + np.abs(evidence)
    after = np.square(X * scale).sum()
    return scale * np.sqrt(np.square(X).sum() / after) if after else scale


def slow_objective(X, y, offset, evidence):
    """The objective over the scaled weights and the intercept."""
    scaled, sign = X * scale_of(X, evidence), np.where(y, 1, -1)

    def value(theta):
        margin = sign * (offset + scaled @ theta[:-1] + theta[-1])
        return C * np.logaddexp(0, -margin).sum() + 0.5 * (theta[:-1] ** 2).sum()

    return value


def assert_is_as_small_as_scipy_can_make_it(X, y, offset, evidence):
    found = fit_refinement(CountMatrix.coerce(X), y, offset, evidence)
    value = slow_objective(X, y, offset, evidence)
    theta = np.append(found.weights / scale_of(X, evidence), found.intercept)
    best = scipy_minimize(value, np.zeros(X.shape[1] + 1))
    assert value(theta) <= best.fun * (1 + 1e-4) + 1e-4


@pytest.mark.parametrize("strength", [0.0, 1.0, 5.0])
@pytest.mark.parametrize("seed", range(15))
def test_the_objective_is_as_small_as_scipy_can_make_it(seed, strength):
    problem = random_problem(seed, 1 + 7 * seed % 40, 1 + seed % 6, strength)
    assert_is_as_small_as_scipy_can_make_it(*problem)


def test_one_step_that_gains_little_is_not_the_end():
    """The tenth step gains 3e-6 of the value, the next one 5e-4; found by Hypothesis."""
    assert_is_as_small_as_scipy_can_make_it(*random_problem(397, 22, 6, 1.0))


@pytest.mark.parametrize("seed", range(4))
def test_it_is_logistic_regression_where_naive_bayes_knows_nothing(seed):
    X, y, _, _ = random_problem(seed, 60, 5, 0.0)
    nothing = np.zeros(5)
    found = fit_refinement(CountMatrix.coerce(X), y, np.zeros(60), nothing)
    sklearn = LogisticRegression(C=C, tol=1e-8, max_iter=1000).fit(X, y)
    value = slow_objective(X, y, np.zeros(60), nothing)
    theirs = value(np.append(sklearn.coef_[0], sklearn.intercept_))
    ours = value(np.append(found.weights, found.intercept))
    assert ours == pytest.approx(theirs, rel=1e-4)
    assert_allclose(found.weights, sklearn.coef_[0], atol=0.1)


@pytest.mark.parametrize("seed", range(4))
def test_with_an_offset_and_evidence_newton_steps_find_the_same_minimum(seed):
    X, y, offset, evidence = random_problem(seed, 60, 5, 1.0)
    found = fit_refinement(CountMatrix.coerce(X), y, offset, evidence)
    value = slow_objective(X, y, offset, evidence)
    scale = scale_of(X, evidence)
    ours = value(np.append(found.weights / scale, found.intercept))
    # Newton steps, each a weighted least-squares problem: another algorithm for the same minimum.
    A = np.column_stack([X * scale, np.ones(60)])
    theta = np.zeros(6)
    for _ in range(50):
        p = 1 / (1 + np.exp(-(offset + A @ theta)))
        gradient = C * A.T @ (p - y) + np.append(theta[:-1], 0)
        hessian = C * (A.T * (p * (1 - p))) @ A + np.diag([1.0] * 5 + [0])
        theta = theta - np.linalg.solve(hessian, gradient)
    assert ours == pytest.approx(value(theta), rel=1e-4)


@few
@given(PROBLEMS)
def test_the_same_problem_has_the_same_answer_in_the_precision_of_storage(problem):
    X = CountMatrix.coerce(problem[0])
    one, other = fit_refinement(X, *problem[1:]), fit_refinement(X, *problem[1:])
    assert_array_equal(one.weights, other.weights)
    assert one.intercept == other.intercept
    assert_array_equal(one.weights, one.weights.astype(np.float32))
    assert one.intercept == np.float32(one.intercept)


def test_an_offset_that_is_right_leaves_little_to_learn():
    X, y, _, evidence = random_problem(0, 60, 5, 0.0)
    found = fit_refinement(CountMatrix.coerce(X), y, np.where(y, 30.0, -30.0), evidence)
    assert np.abs(found.weights).max() < 1e-6


def test_a_feature_with_more_evidence_is_held_back_less():
    X, y = np.eye(4, 2), np.array([True, True, False, False])
    found = fit_refinement(CountMatrix.coerce(X), y, np.zeros(4), np.array([0.0, 4.0]))
    assert found.weights[1] > found.weights[0] > 0


def test_without_features_only_the_intercept_is_learned():
    y = np.array([True, True, True, False])
    found = fit_refinement(CountMatrix.coerce(np.zeros((4, 0))), y, np.zeros(4), np.zeros(0))
    assert found.intercept == pytest.approx(np.log(3), abs=0.02)
    assert found.weights.shape == (0,)


def test_without_samples_nothing_is_learned():
    found = fit_refinement(
        CountMatrix.coerce(np.zeros((0, 3))), np.zeros(0, bool), np.zeros(0), np.ones(3)
    )
    assert_array_equal(found.weights, np.zeros(3))
    assert found.intercept == 0


@pytest.mark.parametrize("k", [1, 2, 5, 20])
@pytest.mark.parametrize("condition", [1, 100])
def test_a_quadratic_is_minimized(k, condition):
    rng = np.random.default_rng(k)
    rotation = np.linalg.qr(rng.normal(size=(k, k)))[0]
    A = (rotation * np.geomspace(1, condition, k)) @ rotation.T
    target = rng.normal(size=k)

    def objective(theta):
        gradient = A @ (theta - target)
        return float(1e-3 + 0.5 * (theta - target) @ gradient), gradient

    start = rng.normal(size=k)
    found = minimize(objective, start)
    # It stops where a step gains less than 1e-5 of the value.
    assert objective(found)[0] <= 1e-3 + 1e-4 * objective(start)[0]


def test_a_minimum_is_not_left():
    calls = []

    def objective(theta):
        calls.append(theta)
        return float((theta**2).sum()), 2 * theta

    assert_array_equal(minimize(objective, np.zeros(3)), np.zeros(3))
    assert len(calls) < 50
