"""`Scores` → `Report`: everything that ``spamnb evaluate`` shows, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spamnb.evaluation import measures
from spamnb.evaluation.scores import Scores
from spamnb.spam_filter import UNSURE

HAM_LOSSES = (0.001, 0.005, 0.01)
"""The shares of lost ham at which the missed spam is reported."""


@dataclass(frozen=True, slots=True)
class LabelReport:
    """How well one label is found.

    Attributes
    ----------
    n : int
        Mails of the label.
    precision : float
        The share of the mails called so that are so; NaN where none is called so.
    recall : float
        The share of the mails that are so that are called so.
    f1 : float
        Their harmonic mean.
    """

    n: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class RankingReport:
    """The measures of ham against spam; all shares from 0 to 1, losses in nats.

    Attributes
    ----------
    one_minus_roca : float
        The share of (ham, spam) pairs ranked the wrong way.
    spam_missed : dict of float to float
        For each share of ham lost, the share of spam missed.
    ham_error, spam_error : float
        Ham with P(spam) ≥ 0.5, spam with P(spam) < 0.5.
    lam : float
        Their logistic average.
    log_loss, brier, ece : float
        How far the probabilities can be believed.
    ham_called_spam, spam_not_called_spam : float
        The two errors of the verdict itself, "unsure" not being spam.
    """

    one_minus_roca: float
    spam_missed: dict[float, float]
    ham_error: float
    spam_error: float
    lam: float
    log_loss: float
    brier: float
    ece: float
    ham_called_spam: float
    spam_not_called_spam: float


@dataclass(frozen=True, slots=True)
class Report:
    """The measures of one filter on labelled mail.

    Attributes
    ----------
    name : str
        What was evaluated.
    labels, verdicts : tuple of str
        The rows and columns of the confusion matrix.
    confusion : tuple of tuple of int
        How many mails of each label got each verdict.
    per_label : dict of str to LabelReport
        Precision, recall and F1.
    ranking : RankingReport or None
        None when the labels or those of the filter are not ham and spam.
    """

    name: str
    labels: tuple[str, ...]
    verdicts: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    per_label: dict[str, LabelReport]
    ranking: RankingReport | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        data: dict[str, Any] = _without_nan(asdict(self))
        return data


def report(name: str, scores: Scores) -> Report:
    """Compute all measures of one filter.

    Parameters
    ----------
    name : str
        What was evaluated.
    scores : Scores
        Labels and verdicts, at least one.

    Returns
    -------
    Report
    """
    labels = tuple(str(label) for label in np.unique(scores.labels))
    said = {str(verdict) for verdict in np.unique(scores.verdicts)}
    verdicts = (*sorted({*labels, *said} - {UNSURE}), UNSURE)
    confusion = measures.confusion_matrix(scores.labels, scores.verdicts, labels, verdicts)
    per_label = {}
    for row, label in enumerate(labels):
        right = int(confusion[row, verdicts.index(label)])
        called = int(confusion[:, verdicts.index(label)].sum())
        per_label[label] = _label_report(right, called, int(confusion[row].sum()))
    return Report(
        name=name,
        labels=labels,
        verdicts=verdicts,
        confusion=tuple(tuple(map(int, row)) for row in confusion),
        per_label=per_label,
        ranking=_ranking_report(scores) if scores.is_ranking else None,
    )


def _label_report(right: int, called: int, n: int) -> LabelReport:
    precision = right / called if called else float("nan")
    return LabelReport(n, precision, right / n, 2 * right / (called + n))


def _ranking_report(scores: Scores) -> RankingReport:
    ham, spam = scores.ham, scores.spam
    is_spam = scores.labels == "spam"
    called_spam = scores.probability >= 0.5
    ham_error = float(called_spam[~is_spam].mean())
    spam_error = float(1 - called_spam[is_spam].mean())
    verdict_spam = scores.verdicts == "spam"
    return RankingReport(
        one_minus_roca=measures.one_minus_roca(ham, spam),
        spam_missed={loss: measures.spam_missed(ham, spam, loss) for loss in HAM_LOSSES},
        ham_error=ham_error,
        spam_error=spam_error,
        lam=measures.logistic_average(ham_error, spam_error, len(ham), len(spam)),
        log_loss=measures.log_loss(is_spam, scores.probability),
        brier=measures.brier_score(is_spam, scores.probability),
        ece=measures.expected_calibration_error(is_spam, scores.probability),
        ham_called_spam=float(verdict_spam[~is_spam].mean()),
        spam_not_called_spam=float(1 - verdict_spam[is_spam].mean()),
    )


def _without_nan(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _without_nan(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_without_nan(value) for value in data]
    return None if isinstance(data, float) and np.isnan(data) else data
