from __future__ import annotations

from collections import Counter
from math import inf, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import naive_bayes

from spamnb.bayes.categorical import CategoricalNB
from spamnb.errors import MatrixError, ParameterError
from tests.strategies import FORMS, LABELS, modest

# Quinlan, Induction of decision trees (1986), table 1: outlook, temperature, humidity, wind.
TENNIS = """
sunny hot high weak no
sunny hot high strong no
overcast hot high weak yes
rain mild high weak yes
rain cool normal weak yes
rain cool normal strong no
overcast cool normal strong yes
sunny mild high weak no
sunny cool normal weak yes
rain mild normal weak yes
sunny mild normal strong yes
overcast mild high strong yes
overcast hot normal weak yes
rain mild high strong no
"""
VALUES = (
    ("sunny", "overcast", "rain"),
    ("hot", "mild", "cool"),
    ("high", "normal"),
    ("weak", "strong"),
)


def coded(words):
    return [values.index(word) for values, word in zip(VALUES, words, strict=True)]


ROWS = [line.split() for line in TENNIS.strip().splitlines()]
X = np.array([coded(row[:-1]) for row in ROWS])
Y = np.array([row[-1] for row in ROWS])
QUERY = [coded(["sunny", "cool", "high", "strong"])]


@pytest.mark.parametrize(
    ("alpha", "no", "yes", "share"), [(1, 0.01822, 0.007084, 0.72), (0, 0.020571, 0.005291, 0.795)]
)
def test_the_tennis_table_gives_the_printed_digits(alpha, no, yes, share):
    # The printed numbers come from the empirical prior, 5/14 and 9/14, under either λ.
    estimator = CategoricalNB(alpha=alpha).fit(X, Y)
    joint = np.exp(estimator.predict_joint_log_proba(QUERY))[0]
    assert (round(joint[0], 5 if alpha else 6), round(joint[1], 6)) == (no, yes)
    assert round(estimator.predict_proba(QUERY)[0, 0], 2 if alpha else 3) == share
    assert estimator.predict(QUERY).tolist() == ["no"]


def test_the_tennis_table_by_hand():
    smoothed, plain = CategoricalNB().fit(X, Y), CategoricalNB(alpha=0).fit(X, Y)
    no, yes = 5 / 14 * 4 / 8 * 2 / 8 * 5 / 7 * 4 / 7, 9 / 14 * 3 / 12 * 4 / 12 * 4 / 11 * 4 / 11
    assert_allclose(np.exp(smoothed.predict_joint_log_proba(QUERY)), [[no, yes]], rtol=1e-13)
    no, yes = 5 / 14 * 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5, 9 / 14 * 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9
    assert_allclose(np.exp(plain.predict_joint_log_proba(QUERY)), [[no, yes]], rtol=1e-13)
    assert_array_equal(smoothed.n_categories_, [3, 3, 2, 2])
    assert_array_equal(smoothed.category_count_[0], [[3, 0, 2], [2, 4, 3]])


@st.composite
def labeled_codes(draw, missing=True):
    """(X, y) with codes from 0 to 3, some of them missing."""
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    codes = st.sampled_from([0.0, 1.0, 2.0, 3.0, *[nan] * missing])
    y = draw(st.lists(st.sampled_from(LABELS), min_size=shape[0], max_size=shape[0]))
    return draw(arrays(np.float64, shape, elements=codes)), np.array(y)


def slow_joint(X, y, alpha, rows):
    """log P(class, sample) from the formula."""
    n, joint = Counter(y.tolist()), []
    for row in rows:
        scores = []
        for label in sorted(n):
            score = log(n[label] / len(y))
            for j, value in enumerate(row):
                known = [int(v) for v in X[:, j] if v == v]
                own = Counter(
                    int(v) for v, c in zip(X[:, j], y, strict=True) if v == v and c == label
                )
                total = sum(own.values()) + alpha * (max(known, default=-1) + 1)
                if value == value:
                    share = (own[int(value)] + alpha) / (total or 1)
                    score += log(share) if share else -inf
            scores.append(score)
        joint.append(scores)
    return joint


@modest
@given(labeled_codes(), labeled_codes(), st.sampled_from([0.0, 0.1, 1.0]))
def test_scores_equal_the_slow_ones(labeled, others, alpha):
    X, y = labeled
    rows = np.resize(others[0], (len(others[0]), X.shape[1]))
    estimator = CategoricalNB(alpha=alpha).fit(X, y)
    expected = slow_joint(X, y, alpha, rows)
    assert_allclose(estimator.predict_joint_log_proba(rows), expected, rtol=1e-12, atol=1e-10)
    assert_allclose(estimator.predict_proba(rows).sum(axis=1), 1, rtol=1e-12)


