"""The counts of many documents, gathered batch by batch in little memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import CountMatrix, Ints
from spamnb.features.vectorizer import CountVectorizer
from spamnb.features.vocabulary import Vocabulary

_MOST = np.iinfo(np.uint16).max


class CountCollector:
    """Counts the tokens of documents and keeps the counts, six bytes for each.

    Attributes
    ----------
    vocabulary : Vocabulary
        All tokens, in the order of their coming.
    """

    def __init__(self) -> None:
        self._vectorizer = CountVectorizer()
        self._data: list[NDArray[np.uint16]] = []
        self._indices: list[NDArray[np.uint32]] = []
        self._lengths: list[Ints] = []

    @property
    def vocabulary(self) -> Vocabulary:
        """All tokens, in the order of their coming."""
        return self._vectorizer.vocabulary

    def add(self, documents: Iterable[Iterable[str]]) -> None:
        """Count the tokens of some documents; a count above 65,535 is kept as that."""
        X = self._vectorizer.learn(documents)
        self._data.append(np.minimum(X.data, _MOST).astype(np.uint16))
        self._indices.append(X.indices.astype(np.uint32))
        self._lengths.append(np.diff(X.indptr))

    def document_frequency(self) -> Ints:
        """Return in how many documents each token stands, of shape (n_tokens,)."""
        total = np.zeros(len(self.vocabulary), dtype=np.int64)
        for indices in self._indices:
            counts = np.bincount(indices)
            total[: len(counts)] += counts
        return total

    def matrix(self, columns: Ints) -> CountMatrix:
        """Return the counts of some tokens, in the order given; each row is in that order too.

        Parameters
        ----------
        columns : ndarray of int without repetition
            Numbers of the vocabulary.

        Returns
        -------
        CountMatrix of shape (n_documents, n_columns)
        """
        lengths = np.concatenate([np.empty(0, np.int64), *self._lengths])
        indptr = np.concatenate(([0], np.cumsum(lengths)))
        X = CountMatrix(
            np.concatenate([np.empty(0, np.uint16), *self._data]),
            np.concatenate([np.empty(0, np.uint32), *self._indices]),
            indptr,
            (len(lengths), len(self.vocabulary)),
        ).take_columns(columns)
        order = np.argsort(X.row_of * max(X.shape[1], 1) + X.indices)
        return CountMatrix(X.data[order], X.indices[order], X.indptr, X.shape)
