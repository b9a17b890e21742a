from __future__ import annotations

from dataclasses import replace
from math import isfinite, isnan, log

import pytest
from hypothesis import given

from spamnb.evaluation.intervals import wilson
from spamnb.evaluation.measures import expected_calibration_error
from spamnb.evaluation.scores import Scores
from spamnb.evaluation.tables import COSTS, reliability, thresholds
from spamnb.filter.verdict import Decision
from tests.evaluation.mails import MAILS, random_scores, scores_of
from tests.strategies import modest


@modest
@given(MAILS)
def test_reliability_equals_the_slow_one(mails):
    scores = scores_of(mails)
    rows = reliability(scores)
    assert len(rows) == 15
    judged = list(zip(scores.labels == "spam", scores.probability, strict=True))
    for i, row in enumerate(rows):
        assert (row.low, row.high) == (i / 15, (i + 1) / 15)
        own = [(y, p) for y, p in judged if min(int(p * 15), 14) == i]
        assert row.n_mails == len(own)
        if not own:
            assert isnan(row.mean_probability)
            assert isnan(row.spam_share)
            assert all(map(isnan, row.interval))
            continue
        assert row.mean_probability == pytest.approx(sum(p for _, p in own) / len(own))
        assert row.spam_share == pytest.approx(sum(y for y, _ in own) / len(own))
        assert row.interval == wilson(row.spam_share, len(own))


def test_the_gaps_of_the_reliability_table_add_up_to_the_calibration_error():
    scores = random_scores(200, 100)
    gaps = [
        r.n_mails * abs(r.mean_probability - r.spam_share) for r in reliability(scores) if r.n_mails
    ]
    found = expected_calibration_error(scores.is_spam, scores.probability)
    assert sum(gaps) / 300 == pytest.approx(found)


def test_repeats_do_not_make_an_interval_narrower():
    scores = random_scores(20, 10)
    once, thrice = reliability(scores), reliability(Scores.pool([scores] * 3), 3)
    for one, other in zip(once, thrice, strict=True):
        assert other.n_mails == 3 * one.n_mails
        assert other.interval == pytest.approx(one.interval, nan_ok=True)


@modest
@given(MAILS)
def test_thresholds_equal_the_slow_ones(mails):
    scores = replace(scores_of(mails), decision=Decision(2.0, 0.4))
    rows = thresholds(scores)
    assert [row.cost for row in rows] == [1, 3, pytest.approx(4), 9, 19, 99, 999]
    n_ham = sum(label == "ham" for label, _ in mails)
    for row in rows:
        lost = sum(odds >= log(row.cost) for label, odds in mails if label == "ham")
        passed = sum(odds < log(row.cost) for label, odds in mails if label == "spam")
        assert (row.ham_lost, row.spam_passed) == (lost, passed)
        assert row.ham_lost_share == lost / n_ham
        assert row.spam_passed_share == passed / (len(mails) - n_ham)
        assert row.probability == row.cost / (1 + row.cost)
        assert row.cost_per_mail == pytest.approx((row.cost * lost + passed) / len(mails))
        assert row.is_own == (row.cost not in COSTS)


def test_the_filters_own_threshold_may_be_one_of_the_costs():
    decision = Decision(9.0, 0.9)  # no mail is unsure
    rows = thresholds(replace(random_scores(10, 8), decision=decision))
    assert [(row.cost, row.is_own) for row in rows] == [(cost, cost == 9) for cost in COSTS]
    assert [row.probability for row in rows] == [cost / (1 + cost) for cost in COSTS]


def test_a_threshold_beyond_all_numbers_is_a_row_of_numbers():
    decision = Decision(1e300, 1e-300)
    own = thresholds(replace(random_scores(10, 8), decision=decision))[-1]
    assert own.is_own
    assert (own.ham_lost, own.spam_passed, own.probability) == (0, 8, 1)
    assert isfinite(own.cost)
    assert isfinite(own.cost_per_mail)


def test_the_filters_own_threshold_gives_its_verdicts():
    scores = random_scores(100, 80)
    (own,) = [row for row in thresholds(scores) if row.is_own]
    called_spam = scores.verdicts == "spam"
    assert own.cost == pytest.approx(21.5)
    assert own.ham_lost == sum(called_spam & ~scores.is_spam)
    assert own.spam_passed == sum(~called_spam & scores.is_spam)
