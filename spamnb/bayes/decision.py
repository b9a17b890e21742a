"""Decisions of least expected loss, from class probabilities (Bishop, section 1.5)."""

from __future__ import annotations

from numpy.typing import ArrayLike

from spamnb.bayes.checks import numbers
from spamnb.errors import ParameterError
from spamnb.features.matrix import Floats, Ints

REJECT = -1
"""What `least_risk` returns for a rejected sample."""


def least_risk(
    proba: Floats, loss: ArrayLike | None = None, reject_cost: float | None = None
) -> Ints:
    """Return the decision of least expected loss; ties go to the first class.

    Parameters
    ----------
    proba : ndarray of shape (n_samples, n_classes)
        P(class | sample).
    loss : array-like of shape (n_classes, n_classes), optional
        What it costs to decide for the column when the row is true, ≥ 0; by default 1 for every
        mistake, under which the most probable class is decided for.
    reject_cost : float, optional
        What it costs not to decide, in the units of ``loss``; None to decide always.

    Returns
    -------
    ndarray of shape (n_samples,)
        The number of the class, or `REJECT` where every decision is expected to cost more
        than ``reject_cost``.

    Raises
    ------
    ParameterError
    """
    if loss is None:
        risk = 1.0 - proba
    else:
        n_classes = proba.shape[1]
        expected = f"a matrix of {n_classes} × {n_classes} numbers ≥ 0"
        costs = numbers("loss", loss, expected)
        if costs.shape != (n_classes, n_classes):
            raise ParameterError("loss", expected, f"shape {costs.shape}")
        risk = proba @ costs
    best: Ints = risk.argmin(axis=1)
    if reject_cost is not None:
        if numbers("reject_cost", reject_cost, "a number ≥ 0").ndim:
            raise ParameterError("reject_cost", "a number ≥ 0", reject_cost)
        best[risk.min(axis=1) > reject_cost] = REJECT
    return best
