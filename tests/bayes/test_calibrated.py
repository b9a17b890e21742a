from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.calibrated import CalibratedNB, calibrate
from spamnb.bayes.calibration import Calibration, fit_calibration
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.grouped import GroupedNB
from spamnb.bayes.model_selection import out_of_fold
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.refinement import Refinement
from spamnb.features.matrix import CountMatrix
from tests.strategies import few

ESTIMATORS = [MultinomialNB, BernoulliNB, ComplementNB, GroupedNB]


def random_samples(seed, n=60, k=8, labels=("ham", "spam")):
    """Samples in which the label shows; each label in each of three folds."""
    rng = np.random.default_rng(seed)
    y = np.array([labels[i % len(labels)] for i in range(n)])
    rate = rng.uniform(0.1, 1.5, size=(len(labels), k))
    X = rng.poisson(rate[np.arange(n) % len(labels)])
    folds = np.arange(n) // len(labels) % 3
    return CountMatrix.coerce(X), y, folds


SEEDS = st.integers(0, 10_000)


@pytest.mark.parametrize("model", ESTIMATORS)
@pytest.mark.parametrize("labels", [("ham", "spam"), ("ads", "ham", "spam")])
@few
@given(seed=SEEDS, slope=st.sampled_from([1.0, 0.3, 0.0]))
def test_the_weights_add_up_to_the_log_odds(model, labels, slope, seed):
    X, y, _ = random_samples(seed, labels=labels)
    rng = np.random.default_rng(seed)
    n_classes = len(labels)
    bias = (0.0, *rng.normal(size=n_classes - 1).tolist())
    refinement = Refinement(rng.normal(size=8), 0.7) if n_classes == 2 else None
    estimator = model().fit(X, y)
    calibrated = CalibratedNB(estimator, Calibration(slope, bias), refinement)
    log_proba = calibrated.predict_log_proba(X)
    assert_allclose(np.exp(log_proba).sum(axis=1), 1, rtol=1e-12)
    for towards, against in [(1, 0), (0, 1), (n_classes - 1, 0)]:
        weights, intercept = calibrated.log_odds_weights(towards, against)
        log_odds = estimator.view(X).dot_vector(weights) + intercept
        part = calibrated.refinement_between(towards, against)
        if part is not None:
            log_odds += estimator.view(X).dot_vector(part.weights) + part.intercept
        assert_allclose(log_odds, log_proba[:, towards] - log_proba[:, against], rtol=0, atol=1e-9)


def test_by_default_the_probabilities_are_the_estimators():
    X, y, _ = random_samples(0)
    estimator = GroupedNB().fit(X, y)
    calibrated = CalibratedNB(estimator)
    assert_array_equal(calibrated.predict_log_proba(X), estimator.predict_log_proba(X))
    assert calibrated.classes_.tolist() == ["ham", "spam"]
    assert calibrated.refinement_between(1, 0) is None
    assert calibrated.refinement_between(0, 1) is None


def slow_out_of_fold(make, X, y, folds):
    """Each sample judged by a new model of the samples of the other folds, one by one."""
    X, joint = X.toarray(), []
    for row, fold in zip(X, folds, strict=True):
        others = folds != fold
        known = (X[others] > 0).any(axis=0)
        model = make(known).fit(X[others][:, known], y[others])
        joint.append(model.predict_joint_log_proba([row[known]])[0])
    return np.array(joint)


@pytest.mark.parametrize("labels", [("ham", "spam"), ("ads", "ham", "spam")])
@pytest.mark.parametrize("model", ESTIMATORS)
def test_a_sample_is_judged_by_a_model_that_has_not_seen_its_fold(model, labels):
    X, y, folds = random_samples(3, n=18, labels=labels)
    expected = slow_out_of_fold(lambda known: model(), X, y, folds)
    assert_allclose(out_of_fold(model(), X, y, folds), expected, rtol=1e-9)


