"""Token lists → `CountMatrix`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Protocol

import numpy as np

from spamnb.features.counted import CountedTokens, TokenCounter, count_tokens
from spamnb.features.matrix import CountMatrix, Ints
from spamnb.features.vocabulary import Vocabulary


class Vectorizer(Protocol):
    """Turns the tokens of documents into rows of a matrix."""

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The known words, None for one that reads no words."""

    def __len__(self) -> int:
        """Return the number of columns."""

    def transform(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Return a matrix of shape (n_documents, n_columns)."""

    def describe(self, column: int, value: float) -> tuple[str, float]:
        """Return how an explanation calls a column where it has a value, and the number there."""


class CountVectorizer:
    """Counts the tokens of documents over a vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary, optional
        The known tokens; empty by default.  `learn` adds to it.
    """

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._vocabulary = Vocabulary() if vocabulary is None else vocabulary

    @property
    def vocabulary(self) -> Vocabulary:
        """The known tokens."""
        return self._vocabulary

    def __len__(self) -> int:
        return len(self._vocabulary)

    def describe(self, column: int, value: float) -> tuple[str, float]:
        """Return the token of a column, and the value."""
        if len(self._tokens) != len(self._vocabulary):
            del self._tokens  # the vocabulary has grown
        return self._tokens[column], value

    @cached_property
    def _tokens(self) -> tuple[str, ...]:
        return tuple(self._vocabulary)

    def learn(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Count the tokens of documents; new tokens are added to the vocabulary.

        Parameters
        ----------
        documents : iterable of iterable of str
            The tokens of each document.

        Returns
        -------
        CountMatrix of shape (n_documents, len(vocabulary) afterwards)
        """
        counter = TokenCounter()
        counted = [
            tokens if isinstance(tokens, CountedTokens) else counter(tokens) for tokens in documents
        ]
        shared: Sequence[str] = ()
        columns = np.empty(0, np.int64)
        indices, data, lengths = [columns], [columns], []
        for each in counted:
            if each.shared is not shared:
                shared = each.shared
                columns = _ints(list(map(self.vocabulary.add, shared)))
            indices.append(columns[np.frombuffer(each.numbers, np.uintc)])
            data.append(np.frombuffer(each.counts, np.uintc))
            lengths.append(len(each.numbers))
        indptr = np.cumsum([0, *lengths])
        shape = (len(lengths), len(self.vocabulary))
        return CountMatrix(np.concatenate(data), np.concatenate(indices), indptr, shape)

    def transform(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Count the known tokens of documents; unknown ones are left out.

        Parameters
        ----------
        documents : iterable of iterable of str
            The tokens of each document.

        Returns
        -------
        CountMatrix of shape (n_documents, len(vocabulary))
        """
        get = self.vocabulary.get
        rows = (
            {i: n for i, n in zip(map(get, counts), counts.values(), strict=True) if i is not None}
            for counts in map(count_tokens, documents)
        )
        return CountMatrix.from_rows(rows, len(self.vocabulary))


def _ints(numbers: list[int]) -> Ints:
    """Return a list as an array, in half the time of ``np.array``."""
    return np.fromiter(numbers, np.int64, len(numbers))


def parts_of(vectorizer: Vectorizer) -> tuple[Vectorizer, ...]:
    """Return the vectorizers that stand side by side, or the only one."""
    return vectorizer.parts if isinstance(vectorizer, JoinedVectorizer) else (vectorizer,)


class JoinedVectorizer:
    """Several vectorizers, whose matrices stand side by side.

    Parameters
    ----------
    parts : sequence of Vectorizer
        At least one; at most one that reads words.
    """

    def __init__(self, parts: Sequence[Vectorizer]) -> None:
        self.parts = tuple(parts)
        self._ends = tuple(accumulate(map(len, parts)))

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The vocabulary of the part that reads words, if there is one."""
        found = (part.vocabulary for part in self.parts)
        return next((vocabulary for vocabulary in found if vocabulary is not None), None)

    def __len__(self) -> int:
        return self._ends[-1]

    def transform(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Return the matrices of all parts side by side."""
        documents = [list(tokens) for tokens in documents]
        return CountMatrix.hstack([part.transform(documents) for part in self.parts])

    def part_of(self, column: int) -> int:
        """Return the number of the part that a column belongs to."""
        return next(i for i, end in enumerate(self._ends) if column < end)

    def describe(self, column: int, value: float) -> tuple[str, float]:
        """Return what the part of a column calls it."""
        number = self.part_of(column)
        start = self._ends[number] - len(self.parts[number])
        return self.parts[number].describe(column - start, value)
