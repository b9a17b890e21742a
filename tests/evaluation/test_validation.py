from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.bayes.model_selection import stratified_folds
from spamnb.errors import ParameterError, TrainingDataError
from spamnb.evaluation.report import report
from spamnb.evaluation.validation import (
    cross_validate,
    cross_validate_repeatedly,
    first_part,
    hide_labels,
    score,
    score_split,
)
from spamnb.pipeline import Document
from spamnb.training import UNLABELLED, LabelledTokens, TrainingOptions, train
from tests.strategies import LABELS, TOKENS, documents, modest

OPTIONS = TrainingOptions(counts="frequency")


def as_documents(pairs):
    return [Document(f"{i}.eml", label, tokens, ()) for i, (label, tokens) in enumerate(pairs)]


def trained_on(mails):
    pairs = [LabelledTokens(mail.label, mail.tokens) for mail in mails]
    return train(pairs, {mail.label for mail in mails}, OPTIONS).spam_filter


MAILS = as_documents(
    [
        ("ham", ["meeting", "room"]),
        ("spam", ["win", "money", "win"]),
        ("ham", ["room", "money"]),
        ("spam", ["win"]),
        ("spam", ["money", "room"]),
        ("ham", ["meeting"]),
    ]
)


def assert_judged(scores, mails, verdicts):
    assert scores.labels.tolist() == [mail.label for mail in mails]
    assert scores.sources == [mail.source for mail in mails]
    assert scores.verdicts.tolist() == [verdict.label for verdict in verdicts]
    assert_array_equal(scores.log_odds, [verdict.log_odds for verdict in verdicts])
    assert_array_equal(scores.probability, [verdict.probability for verdict in verdicts])


def test_score_judges_a_stream_in_its_order_over_several_batches():
    spam_filter = trained_on(MAILS)
    mails = [replace(MAILS[i * i % 6], source=str(i)) for i in range(2_100)]
    verdicts = spam_filter.judge([mail.tokens for mail in mails])
    assert_judged(score(spam_filter, iter(mails)), mails, verdicts)


def test_the_filter_of_more_labels_gives_ham_and_spam_no_ranking_of_its_own_certainty():
    pairs = [("ads", ["offer"]), ("ham", ["meeting"]), ("spam", ["win"])]
    spam_filter = trained_on(as_documents(pairs * 5))
    ranking = report("", score(spam_filter, as_documents(pairs[1:]))).ranking
    # Both are judged right; certainty of ham must not be taken for certainty of spam.
    assert ranking is None or ranking.ham_error == ranking.spam_error == 0


# Splits


@pytest.mark.parametrize(
    ("labels", "fraction", "is_sequence", "expected"),
    [
        ("hhss", 0.5, True, "TT.."),
        ("hhss", 0.5, False, "T.T."),
        ("hshshh", 0.5, True, "TTT..."),
        ("hshshh", 0.5, False, "TTT..."),
        ("sshhhh", 0.5, False, "T.TT.."),
        ("hhh", 0.5, True, "T.."),
        ("hhs", 0.3, False, "..."),
        ("", 0.5, True, ""),
        ("", 0.5, False, ""),
    ],
)
def test_the_first_part_is_of_the_whole_or_of_each_label(labels, fraction, is_sequence, expected):
    chosen = first_part(list(labels), fraction, is_sequence)
    assert chosen.dtype == np.bool_
    assert chosen.tolist() == [mark == "T" for mark in expected]


@modest
@given(st.lists(st.sampled_from(LABELS)), st.sampled_from([1, 2, 4, 7]))
def test_the_first_part_of_each_label_comes_before_its_rest(labels, eighths):
    chosen = first_part(labels, eighths / 8, is_sequence=False)
    for label in set(labels):
        own = [bool(is_in) for is_in, it in zip(chosen, labels, strict=True) if it == label]
        assert own == sorted(own, reverse=True)
        assert sum(own) == len(own) * eighths // 8


@pytest.mark.parametrize("is_sequence", [True, False])
@pytest.mark.parametrize("percent", [29, 57, 58, 70])
def test_a_whole_share_is_not_rounded_down(percent, is_sequence):
    assert first_part(["ham"] * 100, percent / 100, is_sequence).sum() == percent


@pytest.mark.parametrize("fraction", [0, 1, -0.1, 1.5, nan])
def test_a_share_that_leaves_nothing_is_refused(fraction):
    with pytest.raises(ParameterError) as caught:
        first_part(["ham", "spam"], fraction, is_sequence=True)
    assert str(caught.value) == f"split must be a number between 0 and 1, got {fraction}"


