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
    score_online,
    score_split,
)
from spamnb.filter.documents import Document
from spamnb.filter.verdict import Decision
from spamnb.training import UNLABELED, LabeledTokens, TrainingOptions, train_on_tokens
from tests.strategies import LABELS, TOKENS, documents, few

OPTIONS = TrainingOptions(counts="frequency")
HAM_SPAM = ("ham", "spam")


def as_documents(pairs):
    return [Document(f"{i}.eml", label, tokens, ()) for i, (label, tokens) in enumerate(pairs)]


def trained_on(mails):
    pairs = [LabeledTokens(mail.label, mail.tokens) for mail in mails]
    return train_on_tokens(pairs, {mail.label for mail in mails}, OPTIONS).spam_filter


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
    mails = [MAILS[i * i % 6]._replace(source=str(i)) for i in range(2_100)]
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


@few
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


@pytest.mark.parametrize("how", ["split", "cv", "online"])
def test_the_scores_tell_how_the_filter_decides(how):
    mails = as_documents([("ham", ["a"]), ("spam", ["b"])] * 8)
    options = replace(OPTIONS, cost=5.0, unsure_cost=0.2)
    if how == "split":
        scores = score_split(mails, np.arange(16) < 8, options)
    elif how == "cv":
        scores = cross_validate(mails, 2, options)
    else:
        scores = score_online(mails, options)
    assert vars(scores.decision) == vars(Decision(5.0, 0.2))


def test_a_training_part_without_one_of_the_labels_is_refused():
    with pytest.raises(TrainingDataError, match="no spam mail to learn from"):
        score_split(MAILS, np.array([True, False] * 3) & (np.arange(6) != 4), OPTIONS)


# Cross-validation


@few
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
        ([], "no labeled mail: a filter needs mail of at least two labels"),
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
    assert [kept.count(label) for label in ("ham", "spam", UNLABELED)] == [3, 2, 45]
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


# Online


def stream(n, seed=0):
    """Mails of which words tell the label; the first three are ham."""
    rng = np.random.default_rng(seed)
    labels = ["ham"] * 3 + [("ham", "spam")[i] for i in rng.integers(2, size=n - 3)]
    words = {"ham": ["a", "b", "c", "d", "e"], "spam": ["c", "d", "e", "f", "g"]}
    return as_documents((label, rng.choice(words[label], size=4).tolist()) for label in labels)


def training_points(mails):
    """The numbers of mails after which the filter is trained anew."""
    labels = [mail.label for mail in mails]
    first = max(labels.index("ham"), labels.index("spam")) + 1
    points = [first]
    for n in range(first + 1, len(mails)):
        if n >= 1.25 * points[-1]:
            points.append(n)
    return points


def test_at_the_points_of_training_a_score_is_that_of_the_mails_before():
    mails = stream(150)
    scores = score_online(mails, OPTIONS)
    points = training_points(mails)
    assert len(points) > 10
    for n in points:
        (verdict,) = trained_on(mails[:n]).judge([mails[n].tokens])
        assert scores.log_odds[n] == verdict.log_odds
        assert scores.probability[n] == verdict.probability
        assert scores.verdicts[n] == verdict.label
    assert scores.labels.tolist() == [mail.label for mail in mails]
    assert scores.sources == [mail.source for mail in mails]


def test_between_the_points_all_mails_before_are_counted_as_long_as_they_are_few():
    options = replace(OPTIONS, classifier="multinomial", calibrate=False)
    mails = stream(50)
    scores = score_online(mails, options)
    for n in range(training_points(mails)[0], 50):
        pairs = [LabeledTokens(mail.label, mail.tokens) for mail in mails[:n]]
        (verdict,) = train_on_tokens(pairs, HAM_SPAM, options).spam_filter.judge([mails[n].tokens])
        assert scores.log_odds[n] == pytest.approx(verdict.log_odds, rel=1e-9, abs=1e-9)


def test_the_first_mails_are_unsure_and_would_pass():
    mails = stream(40)
    scores = score_online(mails, OPTIONS)
    first = training_points(mails)[0]
    assert first >= 4
    assert set(scores.verdicts[:first]) == {"unsure"}
    assert_array_equal(scores.log_odds[:first], 0)
    assert np.all(scores.probability[:first] < 0.5)
    assert np.any(scores.log_odds[first:] != 0)


@pytest.mark.parametrize("options", [OPTIONS, TrainingOptions(classifier="multinomial")])
@few
@given(documents(max_size=40), st.data())
def test_a_mail_has_no_say_in_its_own_score_nor_in_those_before(options, pairs, data):
    mails = as_documents(pairs)
    at = data.draw(st.integers(0, len(mails) - 1))
    other = {"ham": "spam", "spam": "ham"}
    changed = [*mails[:at], mails[at]._replace(label=other[mails[at].label])]
    for mail in mails[at + 1 :]:
        changed.append(mail._replace(tokens=[*mail.tokens, "z"]))
    # Both labels are known to come.
    end = as_documents([("ham", []), ("spam", [])])
    before, after = (score_online([*each, *end], options) for each in (mails, changed))
    assert_array_equal(before.log_odds[: at + 1], after.log_odds[: at + 1])
    assert_array_equal(before.probability[: at + 1], after.probability[: at + 1])
    assert before.verdicts[: at + 1].tolist() == after.verdicts[: at + 1].tolist()


def test_the_label_of_the_last_mail_changes_nothing():
    mails = stream(120)
    last = mails[-1]._replace(label={"ham": "spam", "spam": "ham"}[mails[-1].label])
    one, other = (score_online(each, OPTIONS) for each in (mails, [*mails[:-1], last]))
    assert_array_equal(one.log_odds, other.log_odds)
    assert one.labels[-1] != other.labels[-1]


def test_more_labels_are_learned_online_too():
    pairs = [("ads", ["offer"]), ("ham", ["meeting"]), ("work", ["report"])] * 6
    scores = score_online(as_documents(pairs), replace(OPTIONS, calibrate=False))
    assert set(scores.verdicts[:3]) == {"unsure"}
    assert scores.verdicts[3:].tolist() == scores.labels[3:].tolist()
    assert not scores.is_ranking
