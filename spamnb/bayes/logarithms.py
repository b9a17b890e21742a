"""Logarithms of probabilities: sums, differences and shares, with log 0 = -∞."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spamnb.features.matrix import Floats


def log(values: Floats) -> Floats:
    """Return the natural logarithm, with log 0 = -∞ and no warning."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(values), dtype=np.float64)


def log_softmax(scores: Floats) -> Floats:
    """Return the log of the probabilities that scores stand for, row by row.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_classes)
        Log probabilities up to a constant; the greatest of each row is finite.
    """
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def difference(towards: Floats, against: Floats) -> Floats:
    """Return the difference of logs, 0 for ∞ - ∞: what is as impossible in both classes."""
    with np.errstate(invalid="ignore"):
        result = towards - against
    return np.nan_to_num(result, posinf=np.inf, neginf=-np.inf)


def smoothed_log_ratio(count: Floats, total: Floats) -> Floats:
    """Return log(count / total) with log 0 = -∞, also where nothing was counted at all.

    Parameters
    ----------
    count : ndarray of shape (n_classes, n_features)
        Smoothed counts.
    total : ndarray that broadcasts against ``count``
        What they are shares of.
    """
    return log(count) - log_total(total)


def log_total(total: Floats) -> Floats:
    """Return the log of totals, 0 where nothing was counted, for differences of logs."""
    return np.asarray(np.log(np.where(total > 0, total, 1.0)))


def smoothing_log_density(log_prob: Floats, alpha: ArrayLike) -> float:
    """Return Σ α log p, the log of the Dirichlet density that smoothing by α stands for.

    Parameters
    ----------
    log_prob : ndarray
        Log probabilities.
    alpha : array-like that broadcasts against ``log_prob``
        Where it is 0 a probability of 0 adds nothing.
    """
    weights = np.broadcast_to(np.asarray(alpha, dtype=np.float64), log_prob.shape)
    return float(weights[weights > 0] @ log_prob[weights > 0])
