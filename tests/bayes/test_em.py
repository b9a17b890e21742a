from __future__ import annotations

from math import exp, inf, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.em import EM, ConvergenceMonitor
from spamnb.bayes.gaussian import GaussianNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.ode import ODE, SPODE
from spamnb.bayes.tan import TAN
from spamnb.errors import MatrixError, NotFittedError, ParameterError
from tests.strategies import FORMS, labeled_counts, modest

X = np.array([[3, 0, 1], [0, 3, 1], [2, 0, 0], [1, 4, 0], [0, 1, 2]])
Y = np.array(["ham", "spam", "", "", ""])

EXACT = {
    "multinomial": MultinomialNB,
    "smoothed prior": lambda: MultinomialNB(prior_alpha=0.5, alpha=0.1),
    "binary": lambda: MultinomialNB(binary=True),
    "uniform prior": lambda: BernoulliNB(fit_prior=False, alpha=0.5),
    "Bernoulli": BernoulliNB,
    "categorical": CategoricalNB,
    "SPODE": lambda: SPODE(parent=0),
    "chain": lambda: ODE(parents=np.arange(3) - 1, alpha=0.3),
}
"""The estimators whose parameters are the most probable ones."""


@st.composite
def half_labeled(draw):
    """(X, y) of three features, of which at least one sample has a label."""
    X, y = draw(labeled_counts(min_rows=2))
    X = np.resize(X, (len(X), 3))
    hidden = draw(st.lists(st.booleans(), min_size=len(y), max_size=len(y)))
    hidden[0], hidden[-1] = False, True
    return X, np.where(hidden, "", y)


@pytest.mark.parametrize("make", EXACT.values(), ids=EXACT)
@pytest.mark.parametrize("soft", [True, False], ids=["soft", "hard"])
@modest
@given(half_labeled(), st.sampled_from([0.1, 1.0, 2.5]))
def test_the_log_posterior_never_falls(make, soft, labeled, weight):
    em = EM(make(), soft=soft, unlabeled_weight=weight, unlabeled="", tol=0, max_iter=8)
    em.fit(*labeled)
    assert np.diff(em.log_posterior_).min(initial=0) >= -1e-9
    assert len(em.log_posterior_) == em.n_iter_ + 1


@pytest.mark.parametrize("soft", [True, False], ids=["soft", "hard"])
def test_the_log_posterior_of_gaussians_never_falls(soft):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(0, 1, (60, 2)), rng.normal(2, 1, (60, 2))])
    y = np.full(120, -1)
    y[:5], y[60:65] = 0, 1
    em = EM(GaussianNB(var_smoothing=0), soft=soft, tol=0, max_iter=60).fit(X, y)
    assert em.n_iter_ > 1
    assert np.diff(em.log_posterior_).min() >= -1e-9


def slow_rounds(X, y, alpha, weight, n_rounds, soft):
    """(parameters, objective, closest decision) of multinomial EM, from the formulas."""
    closest = float("inf")
    classes = sorted(set(y) - {""})
    shares = [[float(own == label) for label in classes] for own in y]
    for _ in range(n_rounds + 1):
        total = sum(map(sum, shares))
        prior = [sum(row[k] for row in shares) / total for k in range(len(classes))]
        theta = []
        for k in range(len(classes)):
            counts = [
                alpha + sum(row[k] * int(x[j]) for row, x in zip(shares, X, strict=True))
                for j in range(len(X[0]))
            ]
            theta.append([c / sum(counts) for c in counts])
        objective = sum(alpha * log(p) for row in theta for p in row)
        for i, x in enumerate(X):
            joint = [
                log(prior[k]) + sum(int(n) * log(p) for n, p in zip(x, theta[k], strict=True))
                for k in range(len(classes))
            ]
            if y[i]:
                objective += joint[classes.index(y[i])]
                continue
            top, *others = sorted(joint, reverse=True)
            closest = min([closest, *(top - other for other in others)])
            whole = top + log(sum(exp(value - top) for value in joint))
            objective += weight * (whole if soft else top)
            best = [float(k == joint.index(top)) for k in range(len(classes))]
            shares[i] = [
                weight * (exp(value - whole) if soft else own)
                for value, own in zip(joint, best, strict=True)
            ]
    return theta, objective, closest


@modest
@given(half_labeled(), st.sampled_from([0.5, 1.0]), st.integers(0, 3), st.booleans())
def test_rounds_equal_the_slow_ones(labeled, weight, n_rounds, soft):
    X, y = labeled
    em = EM(
        MultinomialNB(alpha=0.5),
        soft=soft,
        unlabeled_weight=weight,
        unlabeled="",
        max_iter=n_rounds,
        tol=0,
    ).fit(X, y)
    theta, objective, closest = slow_rounds(X, y.tolist(), 0.5, weight, em.n_iter_, soft)
    if not soft and closest < 1e-9:  # of equals either may be chosen
        return
    assert_allclose(np.exp(em.estimator_.feature_log_prob_), theta, rtol=0, atol=1e-10)
    assert_allclose(em.log_posterior_[-1], objective, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "make",
    [*EXACT.values(), ComplementNB, GaussianNB, AODE, TAN, ODE],
)
def test_every_estimator_learns(make):
    given = make()
    em = EM(given, unlabeled="", max_iter=5).fit(X, Y)
    assert not hasattr(given, "classes_")
    assert em.classes_.tolist() == ["ham", "spam"]
    assert_array_equal(em.transduction_[:2], ["ham", "spam"])
    assert_array_equal(em.transduction_[2:], em.predict(X)[2:])
    assert_allclose(em.predict_proba(X).sum(axis=1), 1)
    assert_array_equal(np.exp(em.predict_log_proba(X)), em.predict_proba(X))


