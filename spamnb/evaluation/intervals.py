"""The uncertainty of the measures: 95 % intervals, each by the method that suits the measure.

The percentile bootstrap is the rule (`spamnb.evaluation.bootstrap`).  It fails where nothing
went wrong: every resample of a perfect result is perfect, and [0, 0] would claim certainty.  So
plain proportions, and what is made of them, get closed forms that know better.
"""

from __future__ import annotations

from math import inf, isinf, sqrt
from typing import NamedTuple

import numpy as np

from spamnb.evaluation import measures
from spamnb.evaluation.ranking import RankingMeasures
from spamnb.features.matrix import Floats

LEVEL = 0.95
"""The confidence level of the intervals."""

_Z = 1.959963984540054  # of the normal distribution, for the level
_BISECTIONS = 60


class Interval(NamedTuple):
    """Where the true value is, at a confidence of 95 %."""

    low: float
    high: float


def intervals(
    values: RankingMeasures[float], resampled: RankingMeasures[Floats], n_ham: int, n_spam: int
) -> RankingMeasures[Interval]:
    """Return the interval of each measure; it always contains the measure itself.

    Parameters
    ----------
    values : RankingMeasures of float
        The measures.
    resampled : RankingMeasures of ndarray of shape (n_resamples,)
        The same in resamples of the mails.
    n_ham, n_spam : int
        The number of mails.

    Notes
    -----
    1-ROCA
        Percentiles; where all resamples agree, Newcombe's method 5 (`newcombe`).
    log loss, Brier
        Percentiles.
    ECE
        A sum of absolute noise, so resamples, with the noise twice in them, are biased upwards
        (Kumar, Liang and Ma, NeurIPS 2019).  The low end is the pivotal one, which takes the bias
        back; the high end is the percentile, which is the cautious one.
    errors of the verdict and at P = 0.5
        Wilson's score interval (`wilson`).
    spam missed
        Percentiles, and at least Wilson's interval: a threshold that depends on the
        few highest-scoring ham adds to the uncertainty of a proportion, and takes nothing away.
    lam
        From Wilson's intervals of its two errors (`logistic_average_interval`).
    """
    ranking = percentile(resampled.one_minus_roca)
    if ranking.low == ranking.high:
        ranking = newcombe(values.one_minus_roca, n_ham, n_spam)
    missed = {
        loss: _hull(percentile(resampled.spam_missed[loss]), wilson(value, n_spam))
        for loss, value in values.spam_missed.items()
    }
    high = percentile(resampled.ece).high
    return RankingMeasures(
        one_minus_roca=_around(values.one_minus_roca, ranking),
        spam_missed={loss: _around(values.spam_missed[loss], it) for loss, it in missed.items()},
        ham_error=wilson(values.ham_error, n_ham),
        spam_error=wilson(values.spam_error, n_spam),
        lam=_around(
            values.lam,
            logistic_average_interval(values.ham_error, values.spam_error, n_ham, n_spam),
        ),
        log_loss=_around(values.log_loss, percentile(resampled.log_loss)),
        brier=_around(values.brier, percentile(resampled.brier)),
        ece=_around(values.ece, Interval(max(0.0, 2 * values.ece - high), high)),
        ham_called_spam=wilson(values.ham_called_spam, n_ham),
        spam_not_called_spam=wilson(values.spam_not_called_spam, n_spam),
    )


def percentile(resampled: Floats) -> Interval:
    """Return the interval that leaves out 2.5 % of the resamples at each end."""
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return Interval(float(low), float(high))


def wilson(share: float, n: float) -> Interval:
    """Return Wilson's score interval of a proportion.

    Wilson, JASA 22 (1927); recommended by Brown, Cai and DasGupta, Statistical Science 16 (2001).
    For no error in n it ends at z² / (n + z²), near the 3 / n of the rule of three.

    Parameters
    ----------
    share : float
        The proportion, from 0 to 1.
    n : float
        The number of mails that it is a share of; NaN comes out for 0.
    """
    if not n:
        return Interval(float("nan"), float("nan"))
    middle = share + _Z**2 / (2 * n)
    reach = _Z * sqrt(max(0.0, share * (1 - share)) / n + _Z**2 / (4 * n**2))
    low, high = (middle - reach) / (1 + _Z**2 / n), (middle + reach) / (1 + _Z**2 / n)
    return _around(share, Interval(max(0.0, low), min(1.0, high)))


def newcombe(one_minus_roca: float, n_ham: int, n_spam: int) -> Interval:
    """Return the interval of 1-ROCA by Newcombe's method 5.

    Statistics in Medicine 25 (2006), 559-573: the values θ whose distance from the one found is
    at most z standard errors, by the variance of Hanley and McNeil (1982) at θ with both sample
    sizes replaced by their mean.  Unlike resampling, it works where no pair is ranked wrongly.

    Parameters
    ----------
    one_minus_roca : float
        From 0 to 1.
    n_ham, n_spam : int
        The number of mails.
    """
    more = (n_ham + n_spam) / 2 - 1

    def is_possible(theta: float) -> bool:
        pairs = (1 - theta) / (2 - theta) + theta / (1 + theta)
        variance = theta * (1 - theta) * (1 + more * pairs) / (n_ham * n_spam)
        return abs(theta - one_minus_roca) <= _Z * sqrt(max(0.0, variance))

    ends = []
    for end in (0.0, 1.0):
        inside, outside = one_minus_roca, end
        for _ in range(_BISECTIONS):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if is_possible(middle) else (inside, middle)
        ends.append(inside)
    return Interval(*ends)


def logistic_average_interval(
    ham_error: float, spam_error: float, n_ham: int, n_spam: int
) -> Interval:
    """Return the interval of lam, from the intervals of the two errors it is made of.

    Its log-odds are the mean of theirs; the distances of their limits are added as squares, as
    independent errors add up (MOVER: Zou and Donner, Statistics in Medicine 27 (2008), 1693-1702).
    It begins at 0 where one of the errors is 0, since lam can then be arbitrarily small.

    Parameters
    ----------
    ham_error, spam_error : float
        Shares from 0 to 1.
    n_ham, n_spam : int
        The number of mails that they are shares of.
    """
    middle, below, above = 0.0, 0.0, 0.0
    for error, n in ((ham_error, n_ham), (spam_error, n_spam)):
        own = float(measures.error_log_odds(np.array([error]), n)[0])
        low, high = map(_log_odds, wilson(error, n))
        middle += own / 2
        below += ((own - low) / 2) ** 2
        above += ((high - own) / 2) ** 2
    return Interval(_logistic(middle - sqrt(below)), _logistic(middle + sqrt(above)))


def _log_odds(share: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(share) - np.log1p(-share))


def _logistic(log_odds: float) -> float:
    if isinf(log_odds):
        return float(log_odds == inf)
    return float(np.exp(-np.logaddexp(0.0, -log_odds)))


def _hull(one: Interval, other: Interval) -> Interval:
    return Interval(min(one.low, other.low), max(one.high, other.high))


def _around(value: float, interval: Interval) -> Interval:
    """Stretch an interval to the value: rounding, or a handful of mails, can leave it outside."""
    return _hull(interval, Interval(value, value))
