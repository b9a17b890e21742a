from __future__ import annotations

import json
from math import inf, isnan, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.evaluation.report import HAM_LOSSES, report
from spamnb.evaluation.scores import Scores
from spamnb.spam_filter import Decision, Verdict, logistic
from tests.strategies import modest


def verdict(log_odds):
    label, reason = Decision().label(log_odds)
    return Verdict(label, logistic(log_odds), log_odds, reason)


def scores_of(rows):
    """Scores of (label, log-odds) pairs, or of (label, verdict label) pairs."""
    return Scores.collect(
        (label, "", Verdict(said, 0.9, 2.2) if isinstance(said, str) else verdict(said))
        for label, said in rows
    )


#          ham    called spam   unsure    ham        spam    spam    unsure
ROWS = [("ham", -3), ("ham", 3), ("ham", 1), ("ham", -1), ("spam", 4), ("spam", 5), ("spam", 1)]


def test_the_confusion_matrix_has_a_column_for_unsure():
    result = report("mail", scores_of(ROWS))
    assert result.name == "mail"
    assert result.labels == ("ham", "spam")
    assert result.verdicts == ("ham", "spam", "unsure")
    assert result.confusion == ((2, 1, 1), (0, 2, 1))


def test_precision_recall_and_f1_count_unsure_as_not_found():
    per_label = report("", scores_of(ROWS)).per_label
    ham, spam = per_label["ham"], per_label["spam"]
    assert (ham.n, ham.precision, ham.recall) == (4, 1, 1 / 2)
    assert (spam.n, spam.precision, spam.recall) == (3, 2 / 3, 2 / 3)
    assert ham.f1 == pytest.approx(2 / 3)
    assert spam.f1 == pytest.approx(2 / 3)


def test_the_ranking_of_a_hand_worked_table():
    ranking = report("", scores_of(ROWS)).ranking
    # Of 12 pairs, 3 > 1 is the wrong way round and 1 = 1 a tie.
    assert ranking.one_minus_roca == pytest.approx(1.5 / 12)
    assert ranking.spam_missed == dict.fromkeys(HAM_LOSSES, pytest.approx(1 / 3))
    assert (ranking.ham_error, ranking.spam_error) == (2 / 4, 0)
    # Odds 1 for the ham, (1/6) / (5/6) for half a spam of three.
    assert ranking.lam == pytest.approx(1 / (1 + 5**0.5))
    assert (ranking.ham_called_spam, ranking.spam_not_called_spam) == (1 / 4, pytest.approx(1 / 3))
    losses = [log(1 + 2.718281828459045**odds) for odds in (-3, 3, 1, -1, -4, -5, -1)]
    assert ranking.log_loss == pytest.approx(sum(losses) / 7)
    truth = [odds > 0 for odds in (-3, -3, -3, -3, 4, 5, 1)]
    squares = [(logistic(o) - y) ** 2 for y, (_, o) in zip(truth, ROWS, strict=True)]
    assert ranking.brier == pytest.approx(sum(squares) / 7)


def test_a_probability_of_one_half_is_an_error_for_ham_only():
    ranking = report("", scores_of([("ham", 0.0), ("spam", 0.0)])).ranking
    assert (ranking.ham_error, ranking.spam_error) == (1, 0)


def test_infinite_log_odds_are_measured():
    ranking = report("", scores_of([("ham", -inf), ("ham", inf), ("spam", inf)])).ranking
    assert ranking.one_minus_roca == 1 / 4
    assert (ranking.ham_error, ranking.spam_error) == (1 / 2, 0)
    assert ranking.log_loss == pytest.approx(15 * log(10) / 3, rel=2e-3)
    assert ranking.brier == pytest.approx(1 / 3)
    assert ranking.ece == pytest.approx(1 / 3)


def test_labels_other_than_ham_and_spam_have_no_ranking():
    rows = [("ads", "ads"), ("ads", "work"), ("home", "home"), ("work", "unsure"), ("work", "ads")]
    result = report("", scores_of(rows))
    assert result.ranking is None
    assert result.verdicts == ("ads", "home", "work", "unsure")
    assert result.confusion == ((1, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 1))
    assert (result.per_label["ads"].precision, result.per_label["ads"].recall) == (1 / 2, 1 / 2)
    assert (result.per_label["work"].precision, result.per_label["work"].f1) == (0, 0)


def test_a_verdict_that_is_no_label_of_the_mail_has_a_column_and_no_row():
    result = report("", scores_of([("ham", "spam"), ("ham", "ham")]))
    assert (result.labels, result.verdicts) == (("ham",), ("ham", "spam", "unsure"))
    assert result.confusion == ((1, 1, 0),)
    assert result.ranking is None


def test_no_precision_is_nan_and_becomes_none_in_plain_data():
    result = report("x", scores_of([("ham", -1), ("spam", -1)]))
    assert isnan(result.per_label["spam"].precision)
    data = result.to_dict()
    assert data["per_label"]["spam"] == {"n": 1, "precision": None, "recall": 0.0, "f1": 0.0}
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_plain_data_has_what_the_report_has():
    result = report("x", scores_of(ROWS))
    data = result.to_dict()
    assert list(data) == ["name", "labels", "verdicts", "confusion", "per_label", "ranking"]
    assert data["confusion"] == [[2, 1, 1], [0, 2, 1]]
    assert list(data["ranking"]["spam_missed"]) == ["0.001", "0.005", "0.01"]
    assert data["ranking"]["lam"] == result.ranking.lam


@modest
@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from(["a", "b", "c", "unsure"])),
        min_size=1,
    )
)
def test_precision_recall_and_f1_equal_the_slow_ones(rows):
    result = report("", scores_of(rows))
    assert sum(map(sum, result.confusion)) == len(rows)
    for label in {label for label, _ in rows}:
        right = sum(pair == (label, label) for pair in rows)
        called = sum(said == label for _, said in rows)
        n = sum(true == label for true, _ in rows)
        got = result.per_label[label]
        assert (got.n, got.recall) == (n, right / n)
        assert got.precision == right / called if called else isnan(got.precision)
        if right:
            harmonic = 2 / (1 / got.precision + 1 / got.recall)
            assert got.f1 == pytest.approx(harmonic)
        else:
            assert got.f1 == 0
