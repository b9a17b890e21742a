"""What the features of one sample say for one class against another."""

from __future__ import annotations

from dataclasses import dataclass

from spamnb.features.matrix import Floats, Ints


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the features of one sample say for one class against another.

    Attributes
    ----------
    columns : ndarray of shape (n,)
        The features, those that say nothing left out.
    values : ndarray of shape (n,)
        Their values, as the model sees them.
    nats : ndarray of shape (n,)
        What each adds to the log-odds.
    intercept : float
        The rest of the log-odds.
    """

    columns: Ints
    values: Floats
    nats: Floats
    intercept: float
