from __future__ import annotations

import json
from math import inf, isnan, log
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.evaluation.intervals import wilson
from spamnb.evaluation.ranking import HAM_LOSSES
from spamnb.evaluation.report import report, reports
from spamnb.evaluation.scores import Scores
from spamnb.filter.verdict import Decision, Verdict, logistic
from tests.evaluation.mails import random_scores
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


#          ham    called spam     unsure    ham        spam    spam    unsure
ROWS = [("ham", -3), ("ham", 3.5), ("ham", 1), ("ham", -1), ("spam", 4), ("spam", 5), ("spam", 1)]


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
    # Of 12 pairs, 3.5 > 1 is the wrong way round and 1 = 1 a tie.
    assert ranking.one_minus_roca == pytest.approx(1.5 / 12)
    assert ranking.spam_missed == dict.fromkeys(HAM_LOSSES, pytest.approx(1 / 3))
    assert (ranking.ham_error, ranking.spam_error) == (2 / 4, 0)
    # Odds 1 for the ham, (1/6) / (5/6) for half a spam of three.
    assert ranking.lam == pytest.approx(1 / (1 + 5**0.5))
    assert (ranking.ham_called_spam, ranking.spam_not_called_spam) == (1 / 4, pytest.approx(1 / 3))
    losses = [log(1 + 2.718281828459045**odds) for odds in (-3, 3.5, 1, -1, -4, -5, -1)]
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
    assert list(data)[:6] == ["name", "labels", "verdicts", "confusion", "per_label", "ranking"]
    assert data["confusion"] == [[2, 1, 1], [0, 2, 1]]
    assert list(data["ranking"]["spam_missed"]) == ["0.001", "0.005", "0.01"]
    assert data["ranking"]["lam"] == result.ranking.lam
    assert data["intervals"]["lam"] == list(result.intervals.lam)
    assert list(data["intervals"]) == list(data["ranking"])
    assert (data["n_resamples"], data["n_repeats"], data["deviations"]) == (1_000, 1, None)
    assert len(data["reliability"]) == 15
    costs = [row["cost"] for row in data["thresholds"]]
    assert costs == [1, 3, 9, 19, pytest.approx(21.5), 99, 999]
    assert data["comparison"] is None


def test_repeats_are_averaged_and_their_counts_pooled():
    runs = [random_scores(30, 20, seed=seed) for seed in (1, 2, 3)]
    (result,) = reports({"x": runs}, 50)
    single = [report("", run, 0).ranking for run in runs]
    losses = [item.log_loss for item in single]
    assert result.n_repeats == 3
    assert result.ranking.log_loss == pytest.approx(sum(losses) / 3)
    assert result.deviations.log_loss == pytest.approx(stdev(losses))
    missed = [item.spam_missed[0.01] for item in single]
    assert result.deviations.spam_missed[0.01] == pytest.approx(stdev(missed))
    assert sum(map(sum, result.confusion)) == 150
    assert sum(row.n_mails for row in result.reliability) == 150
    # Repeats are not more mail: the interval of a proportion is that of 30 ham.
    assert result.intervals.ham_error == wilson(result.ranking.ham_error, 30)


def test_without_resamples_there_are_no_intervals():
    first, second = reports({"x": [random_scores(9, 9)], "y": [random_scores(9, 9, seed=1)]}, 0)
    assert first.ranking is not None
    assert (first.intervals, second.comparison, first.n_resamples) == (None, None, 0)


def test_every_filter_is_compared_with_the_first():
    results = {name: [random_scores(30, 20, distance)] for name, distance in (("x", 1), ("y", 5))}
    first, second = reports(results, 100)
    assert first.comparison is None
    assert second.comparison.against == "x"
    difference = second.comparison.differences["log_loss"]
    assert difference.value == second.ranking.log_loss - first.ranking.log_loss
    assert difference.verdict == "better"


def test_the_intervals_are_the_same_beside_another_filter():
    one, other = random_scores(30, 20), random_scores(30, 20, seed=1)
    (alone,), (first, _) = reports({"x": [one]}), reports({"x": [one], "y": [other]})
    assert alone.intervals.log_loss == pytest.approx(first.intervals.log_loss)


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
