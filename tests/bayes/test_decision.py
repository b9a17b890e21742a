from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.bayes.decision import REJECT, least_risk
from spamnb.bayes.gaussian import GaussianNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.errors import ParameterError
from tests.strategies import modest

X = [[3, 0], [0, 3], [1, 1]]
Y = ["ham", "spam", "ham"]
cost = st.integers(0, 5)


@st.composite
def decisions(draw):
    """(proba, loss, reject_cost) of dyadic numbers, so that sums are exact."""
    n_classes = draw(st.integers(1, 4))
    proba = []
    for _ in range(draw(st.integers(0, 5))):
        cuts = sorted(
            draw(st.lists(st.integers(0, 16), min_size=n_classes - 1, max_size=n_classes - 1))
        )
        proba.append(np.diff([0, *cuts, 16]) / 16)
    loss = [draw(st.lists(cost, min_size=n_classes, max_size=n_classes)) for _ in range(n_classes)]
    return np.reshape(proba, (len(proba), n_classes)), loss, draw(st.none() | cost)


@modest
@given(decisions())
def test_the_decision_minimizes_the_expected_loss(decision):
    proba, loss, reject_cost = decision
    expected = []
    for row in proba:
        risks = [
            sum(p * costs[d] for p, costs in zip(row, loss, strict=True)) for d in range(len(row))
        ]
        is_dear = reject_cost is not None and min(risks) > reject_cost
        expected.append(REJECT if is_dear else risks.index(min(risks)))
    assert_array_equal(least_risk(proba, loss, reject_cost), expected)


@modest
@given(decisions())
def test_by_default_the_most_probable_class_is_decided_for(decision):
    proba, _, reject_cost = decision
    assert_array_equal(least_risk(proba), proba.argmax(axis=1))
    zero_one = 1 - np.eye(proba.shape[1])
    assert_array_equal(
        least_risk(proba, reject_cost=reject_cost), least_risk(proba, zero_one, reject_cost)
    )


@pytest.mark.parametrize("model", [MultinomialNB, GaussianNB])
def test_every_estimator_decides(model):
    estimator = model().fit(X, Y)
    assert_array_equal(estimator.decide(X), estimator.predict(X))


def test_a_costly_mistake_is_avoided():
    estimator = MultinomialNB().fit(X, Y)
    assert estimator.predict(X).tolist() == ["ham", "spam", "ham"]
    assert estimator.decide(X, [[0, 1e9], [1, 0]]).tolist() == ["ham"] * 3


def test_what_is_too_unsure_is_rejected():
    estimator = MultinomialNB(class_prior=[0.5, 0.5]).fit(X, Y)
    assert_array_equal(
        estimator.decide([[9, 0], [0, 9], [0, 0]], reject_cost=0.1, reject_label="unsure"),
        ["ham", "spam", "unsure"],
    )
    decided = estimator.decide([[9, 0], [0, 0]], reject_cost=0.1)
    assert decided.tolist() == ["ham", None]


def test_a_reject_label_of_another_kind_leaves_the_labels_as_they_are():
    estimator = MultinomialNB().fit(X, [0, 1, 0])
    decided = estimator.decide([[9, 0], [0, 0]], reject_cost=0.1, reject_label="unsure")
    assert decided.tolist() == [0, "unsure"]
    assert estimator.decide([[9, 0]], reject_cost=0.1, reject_label=-1).dtype.kind == "i"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"loss": [[0, 1]]}, "loss must be a matrix of 2 × 2 numbers ≥ 0, got shape (1, 2)"),
        (
            {"loss": [[0, -1], [1, 0]]},
            "loss must be a matrix of 2 × 2 numbers ≥ 0, got [[0, -1], [1, 0]]",
        ),
        ({"reject_cost": nan}, "reject_cost must be a number ≥ 0, got nan"),
        ({"reject_cost": [1, 2]}, "reject_cost must be a number ≥ 0, got [1, 2]"),
    ],
)
def test_losses_that_cannot_work_are_refused(parameters, message):
    with pytest.raises(ParameterError) as caught:
        MultinomialNB().fit(X, Y).decide(X, **parameters)
    assert str(caught.value) == message
