"""Folds, and the choice of alpha by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import CountMatrix, Floats, Ints

ALPHA_GRID = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
"""The values of alpha that are tried, the most cautious first."""


class Smoothed(Protocol):
    """What has an ``alpha`` to choose: every estimator but the Gaussian one."""

    alpha: Any
    classes_: NDArray[Any]

    def fit(self, X: Any, y: Any, /) -> Any:
        """Learn from samples."""

    def update(self) -> Any:
        """Compute the parameters anew, as after a change of ``alpha``."""

    def predict_log_proba(self, X: Any, /) -> Floats:
        """Return log P(class | sample)."""
        ...


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
    """Return a fold number for each sample, the classes spread evenly.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        The labels.
    n_folds : int
        The number of folds.
    seed : int
        For the shuffling.

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


def choose_alpha(
    estimator: Smoothed,
    X: CountMatrix,
    y: NDArray[np.str_],
    grid: tuple[float, ...] = ALPHA_GRID,
    n_folds: int = 5,
) -> AlphaSearch:
    """Choose the alpha with the least out-of-fold log loss.

    The vocabulary is that of each fold's training part, as it would be in use.

    Parameters
    ----------
    estimator : Smoothed
        Is used for the search; what it has learned before is lost.
    X : CountMatrix of shape (n_samples, n_features)
        The counts.
    y : ndarray of shape (n_samples,)
        The labels, at least two of each.
    grid : tuple of float
        The values to try; of equals the first wins.
    n_folds : int
        The number of folds.

    Returns
    -------
    AlphaSearch
    """
    folds = stratified_folds(y, n_folds)
    loss = dict.fromkeys(grid, 0.0)
    for fold in range(n_folds):
        train = X.take_rows(folds != fold)
        known = train.document_frequency() > 0
        test = X.take_rows(folds == fold).take_columns(known)
        estimator.fit(train.take_columns(known), y[folds != fold])
        truth = np.searchsorted(estimator.classes_, y[folds == fold])
        for alpha in grid:
            estimator.alpha = alpha
            estimator.update()
            log_proba = estimator.predict_log_proba(test)
            loss[alpha] -= float(log_proba[np.arange(len(truth)), truth].sum())
    return AlphaSearch(min(grid, key=loss.__getitem__), {a: loss[a] / len(y) for a in grid})
