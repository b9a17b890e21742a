"""`Scores` → the measures in many resamples of the mails, stratified by label.

A resample is a whole-number weight for each mail: how often it was drawn.  Nothing is copied or
re-sorted; 1-ROCA is a sum over the running sums of the weights of the sorted scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spamnb.errors import ParameterError
from spamnb.evaluation import measures
from spamnb.evaluation.ranking import HAM_LOSSES, RankingMeasures, map_measures
from spamnb.evaluation.scores import Scores
from spamnb.features.matrix import Floats, Ints

_WEIGHTS_AT_ONCE = 1_000_000  # 8 MB of them: more is slower, for it leaves the cache


def bootstrap(
    filters: Sequence[Sequence[Scores]], n_resamples: int, seed: int = 0
) -> list[RankingMeasures[Floats]]:
    """Measure filters on resamples of the mails, the same resamples for all of them.

    The resampling is stratified: as many ham and as many spam are drawn, with replacement, as
    there are (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and 13).
    The order in which the mails come makes no difference.

    Parameters
    ----------
    filters : sequence of sequence of Scores
        For each filter one or more runs, as of repeated cross-validation; all of the same mails
        in the same order, ham and spam.  A filter's measure is the mean over its runs: repeats
        are not more mail.
    n_resamples : int
        How many resamples, ≥ 1.
    seed : int
        Seed of the resampling.

    Returns
    -------
    list of RankingMeasures
        For each filter the values in each resample, arrays of shape (n_resamples,).

    Raises
    ------
    ParameterError
        When the mails are not the same for all.
    """
    runs = [run for own in filters for run in own]
    for run in runs[1:]:
        if not np.array_equal(run.labels, runs[0].labels):
            raise ParameterError("scores", "of the same mails in the same order", "others")
    ham_rows, spam_rows = (_canonical_order(runs, is_spam) for is_spam in (False, True))
    weighables = [[_WeighableScores(run, ham_rows, spam_rows) for run in own] for own in filters]
    pieces: list[list[RankingMeasures[Floats]]] = [[] for _ in filters]
    for ham_weights, spam_weights in _draw(len(ham_rows), len(spam_rows), n_resamples, seed):
        for own, piece in zip(weighables, pieces, strict=True):
            measured = [weighable.measure(ham_weights, spam_weights) for weighable in own]
            piece.append(map_measures(lambda *values: sum(values) / len(values), *measured))
    return [map_measures(lambda *parts: np.concatenate(parts), *piece) for piece in pieces]


def _canonical_order(runs: Sequence[Scores], is_spam: bool) -> Ints:
    """Return the rows of one label, ordered by their scores, those of the first run first."""
    rows = np.flatnonzero(runs[0].is_spam == is_spam)
    keys = [
        key[rows] for run in runs for key in (run.log_odds, run.probability, run.verdicts == "spam")
    ]
    return np.asarray(rows[np.lexsort(keys[::-1])])


def _draw(n_ham: int, n_spam: int, n_resamples: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield the weights of some resamples at a time: (n_some, n_ham) and (n_some, n_spam)."""
    ham_rng, spam_rng = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
    at_once = max(1, _WEIGHTS_AT_ONCE // (n_ham + n_spam))
    for start in range(0, n_resamples, at_once):
        n = min(at_once, n_resamples - start)
        yield _weights(ham_rng, n, n_ham), _weights(spam_rng, n, n_spam)


def _weights(rng: np.random.Generator, n_resamples: int, n_mails: int) -> Floats:
    drawn = rng.integers(n_mails, size=(n_resamples, n_mails))
    drawn += n_mails * np.arange(n_resamples)[:, np.newaxis]
    counts = np.bincount(drawn.ravel(), minlength=n_resamples * n_mails)
    return counts.reshape(n_resamples, n_mails).astype(np.float64)


class _WeighableScores:
    """The scores of one run, ready to be measured with weights.

    Parameters
    ----------
    scores : Scores
        Of ham and spam.
    ham_rows, spam_rows : ndarray of shape (n_ham,), (n_spam,)
        The rows that the weights are for.
    """

    def __init__(self, scores: Scores, ham_rows: Ints, spam_rows: Ints) -> None:
        self.n_ham, self.n_spam = len(ham_rows), len(spam_rows)
        self.ham_terms = _terms(scores, ham_rows)
        self.spam_terms = _terms(scores, spam_rows)
        ham, spam = scores.log_odds[ham_rows], scores.log_odds[spam_rows]
        self.ham_order = np.argsort(ham, kind="stable")
        self.spam_order = np.argsort(spam, kind="stable")
        ham, spam = ham[self.ham_order], spam[self.spam_order]
        self.ham_below = np.searchsorted(ham, spam, side="left")
        self.ham_not_above = np.searchsorted(ham, spam, side="right")
        self.spam_not_above = np.searchsorted(spam, ham, side="right")

    def measure(self, ham_weights: Floats, spam_weights: Floats) -> RankingMeasures[Floats]:
        """Return the measures for each row of the weights."""
        n_ham, n_spam, n = self.n_ham, self.n_spam, self.n_ham + self.n_spam
        of_ham, of_spam = ham_weights @ self.ham_terms, spam_weights @ self.spam_terms
        ham_error, spam_error = of_ham[:, 0] / n_ham, 1 - of_spam[:, 0] / n_spam
        of_all = (of_ham + of_spam) / n
        ham_sums = _running_sums(ham_weights, self.ham_order)
        spam_sums = _running_sums(spam_weights, self.spam_order)
        # Each spam, with the ham not above it and the ham below: the mean counts ties as half.
        ranked_right = ham_sums[:, self.ham_below] + ham_sums[:, self.ham_not_above]
        ranked_right *= spam_weights[:, self.spam_order]
        return RankingMeasures(
            one_minus_roca=1 - ranked_right.sum(axis=1) / (2 * n_ham * n_spam),
            spam_missed={loss: self._spam_missed(ham_sums, spam_sums, loss) for loss in HAM_LOSSES},
            ham_error=ham_error,
            spam_error=spam_error,
            lam=measures.logistic_averages(ham_error, spam_error, n_ham, n_spam),
            log_loss=of_all[:, 2],
            brier=of_all[:, 3],
            ece=np.abs(of_all[:, 4:]).sum(axis=1),
            ham_called_spam=of_ham[:, 1] / n_ham,
            spam_not_called_spam=1 - of_spam[:, 1] / n_spam,
        )

    def _spam_missed(self, ham_sums: Floats, spam_sums: Floats, ham_loss: float) -> Floats:
        kept = self.n_ham - measures.ham_lost(self.n_ham, ham_loss)
        # The threshold is the score of the first ham with which enough are kept.
        threshold = (ham_sums[:, 1:] < kept).sum(axis=1)
        missed = spam_sums[np.arange(len(spam_sums)), self.spam_not_above[threshold]]
        return np.asarray(missed / self.n_spam)


def _terms(scores: Scores, rows: Ints) -> Floats:
    """Return what each mail adds to the sums that the measures are made of.

    The columns: P ≥ 0.5, the verdict spam, log loss, squared error, and the gap of P and the
    truth in each calibration bin.
    """
    is_spam, probability = scores.is_spam[rows], scores.probability[rows]
    gap = probability - is_spam
    terms = np.zeros((len(rows), 4 + measures.N_BINS))
    terms[:, 0] = probability >= 0.5
    terms[:, 1] = scores.verdicts[rows] == "spam"
    terms[:, 2] = measures.log_losses(is_spam, probability)
    terms[:, 3] = np.square(gap)
    terms[np.arange(len(rows)), 4 + measures.bin_of(probability)] = gap
    return terms


def _running_sums(weights: Floats, order: Ints) -> Floats:
    """Return the weight of the first 0, 1, 2, … mails in an order, for each row."""
    sums = np.zeros((len(weights), len(order) + 1))
    np.cumsum(weights[:, order], axis=1, out=sums[:, 1:])
    return sums
