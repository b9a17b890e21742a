"""From log-odds to a verdict."""

from math import exp, inf, isnan, log, nan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spamnb.bayes.decision import REJECT, least_risk
from spamnb.errors import ParameterError
from spamnb.filter.verdict import Decision, Verdict, logistic

# The cost of a lost ham and of an unsure mail, and the odds P / (1 - P) from which on spam is said
# and below which ham is: λ / u - 1 and u / (1 - u), or λ for both where unsure is never cheapest.
THRESHOLDS = [
    (9, 0.4, 21.5, 2 / 3, "P(spam) is between 0.4 and 0.956"),
    (9, 0.5, 17, 1, "P(spam) is between 0.5 and 0.944"),
    (5, 0.5, 9, 1, "P(spam) is between 0.5 and 0.9"),
    (9, 0.9, 9, 9, None),
    (9, 1, 9, 9, None),
    (999, 1, 999, 999, None),
    (999, 0.5, 1997, 1, "P(spam) is between 0.5 and 0.999"),
    (1, 0.25, 3, 1 / 3, "P(spam) is between 0.25 and 0.75"),
    (1, 0.5, 1, 1, None),
    (1, 1, 1, 1, None),
    (1e300, 0.5, 2e300, 1, "P(spam) is between 0.5 and 1"),
    (1e300, 1, 1e300, 1e300, None),
]


@pytest.mark.parametrize(("cost", "unsure_cost", "spam_from", "ham_below", "reason"), THRESHOLDS)
def test_the_costs_set_the_thresholds(cost, unsure_cost, spam_from, ham_below, reason):
    decision = Decision(cost, unsure_cost)
    assert decision.spam_from == pytest.approx(log(spam_from), rel=1e-14)
    assert decision.ham_below == pytest.approx(log(ham_below), rel=1e-14)
    assert decision.label(inf) == decision.label(decision.spam_from) == ("spam", "")
    assert decision.label(-inf) == decision.label(decision.ham_below - 1e-12) == ("ham", "")
    if reason:
        assert decision.label(decision.ham_below) == ("unsure", reason)
        assert decision.label(decision.spam_from - 1e-12) == ("unsure", reason)


def test_by_default_spam_is_said_from_956_on_and_ham_below_400():
    by_default, spelled_out = Decision(), Decision(9.0, 0.4, 1 / 3)
    assert vars(by_default) == vars(spelled_out)


@pytest.mark.parametrize("unsure_cost", [5e-324, 1e-300])
@pytest.mark.parametrize("cost", [1, 9, 1e300, 1.7e308])
def test_no_cost_is_too_large_or_too_small_for_a_number(cost, unsure_cost):
    decision = Decision(cost, unsure_cost)
    assert decision.spam_from == pytest.approx(log(cost) - log(unsure_cost))
    assert decision.ham_below == pytest.approx(log(unsure_cost))
    assert decision.label(0.0)[0] == "unsure"


# As far as a probability has all its digits, beside 0 as well as beside 1.
lost_ham = st.floats(0, 150).map(lambda exponent: 10**exponent)
unsure = st.floats(1e-9, 0.999) | st.floats(-150, -0.001).map(lambda n: 10**n) | st.just(1.0)


@given(lost_ham, unsure, st.data())
def test_the_label_is_the_decision_of_least_risk(cost, unsure_cost, data):
    decision = Decision(cost, unsure_cost)
    near = st.sampled_from([decision.spam_from, decision.ham_below])
    log_odds = data.draw(
        st.floats(-700, 700) | st.builds(float.__add__, near, st.floats(-1e-3, 1e-3))
    )
    assume(abs(log_odds - decision.spam_from) > 1e-6 < abs(log_odds - decision.ham_below))
    proba = np.array([[logistic(-log_odds), logistic(log_odds)]])  # of ham, of spam
    (least,) = least_risk(proba, [[0, cost], [1, 0]], unsure_cost)
    expected = {0: "ham", 1: "spam", REJECT: "unsure"}[int(least)]
    assert decision.label(log_odds)[0] == expected


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
    assert Decision().verdict(log(99)) == Verdict("spam", pytest.approx(0.99), log(99), "")
    assert Decision().verdict(log(99), "why") == Verdict(
        "unsure", pytest.approx(0.99), log(99), "why"
    )


@pytest.mark.parametrize("cost", [0.5, 0, -1, inf, nan])
def test_a_cost_that_cannot_be_is_refused(cost):
    with pytest.raises(ParameterError, match=r"^cost must be a finite number ≥ 1, got"):
        Decision(cost)


@pytest.mark.parametrize("cost", [0, -0.1, 1.01, inf, nan])
def test_a_cost_of_unsure_mail_that_cannot_be_is_refused(cost):
    with pytest.raises(ParameterError, match=r"^unsure-cost must be a number > 0 and ≤ 1, got"):
        Decision(9.0, cost)


@given(st.floats(-700, 700))
def test_the_probability_is_that_of_the_odds(log_odds):
    assert logistic(log_odds) == pytest.approx(1 / (1 + exp(-log_odds)), rel=1e-14)


def test_the_probability_has_no_overflow():
    assert [logistic(odds) for odds in (-inf, -1e9, 1e9, inf)] == [0.0, 0.0, 1.0, 1.0]
    assert isnan(logistic(nan))
