"""Labeled documents → `Scores`: with a trained filter, a split, or cross-validation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from spamnb.bayes.model_selection import stratified_folds
from spamnb.errors import ParameterError, TrainingDataError
from spamnb.evaluation.scores import Scores
from spamnb.filter.documents import Document
from spamnb.filter.spam_filter import SpamFilter
from spamnb.filter.verdict import HAM_OR_SPAM, UNSURE, Verdict
from spamnb.training import UNLABELED, LabeledTokens, TrainingOptions, learn, train_on_tokens

_BATCH = 1_000
_LEARNED = 1.02
_RETRAINED = 1.25
_PASSED = 0.4999  # nobody would lose a mail of which nothing is known


def score(spam_filter: SpamFilter, documents: Iterable[Document]) -> Scores:
    """Score documents with a trained filter.

    Parameters
    ----------
    spam_filter : SpamFilter
        The filter.
    documents : iterable of Document
        Analyzed by the filter's own analyzer; each is needed only once.
    """
    return Scores.collect(
        _judge(spam_filter, iter(documents)),
        spam_filter.is_ham_or_spam,
        spam_filter.decision,
    )


def score_split(
    documents: Sequence[Document], in_training: NDArray[np.bool_], options: TrainingOptions
) -> Scores:
    """Train on some of the documents and score the others.

    Parameters
    ----------
    documents : sequence of Document
        All of them.
    in_training : ndarray of bool, shape (n_documents,)
        Which ones to train on.
    options : TrainingOptions
        How to train.

    Returns
    -------
    Scores
        Of the other documents, in their order.
    """
    trained = _train_on(documents, in_training, options)
    return score(trained, (documents[i] for i in np.flatnonzero(~in_training).tolist()))


def cross_validate(
    documents: Sequence[Document], n_folds: int, options: TrainingOptions, seed: int = 0
) -> Scores:
    """Score each document with a filter that was trained on the other folds.

    Parameters
    ----------
    documents : sequence of Document
        All of them.
    n_folds : int
        The number of folds, ≥ 2.
    options : TrainingOptions
        How to train.
    seed : int
        Seed of the assignment to folds.

    Returns
    -------
    Scores
        Of all documents, in their order.

    Raises
    ------
    ParameterError, TrainingDataError
        When there are fewer mails of a label than folds.
    """
    if n_folds < 2:
        raise ParameterError("cv", "a whole number ≥ 2", n_folds)
    labels = np.array([document.label for document in documents], dtype=np.str_)
    names, counts = np.unique(labels, return_counts=True)
    if len(names) and counts.min() < n_folds:
        fewest = names[counts.argmin()]
        raise TrainingDataError(
            f"{n_folds} folds of {counts.min()} {fewest} mails", "use fewer folds or more mail"
        )
    folds = stratified_folds(labels, n_folds, seed)
    rows: list[tuple[str, str, Verdict] | None] = [None] * len(documents)
    for fold in range(n_folds):
        trained = _train_on(documents, folds != fold, options)
        members = np.flatnonzero(folds == fold).tolist()
        judged = _judge(trained, (documents[i] for i in members))
        for i, row in zip(members, judged, strict=True):
            rows[i] = row
    is_ham_or_spam = tuple(names.tolist()) == HAM_OR_SPAM
    decision = options.make_decision()
    return Scores.collect((row for row in rows if row is not None), is_ham_or_spam, decision)


def cross_validate_repeatedly(
    documents: Sequence[Document],
    n_folds: int,
    n_repeats: int,
    options: TrainingOptions,
    seed: int = 0,
) -> list[Scores]:
    """Cross-validate several times, with new random folds each time.

    The parameters are those of `cross_validate`; repeat ``r`` has the seed ``seed + r``, so that
    several classifiers are given the same folds.

    Parameters
    ----------
    n_repeats : int
        How many times, ≥ 1.

    Returns
    -------
    list of Scores
        One for each repeat, each of all documents in their order.
    """
    return [cross_validate(documents, n_folds, options, seed + r) for r in range(n_repeats)]


def score_online(documents: Sequence[Document], options: TrainingOptions) -> Scores:
    """Score each document with what was learned from those before it (TREC 2005 Spam Track).

    A document counts as learned when 2 % more have come, and the filter is retrained, with its
    calibration and refinement, when 25 % more have: in between only counts are added.  As long as
    one of the labels has not been seen, a document is unsure.

    Parameters
    ----------
    documents : sequence of Document
        In the order in which they came.
    options : TrainingOptions
        How to train.

    Returns
    -------
    Scores
        Of all documents, in their order.
    """
    labels = {document.label for document in documents}
    unknown = Verdict(UNSURE, _PASSED, 0.0, "nothing was learned so far")
    spam_filter: SpamFilter | None = None
    seen: set[str] = set()
    n_trained = n_learned = 0
    rows: list[tuple[str, str, Verdict]] = []
    for n, document in enumerate(documents):
        if seen == labels and n >= _RETRAINED * n_trained:
            known = [LabeledTokens(each.label, each.tokens) for each in documents[:n]]
            spam_filter = train_on_tokens(known, labels, options).spam_filter
            n_trained = n_learned = n
        elif spam_filter is not None and n >= _LEARNED * n_learned:
            new = [LabeledTokens(each.label, each.tokens) for each in documents[n_learned:n]]
            spam_filter = learn(spam_filter, new)
            n_learned = n
        verdict = spam_filter.judge([document.tokens])[0] if spam_filter else unknown
        rows.append((document.label, document.source, verdict))
        seen.add(document.label)
    is_ham_or_spam = tuple(sorted(labels)) == HAM_OR_SPAM
    return Scores.collect(rows, is_ham_or_spam, options.make_decision())


def first_part(labels: Sequence[str], fraction: float, is_sequence: bool) -> NDArray[np.bool_]:
    """Return which documents are the training part of a split.

    Parameters
    ----------
    labels : sequence of str
        The labels of all documents, in their order.
    fraction : float
        The share to train on, between 0 and 1.
    is_sequence : bool
        True to take the first part of the whole, as an index orders it; False to take the first
        part of each label.

    Returns
    -------
    ndarray of bool, shape (n_documents,)

    Raises
    ------
    ParameterError
        When the fraction is not between 0 and 1.
    """
    if not 0 < fraction < 1:
        raise ParameterError("split", "a number between 0 and 1", fraction)
    if is_sequence:
        return np.arange(len(labels)) < int(len(labels) * fraction + 1e-9)
    chosen = np.zeros(len(labels), dtype=np.bool_)
    for label in set(labels):
        members = np.flatnonzero(np.array(labels) == label)
        chosen[members[: int(len(members) * fraction + 1e-9)]] = True
    return chosen


def hide_labels(
    documents: Sequence[Document], in_training: NDArray[np.bool_], share: float, seed: int = 0
) -> list[Document]:
    """Return the documents, most of those in training without their labels.

    Parameters
    ----------
    documents : sequence of Document
        All of them.
    in_training : ndarray of bool, shape (n_documents,)
        Which ones are trained on.
    share : float
        How many of each label keep it, at least one.
    seed : int
        Seed of the random choice.
    """
    rng = np.random.default_rng(seed)
    labels = np.array([document.label for document in documents], dtype=np.str_)
    hidden = list(documents)
    for label in np.unique(labels).tolist():
        members = rng.permutation(np.flatnonzero(in_training & (labels == label)))
        n_kept = max(1, round(share * len(members)))
        for i in members[n_kept:].tolist():
            hidden[i] = documents[i]._replace(label=UNLABELED)
    return hidden


def _train_on(
    documents: Sequence[Document], chosen: NDArray[np.bool_], options: TrainingOptions
) -> SpamFilter:
    part = [documents[i] for i in np.flatnonzero(chosen).tolist()]
    if options.semi is None:
        part = [document for document in part if document.label != UNLABELED]
    labels = {document.label for document in documents}
    return train_on_tokens(
        (LabeledTokens(document.label, document.tokens) for document in part), labels, options
    ).spam_filter


def _judge(
    spam_filter: SpamFilter, documents: Iterator[Document]
) -> Iterator[tuple[str, str, Verdict]]:
    while batch := list(islice(documents, _BATCH)):
        verdicts = spam_filter.judge([document.tokens for document in batch])
        for document, verdict in zip(batch, verdicts, strict=True):
            yield document.label, document.source, verdict
