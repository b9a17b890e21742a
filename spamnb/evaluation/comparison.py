"""One filter against another on the same mails: differences with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

from spamnb.evaluation.intervals import Interval, percentile
from spamnb.evaluation.ranking import RankingMeasures
from spamnb.features.matrix import Floats

COMPARED = ("one_minus_roca", "log_loss", "lam")
"""The measures that filters are compared by: ranking, probability, and the errors at P = 0.5."""


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much a measure is larger than that of the other filter.

    Attributes
    ----------
    value : float
        The difference; less than 0 is better, for all measures here are errors.
    interval : Interval
        Its 95 % interval.
    verdict : str
        ``better``, ``worse``, or ``no difference shown`` when the interval contains 0.
    """

    value: float
    interval: Interval
    verdict: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a filter compares with another.

    Attributes
    ----------
    against : str
        The name of the other filter.
    differences : dict of str to Difference
        For each measure of `COMPARED`.
    """

    against: str
    differences: dict[str, Difference]


def compare(
    against: str,
    values: tuple[RankingMeasures[float], RankingMeasures[float]],
    resampled: tuple[RankingMeasures[Floats], RankingMeasures[Floats]],
) -> Comparison:
    """Compare a filter with another by the paired bootstrap.

    Both are measured on the same resamples, so that what makes a resample hard for both does not
    count as a difference (Efron and Tibshirani 1993, chapter 13; Berg-Kirkpatrick, Burkett and
    Klein, EMNLP 2012).  There is no correction for multiple comparisons:
    of twenty comparisons of equal filters, one is expected to exclude 0.

    Parameters
    ----------
    against : str
        The name of the other filter.
    values : pair of RankingMeasures of float
        The measures of the filter and of the other one.
    resampled : pair of RankingMeasures of ndarray of shape (n_resamples,)
        The same in the same resamples.
    """
    differences = {}
    for name in COMPARED:
        own, other = (getattr(item, name) for item in values)
        own_resampled, other_resampled = (getattr(item, name) for item in resampled)
        interval = percentile(own_resampled - other_resampled)
        differences[name] = Difference(own - other, interval, _verdict(interval))
    return Comparison(against, differences)


def _verdict(interval: Interval) -> str:
    if interval.high < 0:
        return "better"
    return "worse" if interval.low > 0 else "no difference shown"