def test_it_is_with_groups_too():
    X, y, folds = random_samples(4, n=18)
    groups = np.array([0, 1, 2, 0, 1, 2, 0, 1])

    def make(known):
        return GroupedNB(groups=groups[known], idf_groups=[1])

    estimator = make(np.ones(8, bool)).fit(X, y)
    weights = estimator.weights
    assert_allclose(
        out_of_fold(estimator, X, y, folds), slow_out_of_fold(make, X, y, folds), rtol=1e-9
    )
    assert estimator.weights is weights  # is not changed
    assert_array_equal(estimator.groups, groups)


@few
@given(SEEDS, st.integers(0, 2), st.integers(0, 59))
def test_no_sample_of_a_fold_has_a_say_in_the_scores_of_that_fold(seed, fold, changed):
    X, y, folds = random_samples(seed)
    dense = X.toarray()
    dense[changed] = 9 - dense[changed]
    before = out_of_fold(GroupedNB(), X, y, folds)
    after = out_of_fold(GroupedNB(), CountMatrix.coerce(dense), y, folds)
    others = (folds == folds[changed]) & (np.arange(60) != changed)
    assert_array_equal(after[others], before[others])


def test_the_calibration_is_that_of_the_out_of_fold_scores():
    X, y, folds = random_samples(5)
    estimator = MultinomialNB().fit(X, y)
    found = calibrate(estimator, X, y, folds)
    joint = out_of_fold(estimator, X, y, folds)
    assert found.calibration == fit_calibration(joint, (y == "spam").astype(np.int64))
    assert found.estimator is estimator
    assert found.refinement is None


def test_the_refinement_is_of_features_in_two_samples():
    X, y, folds = random_samples(6)
    dense = X.toarray()
    dense[:, 3] = np.arange(60) == 7
    dense[:, 5] = 0
    X = CountMatrix.coerce(dense)
    found = calibrate(GroupedNB().fit(X, y), X, y, folds, refine=True)
    assert (np.flatnonzero(found.refinement.weights == 0)).tolist() == [3, 5]
    joint = calibrate(GroupedNB().fit(X, y), X, y, folds).predict_log_proba(X)
    index = (y == "spam").astype(int)
    refined = found.predict_log_proba(X)[np.arange(60), index].sum()
    assert refined > joint[np.arange(60), index].sum()


def test_with_alpha_0_samples_of_impossible_classes_are_not_refined():
    rng = np.random.default_rng(0)
    y = np.array(["ham", "spam"] * 30)
    often = np.where(y == "spam", 3.0, 0.5)
    X = np.column_stack([rng.poisson(often), y == "ham", y == "spam", rng.poisson(1, 60)])
    X[10:, 1:3] = 0  # ten are certain, the others are not
    X = CountMatrix.coerce(X)
    found = calibrate(MultinomialNB(alpha=0).fit(X, y), X, y, np.arange(60) // 2 % 3, refine=True)
    assert found.calibration.slope > 0
    assert np.all(np.isfinite(found.refinement.weights))
    assert np.isfinite(found.refinement.intercept)
    log_proba = found.predict_log_proba(
        CountMatrix.coerce([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 0]])
    )
    assert log_proba[0].tolist() == [0, -np.inf]
    assert log_proba[1].tolist() == [-np.inf, 0]
    assert_allclose(log_proba[2], np.log(0.5))


def test_where_the_scores_tell_nothing_only_the_prior_is_left():
    X, _, folds = random_samples(7)
    y = np.array(["ham", "ham", "spam", "spam"] * 15)  # across what the features follow
    found = calibrate(GroupedNB().fit(X, y), X, y, folds, refine=True)
    assert found.refinement is None
    assert found.calibration.slope == 0
    assert_allclose(found.predict_log_proba(X), np.log(0.5))


@pytest.mark.parametrize("slope", [0.0, 0.5, 2.0])
def test_with_alpha_0_a_weight_is_infinite_with_any_slope(slope):
    estimator = MultinomialNB(alpha=0).fit([[1, 0, 1, 0], [0, 1, 1, 0]], ["ham", "spam"])
    weights, intercept = CalibratedNB(estimator, Calibration(slope, (0.0, 0.5))).log_odds_weights(
        1, 0
    )
    assert_array_equal(weights, [-np.inf, np.inf, 0, 0])
    assert intercept == 0.5