@modest
@given(labeled_codes(missing=False), st.sampled_from(sorted(set(FORMS) - {"messy csr"})))
def test_scikit_learn_gives_the_same(labeled, form):
    X, y = labeled
    make = FORMS[form]
    ours = CategoricalNB(alpha=0.5).fit(make(X), y)
    theirs = naive_bayes.CategoricalNB(alpha=0.5).fit(X, y)
    for name in ("category_count_", "feature_log_prob_"):
        for own, expected in zip(getattr(ours, name), getattr(theirs, name), strict=True):
            assert_allclose(own, expected, rtol=0, atol=1e-12)
    expected = theirs.predict_joint_log_proba(X)
    assert_allclose(ours.predict_joint_log_proba(make(X)), expected, rtol=0, atol=1e-10)


@modest
@given(labeled_codes(), st.data())
def test_learning_in_any_parts_equals_learning_at_once(labeled, data):
    X, y = labeled
    cut = data.draw(st.integers(0, len(y)))
    in_parts = CategoricalNB().partial_fit(X[:cut], y[:cut], np.unique(y))
    in_parts.partial_fit(X[cut:], y[cut:])
    at_once = CategoricalNB().fit(X, y)
    assert_array_equal(in_parts.n_categories_, at_once.n_categories_)
    for left, right in zip(in_parts.feature_log_prob_, at_once.feature_log_prob_, strict=True):
        assert_array_equal(left, right)


def test_a_missing_value_tells_nothing():
    estimator = CategoricalNB().fit([[0, 1], [1, nan], [nan, 0]], ["a", "a", "b"])
    assert_allclose(np.exp(estimator.feature_log_prob_[0]), [[1 / 2, 1 / 2], [1 / 2, 1 / 2]])
    assert_allclose(np.exp(estimator.feature_log_prob_[1]), [[1 / 3, 2 / 3], [2 / 3, 1 / 3]])
    assert_allclose(estimator.predict_proba([[nan, nan]]), [[2 / 3, 1 / 3]])


def test_an_unseen_value_has_the_count_0():
    estimator = CategoricalNB(fit_prior=False).fit([[0], [1], [0]], ["a", "a", "b"])
    joint = estimator.predict_joint_log_proba([[7]])
    assert_allclose(np.exp(joint), [[0.5 * 1 / 4, 0.5 * 1 / 3]], rtol=1e-13)


def test_min_categories_makes_room():
    estimator = CategoricalNB(min_categories=[3, 1]).fit([[0, 1]], ["a"])
    assert_array_equal(estimator.n_categories_, [3, 2])
    assert_allclose(np.exp(estimator.feature_log_prob_[0]), [[2 / 4, 1 / 4, 1 / 4]])


def test_parameters_are_recovered_from_samples():
    true = CategoricalNB().fit(X, Y)
    drawn, y = true.sample(20_000, random_state=0)
    learned = CategoricalNB(alpha=0).fit(drawn, y)
    # Five standard errors at 7,000 samples.
    for own, expected in zip(learned.feature_log_prob_, true.feature_log_prob_, strict=True):
        assert_allclose(np.exp(own), np.exp(expected), atol=5 * np.sqrt(0.25 / 7_000))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"min_categories": -1},
            "min_categories must be one whole number ≥ 0 or 2 of them, got -1",
        ),
        (
            {"min_categories": [1.5, 2]},
            "min_categories must be one whole number ≥ 0 or 2 of them, got [1.5, 2]",
        ),
        (
            {"min_categories": [1, 2, 3]},
            "min_categories must be one whole number ≥ 0 or 2 of them, got [1, 2, 3]",
        ),
        ({"alpha": -1}, "alpha must be a finite number ≥ 0, got -1"),
    ],
)
def test_parameters_that_cannot_work_are_refused(parameters, message):
    with pytest.raises(ParameterError) as caught:
        CategoricalNB(**parameters).fit([[0, 1]], ["a"])
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            -1,
            "expected numbers of categories ≥ 0, "
            "got Negative values in data passed to CategoricalNB (input X)",
        ),
        (inf, "expected numbers of categories below 1000000, got inf"),
        (1.7e9, "expected numbers of categories below 1000000, got 1.7e+09"),
    ],
)
def test_values_that_are_no_categories_are_refused(value, message):
    with pytest.raises(MatrixError) as caught:
        CategoricalNB().fit([[value], [nan]], ["a", "a"])
    assert str(caught.value) == message
