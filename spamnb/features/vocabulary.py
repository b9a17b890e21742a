"""Tokens ↔ column numbers, append-only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Vocabulary:
    """The columns of a `CountMatrix`: each token has the number of its first coming.

    Parameters
    ----------
    tokens : iterable of str
        The first tokens, in the order of their numbers; repetitions are ignored.

    Attributes
    ----------
    get : callable
        Returns the number of a token, None for an unknown one.
    add : callable
        Returns the number of a token, which gets the next free one when it is new.
    """

    __slots__ = ("_ids", "add", "get")

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__
        # The dictionary's own methods: a mail asks for a thousand tokens.
        self.get: Callable[[str], int | None] = self._ids.get
        self.add: Callable[[str], int] = self._ids.__getitem__
        for token in tokens:
            self.add(token)

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        """Yield the tokens in the order of their numbers."""
        return iter(self._ids)

    def __contains__(self, token: str) -> bool:
        return token in self._ids

    def take(self, columns: NDArray[Any]) -> Vocabulary:
        """Return the vocabulary of some columns, numbered anew in the order given.

        Parameters
        ----------
        columns : ndarray of int, or of bool of shape (n_features,)
            As for `CountMatrix.take_columns`.
        """
        tokens = list(self._ids)
        return Vocabulary(tokens[i] for i in np.arange(len(tokens))[columns])
