"""What the classifiers read of the mails, gathered batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from spamnb.bayes.description import Kind
from spamnb.features.blocks import CountBlocks, whole
from spamnb.features.collector import CountCollector, Forgotten
from spamnb.features.matrix import CountMatrix, Ints
from spamnb.features.packed import PackedTokens
from spamnb.features.value_vectorizers import (
    BinVectorizer,
    FactVectorizer,
    NumberVectorizer,
    ValueVectorizer,
)
from spamnb.features.vectorizer import CountVectorizer, JoinedVectorizer, Vectorizer, parts_of
from spamnb.text.values import FACT, STATISTIC, values_of
from spamnb.training.memory import Shares
from spamnb.training.options import TrainingOptions

# 5-fold cross-validation on the first half of the SpamAssassin corpus, 1-ROCA for 5, 10, 20, 40,
# 80, 160: 3.5, 2.8, 2.3, 1.7, 1.59, 1.60 % (2026-11).
_N_BINS = 80


class Read(NamedTuple):
    """All mails as one view, or all views, sees them.

    Attributes
    ----------
    vectorizer : Vectorizer
        Reads other mails the same way.
    X : CountMatrix or CountBlocks, of shape (n_mails, n_columns)
        The mails.
    n_seen : int
        How many columns there were before pruning; one that was forgotten and came back counts
        twice.
    forgotten : Forgotten, optional
        What was forgotten, if that was necessary.
    """

    vectorizer: Vectorizer
    X: CountMatrix | CountBlocks
    n_seen: int
    forgotten: Forgotten | None = None

    @property
    def widths(self) -> list[int]:
        """How many columns each view has."""
        return [len(part) for part in parts_of(self.vectorizer)]

    @classmethod
    def join(cls, views: Sequence[Read]) -> Read:
        """Return several views side by side."""
        if len(views) == 1:
            return views[0]
        return cls(
            JoinedVectorizer([view.vectorizer for view in views]),
            CountMatrix.hstack([whole(view.X) for view in views]),
            sum(view.n_seen for view in views),
            next((view.forgotten for view in views if view.forgotten), None),
        )


class Collector(Protocol):
    """Gathers what one view sees of the mails."""

    def add(self, documents: Iterable[Iterable[str]]) -> None:
        """Take in the tokens of some mails."""

    def finish(self) -> Read:
        """Return all mails."""


def make_collectors(options: TrainingOptions) -> list[Collector]:
    """Return a collector for each classifier of the options."""
    return [
        _WordCollector(options) if kind == "words" else _ValueCollector(kind, options.discretize)
        for kind in options.reads
    ]


class _WordCollector:
    def __init__(self, options: TrainingOptions) -> None:
        self._options = options
        share = Shares.of(options.max_memory)
        self._counts = CountCollector(share.tokens, share.bytes_of_counts)

    def add(self, documents: Iterable[Iterable[str]]) -> None:
        self._counts.add(documents)

    def finish(self) -> Read:
        packed = self._counts.vocabulary.packed()
        others = [packed.starting_with(beginning) for beginning in (STATISTIC, FACT)]
        frequency = self._counts.document_frequency()
        frequency[np.concatenate(others)] = 0
        columns = self._kept_columns(frequency, packed)
        vocabulary = self._counts.vocabulary.take(columns)
        forgotten = self._counts.forgotten
        n_seen = int(np.count_nonzero(frequency)) + (forgotten.tokens if forgotten else 0)
        del packed  # freed before the counts are renumbered
        return Read(CountVectorizer(vocabulary), self._counts.take(columns), n_seen, forgotten)

    def _kept_columns(self, frequency: Ints, packed: PackedTokens) -> Ints:
        """Return the columns sorted by token, independent of the order of the mails."""
        by_token = packed.order()
        kept: Ints = by_token[frequency[by_token] >= self._options.min_df]
        if self._options.max_features is not None:
            most = np.argsort(-frequency[kept], kind="stable")[: self._options.max_features]
            kept = kept[np.sort(most)]
        return kept


class _ValueCollector:
    def __init__(self, kind: Kind, discretize: bool) -> None:
        self._beginning = FACT if kind == "facts" else STATISTIC
        self._discretize = discretize
        self._documents: list[dict[str, str]] = []

    def add(self, documents: Iterable[Iterable[str]]) -> None:
        self._documents += (values_of(tokens, self._beginning) for tokens in documents)

    def finish(self) -> Read:
        vectorizer = self._learn()
        return Read(vectorizer, vectorizer.encode(self._documents), len(vectorizer))

    def _learn(self) -> ValueVectorizer:
        if self._beginning == FACT:
            return FactVectorizer.learn(self._documents)
        if self._discretize:
            return BinVectorizer.learn(self._documents, _N_BINS)
        return NumberVectorizer.learn(self._documents)
