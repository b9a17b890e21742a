from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.evaluation import measures
from tests.strategies import modest

# Few values, so that ties are common.
SCORES = st.lists(st.sampled_from([-inf, -2.0, -0.5, 0.0, 0.5, 2.0, inf]), min_size=1, max_size=12)
JUDGED = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 1e-20, 0.2, 0.5, 2 / 3, 0.95, 1.0])), min_size=1
)


def ordered(scores):
    return np.sort(np.array(scores, dtype=float))


def arrays(judged):
    is_spam, probability = zip(*judged, strict=True)
    return np.array(is_spam), np.array(probability)


@pytest.mark.parametrize(
    ("ham", "spam", "expected"),
    [
        ([-1, 0], [1, 2], 0),
        ([1, 2], [-1, 0], 1),
        ([0], [0], 1 / 2),
        ([0, 1, 2], [1, 3], (1 + 1 / 2) / 6),  # 2 > 1, and the tie of the two ones
        ([-inf, inf], [inf], 1 / 4),
        ([-inf], [inf], 0),
        ([inf], [-inf], 1),
    ],
)
def test_one_minus_roca_of_hand_worked_tables(ham, spam, expected):
    assert measures.one_minus_roca(ordered(ham), ordered(spam)) == pytest.approx(expected)


@modest
@given(SCORES, SCORES)
def test_one_minus_roca_is_the_share_of_pairs_ranked_the_wrong_way(ham, spam):
    wrong = sum((h > s) + 0.5 * (h == s) for h in ham for s in spam)
    got = measures.one_minus_roca(ordered(ham), ordered(spam))
    assert got == pytest.approx(wrong / (len(ham) * len(spam)), abs=1e-14)


@modest
@given(SCORES, SCORES)
def test_one_minus_roca_turns_over_with_the_labels(ham, spam):
    one, other = ordered(ham), ordered(spam)
    assert measures.one_minus_roca(one, other) == pytest.approx(
        1 - measures.one_minus_roca(other, one), abs=1e-14
    )


@pytest.mark.parametrize(
    ("ham_loss", "expected"),
    [(0, 3 / 4), (0.24, 3 / 4), (0.25, 2 / 4), (0.5, 1 / 4), (0.75, 1 / 4), (1, 0)],
)
def test_spam_missed_of_a_hand_worked_table(ham_loss, expected):
    # Ham    0   1   2   3      A spam at the threshold is missed.
    # Spam   0     1.5   3   4
    ham, spam = ordered([0, 1, 2, 3]), ordered([0, 1.5, 3, 4])
    assert measures.spam_missed(ham, spam, ham_loss) == expected


@modest
@given(SCORES, SCORES, st.integers(0, 7))
def test_spam_missed_is_least_at_the_lowest_threshold_that_is_allowed(ham, spam, eighths):
    lost = {t: sum(h > t for h in ham) / len(ham) for t in ham}
    threshold = min(t for t in ham if lost[t] <= eighths / 8)
    missed = sum(s <= threshold for s in spam) / len(spam)
    assert measures.spam_missed(ordered(ham), ordered(spam), eighths / 8) == missed


@pytest.mark.parametrize(
    ("n", "ham_loss", "lost"), [(1000, 0.001, 1), (999, 0.001, 0), (100, 0.29, 29), (90, 0.7, 63)]
)
def test_a_whole_share_of_the_ham_is_not_rounded_down(n, ham_loss, lost):
    ham = np.arange(n, dtype=float)
    spam = ham + 0.5  # so what is missed tells the threshold
    assert measures.spam_missed(ham, spam, ham_loss) == (n - lost - 1) / n


@pytest.mark.parametrize(
    ("ham_error", "spam_error", "n_ham", "n_spam", "expected"),
    [
        (0.5, 0.5, 10, 10, 0.5),
        (0.1, 0.1, 10, 10, 0.1),
        (0.1, 0.9, 10, 10, 0.5),
        (1 / 5, 1 / 17, 100, 100, 1 / 9),  # odds 1/4 and 1/16, their geometric mean 1/8
        (0, 0, 50, 50, 0.01),  # half a mail of 50
        (1, 1, 50, 50, 0.99),
        (0, 1, 1, 1, 0.5),
    ],
)
def test_lam_is_the_logistic_average(ham_error, spam_error, n_ham, n_spam, expected):
    lam = measures.logistic_average(ham_error, spam_error, n_ham, n_spam)
    assert lam == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        ([(True, 0.5)], log(2)),
        ([(True, 0.25), (False, 0.25)], (log(4) + log(4 / 3)) / 2),
        ([(True, 1.0), (False, 0.0)], 0),
        ([(True, 0.0)], 15 * log(10)),
        ([(False, 1.0)], 15 * log(10)),
    ],
)
def test_log_loss_of_hand_worked_tables(judged, expected):
    assert measures.log_loss(*arrays(judged)) == pytest.approx(expected, rel=1e-4, abs=1e-14)


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        ([(True, 1.0), (False, 0.0)], 0),
        ([(True, 0.0), (False, 1.0)], 1),
        ([(True, 0.5), (False, 0.25), (True, 1.0)], (0.25 + 0.0625) / 3),
    ],
)
def test_brier_score_of_hand_worked_tables(judged, expected):
    assert measures.brier_score(*arrays(judged)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        ([(True, 1.0), (False, 0.0)], 0),
        ([(True, 0.0), (False, 1.0)], 1),
        ([(True, 0.95), (False, 1.0)], 0.95 / 2),  # both in the last bin
        ([(True, 0.5), (False, 0.5)], 0),  # one bin, where half is spam
        ([(True, 0.51), (True, 0.48)], (0.49 + 0.52) / 2),  # 7/15 = .467 and 8/15 = .533
        ([(False, 0.3), (True, 0.9), (True, 0.9), (False, 0.9)], (0.3 + 0.7) / 4),
    ],
)
def test_expected_calibration_error_of_hand_worked_tables(judged, expected):
    got = measures.expected_calibration_error(*arrays(judged))
    assert got == pytest.approx(expected, abs=1e-15)


def slow_ece(judged):
    """As ../shared/score computes it."""
    bins = [[0.0, 0] for _ in range(15)]
    for is_spam, p in judged:
        chosen = bins[min(int(p * 15), 14)]
        chosen[0] += p
        chosen[1] += is_spam
    return sum(abs(total - spam) for total, spam in bins) / len(judged)


@modest
@given(JUDGED)
def test_probability_measures_equal_the_slow_ones(judged):
    clipped = [(y, min(max(p, 1e-15), 1 - 1e-15)) for y, p in judged]
    losses = [-log(p if y else 1 - p) for y, p in clipped]
    squares = [(p - y) ** 2 for y, p in judged]
    data = arrays(judged)
    assert measures.log_loss(*data) == pytest.approx(sum(losses) / len(judged), rel=1e-12)
    assert measures.brier_score(*data) == pytest.approx(sum(squares) / len(judged), abs=1e-14)
    assert measures.expected_calibration_error(*data) == pytest.approx(slow_ece(judged), abs=1e-14)


def test_confusion_matrix_counts_labels_in_rows_and_verdicts_in_columns():
    labels = np.array(["ham", "ham", "spam", "spam", "spam"])
    verdicts = np.array(["ham", "unsure", "spam", "ham", "spam"])
    got = measures.confusion_matrix(labels, verdicts, ("ham", "spam"), ("ham", "spam", "unsure"))
    assert_array_equal(got, [[1, 0, 1], [1, 2, 0]])
