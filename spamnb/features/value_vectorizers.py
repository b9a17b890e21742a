"""The numbers and facts of documents → matrices; see `spamnb.text.values`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from spamnb.errors import ParameterError
from spamnb.features.matrix import CountMatrix, Floats
from spamnb.text.values import FACT, STATISTIC, values_of

UNSEEN = "(unseen)"
"""What an explanation calls a value that was not in the training mail."""


class NumberVectorizer:
    """Reads numbers as log(1 + number), since lengths and counts have long tails.

    5-fold cross-validation on the first half of the SpamAssassin corpus, `GaussianNB` with the
    better ``var_smoothing`` of each: 1-ROCA 3.6 % with the logarithm, 29 % without (2026-11).

    Parameters
    ----------
    names : sequence of str
        The names of the columns; a number that a document does not have is 0.
    """

    vocabulary = None

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    @classmethod
    def learn(cls, documents: Sequence[Mapping[str, str]]) -> NumberVectorizer:
        """Return one with a column for each number that some document has."""
        return cls(sorted(set().union(*documents)))

    def __len__(self) -> int:
        return len(self.names)

    def transform(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Return the logarithms, of shape (n_documents, n_names), from the documents' tokens."""
        return self.encode([values_of(tokens, STATISTIC) for tokens in documents])

    def encode(self, documents: Sequence[Mapping[str, str]]) -> CountMatrix:
        """Return the logarithms from the documents' values by name."""
        return CountMatrix.coerce(np.log1p(numbers_of(documents, self.names)))

    def describe(self, column: int, value: float) -> tuple[str, float]:
        """Return the name of a column and the number that a value stands for."""
        return STATISTIC + self.names[column], float(np.expm1(value))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"kind": "numbers", "names": list(self.names)}


class BinVectorizer:
    """Reads in which of a few intervals each number lies, as the interval's position from 0.

    Parameters
    ----------
    edges : mapping of str to sequence of float
        For each name where the intervals but the first begin, rising.
    """

    vocabulary = None

    def __init__(self, edges: Mapping[str, Sequence[float]]) -> None:
        self.edges = {name: np.asarray(own, dtype=np.float64) for name, own in edges.items()}
        self._names = tuple(edges)
        for own in self.edges.values():
            if own.ndim != 1 or not np.all(np.isfinite(own)) or np.any(np.diff(own) <= 0):
                raise ParameterError("edges of intervals", "rising finite numbers", "others")

    @classmethod
    def learn(cls, documents: Sequence[Mapping[str, str]], n_bins: int) -> BinVectorizer:
        """Return one whose intervals hold about equally many documents each.

        Parameters
        ----------
        documents : sequence of mapping of str to str
            The values by name.
        n_bins : int
            The maximum number of intervals; fewer where many documents have the same number.
        """
        names = sorted(set().union(*documents))
        numbers = numbers_of(documents, names)
        shares = np.arange(1, n_bins) / n_bins
        edges = {}
        for name, column in zip(names, numbers.T, strict=True):
            own = np.unique(np.quantile(column, shares, method="higher"))
            edges[name] = own[own > column.min()]
        return cls({name: own.tolist() for name, own in edges.items()})

    def __len__(self) -> int:
        return len(self._names)

    def transform(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Return the positions, of shape (n_documents, n_names), from the documents' tokens."""
        return self.encode([values_of(tokens, STATISTIC) for tokens in documents])

    def encode(self, documents: Sequence[Mapping[str, str]]) -> CountMatrix:
        """Return the positions from the documents' values by name."""
        numbers = numbers_of(documents, self._names)
        for column, own in zip(numbers.T, self.edges.values(), strict=True):
            column[:] = np.searchsorted(own, column, side="right")
        return CountMatrix.coerce(numbers)

    def describe(self, column: int, value: float) -> tuple[str, float]:
        """Return the name of a column with the ends of its interval, and 1."""
        own = self.edges[self._names[column]]
        at = int(value)
        low = f"≥ {own[at - 1]:.4g}" if at else ""
        high = f"< {own[at]:.4g}" if at < len(own) else ""
        ends = ", ".join(filter(None, (low, high)))
        return f"{STATISTIC}{self._names[column]} {ends}".rstrip(), 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"kind": "bins", "edges": [[n, own.tolist()] for n, own in self.edges.items()]}


class FactVectorizer:
    """Reads facts as the position of the value among those seen in training, from 0.

    A value that was not seen is the position after them, and one that is missing is NaN.

    Parameters
    ----------
    values : mapping of str to sequence of str
        For each name the values.
    """

    vocabulary = None

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self.values = {name: tuple(own) for name, own in values.items()}
        self._names = tuple(values)
        self._position = [{v: i for i, v in enumerate(own)} for own in self.values.values()]
        if any(len(p) != len(own) for p, own in zip(self._position, values.values(), strict=True)):
            raise ParameterError("values of facts", "each once", "some twice")

    @classmethod
    def learn(cls, documents: Sequence[Mapping[str, str]]) -> FactVectorizer:
        """Return one that knows all facts and values of some documents."""
        found: dict[str, set[str]] = {}
        for document in documents:
            for name, value in document.items():
                found.setdefault(name, set()).add(value)
        return cls({name: sorted(found[name]) for name in sorted(found)})

    def __len__(self) -> int:
        return len(self._names)

    def transform(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Return the positions, of shape (n_documents, n_names), from the documents' tokens."""
        return self.encode([values_of(tokens, FACT) for tokens in documents])

    def encode(self, documents: Sequence[Mapping[str, str]]) -> CountMatrix:
        """Return the positions from the documents' values by name."""
        known = list(zip(self._names, self._position, strict=True))
        rows = [
            [p.get(doc[name], len(p)) if name in doc else np.nan for name, p in known]
            for doc in documents
        ]
        return CountMatrix.coerce(np.array(rows, np.float64).reshape(len(rows), len(known)))

    def describe(self, column: int, value: float) -> tuple[str, float]:
        """Return the name of a column with its value, and 1."""
        name = self._names[column]
        own = self.values[name]
        return f"{FACT}{name}={own[int(value)] if value < len(own) else UNSEEN}", 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"kind": "facts", "values": [[name, list(own)] for name, own in self.values.items()]}


ValueVectorizer = NumberVectorizer | BinVectorizer | FactVectorizer


def from_dict(data: Mapping[str, Any]) -> ValueVectorizer:
    """Rebuild a vectorizer from its `to_dict`, which may be hostile.

    Raises
    ------
    ParameterError, KeyError, TypeError, ValueError
    """
    kind = data["kind"]
    if kind == "numbers":
        return NumberVectorizer(list(map(str, data["names"])))
    if kind == "bins":
        return BinVectorizer({str(name): list(map(float, own)) for name, own in data["edges"]})
    if kind == "facts":
        return FactVectorizer({str(name): list(map(str, own)) for name, own in data["values"]})
    raise ParameterError("view", "words, numbers, bins or facts", kind)


def numbers_of(documents: Sequence[Mapping[str, str]], names: Sequence[str]) -> Floats:
    """Return the numbers of documents as they are, of shape (n_documents, n_names)."""
    rows = [[float(document.get(name, 0.0)) for name in names] for document in documents]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
