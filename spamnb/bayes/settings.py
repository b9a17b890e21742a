"""What the training options ask of an estimator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Settings(NamedTuple):
    """What the training options ask of an estimator, which uses those that apply to it.

    Attributes
    ----------
    alpha : float, optional
        The smoothing; None for the estimator's own.
    counts : str
        ``binary`` counts a token once per mail, ``frequency`` as often as it occurs.
    features : int, optional
        How many features to choose; None for the estimator's own number.
    parents : mapping of str to str, optional
        On which token each token depends; None for those that the estimator finds.
    discretize : bool
        Whether numbers come as the intervals that they lie in.
    vocabulary : iterable of str
        The tokens that the features stand for.
    """

    alpha: float | None = None
    counts: str = "binary"
    features: int | None = None
    parents: Mapping[str, str] | None = None
    discretize: bool = False
    vocabulary: Iterable[str] = ()