@pytest.mark.parametrize("form", sorted(FORMS))
def test_any_form_of_matrix_will_do(form):
    expected = EM(MultinomialNB(), unlabeled="").fit(X, Y).predict_proba(X)
    assert_array_equal(
        EM(MultinomialNB(), unlabeled="").fit(FORMS[form](X), Y).predict_proba(X), expected
    )


def test_no_rounds_are_learning_from_the_labels_alone():
    em = EM(MultinomialNB(), unlabeled="", max_iter=0).fit(X, Y)
    expected = MultinomialNB().fit(X[:2], Y[:2])
    assert_allclose(em.predict_proba(X), expected.predict_proba(X), rtol=1e-12)
    assert (em.n_iter_, em.converged_) == (0, False)


def test_hard_em_learns_its_own_labels():
    em = EM(MultinomialNB(), soft=False, unlabeled="", tol=0).fit(X, Y)
    assert em.converged_
    expected = MultinomialNB().fit(X, em.transduction_)
    assert_allclose(em.predict_proba(X), expected.predict_proba(X), rtol=1e-12)


def test_unlabeled_samples_help_when_the_model_is_true():
    rng = np.random.default_rng(0)
    true = MultinomialNB(class_prior=[0.5, 0.5])
    true.fit(rng.poisson(1.0, (20, 200)) + np.eye(20, 200), np.arange(20) % 2)
    X, y = true.sample(1_000, 0, lengths=60)
    hidden = np.where(np.arange(1_000) < 20, y, -1)
    few = MultinomialNB().fit(X.take_rows(np.arange(20)), y[:20])
    em = EM(MultinomialNB()).fit(X, hidden)
    assert np.mean(em.predict(X) != y) < np.mean(few.predict(X) != y)


def test_progress_is_told_of_each_round():
    told = []
    em = EM(MultinomialNB(), unlabeled="", progress=lambda *news: told.append(news))
    em.fit(X, Y)
    assert told == list(enumerate(em.log_posterior_.tolist()))[1:]


def test_a_sample_that_no_class_can_have_stops_nothing():
    em = EM(MultinomialNB(alpha=0), unlabeled=-1).fit([[1, 0, 0], [0, 1, 0], [1, 1, 1]], [0, 1, -1])
    assert em.log_posterior_[0] == -inf
    assert np.all(np.isfinite(em.log_posterior_[1:]))
    assert_allclose(em.predict_proba([[0, 0, 1]]), [[0.5, 0.5]])


def test_the_monitor_stops_at_a_small_gain_or_the_last_round():
    monitor = ConvergenceMonitor(tol=0.5, max_iter=3)
    for value, converged, is_done in ((-9, False, False), (-5, False, False), (-4.9, True, True)):
        monitor.report(value)
        assert (monitor.converged, monitor.is_done) == (converged, is_done)
    monitor = ConvergenceMonitor(tol=0, max_iter=1)
    for value in (-inf, 0):
        monitor.report(value)
    assert (monitor.n_iter, monitor.converged, monitor.is_done) == (1, False, True)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"unlabeled_weight": 0}, "unlabeled_weight must be a number > 0, got 0"),
        ({"unlabeled_weight": -1}, "unlabeled_weight must be a number > 0, got -1"),
        ({"unlabeled_weight": nan}, "unlabeled_weight must be a number > 0, got nan"),
        ({"tol": -1}, "tol must be a number ≥ 0, got -1"),
        ({"max_iter": -1}, "max_iter must be a whole number ≥ 0, or None, got -1"),
        ({"max_iter": 1.5}, "max_iter must be a whole number ≥ 0, or None, got 1.5"),
        (
            {"unlabeled": -1},
            "y must be of dtype object, so that -1 can stand in it, got dtype <U4",
        ),
    ],
)
def test_parameters_that_cannot_work_are_refused(parameters, message):
    with pytest.raises(ParameterError) as caught:
        EM(MultinomialNB(), **{"unlabeled": "", **parameters}).fit(X, Y)
    assert str(caught.value) == message


def test_labels_that_cannot_be_learned_from_are_refused():
    em = EM(MultinomialNB(), unlabeled="")
    with pytest.raises(MatrixError, match="expected at least one labeled sample, got none"):
        em.fit(X, [""] * 5)
    with pytest.raises(MatrixError, match="expected 5 labels, one for each row of X"):
        em.fit(X, Y[:3])
    with pytest.raises(NotFittedError, match="this EM has not been trained yet"):
        em.predict(X)
