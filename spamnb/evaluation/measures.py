"""The measures of a spam filter, each a pure function of labels and scores.

The filter's errors have very different costs, so ham and spam errors are never added up; the
measures that the TREC Spam Track (Cormack and Lynam, 2005) settled on come first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import Floats, Ints

N_BINS = 15
"""The number of bins of equal width that calibration is measured in."""

_LEAST_PROBABILITY = 1e-15


def one_minus_roca(ham: Floats, spam: Floats) -> float:
    """Return the share of (ham, spam) pairs that are ranked the wrong way; ties count half.

    Parameters
    ----------
    ham, spam : ndarray of shape (n_ham,), (n_spam,)
        Scores, sorted; larger is more spam.

    Returns
    -------
    float
        1 - area under the ROC curve, from 0 to 1.
    """
    not_above = np.searchsorted(ham, spam, side="right")
    ties = not_above - np.searchsorted(ham, spam, side="left")
    inversions = (len(ham) - not_above) + 0.5 * ties
    return float(inversions.sum() / (len(ham) * len(spam)))


def spam_missed(ham: Floats, spam: Floats, ham_loss: float) -> float:
    """Return the share of spam missed at the threshold that loses at most a share of the ham.

    Parameters
    ----------
    ham, spam : ndarray of shape (n_ham,), (n_spam,)
        Scores, sorted; larger is more spam.
    ham_loss : float
        The share of ham that may be lost, from 0 to 1.
    """
    kept = len(ham) - ham_lost(len(ham), ham_loss)
    if not kept:
        return 0.0
    threshold = ham[kept - 1]
    return float(np.searchsorted(spam, threshold, side="right") / len(spam))


def ham_lost(n_ham: int, ham_loss: float) -> int:
    """Return how many mails a share of the ham is at most; a whole number is not rounded down."""
    return int(n_ham * ham_loss + 1e-9)


def logistic_average(ham_error: float, spam_error: float, n_ham: int, n_spam: int) -> float:
    """Return lam, the logistic average of the two errors (TREC 2005 Spam Track, section 3).

    An error of 0 or 1 counts as half a mail, so that the logarithm exists.

    Parameters
    ----------
    ham_error, spam_error : float
        Shares from 0 to 1.
    n_ham, n_spam : int
        The number of mails that they are shares of.
    """
    errors = np.array([ham_error]), np.array([spam_error])
    return float(logistic_averages(*errors, n_ham, n_spam)[0])


def logistic_averages(ham_error: Floats, spam_error: Floats, n_ham: int, n_spam: int) -> Floats:
    """Return what `logistic_average` does for each of many pairs of errors."""
    log_odds = (error_log_odds(ham_error, n_ham) + error_log_odds(spam_error, n_spam)) / 2
    return np.asarray(1 / (1 + np.exp(-log_odds)))


def error_log_odds(error: Floats, n_mails: int) -> Floats:
    """Return the log-odds of shares of some mails, 0 and 1 counting as half a mail."""
    share = np.clip(error, 0.5 / n_mails, 1 - 0.5 / n_mails)
    return np.asarray(np.log(share / (1 - share)))


def log_loss(is_spam: NDArray[np.bool_], probability: Floats) -> float:
    """Return the mean of -log P(true label), in nats; P is kept 1e-15 away from 0 and 1."""
    return float(log_losses(is_spam, probability).mean())


def log_losses(is_spam: NDArray[np.bool_], probability: Floats) -> Floats:
    """Return the terms of `log_loss`, one for each mail."""
    p = np.clip(probability, _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    return np.asarray(-np.log(np.where(is_spam, p, 1 - p)))


def brier_score(is_spam: NDArray[np.bool_], probability: Floats) -> float:
    """Return the mean squared difference between P(spam) and the truth (Brier, 1950)."""
    return float(np.square(probability - is_spam).mean())


def expected_calibration_error(is_spam: NDArray[np.bool_], probability: Floats) -> float:
    """Return the mean gap between P(spam) and the share of spam, over 15 bins of equal width.

    Naeini, Cooper and Hauskrecht, AAAI 2015; the bins are weighted by their number of mails.
    """
    gaps = np.bincount(bin_of(probability), probability - is_spam, minlength=N_BINS)
    return float(np.abs(gaps).sum() / len(probability))


def bin_of(probability: Floats) -> Ints:
    """Return the calibration bin of each probability; the last one includes 1."""
    return np.minimum((probability * N_BINS).astype(np.int64), N_BINS - 1)


def confusion_matrix(
    labels: NDArray[np.str_],
    verdicts: NDArray[np.str_],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
) -> NDArray[np.int64]:
    """Return how many mails of each label (row) got each verdict (column)."""
    return np.array(
        [[np.sum((labels == row) & (verdicts == column)) for column in columns] for row in rows]
    )
