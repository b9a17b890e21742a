from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.special import log_softmax
from scipy.stats import chi2

from spamnb.bayes.calibration import Calibration, fit_calibration
from tests.strategies import few


def random_scores(seed, n, n_classes, scale):
    """Joint log likelihoods that tell something of the labels, or little."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n)
    joint = scale * (rng.normal(size=(n, n_classes)) + rng.uniform(0, 3) * np.eye(n_classes)[y])
    return joint - rng.uniform(0, 1000), y


SCORES = st.builds(
    random_scores,
    st.integers(0, 10_000),
    st.integers(2, 60),
    st.sampled_from([2, 3, 4]),
    st.sampled_from([0.01, 1.0, 100.0]),
)


def targets(y, n_classes):
    """Platt's: (N + 1) / (N + 2) for the own class, the rest for the others alike."""
    rows = []
    for label in y.tolist():
        own = (np.sum(y == label) + 1) / (np.sum(y == label) + 2)
        rest = (1 - own) / (n_classes - 1)
        rows.append([own if k == label else rest for k in range(n_classes)])
    return np.array(rows)


def loss(calibration, joint, target):
    return -(target * log_softmax(calibration.apply(joint), axis=1)).sum()


LEAST_GAIN = chi2.ppf(0.95, df=1) / 2


def gain(calibration, joint, y):
    """What a calibration makes the labels more probable by than the prior does, in nats."""
    n_classes = joint.shape[1]
    labels = np.eye(n_classes)[y]
    prior = Calibration(0.0, tuple(np.log(targets(y, n_classes).mean(axis=0)).tolist()))
    return loss(prior, joint, labels) - loss(calibration, joint, labels)


@settings(few, max_examples=8)
@given(SCORES)
def test_no_optimiser_finds_a_smaller_loss(scores):
    joint, y = scores
    n_classes = joint.shape[1]
    target = targets(y, n_classes)
    size = np.abs(joint - joint[:, :1]).mean()

    def objective(theta):
        return -(target * log_softmax(theta[0] * joint / size + [0, *theta[1:]], axis=1)).sum()

    bounds = [(0, None)] + [(None, None)] * (n_classes - 1)
    best = minimize(objective, np.zeros(n_classes), bounds=bounds, tol=1e-12)
    found = fit_calibration(joint, y)
    assert found.bias[0] == 0
    slope, bias = best.x[0] / size, (0.0, *best.x[1:].tolist())
    gained = gain(Calibration(slope, bias), joint, y)
    if found.slope:
        assert found.slope > 0
        assert gained > LEAST_GAIN - 0.03
        assert loss(found, joint, target) <= best.fun + 1e-6 * (1 + best.fun)
    else:
        assert gained < LEAST_GAIN + 0.03
        prior = np.log(target.mean(axis=0))
        assert_allclose(found.bias, prior - prior[0], rtol=1e-12, atol=1e-12)


def scores_of_chance(seed, shift):
    rng = np.random.default_rng(seed)
    y = np.arange(200) % 2
    return np.column_stack([np.zeros(200), rng.normal(size=200) + shift * y]), y


def test_of_scores_of_chance_one_in_forty_has_a_slope():
    slopes = [fit_calibration(*scores_of_chance(seed, 0.0)).slope for seed in range(600)]
    # Half of the 5 % are against the labels: 2.5 % is expected, 15 of 600.
    assert 3 <= np.count_nonzero(slopes) <= 30


def test_scores_that_tell_something_have_a_slope():
    slopes = [fit_calibration(*scores_of_chance(seed, 0.8)).slope for seed in range(100)]
    assert np.count_nonzero(slopes) >= 98


@few
@given(SCORES)
def test_the_loss_is_never_worse_than_that_of_the_prior(scores):
    joint, y = scores
    target = targets(y, joint.shape[1])
    constant = Calibration(0.0, tuple(np.log(target.mean(axis=0)).tolist()))
    assert loss(fit_calibration(joint, y), joint, target) <= loss(constant, joint, target) + 1e-9