def test_score_split_trains_on_one_part_and_scores_the_other_in_order():
    in_training = np.array([True, True, False, False, True, False])
    rest = [MAILS[i] for i in (2, 3, 5)]
    spam_filter = trained_on([MAILS[i] for i in (0, 1, 4)])
    verdicts = spam_filter.judge([mail.tokens for mail in rest])
    assert_judged(score_split(MAILS, in_training, OPTIONS), rest, verdicts)


def test_a_training_part_without_one_of_the_labels_is_refused():
    with pytest.raises(TrainingDataError, match="no spam mail to learn from"):
        score_split(MAILS, np.array([True, False] * 3) & (np.arange(6) != 4), OPTIONS)


# Cross-validation


@modest
@given(documents(labels=("ham", "spam"), max_size=6), st.integers(2, 4), st.integers(0, 2))
def test_each_mail_is_scored_once_by_a_filter_that_has_not_seen_it(pairs, n_folds, seed):
    mails = as_documents(pairs * n_folds)
    folds = stratified_folds(np.array([mail.label for mail in mails]), n_folds, seed)
    verdicts = []
    for mail, own in zip(mails, folds, strict=True):
        others = [other for other, fold in zip(mails, folds, strict=True) if fold != own]
        verdicts += trained_on(others).judge([mail.tokens])
    assert_judged(cross_validate(mails, n_folds, OPTIONS, seed), mails, verdicts)


def test_cross_validation_is_deterministic_and_the_seed_spreads_anew():
    rng = np.random.default_rng(0)
    mails = as_documents(
        (label, rng.choice(list(TOKENS), size=5).tolist()) for label in ["ham", "spam"] * 20
    )
    first, again, other = (cross_validate(mails, 4, OPTIONS, seed) for seed in (1, 1, 2))
    assert_array_equal(first.log_odds, again.log_odds)
    assert np.any(first.log_odds != other.log_odds)


def test_repeats_are_cross_validations_with_the_next_seeds():
    mails = MAILS * 3
    repeats = cross_validate_repeatedly(mails, 3, 2, OPTIONS, seed=5)
    assert len(repeats) == 2
    for seed, scores in zip((5, 6), repeats, strict=True):
        assert_array_equal(scores.log_odds, cross_validate(mails, 3, OPTIONS, seed).log_odds)
        assert scores.sources == [mail.source for mail in mails]


@pytest.mark.parametrize("n_folds", [1, 0, -3])
def test_fewer_than_two_folds_are_refused(n_folds):
    with pytest.raises(ParameterError) as caught:
        cross_validate(MAILS, n_folds, OPTIONS)
    assert str(caught.value) == f"cv must be a whole number ≥ 2, got {n_folds}"


@pytest.mark.parametrize(
    ("mails", "message"),
    [
        (MAILS, "4 folds of 3 ham mails: use fewer folds or more mail"),
        (MAILS[:3], "4 folds of 1 spam mails: use fewer folds or more mail"),
        (MAILS[::2] * 4, None),
        ([MAILS[0]] * 4, "only ham mail: a filter needs mail of at least two labels"),
        ([], "no labelled mail: a filter needs mail of at least two labels"),
    ],
    ids=["three of each", "one spam", "enough", "only ham", "nothing"],
)
def test_more_folds_than_mails_of_a_label_are_refused(mails, message):
    if message is None:
        assert len(cross_validate(mails, 4, OPTIONS).labels) == len(mails)
        return
    with pytest.raises(TrainingDataError) as caught:
        cross_validate(mails, 4, OPTIONS)
    assert str(caught.value).startswith(message)


# Hidden labels


def test_of_each_label_so_many_are_kept_and_none_outside_the_training_part():
    mails = as_documents([("ham", ["a"])] * 60 + [("spam", ["b"])] * 40)
    in_training = np.arange(100) % 2 == 0
    hidden = hide_labels(mails, in_training, 0.1, seed=3)
    kept = [document.label for document, own in zip(hidden, in_training, strict=True) if own]
    assert [kept.count(label) for label in ("ham", "spam", UNLABELLED)] == [3, 2, 45]
    others = zip(mails, hidden, in_training, strict=True)
    assert all(before == after for before, after, own in others if not own)
    assert [d.tokens for d in hidden] == [d.tokens for d in mails]
    assert hide_labels(mails, in_training, 0.1, seed=3) == hidden
    assert hide_labels(mails, in_training, 0.1, seed=4) != hidden


def test_at_least_one_of_each_label_is_kept():
    mails = as_documents([("ham", ["a"])] * 5 + [("spam", ["b"])] * 5)
    hidden = hide_labels(mails, np.ones(10, dtype=bool), 0.01)
    labels = [document.label for document in hidden]
    assert (labels.count("ham"), labels.count("spam")) == (1, 1)
