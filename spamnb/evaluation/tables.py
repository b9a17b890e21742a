"""`Scores` → two tables: is P(spam) calibrated, and what does each threshold cost."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

import numpy as np

from spamnb.evaluation import measures
from spamnb.evaluation.intervals import Interval, wilson
from spamnb.evaluation.scores import Scores

COSTS = (1.0, 3.0, 9.0, 19.0, 99.0, 999.0)
"""The costs λ of a lost ham that the threshold table is for; 1, 9 and 999 are those of
Androutsopoulos et al. (SIGIR 2000)."""

_MOST_NATS = 700.0  # e to this power, times any number of mails, is still a number


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The mails whose P(spam) is in one bin.

    Attributes
    ----------
    low, high : float
        The bin's ends, ``low`` ≤ P < ``high``; the last one includes 1.
    n_mails : int
        How many mails.
    mean_probability : float
        Their mean P(spam); NaN where there are none.
    spam_share : float
        The share of them that is spam; NaN where there are none.
    interval : Interval
        Of the share, by Wilson.
    """

    low: float
    high: float
    n_mails: int
    mean_probability: float
    spam_share: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """What comes of calling spam what is spam by the cost of a lost ham, were no mail unsure.

    Attributes
    ----------
    cost : float
        λ: how many times as bad a lost ham is as a passed spam.
    is_own : bool
        Whether this is the filter's own threshold.  Since the filter may call a mail unsure, this λ
        may be greater than its own cost of a lost ham.
    probability : float
        The threshold, λ / (1 + λ).
    ham_lost, spam_passed : int
        How many mails: ham not below the threshold, spam below it.
    ham_lost_share, spam_passed_share : float
        Their shares of the ham and of the spam.
    cost_per_mail : float
        (λ · ham lost + spam passed) / mails, in passed spam.
    """

    cost: float
    is_own: bool
    probability: float
    ham_lost: int
    ham_lost_share: float
    spam_passed: int
    spam_passed_share: float
    cost_per_mail: float


def reliability(scores: Scores, n_repeats: int = 1) -> tuple[ReliabilityBin, ...]:
    """Return the reliability table, over the 15 bins of the expected calibration error.

    Parameters
    ----------
    scores : Scores
        Of ham and spam.
    n_repeats : int
        How often each mail is among them: the interval counts it once.
    """
    bins = measures.bin_of(scores.probability)
    counts = np.bincount(bins, minlength=measures.N_BINS)
    with np.errstate(invalid="ignore"):
        mean = np.bincount(bins, scores.probability, minlength=measures.N_BINS) / counts
        share = np.bincount(bins, scores.is_spam, minlength=measures.N_BINS) / counts
    return tuple(
        ReliabilityBin(
            low=i / measures.N_BINS,
            high=(i + 1) / measures.N_BINS,
            n_mails=int(counts[i]),
            mean_probability=float(mean[i]),
            spam_share=float(share[i]),
            interval=wilson(float(share[i]), float(counts[i]) / n_repeats),
        )
        for i in range(measures.N_BINS)
    )


def thresholds(scores: Scores) -> tuple[ThresholdRow, ...]:
    """Return the threshold table, for `COSTS` and the threshold from which the filter says spam.

    Only P(spam) counts here: the filter's own verdict also is "unsure" on mail of which it knows
    too little.

    Parameters
    ----------
    scores : Scores
        Of ham and spam.
    """
    own = scores.decision.spam_from
    costs = {own: exp(min(own, _MOST_NATS))} | {log(cost): cost for cost in COSTS}
    return tuple(_threshold(scores, at, costs[at]) for at in sorted(costs))


def _threshold(scores: Scores, at: float, cost: float) -> ThresholdRow:
    # By the log-odds, as the filter decides: near 1, P has fewer digits.
    is_called_spam, is_spam = scores.log_odds >= at, scores.is_spam
    ham_lost = int(np.sum(is_called_spam & ~is_spam))
    spam_passed = int(np.sum(~is_called_spam & is_spam))
    n, n_spam = len(is_spam), int(is_spam.sum())
    return ThresholdRow(
        cost=cost,
        is_own=at == scores.decision.spam_from,
        probability=cost / (1 + cost),
        ham_lost=ham_lost,
        ham_lost_share=ham_lost / (n - n_spam),
        spam_passed=spam_passed,
        spam_passed_share=spam_passed / n_spam,
        cost_per_mail=(cost * ham_lost + spam_passed) / n,
    )
