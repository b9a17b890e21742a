from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.errors import ParameterError
from spamnb.evaluation import bootstrap as module
from spamnb.evaluation.bootstrap import bootstrap
from spamnb.evaluation.ranking import map_measures, measure
from spamnb.evaluation.scores import Scores
from tests.evaluation.mails import MAILS, random_scores, scores_of
from tests.strategies import modest


def taken(scores, rows):
    """Some rows of scores, each as often as it is named."""
    rows = np.asarray(rows)
    return Scores(
        scores.labels[rows],
        scores.verdicts[rows],
        scores.log_odds[rows],
        scores.probability[rows],
        [scores.sources[i] for i in rows],
    )


def assert_same(one, other, **tolerance):
    map_measures(lambda a, b: assert_allclose(a, b, **tolerance), one, other)


@modest
@given(MAILS, st.randoms(use_true_random=False))
def test_weights_measure_what_copies_of_the_mails_do(mails, random):
    scores = scores_of(mails)
    ham_rows, spam_rows = np.flatnonzero(~scores.is_spam), np.flatnonzero(scores.is_spam)
    drawn_ham = random.choices(range(len(ham_rows)), k=len(ham_rows))
    drawn_spam = random.choices(range(len(spam_rows)), k=len(spam_rows))
    copies = taken(scores, [*ham_rows[drawn_ham], *spam_rows[drawn_spam]])
    weighed = module._WeighableScores(scores, ham_rows, spam_rows).measure(
        np.bincount(drawn_ham, minlength=len(ham_rows))[np.newaxis].astype(float),
        np.bincount(drawn_spam, minlength=len(spam_rows))[np.newaxis].astype(float),
    )
    expected = map_measures(lambda value: [value], measure(copies))
    assert_same(weighed, expected, rtol=1e-12, atol=1e-14)


@modest
@given(MAILS, st.randoms(use_true_random=False))
def test_the_order_of_the_mails_makes_no_difference(mails, random):
    shuffled = random.sample(mails, len(mails))
    one, other = bootstrap([[scores_of(mails)]], 20), bootstrap([[scores_of(shuffled)]], 20)
    map_measures(assert_array_equal, one[0], other[0])


def test_as_many_ham_and_spam_are_drawn_as_there_are():
    for ham_weights, spam_weights in module._draw(7, 3, 50, seed=1):
        assert ham_weights.shape == (50, 7)
        assert_array_equal(ham_weights.sum(axis=1), 7)
        assert_array_equal(spam_weights.sum(axis=1), 3)


def test_each_mail_is_drawn_as_often_as_any_other():
    ham_weights, _ = next(module._draw(5, 1, 20_000, seed=0))
    assert_allclose(ham_weights.mean(axis=0), 1, atol=0.03)
    assert_allclose(ham_weights.var(axis=0), 1 - 1 / 5, atol=0.03)  # binomial: 5 draws of 1/5


def test_the_seed_decides_and_the_size_of_the_pieces_does_not(monkeypatch):
    scores = random_scores(30, 20)
    first, again, other = (bootstrap([[scores]], 50, seed)[0] for seed in (1, 1, 2))
    map_measures(assert_array_equal, first, again)
    assert np.any(first.log_loss != other.log_loss)
    monkeypatch.setattr(module, "_WEIGHTS_AT_ONCE", 333)
    assert_same(bootstrap([[scores]], 50, 1)[0], first, rtol=1e-12)


def test_resamples_scatter_as_the_standard_error_says():
    scores = random_scores(400, 300)
    losses = -np.log(np.where(scores.is_spam, scores.probability, 1 - scores.probability))
    parts = [losses[scores.is_spam == is_spam] for is_spam in (False, True)]
    error = np.sqrt(sum(len(part) * part.var() for part in parts)) / len(losses)
    resampled = bootstrap([[scores]], 4_000)[0].log_loss
    assert resampled.mean() == pytest.approx(losses.mean(), abs=4 * error / 4_000**0.5)
    assert resampled.std() == pytest.approx(error, rel=0.05)


def test_all_filters_get_the_same_resamples_and_runs_are_averaged():
    one, other = random_scores(40, 30, seed=1), random_scores(40, 30, seed=2)
    apart = bootstrap([[one], [other]], 25)
    (together,) = bootstrap([[one, other]], 25)
    assert_same(together, map_measures(lambda a, b: (a + b) / 2, *apart), rtol=1e-12)
    twice = bootstrap([[one], [one]], 25)
    map_measures(assert_array_equal, *twice)


def test_an_own_resampling_does_not_depend_on_the_filters_after_it():
    one, other = random_scores(40, 30, seed=1), random_scores(40, 30, seed=2)
    alone, first = bootstrap([[one]], 10)[0], bootstrap([[one], [other]], 10)[0]
    assert_same(alone, first, rtol=1e-12)


def test_other_mails_are_refused():
    with pytest.raises(ParameterError, match="same mails in the same order"):
        bootstrap([[random_scores(4, 3)], [random_scores(3, 4)]], 10)


def test_every_measure_is_resampled():
    resampled = bootstrap([[random_scores(5, 4)]], 3)[0]
    for name, values in asdict(resampled).items():
        for each in values.values() if name == "spam_missed" else [values]:
            assert each.shape == (3,)
