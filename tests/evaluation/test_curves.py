from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given

from spamnb.evaluation import curves
from spamnb.evaluation.measures import one_minus_roca
from tests.evaluation.mails import MAILS, scores_of
from tests.strategies import modest


@modest
@given(MAILS)
def test_the_area_above_the_roc_curve_is_one_minus_roca(mails):
    scores = scores_of(mails)
    lost, missed = curves.roc(scores)
    assert (lost[0], missed[0]) == (len(scores.ham), 0)
    assert (lost[-1], missed[-1]) == (0, len(scores.spam))
    assert np.all(np.diff(lost) <= 0)
    assert np.all(np.diff(missed) >= 0)
    area = sum(-np.diff(lost) * (missed[1:] + missed[:-1]) / 2)
    expected = one_minus_roca(scores.ham, scores.spam) * len(scores.ham) * len(scores.spam)
    assert area == pytest.approx(expected)


@modest
@given(MAILS)
def test_errors_by_cost_equal_the_slow_ones(mails):
    costs = np.array([0.5, 1.0, np.exp(0.5), 9.0])
    lost, passed = curves.errors_by_cost(scores_of(mails), costs)
    for i, at in enumerate(np.log(costs)):
        assert lost[i] == sum(odds >= at for label, odds in mails if label == "ham")
        assert passed[i] == sum(odds < at for label, odds in mails if label == "spam")


@modest
@given(MAILS)
def test_every_mail_is_in_the_histogram(mails):
    spread = curves.histogram(scores_of(mails))
    assert spread.ham.sum() == sum(label == "ham" for label, _ in mails)
    assert spread.spam.sum() == sum(label == "spam" for label, _ in mails)
    assert spread.edges[0] <= -1
    assert spread.edges[-1] >= 1


def test_what_is_beyond_goes_into_the_bins_at_the_ends():
    mails = [("ham", -inf), *[("ham", -3.0)] * 200, ("spam", inf), *[("spam", 3.0)] * 200]
    spread = curves.histogram(scores_of(mails))
    assert spread.is_cut
    assert (spread.edges[0], spread.edges[-1]) == (-3, 3)
    assert (spread.ham[0], spread.spam[-1]) == (201, 201)
