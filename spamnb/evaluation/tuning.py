"""The search for the options that suit a user's own mail, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spamnb.errors import TrainingDataError
from spamnb.evaluation.measures import log_loss
from spamnb.evaluation.report import Report, reports
from spamnb.evaluation.scores import Scores
from spamnb.evaluation.validation import cross_validate
from spamnb.features.matrix import Ints
from spamnb.filter.documents import Document
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.training import TrainingOptions

Reader = Callable[[AnalyzerConfig], Iterable[Document]]
"""Reads and analyzes all mail, always in the same order."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Options that are tried.

    Attributes
    ----------
    arguments : str
        What to give to ``spamnb train`` for them.
    options : TrainingOptions
        The options.
    """

    arguments: str
    options: TrainingOptions


@dataclass(frozen=True, slots=True)
class Tuning:
    """The outcome of a search.

    Attributes
    ----------
    candidates : tuple of Candidate
        What was tried, the best first.
    reports : tuple of Report
        The measures of each, and its comparison with the best.
    n_mails : int
        How many mails were used.
    """

    candidates: tuple[Candidate, ...]
    reports: tuple[Report, ...]
    n_mails: int


def candidates(base: TrainingOptions) -> list[Candidate]:
    """Return what is worth trying.

    Parameters
    ----------
    base : TrainingOptions
        The options that are the same for all: prior, costs, limits.

    Returns
    -------
    list of Candidate
        Those of one analyzer side by side, since analyzing is most of the work.
    """
    full = base.analyzer._replace(preset="full", tokenizer="auto", stop_words=())
    by_characters = full._replace(tokenizer="chars")
    textbook = AnalyzerConfig.textbook()._replace(limits=base.analyzer.limits)
    made = []
    for analyzer, words in (
        (full, ""),
        (by_characters, "--tokenizer chars"),
        (textbook, "--preset textbook"),
    ):
        for classifier, alpha, refine, min_df in _WORTH_TRYING[analyzer.preset]:
            arguments = [words, f"--classifier {classifier}"]
            arguments += [f"--alpha {alpha}"] if alpha is not None else []
            arguments += [f"--refine {refine}"] if refine != "auto" else []
            arguments += [f"--min-df {min_df}"] if min_df > 1 else []
            options = replace(
                base,
                analyzer=analyzer,
                classifier=classifier,
                alpha=alpha,
                refine=refine,
                min_df=min_df,
            )
            made.append(Candidate(" ".join(filter(None, arguments)), options))
    return made


_WORTH_TRYING: dict[str, list[tuple[str, float | str | None, str, int]]] = {
    "full": [
        ("grouped", None, "auto", 1),
        ("grouped", None, "auto", 2),
        ("grouped", 0.03, "auto", 1),
        ("grouped", None, "off", 1),
        ("multinomial", "auto", "off", 1),
    ],
    "textbook": [
        ("multinomial", "auto", "off", 1),
        ("multinomial", "auto", "on", 1),
        ("bernoulli", "auto", "off", 1),
        ("complement", "auto", "off", 1),
    ],
}


def tune(
    read: Reader,
    tried: Sequence[Candidate],
    *,
    n_folds: int = 5,
    most_mails: int = 4_000,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> Tuning:
    """Try candidates by cross-validation; the best has the least log loss.

    The log loss is a proper score of the probabilities, from which every verdict follows, and
    differs from one candidate to the next where counts of errors are equal.  With labels other
    than ham and spam the best has the most mails right.

    Parameters
    ----------
    read : callable
        Reads all mail with one analyzer.
    tried : sequence of Candidate
        At least one.
    n_folds : int
        The number of folds.
    most_mails : int
        The maximum number of mails; of more, a stratified random sample is used, with at least
        ``n_folds`` of each label.
    seed : int
        Seed of the sampling and the folds.
    progress : callable
        Called with what is being tried.

    Raises
    ------
    TrainingDataError
        When there is too little mail.
    """
    scores: dict[str, Scores] = {}
    analyzed: dict[AnalyzerConfig, list[Document]] = {}
    chosen: Ints | None = None
    for candidate in tried:
        config = candidate.options.analyzer
        if config not in analyzed:
            progress("reading the mail")
            documents = list(read(config))
            if chosen is None:
                chosen = _subsample(documents, most_mails, n_folds, seed)
            documents = [documents[i] for i in chosen.tolist()]
            # Where no mail is Chinese, one tokenizer is as good as another.
            analyzed[config] = [] if documents in analyzed.values() else documents
        if analyzed[config]:
            progress(candidate.arguments)
            scores[candidate.arguments] = cross_validate(
                analyzed[config], n_folds, candidate.options, seed
            )
    if not scores:
        raise TrainingDataError("no labeled mail was found", "check the paths")
    order = [candidate for candidate in tried if candidate.arguments in scores]
    order.sort(key=lambda candidate: _loss(scores[candidate.arguments]))
    ranked = {candidate.arguments: [scores[candidate.arguments]] for candidate in order}
    n_mails = len(next(iter(scores.values())).labels)
    return Tuning(tuple(order), tuple(reports(ranked, seed=seed)), n_mails)


def _subsample(documents: Sequence[Document], most: int, least: int, seed: int) -> Ints:
    """Return the places of the documents to use, in their order: of each label ``least``."""
    if len(documents) <= most:
        return np.arange(len(documents))
    labels = np.array([document.label for document in documents], dtype=np.str_)
    rng = np.random.default_rng(seed)
    chosen = []
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        n = max(least, round(len(members) * most / len(documents)))
        chosen.append(rng.permutation(members)[:n])
    return np.sort(np.concatenate(chosen))


def _loss(scores: Scores) -> float:
    if not scores.is_ranking:
        return float(-np.mean(scores.labels == scores.verdicts))
    return log_loss(scores.is_spam, scores.probability)
