from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.evaluation.bootstrap import bootstrap
from spamnb.evaluation.intervals import (
    intervals,
    logistic_average_interval,
    newcombe,
    percentile,
    wilson,
)
from spamnb.evaluation.measures import logistic_average
from spamnb.evaluation.ranking import map_measures, measure
from tests.evaluation.mails import MAILS, random_scores, scores_of
from tests.strategies import modest

Z = 1.959963984540054
COUNTS = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def intervals_of(scores, n_resamples=100):
    (resampled,) = bootstrap([[scores]], n_resamples)
    return intervals(measure(scores), resampled, len(scores.ham), len(scores.spam))


@modest
@given(MAILS)
def test_an_interval_contains_its_measure(mails):
    scores = scores_of(mails)

    def check(value, interval):
        assert 0 <= interval.low <= value <= interval.high

    map_measures(check, measure(scores), intervals_of(scores))


@pytest.mark.parametrize(
    ("errors", "n", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_examples(errors, n, low, high):
    assert wilson(errors / n, n) == pytest.approx((low, high), abs=5e-5)


@modest
@given(COUNTS)
def test_wilsons_ends_are_one_z_away_from_what_was_found(count):
    errors, n = count
    share = errors / n
    low, high = wilson(share, n)
    for end in {low, high} - {share}:
        assert abs(share - end) == pytest.approx(Z * sqrt(end * (1 - end) / n), rel=1e-9)
    turned = wilson(1 - share, n)
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((low, high), abs=1e-12)


def test_a_share_of_no_mails_has_no_interval():
    assert all(np.isnan(wilson(float("nan"), 0)))


@modest
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 20))
def test_newcombes_ends_are_one_z_away_from_what_was_found(n_ham, n_spam, twentieths):
    found = twentieths / 20
    low, high = newcombe(found, n_ham, n_spam)
    assert 0 <= low <= found <= high <= 1
    for end in {low, high} - {found}:
        exceeds = end / (1 + end), (1 - end) / (2 - end)  # P(two of one label beyond one of other)
        variance = end * (1 - end) * (1 + ((n_ham + n_spam) / 2 - 1) * sum(exceeds))
        error = sqrt(variance / (n_ham * n_spam))
        assert abs(found - end) == pytest.approx(Z * error, rel=1e-6, abs=1e-9)


def test_newcombe_for_one_mail_each_is_wilson_for_one():
    assert newcombe(0, 1, 1) == pytest.approx(wilson(0, 1))


@modest
@given(COUNTS, COUNTS)
def test_the_interval_of_lam_contains_lam_and_turns_with_the_labels(ham, spam):
    arguments = ham[0] / ham[1], spam[0] / spam[1], ham[1], spam[1]
    low, high = logistic_average_interval(*arguments)
    assert 0 <= low <= logistic_average(*arguments) <= high <= 1
    turned = (arguments[1], arguments[0], arguments[3], arguments[2])
    assert logistic_average_interval(*turned) == pytest.approx((low, high))
    assert (low == 0) == (0 in {ham[0], spam[0]})


def test_the_interval_of_lam_of_a_hand_worked_table():
    def log_odds(p):
        return np.log(p / (1 - p))

    low, high = wilson(0.1, 100)
    reach = log_odds(high) - log_odds(0.1)
    expected = log_odds(0.1) + reach / sqrt(2)  # two equal and independent halves
    got = logistic_average_interval(0.1, 0.1, 100, 100)
    assert log_odds(got.high) == pytest.approx(expected)
    assert low < got.low < 0.1


def test_nothing_wrong_is_no_certainty():
    scores = scores_of([("ham", -40.0)] * 50 + [("spam", 40.0)] * 50)
    got = intervals_of(scores)
    assert got.one_minus_roca.high == pytest.approx(newcombe(0, 50, 50).high)
    assert got.lam.low == 0
    assert 0 < got.lam.high < 0.08
    for item in (got.ham_error, got.ham_called_spam, got.spam_missed[0.001]):
        assert item == (0, pytest.approx(Z**2 / (50 + Z**2)))


def test_the_interval_of_ece_reaches_below_what_noise_makes_of_it():
    # Perfectly calibrated: all of the error that is measured is noise, and 0 must be possible.
    rng = np.random.default_rng(0)
    odds = rng.normal(0, 1.5, size=300)
    is_spam = rng.random(300) < 1 / (1 + np.exp(-odds))
    scores = scores_of([("spam" if y else "ham", o) for y, o in zip(is_spam, odds, strict=True)])
    found, (low, high) = measure(scores).ece, intervals_of(scores).ece
    assert found > 0.03
    assert low < 0.02 < found < high


def test_percentiles_leave_out_the_same_share_at_both_ends():
    assert percentile(np.arange(1_001.0)) == pytest.approx((25, 975))


def test_the_interval_of_one_minus_roca_contains_the_true_one_as_often_as_it_says():
    truth = 0.0786496035251425  # Φ(-2/√2) for normal scores with variance 1, 2 apart
    hits = 0
    for seed in range(150):
        low, high = intervals_of(random_scores(60, 60, 2.0, seed), 150).one_minus_roca
        hits += low <= truth <= high
    assert 0.88 <= hits / 150 <= 0.99
