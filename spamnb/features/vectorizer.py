"""Token lists → `CountMatrix`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import CountMatrix, Ints
from spamnb.features.vocabulary import Vocabulary
from spamnb.system.threads import n_cores
from spamnb.text.counted import CountedTokens, TokenCounter, count_tokens


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
        """Return the name and the number that an explanation shows for a value of a column."""


class CountVectorizer:
    """Counts the tokens of documents over a vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary, optional
        The known tokens; empty by default.  `learn` adds to it.
    """

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._vocabulary = Vocabulary() if vocabulary is None else vocabulary
        self._shared_columns = _SharedColumns()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the cache."""
        return CountVectorizer, (self._vocabulary,)

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
        indices, data, lengths = [np.empty(0, np.int64)], [np.empty(0, np.uintc)], []
        for tokens in documents:
            counted = tokens if isinstance(tokens, CountedTokens) else counter(tokens)
            numbers = np.frombuffer(counted.numbers, np.uintc)
            indices.append(self._columns_of(counted.shared, numbers))
            data.append(np.frombuffer(counted.counts, np.uintc))
            lengths.append(len(numbers))
        indptr = np.cumsum([0, *lengths])
        shape = (len(lengths), len(self.vocabulary))
        return CountMatrix(np.concatenate(data), np.concatenate(indices), indptr, shape)

    def _columns_of(self, shared: Sequence[str], numbers: NDArray[np.uintc]) -> Ints:
        """Return the columns of some tokens of a list; each is asked of the vocabulary once."""
        columns = self._shared_columns.of(shared)
        found = columns[numbers]
        unknown = np.flatnonzero(found < 0)
        if len(unknown):
            new = numbers[unknown]
            tokens = list(map(shared.__getitem__, new.tolist()))
            found[unknown] = columns[new] = self.vocabulary.add_all(tokens)
        return found

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


class _SharedColumns:
    """The columns of the tokens of a few lists, -1 for one that is not known yet."""

    def __init__(self) -> None:
        # Least recently used first; each counting process has one list.
        self._columns: dict[int, tuple[Sequence[str], Ints]] = {}
        self._most = n_cores() + 2

    def of(self, shared: Sequence[str]) -> Ints:
        """Return the columns of a list, with room for tokens that it gets later."""
        _, columns = self._columns.pop(id(shared), (shared, np.empty(0, np.int64)))
        if len(columns) < len(shared):
            columns = np.pad(columns, (0, 2 * len(shared) - len(columns)), constant_values=-1)
        self._columns[id(shared)] = shared, columns
        if len(self._columns) > self._most:
            del self._columns[next(iter(self._columns))]
        return columns


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
