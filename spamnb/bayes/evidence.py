"""How much the features of one sample speak for one class against another."""

from __future__ import annotations

from dataclasses import dataclass

from spamnb.features.matrix import Floats, Ints


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much the features of one sample speak for one class against another.

    Attributes
    ----------
    columns : ndarray of shape (n,)
        The features, without those that add nothing.
    values : ndarray of shape (n,)
        Their values, as the model sees them.
    nats : ndarray of shape (n,)
        What each feature adds to the log-odds.
    intercept : float
        The rest of the log-odds.
    """

    columns: Ints
    values: Floats
    nats: Floats
    intercept: float
