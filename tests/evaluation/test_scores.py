from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from spamnb.evaluation.scores import Scores
from spamnb.filter.verdict import Decision, Verdict

ROWS = [
    ("spam", "1.eml", Verdict("spam", 0.99, 4.6)),
    ("ham", "2.eml", Verdict("unsure", 0.5, 0.0, "no known words")),
    ("ham", "3.eml", Verdict("ham", 0.01, -4.6)),
    ("spam", "4.eml", Verdict("unsure", 0.7, 0.85)),
]


def test_collect_keeps_the_rows_in_order():
    scores = Scores.collect(iter(ROWS))
    assert scores.labels.tolist() == ["spam", "ham", "ham", "spam"]
    assert scores.verdicts.tolist() == ["spam", "unsure", "ham", "unsure"]
    assert_array_equal(scores.log_odds, [4.6, 0.0, -4.6, 0.85])
    assert_array_equal(scores.probability, [0.99, 0.5, 0.01, 0.7])
    assert scores.sources == ["1.eml", "2.eml", "3.eml", "4.eml"]


def test_ham_and_spam_are_sorted():
    scores = Scores.collect(ROWS)
    assert_array_equal(scores.ham, [-4.6, 0.0])
    assert_array_equal(scores.spam, [0.85, 4.6])


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["spam", "ham"], True),
        (["ham", "ham"], False),
        (["spam"], False),
        (["ham", "spam", "ads"], False),
        (["no", "yes"], False),
        ([], False),
    ],
)
def test_only_ham_with_spam_is_a_ranking(labels, expected):
    scores = Scores.collect((label, "", Verdict("ham", 0.1, -2.2)) for label in labels)
    assert scores.is_ranking is expected


def test_no_rows_give_empty_arrays():
    scores = Scores.collect([])
    assert [len(scores.labels), len(scores.log_odds), len(scores.ham)] == [0, 0, 0]
    assert scores.log_odds.dtype == np.float64


def test_pooled_runs_stand_behind_each_other():
    decision = Decision(4.0)
    one, other = (Scores.collect(rows, decision=decision) for rows in (ROWS[:2], ROWS[2:]))
    pooled, whole = Scores.pool([one, other]), Scores.collect(ROWS)
    assert pooled.sources == whole.sources
    assert pooled.decision is decision
    for name in ("labels", "verdicts", "log_odds", "probability"):
        assert_array_equal(getattr(pooled, name), getattr(whole, name))
    assert Scores.pool([one]) is one
