"""`Scores` of ham and spam → `RankingMeasures`: one value of anything for each measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from spamnb.evaluation import measures
from spamnb.evaluation.scores import Scores

T = TypeVar("T")
U = TypeVar("U")

HAM_LOSSES = (0.001, 0.005, 0.01)
"""The shares of lost ham at which the missed spam is reported."""


@dataclass(frozen=True, slots=True)
class RankingMeasures(Generic[T]):
    """One item for each measure of ham against spam.

    The item is the measure itself (float), its interval, its standard deviation over repeats, or
    its values in many resamples.  Measures are shares from 0 to 1, losses are in nats.

    Attributes
    ----------
    one_minus_roca
        The share of (ham, spam) pairs ranked the wrong way.
    spam_missed : dict of float to item
        For each share of ham lost, the share of spam missed.
    ham_error, spam_error
        Ham with P(spam) ≥ 0.5, spam with P(spam) < 0.5.
    lam
        Their logistic average.
    log_loss, brier, ece
        How well calibrated the probabilities are.
    ham_called_spam, spam_not_called_spam
        The two errors of the verdict itself, "unsure" not being spam.
    """

    one_minus_roca: T
    spam_missed: dict[float, T]
    ham_error: T
    spam_error: T
    lam: T
    log_loss: T
    brier: T
    ece: T
    ham_called_spam: T
    spam_not_called_spam: T


def map_measures(function: Callable[..., U], *items: RankingMeasures[Any]) -> RankingMeasures[U]:
    """Return what a function makes of the items of each measure.

    Parameters
    ----------
    function : callable
        Takes one item from each of ``items``.
    *items : RankingMeasures
        At least one.
    """
    made: dict[str, Any] = {}
    for field in fields(RankingMeasures):
        values = [getattr(item, field.name) for item in items]
        if field.name == "spam_missed":
            made[field.name] = {k: function(*(each[k] for each in values)) for k in values[0]}
        else:
            made[field.name] = function(*values)
    return RankingMeasures(**made)


def measure(scores: Scores) -> RankingMeasures[float]:
    """Compute the measures of ham against spam.

    Parameters
    ----------
    scores : Scores
        Of at least one ham and one spam, and of nothing else.
    """
    ham, spam = scores.ham, scores.spam
    is_spam = scores.is_spam
    called_spam = scores.probability >= 0.5
    ham_error = float(called_spam[~is_spam].mean())
    spam_error = float((~called_spam)[is_spam].mean())
    verdict_spam = scores.verdicts == "spam"
    return RankingMeasures(
        one_minus_roca=measures.one_minus_roca(ham, spam),
        spam_missed={loss: measures.spam_missed(ham, spam, loss) for loss in HAM_LOSSES},
        ham_error=ham_error,
        spam_error=spam_error,
        lam=measures.logistic_average(ham_error, spam_error, len(ham), len(spam)),
        log_loss=measures.log_loss(is_spam, scores.probability),
        brier=measures.brier_score(is_spam, scores.probability),
        ece=measures.expected_calibration_error(is_spam, scores.probability),
        ham_called_spam=float(verdict_spam[~is_spam].mean()),
        spam_not_called_spam=float((~verdict_spam)[is_spam].mean()),
    )
