"""What the options of training ask of an estimator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Settings(NamedTuple):
    """What the options of training ask of an estimator, which heeds what it has a use for.

    Attributes
    ----------
    alpha : float, optional
        The smoothing; None for the estimator's own.
    counts : str
        ``binary`` counts a token once in a mail, ``frequency`` as often as it stands there.
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
