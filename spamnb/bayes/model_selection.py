"""Folds, and choosing alpha by cross-validation."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.features.matrix import CountMatrix, Floats, Ints

Estimator = TypeVar("Estimator", bound=NaiveBayes)

ALPHA_GRID = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
"""The values of alpha that are tried, the most cautious first."""


@dataclass(frozen=True, slots=True)
class AlphaSearch:
    """The outcome of a search for alpha.

    Attributes
    ----------
    alpha : float
        The chosen value.
    log_loss : dict of float to float
        For each value tried, the mean out-of-fold log loss, in nats.
    """

    alpha: float
    log_loss: dict[float, float]


def stratified_folds(y: NDArray[np.str_], n_folds: int, seed: int = 0) -> Ints:
    """Return a stratified fold number for each sample.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        The labels.
    n_folds : int
        The number of folds.
    seed : int
        Seed of the shuffling.

    Returns
    -------
    ndarray of shape (n_samples,)
        Numbers from 0 to ``n_folds - 1``.
    """
    rng = np.random.default_rng(seed)
    folds = np.empty(len(y), dtype=np.int64)
    for label in np.unique(y):
        members = np.flatnonzero(y == label)
        folds[rng.permutation(members)] = np.arange(len(members)) % n_folds
    return folds


def learn_fold(
    estimator: Estimator, X: CountMatrix, y: NDArray[Any], is_test: NDArray[np.bool_]
) -> tuple[Estimator, CountMatrix]:
    """Learn all samples but those of one fold.

    The model has the features of its own samples, as it would be in use.

    Parameters
    ----------
    estimator : NaiveBayes
        Not modified.
    X : CountMatrix of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        The labels.
    is_test : ndarray of bool, shape (n_samples,)
        True for the samples of the fold.

    Returns
    -------
    model : NaiveBayes
        A fitted copy.
    test : CountMatrix
        The samples of the fold, with the features of the model.
    """
    train, test = X.take_rows(~is_test), X.take_rows(is_test)
    known = train.document_frequency() > 0
    model = copy.copy(estimator).fit(train, y[~is_test]).take_columns(known)
    return model, test.take_columns(known)


def out_of_fold(estimator: NaiveBayes, X: CountMatrix, y: NDArray[Any], folds: Ints) -> Floats:
    """Return the joint log likelihood of each sample under a model of the other folds.

    Parameters
    ----------
    estimator : NaiveBayes
        Not modified.
    X : CountMatrix of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        The labels.
    folds : ndarray of shape (n_samples,)
        The number of each sample's fold.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
    """
    joint = np.empty((X.shape[0], len(np.unique(y))))
    for fold in range(int(folds.max()) + 1):
        model, test = learn_fold(estimator, X, y, folds == fold)
        joint[folds == fold] = model.predict_joint_log_proba(test)
    return joint


def choose_alpha(
    estimator: NaiveBayes,
    X: CountMatrix,
    y: NDArray[Any],
    folds: Ints,
    grid: tuple[float, ...] = ALPHA_GRID,
) -> AlphaSearch:
    """Choose the alpha with the least out-of-fold log loss.

    Parameters
    ----------
    estimator : NaiveBayes
        One that has an ``alpha``: all but the Gaussian.  Not modified.
    X : CountMatrix of shape (n_samples, n_features)
        The counts.
    y : ndarray of shape (n_samples,)
        The labels, at least two of each.
    folds : ndarray of shape (n_samples,)
        The number of each sample's fold, such as `stratified_folds` gives.
    grid : tuple of float
        The values to try; ties go to the first.
    """
    loss = dict.fromkeys(grid, 0.0)
    for fold in range(int(folds.max()) + 1):
        model, test = learn_fold(estimator, X, y, folds == fold)
        truth = np.searchsorted(model.classes_, y[folds == fold])
        for alpha in grid:
            model.alpha = alpha  # type: ignore[attr-defined]
            log_proba = model.update().predict_log_proba(test)
            loss[alpha] -= float(log_proba[np.arange(len(truth)), truth].sum())
    return AlphaSearch(min(grid, key=loss.__getitem__), {a: loss[a] / len(y) for a in grid})
