"""`Scores` → `Report`: everything that ``spamnb evaluate`` shows, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from spamnb.evaluation import measures
from spamnb.evaluation.bootstrap import bootstrap
from spamnb.evaluation.comparison import Comparison, compare
from spamnb.evaluation.intervals import Interval, intervals
from spamnb.evaluation.online import OnlineCurve
from spamnb.evaluation.ranking import RankingMeasures, map_measures, measure
from spamnb.evaluation.scores import Scores
from spamnb.evaluation.tables import ReliabilityBin, ThresholdRow, reliability, thresholds
from spamnb.features.matrix import Floats
from spamnb.filter.verdict import UNSURE

N_RESAMPLES = 1_000
"""How many resamples of the mails the intervals are made of."""


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
class Report:
    """The measures of one filter on labeled mail.

    What only ham and spam have is None, or empty, for other labels, and so are the intervals of
    a report without resamples.

    Attributes
    ----------
    name : str
        What was evaluated.
    labels, verdicts : tuple of str
        The rows and columns of the confusion matrix.
    confusion : tuple of tuple of int
        How many mails of each label got each verdict, in all repeats together.
    per_label : dict of str to LabelReport
        Precision, recall and F1.
    ranking : RankingMeasures of float, optional
        The measures of ham against spam, the mean over the repeats.
    intervals : RankingMeasures of Interval, optional
        Their 95 % intervals: what other mail of the same kind could have given.
    n_resamples : int
        How many resamples of the mails they are made of.
    n_repeats : int
        How often each mail was scored.
    deviations : RankingMeasures of float, optional
        Their standard deviations over the repeats, from two repeats on: what other folds of the
        same mail could have given.
    reliability : tuple of ReliabilityBin
        How often mail of each P(spam) is spam, in all repeats together.
    thresholds : tuple of ThresholdRow
        What each threshold costs, in all repeats together.
    comparison : Comparison, optional
        With the first of several filters.
    learning : OnlineCurve, optional
        How the errors fell, where each mail was scored before it was learned.
    """

    name: str
    labels: tuple[str, ...]
    verdicts: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    per_label: dict[str, LabelReport]
    ranking: RankingMeasures[float] | None
    intervals: RankingMeasures[Interval] | None = None
    n_resamples: int = 0
    n_repeats: int = 1
    deviations: RankingMeasures[float] | None = None
    reliability: tuple[ReliabilityBin, ...] = ()
    thresholds: tuple[ThresholdRow, ...] = ()
    comparison: Comparison | None = None
    learning: OnlineCurve | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        learning = None if self.learning is None else self.learning.to_dict()
        data: dict[str, Any] = _without_nan(asdict(replace(self, learning=None)))
        return {**data, "learning": learning}


def report(name: str, scores: Scores, n_resamples: int = N_RESAMPLES, seed: int = 0) -> Report:
    """Compute all measures of one filter; see `reports`."""
    return reports({name: [scores]}, n_resamples, seed)[0]


def reports(
    results: Mapping[str, Sequence[Scores]], n_resamples: int = N_RESAMPLES, seed: int = 0
) -> list[Report]:
    """Compute all measures of filters, and compare them with the first.

    Parameters
    ----------
    results : mapping of str to sequence of Scores
        For each filter, by its name, labels and verdicts: those of each repeat.  All are of the
        same mails in the same order, at least one.
    n_resamples : int
        How many resamples of the mails the intervals and comparisons are made of; 0 for none.
    seed : int
        For the resampling.

    Raises
    ------
    ParameterError
        When the mails are not the same for all filters.
    """
    made = [_report(name, runs) for name, runs in results.items()]
    if n_resamples and all(item.ranking is not None for item in made):
        resampled = bootstrap(list(results.values()), n_resamples, seed)
        n_spam = made[0].per_label["spam"].n // made[0].n_repeats
        n_ham = made[0].per_label["ham"].n // made[0].n_repeats
        made = [
            _with_intervals(made[0], item, (own, resampled[0]), n_ham, n_spam)
            for item, own in zip(made, resampled, strict=True)
        ]
    return made


def with_learning_curve(item: Report, scores: Scores) -> Report:
    """Return the report of an online run with its learning curve, if its labels have one."""
    if not scores.is_ranking:
        return item
    curve = OnlineCurve.from_scores(scores.labels, scores.log_odds, scores.probability)
    return replace(item, learning=curve)


def _report(name: str, runs: Sequence[Scores]) -> Report:
    scores = Scores.pool(runs)
    labels = tuple(str(label) for label in np.unique(scores.labels))
    said = {str(verdict) for verdict in np.unique(scores.verdicts)}
    verdicts = (*sorted({*labels, *said} - {UNSURE}), UNSURE)
    confusion = measures.confusion_matrix(scores.labels, scores.verdicts, labels, verdicts)
    per_label = {}
    for row, label in enumerate(labels):
        right = int(confusion[row, verdicts.index(label)])
        called = int(confusion[:, verdicts.index(label)].sum())
        per_label[label] = _label_report(right, called, int(confusion[row].sum()))
    plain = Report(
        name=name,
        labels=labels,
        verdicts=verdicts,
        confusion=tuple(tuple(map(int, row)) for row in confusion),
        per_label=per_label,
        ranking=None,
        n_repeats=len(runs),
    )
    if not scores.is_ranking:
        return plain
    rankings = [measure(run) for run in runs]
    return replace(
        plain,
        ranking=map_measures(lambda *values: sum(values) / len(values), *rankings),
        deviations=map_measures(_deviation, *rankings) if len(runs) > 1 else None,
        reliability=reliability(scores, len(runs)),
        thresholds=thresholds(scores),
    )


def _with_intervals(
    first: Report,
    item: Report,
    resampled: tuple[RankingMeasures[Floats], RankingMeasures[Floats]],
    n_ham: int,
    n_spam: int,
) -> Report:
    """Return a report with what its resamples, and those of the first report, tell."""
    assert first.ranking is not None
    assert item.ranking is not None
    comparison = None
    if item is not first:
        comparison = compare(first.name, (item.ranking, first.ranking), resampled)
    own = intervals(item.ranking, resampled[0], n_ham, n_spam)
    return replace(
        item,
        intervals=own,
        n_resamples=len(resampled[0].log_loss),
        comparison=comparison,
    )


def _deviation(*values: float) -> float:
    return float(np.std(values, ddof=1))


def _label_report(right: int, called: int, n: int) -> LabelReport:
    precision = right / called if called else float("nan")
    return LabelReport(n, precision, right / n, 2 * right / (called + n))


def _without_nan(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _without_nan(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_without_nan(value) for value in data]
    return None if isinstance(data, float) and np.isnan(data) else data
