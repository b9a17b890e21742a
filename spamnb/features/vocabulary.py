"""Tokens ↔ column numbers, append-only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import Ints
from spamnb.features.packed import PackedTokens
from spamnb.native import compiled_twin

if TYPE_CHECKING:
    from spamnb.features.native import TokenNumbers


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

    __slots__ = ("_ids", "_numbers", "_packed", "_tokens", "add", "get")

    # Until somebody asks for a number there may be only a list of the tokens.
    _ids: defaultdict[str, int]
    _tokens: list[str] | None
    _numbers: TokenNumbers | None
    _packed: PackedTokens | None
    get: Callable[[str], int | None]
    add: Callable[[str], int]

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._tokens, self._numbers, self._packed = list(dict.fromkeys(tokens)), None, None

    @classmethod
    def of_different(cls, tokens: list[str]) -> Vocabulary:
        """Return the vocabulary of tokens of which none stands twice; is not checked.

        The table of their numbers is made when it is needed, which in training it is not: .15 s
        for the 457,000 tokens of half the SpamAssassin corpus (2026-11).
        """
        vocabulary = cls.__new__(cls)
        vocabulary._tokens, vocabulary._numbers, vocabulary._packed = tokens, None, None
        return vocabulary

    def _index(self, tokens: Iterable[str]) -> None:
        self._ids = defaultdict(None, zip(tokens, count()))
        # Not its own __len__: a table that refers to itself stays in memory when it is not needed.
        self._ids.default_factory = count(len(self._ids)).__next__
        # The dictionary's own methods: a mail asks for a thousand tokens.
        self.get = self._ids.get
        self.add = self._ids.__getitem__

    def __getattr__(self, name: str) -> Any:
        """Make the table of numbers where it is needed for the first time."""
        tokens = self._tokens if name in {"_ids", "add", "get"} else None
        if tokens is None:
            raise AttributeError(name)
        self._index(tokens)
        self._tokens = self._numbers = None
        return getattr(self, name)

    def add_all(self, tokens: Sequence[str]) -> Ints:
        """Return the number of each of many tokens; those that are new get the next ones."""
        twin = compiled_twin("spamnb.features.native.TokenNumbers")
        if self._tokens is None or twin is None:
            return np.fromiter(map(self.add, tokens), np.int64, len(tokens))
        if self._numbers is None:
            self._tokens = self._tokens.copy()  # which others may have
            self._numbers = twin(self._tokens)
        return cast("Ints", self._numbers.add(tokens))

    def __len__(self) -> int:
        return len(self._ids if self._tokens is None else self._tokens)

    def __iter__(self) -> Iterator[str]:
        """Yield the tokens in the order of their numbers."""
        return iter(self._ids if self._tokens is None else self._tokens)

    def __contains__(self, token: str) -> bool:
        return token in self._ids

    def take(self, columns: NDArray[Any]) -> Vocabulary:
        """Return the vocabulary of some columns, numbered anew in the order given.

        Parameters
        ----------
        columns : ndarray of int, or of bool of shape (n_features,)
            As for `CountMatrix.take_columns`.
        """
        tokens = list(self)
        chosen = np.arange(len(tokens))[columns]
        taken = list(map(tokens.__getitem__, chosen.tolist()))
        vocabulary = Vocabulary.of_different(taken)
        if self._packed is not None:
            vocabulary._packed = self.packed().take(chosen, taken)
        return vocabulary

    def packed(self) -> PackedTokens:
        """Return the tokens as one array; it is kept until there are more."""
        if self._packed is None or len(self._packed.lengths) != len(self):
            self._packed = PackedTokens(list(self))
        return self._packed
