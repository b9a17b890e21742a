"""The counts of many documents, gathered batch by batch in little memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from spamnb.features.blocks import BLOCK, MOST_ROWS, CountBlocks, PackedRows, split
from spamnb.features.matrix import Ints
from spamnb.features.vectorizer import CountVectorizer
from spamnb.features.vocabulary import Vocabulary
from spamnb.threads import in_threads


class CountCollector:
    """Counts the tokens of documents and keeps the counts, six bytes for each.

    Attributes
    ----------
    vocabulary : Vocabulary
        All tokens, in the order of their coming.
    """

    def __init__(self) -> None:
        self._vectorizer = CountVectorizer()
        self._blocks: list[PackedRows] = []
        self._pending: list[PackedRows] = []
        self._n_pending = 0

    @property
    def vocabulary(self) -> Vocabulary:
        """All tokens, in the order of their coming."""
        return self._vectorizer.vocabulary

    def add(self, documents: Iterable[Iterable[str]]) -> None:
        """Count the tokens of some documents; a count above 65,535 is kept as that."""
        rows = PackedRows.of(self._vectorizer.learn(documents))
        self._pending.append(rows)
        self._n_pending += len(rows.data)
        if self._n_pending >= BLOCK or sum(len(r.lengths) for r in self._pending) >= MOST_ROWS:
            self._end_block()

    def _end_block(self) -> None:
        if self._pending:
            self._blocks += split(PackedRows.join(self._pending))
        self._pending, self._n_pending = [], 0

    def document_frequency(self) -> Ints:
        """Return in how many documents each token stands, of shape (n_tokens,)."""
        total = np.zeros(len(self.vocabulary), dtype=np.int64)
        for rows in [*self._blocks, *self._pending]:
            counts = np.bincount(rows.indices)
            total[: len(counts)] += counts
        return total

    def take(self, columns: Ints) -> CountBlocks:
        """Return the counts of some tokens, in the order given; each row is in that order too.

        Parameters
        ----------
        columns : ndarray of int without repetition
            Numbers of the vocabulary.

        Returns
        -------
        CountBlocks of shape (n_documents, n_columns)
        """
        self._end_block()
        new_column = np.full(len(self.vocabulary), -1)
        new_column[columns] = np.arange(len(columns))
        blocks = in_threads(lambda block: block.renumber(new_column), self._blocks)
        return CountBlocks(list(blocks), len(columns))
