from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.model_selection import ALPHA_GRID, choose_alpha, stratified_folds
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.tan import TAN
from spamnb.features.matrix import CountMatrix
from tests.strategies import LABELS, labeled_counts, modest


@modest
@given(st.lists(st.sampled_from(LABELS)), st.integers(1, 6), st.integers(0, 3))
def test_each_class_is_spread_evenly_over_the_folds(labels, n_folds, seed):
    y = np.array(labels, dtype=np.str_)
    folds = stratified_folds(y, n_folds, seed)
    assert folds.shape == y.shape
    for label in set(labels):
        sizes = np.bincount(folds[y == label], minlength=n_folds)
        assert len(sizes) == n_folds
        assert sizes.max() - sizes.min() <= 1


def test_folds_are_shuffled_by_the_seed_alone():
    y = np.array(["ham", "spam"] * 50)
    assert_array_equal(stratified_folds(y, 5, seed=1), stratified_folds(y, 5, seed=1))
    assert np.any(stratified_folds(y, 5, seed=1) != stratified_folds(y, 5, seed=2))


def slow_loss(model, X, y, alpha, n_folds):
    """The mean out-of-fold log loss, with a new estimator for each fold."""
    folds, losses = stratified_folds(y, n_folds), []
    for fold in range(n_folds):
        known = (X[folds != fold] > 0).any(axis=0)
        estimator = model(alpha=alpha).fit(X[folds != fold][:, known], y[folds != fold])
        for row, label in zip(X[folds == fold][:, known], y[folds == fold], strict=True):
            log_proba = estimator.predict_log_proba([row])[0]
            losses.append(-log_proba[estimator.classes_.tolist().index(label)])
    return sum(losses) / len(y)


@pytest.mark.parametrize(
    "model", [MultinomialNB, BernoulliNB, ComplementNB, CategoricalNB, AODE, TAN]
)
@modest
@given(labeled=labeled_counts(), n_folds=st.integers(2, 4))
def test_the_alpha_of_the_least_out_of_fold_log_loss_is_chosen(model, labeled, n_folds):
    X, y = (np.concatenate([part, part]) for part in labeled)  # two of each label
    grid = (1.0, 0.1, 0.01)
    search = choose_alpha(model(), CountMatrix.coerce(X), y, stratified_folds(y, n_folds), grid)
    expected = [slow_loss(model, X, y, alpha, n_folds) for alpha in grid]
    assert_allclose(list(search.log_loss.values()), expected, rtol=1e-9, atol=1e-12)
    assert list(search.log_loss) == list(grid)
    assert search.log_loss[search.alpha] == min(search.log_loss.values())


def test_the_estimator_keeps_no_alpha_that_another_search_would_see():
    X, y = CountMatrix.coerce([[1, 0], [2, 1], [0, 1], [1, 3]]), np.array(["a", "a", "b", "b"])
    estimator, folds = MultinomialNB(alpha=7), stratified_folds(y, 2)
    first = choose_alpha(estimator, X, y, folds)
    assert choose_alpha(estimator, X, y, folds) == first
    assert estimator.alpha == 7
    assert tuple(first.log_loss) == ALPHA_GRID


def test_of_equals_the_first_alpha_is_chosen():
    nothing_to_learn = CountMatrix.coerce(np.zeros((4, 2)))
    y = np.array(["a", "b"] * 2)
    folds = stratified_folds(y, 2)
    search = choose_alpha(MultinomialNB(), nothing_to_learn, y, folds, (0.3, 1.0, 0.1))
    assert search.alpha == 0.3
    assert_allclose(list(search.log_loss.values()), np.log(2), rtol=1e-12)


def test_an_alpha_that_makes_the_truth_impossible_has_an_infinite_loss():
    X = CountMatrix.coerce([[1, 0], [1, 0], [0, 1], [1, 1], [0, 1], [1, 0]])
    y = np.array(["a", "a", "a", "b", "b", "b"])
    search = choose_alpha(MultinomialNB(), X, y, stratified_folds(y, 3), (0.0, 1.0))
    assert search.log_loss[0.0] == inf
    assert search.alpha == 1.0