@pytest.mark.parametrize(("slope", "bias"), [(0.05, 0.5), (1.0, 0.0), (3.0, -1.0)])
def test_the_slope_and_the_bias_of_a_known_logistic_are_recovered(slope, bias):
    rng = np.random.default_rng(1)
    log_odds = rng.normal(size=40_000) * 2 / slope
    y = (rng.random(40_000) < 1 / (1 + np.exp(-slope * log_odds - bias))).astype(np.int64)
    joint = np.column_stack([np.zeros(40_000), log_odds]) - 300
    found = fit_calibration(joint, y)
    assert found.slope == pytest.approx(slope, rel=0.05)
    assert found.bias[1] == pytest.approx(bias, abs=0.06)


def test_of_three_classes_the_slope_and_the_biases_are_recovered():
    rng = np.random.default_rng(2)
    bias = np.array([0.0, 1.0, -0.5])
    joint = rng.normal(size=(40_000, 3)) * 20
    proba = np.exp(log_softmax(0.1 * joint + bias, axis=1))
    y = (rng.random((40_000, 1)) > proba.cumsum(axis=1)).sum(axis=1)
    found = fit_calibration(joint, y)
    assert found.slope == pytest.approx(0.1, rel=0.05)
    assert_allclose(found.bias, bias, atol=0.06)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_against_the_labels_tell_nothing(n_classes):
    y = np.arange(60) * n_classes // 60
    y[:5] = 1
    joint = -5.0 * np.eye(n_classes)[y] + np.random.default_rng(0).normal(size=(60, n_classes))
    found = fit_calibration(joint, y)
    assert found.slope == 0
    expected = log_softmax(np.log(targets(y, n_classes).mean(axis=0)))
    assert_allclose(log_softmax(found.bias), expected, rtol=1e-12)


@few
@given(SCORES)
def test_samples_with_infinite_scores_are_left_out(scores):
    joint, y = scores
    more = np.full((3, joint.shape[1]), -inf)
    more[0, 0], more[1, -1] = -5.0, -5.0
    found = fit_calibration(np.vstack([more, joint]), np.concatenate([[0, 1, 1], y]))
    assert found == fit_calibration(joint, y)


@pytest.mark.parametrize("n", [0, 3])
def test_without_finite_scores_nothing_is_changed(n):
    found = fit_calibration(np.full((n, 2), -inf), np.zeros(n, np.int64))
    assert found == Calibration.identity(2) == Calibration(1.0, (0.0, 0.0))


@pytest.mark.parametrize("slope", [0.0, 0.5, 1.0, 3.0])
def test_the_impossible_stays_impossible(slope):
    joint = np.array([[-inf, -4.0], [-inf, -inf], [inf, -8.0]])
    applied = Calibration(slope, (0.0, 1.0)).apply(joint)
    assert_array_equal(applied, [[-inf, 1 - 4 * slope], [-inf, -inf], [inf, 1 - 8 * slope]])


@few
@given(SCORES)
def test_the_identity_changes_nothing(scores):
    joint, _ = scores
    assert_array_equal(Calibration.identity(joint.shape[1]).apply(joint), joint)


def test_perfect_scores_give_a_finite_slope():
    joint = np.column_stack([np.zeros(20), np.repeat([-100.0, 100.0], 10)])
    found = fit_calibration(joint, np.repeat([0, 1], 10))
    assert found.slope == pytest.approx(np.log(11) / 100, rel=1e-6)  # targets of 11 / 12
    assert found.bias == pytest.approx((0, 0), abs=1e-9)


def test_equal_scores_give_the_prior():
    found = fit_calibration(np.full((30, 2), -7.0), np.repeat([0, 1], [20, 10]))
    share = targets(np.repeat([0, 1], [20, 10]), 2).mean(axis=0)
    assert found.bias[1] == pytest.approx(np.log(share[1] / share[0]), rel=1e-9)
