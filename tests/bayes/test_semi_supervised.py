from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.semi_supervised import SelfTrainingClassifier
from spamnb.errors import MatrixError, NotFittedError, ParameterError
from spamnb.features.matrix import CountMatrix
from tests.strategies import FORMS, labeled_counts, modest

X = np.array([[9, 0], [0, 9], [5, 0], [1, 6], [1, 1], [3, 0]])
Y = np.array([0, 1, -1, -1, -1, -1])


def slow_self_training(X, y, surest, max_iter):
    """(labels, rounds) with a new estimator for each round; ``surest`` chooses."""
    labels, rounds = y.tolist(), [0 if own != -1 else -1 for own in y]
    for n in range(1, max_iter + 1):
        known = [i for i, own in enumerate(labels) if own != -1]
        if len(known) == len(labels):
            break
        estimator = MultinomialNB().fit(X[known], [labels[i] for i in known])
        unknown = [i for i, own in enumerate(labels) if own == -1]
        proba = {i: estimator.predict_proba(X[[i]])[0] for i in unknown}
        chosen = surest(proba)
        for i in chosen:
            labels[i], rounds[i] = int(estimator.classes_[proba[i].argmax()]), n
        if not chosen:
            break
    return labels, rounds


@modest
@given(
    labeled_counts(min_rows=2, labels=(0, 1, -1)),
    st.sampled_from([{"threshold": 0.6}, {"criterion": "k_best", "k_best": 1}]),
    st.integers(0, 4),
)
def test_rounds_equal_the_slow_ones(labeled, how, max_iter):
    X, y = labeled
    y[0], y[-1] = 0, -1
    got = SelfTrainingClassifier(MultinomialNB(), max_iter=max_iter, **how).fit(X, y)

    def surest(proba):
        if "threshold" in how:
            return [i for i, p in proba.items() if p.max() > how["threshold"]]
        return [max(proba, key=lambda i: proba[i].max())]

    labels, rounds = slow_self_training(X, y, surest, max_iter)
    assert_array_equal(got.transduction_, labels)
    assert_array_equal(got.labeled_iter_, rounds)


def test_why_it_ended():
    def end(**how):
        return SelfTrainingClassifier(MultinomialNB(), **how).fit(X, Y).termination_condition_

    assert end() == "no_change"
    assert end(max_iter=1) == "max_iter"
    assert end(max_iter=0) == "max_iter"
    assert end(threshold=0.4) == "all_labeled"


@pytest.mark.parametrize("form", sorted(FORMS))
def test_any_form_of_matrix_will_do(form):
    expected = SelfTrainingClassifier(MultinomialNB()).fit(X, Y)
    got = SelfTrainingClassifier(MultinomialNB()).fit(FORMS[form](X), Y)
    assert_array_equal(got.labeled_iter_, expected.labeled_iter_)
    assert_array_equal(got.predict_proba(FORMS[form](X)), expected.predict_proba(X))
    assert_array_equal(got.predict_log_proba(X), expected.predict_log_proba(X))


def test_strings_have_a_mark_of_their_own():
    words = np.array(["ham", "spam", "?", "?", "?", "?"])
    got = SelfTrainingClassifier(MultinomialNB(), unlabeled="?").fit(X, words)
    numbers = SelfTrainingClassifier(MultinomialNB()).fit(X, Y)
    assert got.classes_.tolist() == ["ham", "spam"]
    expected = np.array(["ham", "spam", "?"])[numbers.transduction_]
    assert_array_equal(got.transduction_, expected)
    assert_array_equal(got.predict(X), np.array(["ham", "spam"])[numbers.predict(X)])


def test_the_given_estimator_and_labels_stay_as_they_are():
    estimator, labels = MultinomialNB(), Y.copy()
    SelfTrainingClassifier(estimator).fit(X, labels)
    assert not hasattr(estimator, "classes_")
    assert_array_equal(labels, Y)


def test_progress_is_told_of_each_round():
    told = []
    SelfTrainingClassifier(MultinomialNB(), progress=lambda *news: told.append(news)).fit(X, Y)
    assert told == [(1, 3), (2, 0)]


def test_what_is_odd_is_warned_of():
    with pytest.warns(UserWarning, match="y contains no unlabeled samples"):
        SelfTrainingClassifier(MultinomialNB()).fit(X[:2], Y[:2])
    with pytest.warns(UserWarning, match="k_best is larger than the number of unlabeled samples"):
        SelfTrainingClassifier(MultinomialNB(), criterion="k_best").fit(X, Y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"criterion": "best"}, "criterion must be one of threshold, k_best, got best"),
        ({"threshold": 1.5}, "threshold must be a number from 0 to 1, got 1.5"),
        ({"threshold": -1}, "threshold must be a number from 0 to 1, got -1"),
        ({"k_best": 0}, "k_best must be a whole number > 0, got 0"),
        ({"max_iter": -1}, "max_iter must be a whole number ≥ 0, or None, got -1"),
    ],
)
def test_parameters_that_cannot_work_are_refused(parameters, message):
    with pytest.raises(ParameterError) as caught:
        SelfTrainingClassifier(MultinomialNB(), **parameters).fit(X, Y)
    assert str(caught.value) == message


def test_labels_that_cannot_be_learned_from_are_refused():
    model = SelfTrainingClassifier(MultinomialNB())
    with pytest.raises(MatrixError, match="expected at least one labeled sample, got none"):
        model.fit(X, [-1] * 6)
    for rows in (X, X.tolist(), CountMatrix.coerce(X)):
        with pytest.raises(MatrixError, match="expected 6 labels, one for each row of X, got"):
            model.fit(rows, Y[:3])
    with pytest.raises(ParameterError, match="y must be of dtype object, so that -1 can stand"):
        model.fit(X, ["ham"] * 6)
    with pytest.raises(NotFittedError, match="this SelfTrainingClassifier has not been"):
        model.predict(X)
