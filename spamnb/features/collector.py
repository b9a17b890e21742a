"""The counts of many documents, gathered batch by batch in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spamnb.features import packed_rows
from spamnb.features.blocks import CountBlocks
from spamnb.features.matrix import Ints
from spamnb.features.packed_rows import PackedRows, split
from spamnb.features.store import BlockStore
from spamnb.features.vectorizer import CountVectorizer
from spamnb.features.vocabulary import Vocabulary
from spamnb.system.threads import in_threads


class Forgotten(NamedTuple):
    """Which tokens were forgotten to fit into memory.

    Attributes
    ----------
    times : int
        How many times tokens were forgotten.
    tokens : int
        How many, one that came back and was forgotten again counted twice.
    threshold : int
        No token that stands in more documents than this is missing, and of no token more documents
        than this were forgotten.
    """

    times: int
    tokens: int
    threshold: int


class CountCollector:
    """Counts the tokens of documents and stores the counts, in six bytes each.

    When there are too many tokens those in the fewest documents are forgotten, and their counts:
    lossy counting (Manku and Motwani, VLDB 2002).  A token that comes, perhaps again, after
    tokens of up to t documents were forgotten may have been in t documents before; it is forgotten
    when the documents counted and these together are no more than the next threshold, which is
    greater.  So the document frequency that is known of a token is at most the threshold too small.
    Tokens are renumbered each time, and blocks of counts that were stored before are
    renumbered at the end.

    Parameters
    ----------
    most_tokens : int, optional
        When there are more, tokens are forgotten after a batch until at most half as many remain.
    most_bytes : int, optional
        At most this many bytes of counts are kept in memory, the rest in a temporary file.
    """

    def __init__(self, most_tokens: int | None = None, most_bytes: int | None = None) -> None:
        self._vectorizer = CountVectorizer()
        self._most_tokens = most_tokens
        self._store = BlockStore(most_bytes=most_bytes)
        self._pending: list[PackedRows] = []
        self._frequency: Ints = np.empty(0, np.int64)
        self._missed: Ints = np.empty(0, np.int64)
        self._threshold = self._n_forgotten = 0
        # How many blocks had been stored when tokens were forgotten, and which were kept, a bit
        # for each: .25 bytes for a token, where its number would be 4.
        self._kept: list[tuple[int, NDArray[np.uint8], int]] = []

    @property
    def vocabulary(self) -> Vocabulary:
        """All known tokens, in order of first occurrence."""
        return self._vectorizer.vocabulary

    @property
    def forgotten(self) -> Forgotten | None:
        """What was forgotten, if anything was."""
        if not self._kept:
            return None
        return Forgotten(len(self._kept), self._n_forgotten, self._threshold)

    def add(self, documents: Iterable[Iterable[str]]) -> None:
        """Count the tokens of some documents; a count above 65,535 is kept as that."""
        self._pending.append(PackedRows.of(self._vectorizer.learn(documents)))
        too_many = self._most_tokens is not None and len(self.vocabulary) > self._most_tokens
        n_stored = sum(len(rows.data) for rows in self._pending)
        n_rows = sum(len(rows.lengths) for rows in self._pending)
        if too_many or n_stored >= packed_rows.BLOCK or n_rows >= packed_rows.MAX_ROWS:
            self._end_block()
        if too_many:
            self._forget()

    def _end_block(self) -> None:
        n_new = len(self.vocabulary) - len(self._frequency)
        self._frequency = np.pad(self._frequency, (0, n_new))
        self._missed = np.pad(self._missed, (0, n_new), constant_values=self._threshold)
        if self._pending:
            rows = PackedRows.join(self._pending)
            self._pending = []
            self._frequency += np.bincount(rows.indices, minlength=len(self._frequency))
            for block in split(rows):
                self._store.append(block)

    def _forget(self) -> None:
        """Forget tokens until at most half of the allowed number remain."""
        assert self._most_tokens is not None
        at_most = self._frequency + self._missed
        n_less = len(at_most) - self._most_tokens // 2
        least = int(np.partition(at_most, n_less - 1)[n_less - 1])
        self._threshold = max(self._threshold + 1, least)
        is_kept = at_most > self._threshold
        kept = np.flatnonzero(is_kept)
        self._kept.append((len(self._store), np.packbits(is_kept), len(is_kept)))
        self._n_forgotten += len(is_kept) - len(kept)
        self._frequency, self._missed = self._frequency[kept], self._missed[kept]
        self._vectorizer = CountVectorizer(self.vocabulary.take(kept))

    def document_frequency(self) -> Ints:
        """Return the document frequency of each token, of shape (n_tokens,).

        Where tokens were forgotten it may be too low, by at most `Forgotten.threshold`.
        """
        self._end_block()
        return self._frequency.copy()

    def take(self, columns: Ints) -> CountBlocks:
        """Return the counts of some tokens, in the order given; each row is in that order too.

        Nothing can be added afterwards.

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
        self._vectorizer = CountVectorizer()
        end = len(self._store)
        for start, bits, n_tokens in reversed(self._kept):
            self._renumber(range(start, end), new_column)
            before = np.full(n_tokens, -1)
            kept = np.flatnonzero(np.unpackbits(bits, count=n_tokens))
            before[kept] = new_column[: len(kept)]
            new_column, end = before, start
        self._renumber(range(end), new_column)
        return CountBlocks(self._store, len(columns))

    def _renumber(self, numbers: range, new_column: Ints) -> None:
        blocks = in_threads(lambda number: self._store[number].renumber(new_column), numbers)
        for number, block in zip(numbers, blocks, strict=True):
            self._store.replace(number, block)
