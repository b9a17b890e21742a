"""What holds for every model of dependence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.ode import ODE, SPODE
from spamnb.bayes.tan import TAN
from spamnb.errors import ParameterError
from tests.bayes.dependence import TABLE_X, TABLE_Y
from tests.strategies import FORMS, LABELS, labeled_counts, modest


def chain(X):
    return np.arange(np.shape(X)[1]) - 1


MAKE = {
    "AODE": lambda X, **more: AODE(**{"m": 2, **more}),
    "SPODE": lambda X, **more: SPODE(parent=0, **more),
    "ODE": lambda X, **more: ODE(parents=chain(X), **more),
    "KDB": lambda X, **more: ODE(**more),
    "TAN": lambda X, **more: TAN(**more),
}


@pytest.fixture(params=sorted(MAKE))
def make(request):
    return MAKE[request.param]


every_model = pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)


@every_model
@modest
@given(labeled=labeled_counts(), form=st.sampled_from(sorted(FORMS)))
def test_only_presence_counts_whatever_the_form(make, labeled, form):
    X, y = labeled
    expected = make(X).fit(X > 0, y).predict_joint_log_proba(X > 0)
    estimator = make(X).fit(FORMS[form](X), y)
    assert_array_equal(estimator.predict_joint_log_proba(FORMS[form](X)), expected)


@every_model
@modest
@given(labeled=labeled_counts(), data=st.data())
def test_learning_in_any_parts_equals_learning_at_once(make, labeled, data):
    X, y = labeled
    cut = data.draw(st.integers(0, len(y)))
    in_parts = make(X, k=None).partial_fit(X[:cut], y[:cut], np.unique(y))
    in_parts.partial_fit(X[cut:], y[cut:])
    at_once = make(X, k=None).fit(X, y)
    assert_array_equal(in_parts.joint_count_, at_once.joint_count_)
    assert_array_equal(in_parts.predict_joint_log_proba(X), at_once.predict_joint_log_proba(X))


@every_model
@modest
@given(labeled=labeled_counts(), data=st.data())
def test_a_repeated_sample_equals_one_of_double_weight(make, labeled, data):
    X, y = labeled
    row = data.draw(st.integers(0, len(y) - 1))
    repeated = make(X).fit(np.vstack([X, X[[row]]]), np.append(y, y[row]))
    weighted = make(X).fit(X, y, sample_weight=1 + (np.arange(len(y)) == row))
    assert_array_equal(repeated.predict_joint_log_proba(X), weighted.predict_joint_log_proba(X))


@every_model
@modest
@given(labeled=labeled_counts(), alpha=st.sampled_from([0.0, 1e-10, 1.0]), data=st.data())
def test_probabilities_sum_to_one_and_are_never_nan(make, labeled, alpha, data):
    X, y = labeled
    n = data.draw(st.integers(0, len(y)))
    estimator = make(X, alpha=alpha).partial_fit(X[:n], y[:n], classes=LABELS)
    assert_allclose(estimator.predict_proba(X).sum(axis=1), 1, rtol=1e-12)


@every_model
@modest
@given(labeled=labeled_counts(), alpha=st.sampled_from([0.1, 1.0]))
def test_the_probabilities_of_all_samples_sum_to_one(make, labeled, alpha):
    X, y = labeled
    n = X.shape[1]
    everything = (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1
    estimator = make(X, alpha=alpha, **({"m": 0} if make is MAKE["AODE"] else {})).fit(X, y)
    total = np.exp(estimator.predict_joint_log_proba(everything)).sum()
    assert_allclose(total, 1, rtol=1e-10)


def test_the_most_informative_features_are_chosen(make):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=200)
    X = (rng.random((200, 6)) < 0.5).astype(int)
    X[:, 0] |= rng.random(200) < 0.7 * y
    X[:, 2], X[:, 5] = y, 1 - y
    estimator = make(X, k=3).fit(X, y)
    assert_array_equal(estimator.selected_features_, [0, 2, 5])
    assert estimator.joint_count_.shape == (2, 3, 3)
    # The others play no part.
    changed = X.copy()
    changed[:, [1, 3, 4]] = 0
    expected = estimator.predict_joint_log_proba(X)
    assert_array_equal(estimator.predict_joint_log_proba(changed), expected)
    drawn, _ = estimator.sample(50, 0)
    assert drawn.shape == (50, 6)
    assert not drawn.toarray()[:, [1, 3, 4]].any()


def test_update_follows_a_change_of_alpha(make):
    changed = make(TABLE_X, alpha=1.0).fit(TABLE_X, TABLE_Y)
    changed.alpha = 0.25
    expected = make(TABLE_X, alpha=0.25).fit(TABLE_X, TABLE_Y).predict_proba(TABLE_X)
    assert_array_equal(changed.update().predict_proba(TABLE_X), expected)


def test_one_feature_gives_naive_bayes(make):
    X = TABLE_X[:, :1]
    expected = BernoulliNB().fit(X, TABLE_Y).predict_joint_log_proba(X)
    got = make(X).fit(X, TABLE_Y).predict_joint_log_proba(X)
    assert_allclose(got, expected, rtol=1e-12)


def test_parameters_are_recovered_from_samples(make):
    more = {"m": 0} if make is MAKE["AODE"] else {}
    true = make(TABLE_X, **more).fit(TABLE_X, TABLE_Y)
    X, y = true.sample(50_000, 0)
    everything = (np.arange(8)[:, np.newaxis] >> np.arange(3)) & 1
    expected = np.exp(true.predict_joint_log_proba(everything))
    drawn = X.toarray().astype(int) @ [1, 2, 4]
    seen = [[np.mean((drawn == i) & (y == c)) for c in true.classes_] for i in range(8)]
    assert_allclose(seen, expected, atol=5 * np.sqrt(expected.max() / 50_000))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 0}, "k must be a whole number > 0, or None, got 0"),
        ({"k": 1.5}, "k must be a whole number > 0, or None, got 1.5"),
        ({"alpha": -1}, "alpha must be a finite number ≥ 0, got -1"),
        ({"alpha": [1, 1, 1]}, "alpha must be a finite number ≥ 0, got [1, 1, 1]"),
    ],
)
def test_parameters_that_cannot_work_are_refused(make, parameters, message):
    with pytest.raises(ParameterError) as caught:
        make(TABLE_X, **parameters).fit(TABLE_X, TABLE_Y)
    assert str(caught.value) == message
