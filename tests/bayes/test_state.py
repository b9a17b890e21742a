"""What every estimator stores, takes over, forgets and explains."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.composite import CompositeNB, View
from spamnb.bayes.gaussian import GaussianNB
from spamnb.bayes.grouped import GroupedNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.ode import ODE, SPODE
from spamnb.bayes.tan import TAN
from spamnb.errors import ParameterError
from spamnb.features.matrix import CountMatrix

RNG = np.random.default_rng(7)
Y = np.repeat(["ham", "news", "spam"], 20)
SHIFT = np.repeat([0, 1, 2], 20)[:, np.newaxis] * [0.1, 0.1, 0.2, 0.0]
X = (RNG.random((60, 4)) * 0.9 + SHIFT > 0.6) * RNG.integers(1, 4, size=(60, 4))
MAKERS = {
    "multinomial": MultinomialNB,
    "bernoulli": BernoulliNB,
    "complement": ComplementNB,
    "grouped": lambda: GroupedNB(groups=[0, 0, 1, 1], idf_groups=[1]),
    "gaussian": GaussianNB,
    "categorical": CategoricalNB,
    "aode": lambda: AODE(m=2, k=3),
    "tan": lambda: TAN(k=3),
    "spode": lambda: SPODE(k=3),
    "ode": lambda: ODE(k=3),
    "given": lambda: ODE(parents=[-1, 0, 1, 0], k=3),
    "composite": lambda: CompositeNB(
        [View("words", MultinomialNB(fit_prior=False), 2), View("numbers", GaussianNB(), 2)]
    ),
}
every = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
OF_WORDS = ("aode", "tan", "ode", "given")
of_words = pytest.mark.parametrize("make", [MAKERS[name] for name in OF_WORDS], ids=OF_WORDS)


@every
def test_the_state_is_all_that_judging_needs(make):
    learned = make().fit(X, Y)
    state = learned.state()
    assert all(array.ndim <= 2 for array in state.values())
    restored = make().set_state(["ham", "news", "spam"], 4, state)
    assert_array_equal(restored.predict_log_proba(X), learned.predict_log_proba(X))
    # It can go on learning, too, and shares nothing.
    assert_allclose(
        restored.partial_fit(X, Y).predict_log_proba(X),
        learned.partial_fit(X, Y).predict_log_proba(X),
        rtol=1e-12,
    )


@every
@pytest.mark.parametrize("damage", ["short", "long", "nan", "negative", "huge", "deep", "missing"])
def test_hostile_states_are_refused(make, damage):
    state = make().fit(X, Y).state()
    for name, array in state.items():
        values = array.astype(np.float64)
        changed = {
            "short": values[:-1],
            "long": np.concatenate([values, values]),
            "nan": np.full_like(values, np.nan),
            "negative": np.full_like(values, -1.0),
            "huge": np.full_like(values, 1e300),
            "deep": values[np.newaxis],
            "missing": None,
        }[damage]
        if damage == "negative" and name.endswith("mean"):
            continue  # which a mean may be
        hostile = {**state, name: changed}
        if damage == "missing":
            del hostile[name]
        with pytest.raises((ParameterError, KeyError)):
            make().set_state(["ham", "news", "spam"], 4, hostile)


@of_words
@pytest.mark.parametrize("columns", [[2, 1, 0], [0, 0, 1], [1, 2, 4]])
def test_chosen_features_are_columns_in_order(make, columns):
    state = make().fit(X, Y).state()
    with pytest.raises(ParameterError, match="selected_features"):
        make().set_state(
            ["ham", "news", "spam"], 4, {**state, "selected_features": np.array(columns)}
        )


@pytest.mark.parametrize(
    "name", ["multinomial", "bernoulli", "complement", "gaussian", "categorical"]
)
def test_to_keep_some_columns_is_to_learn_only_them(name):
    kept = MAKERS[name]().fit(X, Y).take_columns(np.array([True, False, True, True]))
    own = X[:, [0, 2, 3]]
    expected = MAKERS[name]().fit(own, Y).predict_log_proba(own)
    assert_allclose(kept.predict_log_proba(own), expected, rtol=1e-9)


def test_to_keep_some_columns_of_views_is_to_learn_only_them():
    kept = MAKERS["composite"]().fit(X, Y).take_columns(np.array([True, False, True, True]))
    views = [View("words", MultinomialNB(), 1), View("numbers", GaussianNB(), 2)]
    own = X[:, [0, 2, 3]]
    expected = CompositeNB(views).fit(own, Y).predict_log_proba(own)
    assert_allclose(kept.predict_log_proba(own), expected, rtol=1e-9)


@of_words
def test_of_chosen_features_the_kept_ones_stay_chosen(make):
    learned = make().fit(X, Y)
    chosen = learned.selected_features_.tolist()
    learned.take_columns(np.array([3, 1, 0]))
    position = {3: 0, 1: 1, 0: 2}
    expected = sorted(position[j] for j in chosen if j in position)
    assert learned.selected_features_.tolist() == expected
    alone = make()
    alone.k = None
    if make is MAKERS["given"]:
        alone.parents = np.full(len(expected), -1)  # which change no count
    alone.fit(X[:, [[3, 1, 0][j] for j in expected]], Y)
    assert_array_equal(learned.joint_count_, alone.joint_count_)


def row(i):
    return CountMatrix.coerce(X[i : i + 1])


@every
@pytest.mark.parametrize("towards", [1, 2])
def test_the_evidence_sums_to_the_log_odds(make, towards):
    learned = make().fit(X, Y)
    for i in range(0, 60, 7):
        found = learned.evidence(row(i), towards, 0)
        joint = learned.predict_joint_log_proba(X[i : i + 1])[0]
        assert_allclose(found.intercept + found.nats.sum(), joint[towards] - joint[0], atol=1e-9)
        assert len(found.columns) == len(found.values) == len(found.nats)


@of_words
def test_to_leave_a_feature_out_is_to_sum_over_it(make):
    learned = make().fit(X, Y)
    assert not learned.is_additive
    chosen = learned.selected_features_.tolist()
    present = (X[5] > 0).astype(int)
    joint = learned.predict_joint_log_proba([present])[0]
    found = learned.evidence(row(5), 2, 0)
    for column, nats in zip(found.columns.tolist(), found.nats, strict=True):
        assert column in chosen
        without = np.zeros(3)
        for value in (0, 1):
            other = present.copy()
            other[column] = value
            without += np.exp(learned.predict_joint_log_proba([other])[0])
        expected = (joint[2] - joint[0]) - (np.log(without[2]) - np.log(without[0]))
        assert_allclose(nats, expected, rtol=1e-9, atol=1e-12)


def test_without_a_leaf_a_tree_is_the_tree_of_the_others():
    # The marginal of a leaf is 1, so that leaving it out leaves its factor out.
    learned = TAN(k=None).fit(X, Y)
    leaf = next(j for j in range(4) if j not in learned.parents_ and j != learned.root_)
    probability = np.zeros(3)
    for bits in product((0, 1), repeat=4):
        if all(
            b == int(x > 0) for j, (b, x) in enumerate(zip(bits, X[5], strict=True)) if j != leaf
        ):
            probability += np.exp(learned.predict_joint_log_proba([bits])[0])
    found = learned.evidence(row(5), 2, 0)
    joint = learned.predict_joint_log_proba(X[5:6])[0]
    expected = joint[2] - joint[0] - np.log(probability[2] / probability[0])
    assert_allclose(found.nats[found.columns == leaf], expected, rtol=1e-9)
