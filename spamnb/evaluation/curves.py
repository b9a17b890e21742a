"""`Scores` → the lines and bars of the pictures, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spamnb.evaluation.scores import Scores
from spamnb.features.matrix import Floats, Ints

_N_BINS = 60


@dataclass(frozen=True)
class Histogram:
    """How many mails have which log-odds.

    Attributes
    ----------
    edges : ndarray of shape (n_bins + 1,)
        The bins' ends, in nats.
    ham, spam : ndarray of shape (n_bins,)
        The mails in each bin.
    is_cut : bool
        Whether the end bins include mails beyond the edges.
    """

    edges: Floats
    ham: Ints
    spam: Ints
    is_cut: bool


def roc(scores: Scores) -> tuple[Ints, Ints]:
    """Return the corners of the ROC curve: ham lost and spam missed, as numbers of mails.

    The first is the threshold below all scores, which loses all ham and misses no spam.
    """
    ham, spam = scores.ham, scores.spam
    at = np.unique(np.concatenate([ham, spam]))
    lost = np.concatenate([[len(ham)], len(ham) - np.searchsorted(ham, at, side="right")])
    missed = np.concatenate([[0], np.searchsorted(spam, at, side="right")])
    # Between two corners the curve is straight: what lies there need not be drawn.
    straight = np.zeros(len(lost), dtype=np.bool_)
    straight[1:-1] = (lost[:-2] == lost[2:]) | (missed[:-2] == missed[2:])
    return lost[~straight], missed[~straight]


def errors_by_cost(scores: Scores, costs: Floats) -> tuple[Ints, Ints]:
    """Return the ham lost and the spam passed when spam is said by each cost, in mails."""
    at = np.log(costs)
    lost = len(scores.ham) - np.searchsorted(scores.ham, at, side="left")
    return lost, np.searchsorted(scores.spam, at, side="left")


def histogram(scores: Scores) -> Histogram:
    """Return how the log-odds of ham and spam are spread.

    The bins reach from the lowest 1 % to the highest 99 % of either label, and over -1 to 1.  What
    is beyond goes into the bins at the ends, so that a few mails of huge log-odds do not squeeze
    the rest.
    """
    odds = scores.log_odds
    ends = [-1.0, 1.0]
    for own in (scores.ham, scores.spam):
        finite = own[np.isfinite(own)]
        if len(finite):
            ends += np.quantile(finite, [0.01, 0.99]).tolist()
    edges = np.linspace(min(ends), max(ends), _N_BINS + 1)
    inside = np.clip(odds, edges[0], edges[-1])
    ham, spam = (
        np.histogram(inside[scores.is_spam == is_spam], edges)[0] for is_spam in (False, True)
    )
    return Histogram(edges, ham, spam, bool(np.any(inside != odds)))
