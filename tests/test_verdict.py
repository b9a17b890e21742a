"""From log-odds to a verdict."""

from math import exp, inf, isnan, log, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.errors import ParameterError
from spamnb.verdict import Decision, Verdict, logistic


@pytest.mark.parametrize(
    ("log_odds", "label"),
    [
        (-inf, "ham"),
        (-1e-12, "ham"),
        (0.0, "unsure"),
        (log(9) - 1e-12, "unsure"),
        (log(9), "spam"),
        (inf, "spam"),
    ],
)
def test_below_0_is_ham_and_from_log_9_on_spam(log_odds, label):
    got, reason = Decision().label(log_odds)
    assert got == label
    assert reason == ("P(spam) is between 0.5 and 0.9" if label == "unsure" else "")


@pytest.mark.parametrize(
    ("cost", "log_odds", "label"),
    [
        (1, 0.0, "spam"),
        (1, -0.01, "ham"),
        (999, log(998), "unsure"),
        (999, log(1000), "spam"),
    ],
)
def test_the_cost_of_a_lost_ham_sets_the_threshold(cost, log_odds, label):
    assert Decision(cost).label(log_odds)[0] == label


@pytest.mark.parametrize(
    ("n_known", "n_words", "n_known_tokens", "reason"),
    [
        (0, 0, 0, "no known words"),
        (0, 0, 9, "no known words"),
        (0, 0, 10, ""),
        (0, 5, 0, "no known words"),
        (0, 1, 1_000, "no known words"),
        (1, 4, 1, "only 1 of 4 words are known"),
        (1, 4, 1_000, "only 1 of 4 words are known"),
        (33, 100, 33, "only 33 of 100 words are known"),
        (1, 3, 1, ""),
        (7, 21, 7, ""),
        (5, 5, 50, ""),
    ],
)
def test_a_third_of_the_words_must_be_known(n_known, n_words, n_known_tokens, reason):
    assert Decision().too_little_known(n_known, n_words, n_known_tokens) == reason


def test_a_verdict_has_the_probability_of_its_odds():
    assert Decision().verdict(log(19)) == Verdict("spam", pytest.approx(0.95), log(19), "")
    assert Decision().verdict(log(19), "why") == Verdict(
        "unsure", pytest.approx(0.95), log(19), "why"
    )


@pytest.mark.parametrize("cost", [0.5, 0, -1, inf, nan])
def test_a_cost_that_cannot_be_is_refused(cost):
    with pytest.raises(ParameterError, match="cost"):
        Decision(cost)


@given(st.floats(-700, 700))
def test_the_probability_is_that_of_the_odds(log_odds):
    assert logistic(log_odds) == pytest.approx(1 / (1 + exp(-log_odds)), rel=1e-14)


def test_the_probability_has_no_overflow():
    assert [logistic(odds) for odds in (-inf, -1e9, 1e9, inf)] == [0.0, 0.0, 1.0, 1.0]
    assert isnan(logistic(nan))
