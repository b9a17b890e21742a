"""Tokens ↔ column numbers, append-only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import Ints
from spamnb.features.packed import PackedTokens
from spamnb.native.twins import has_twin

Numbering = Callable[[Sequence[str]], Ints]


class Vocabulary:
    """The columns of a `CountMatrix`: tokens are numbered in order of first occurrence.

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

    __slots__ = ("_add_many", "_ids", "_packed", "_tokens", "add", "get")

    # Until somebody asks for a number there may be only a list of the tokens, or their bytes.
    _ids: defaultdict[str, int] | None
    _tokens: list[str] | None
    _packed: PackedTokens | None
    _add_many: Numbering | None
    get: Callable[[str], int | None]
    add: Callable[[str], int]

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._set(list(dict.fromkeys(tokens)), None)

    @classmethod
    def of_different(cls, tokens: list[str]) -> Vocabulary:
        """Return the vocabulary of tokens of which none stands twice; is not checked.

        The table of their numbers is made when it is needed, which in training it is not: .15 s
        for the 457,000 tokens of half the SpamAssassin corpus (2026-11).
        """
        vocabulary = cls.__new__(cls)
        vocabulary._set(tokens, None)
        return vocabulary

    def _set(self, tokens: list[str] | None, packed: PackedTokens | None) -> None:
        self._ids = self._add_many = None
        self._tokens, self._packed = tokens, packed

    def _index(self) -> defaultdict[str, int]:
        """Make the table of numbers where it is needed for the first time."""
        if self._ids is None:
            ids: defaultdict[str, int] = defaultdict(None, zip(self._listed(), count()))
            # Not its own __len__: a table that refers to itself stays in memory when it is not
            # needed.
            ids.default_factory = count(len(ids)).__next__
            # The dictionary's own methods: a mail asks for a thousand tokens.
            self.get, self.add = ids.get, ids.__getitem__
            self._ids, self._tokens, self._add_many = ids, None, None
        return self._ids

    def _listed(self) -> list[str]:
        if self._tokens is None:
            assert self._packed is not None
            self._tokens = self._packed.tokens()
        return self._tokens

    def __getattr__(self, name: str) -> Any:
        if name not in {"add", "get"}:
            raise AttributeError(name)
        self._index()
        return getattr(self, name)

    def add_all(self, tokens: Sequence[str]) -> Ints:
        """Return the number of each of many tokens; those that are new get the next ones."""
        if self._ids is not None:
            return np.fromiter(map(self.add, tokens), np.int64, len(tokens))
        if self._add_many is None:
            self._tokens = self._listed().copy()  # which others may have
            self._add_many = numbering(self._tokens)
        return self._add_many(tokens)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as bytes, without the table of numbers."""
        return _of_packed, (self.packed(),)

    def __len__(self) -> int:
        if self._ids is not None:
            return len(self._ids)
        return len(self._listed() if self._packed is None or self._tokens else self._packed)

    def __iter__(self) -> Iterator[str]:
        """Yield the tokens in the order of their numbers."""
        return iter(self._listed() if self._ids is None else self._ids)

    def __contains__(self, token: str) -> bool:
        return token in self._index()

    def take(self, columns: NDArray[Any]) -> Vocabulary:
        """Return the vocabulary of some columns, renumbered in the order given.

        Parameters
        ----------
        columns : ndarray of int, or of bool of shape (n_features,)
            As for `CountMatrix.take_columns`.
        """
        return _of_packed(self.packed().take(np.arange(len(self))[columns]))

    def packed(self) -> PackedTokens:
        """Return the tokens as one array; it is kept until there are more."""
        if self._packed is None or len(self._packed) != len(self):
            self._packed = PackedTokens(list(self))
        return self._packed


def _of_packed(tokens: PackedTokens) -> Vocabulary:
    vocabulary = Vocabulary()
    vocabulary._set(None, tokens)
    return vocabulary


@has_twin
def numbering(tokens: list[str]) -> Numbering:
    """Return what gives each of many tokens its number, and one that is new the next.

    The compiled form finds them by fingerprints: of a million tokens two have the same one with a
    probability of 3 · 10⁻⁸.

    Parameters
    ----------
    tokens : list of str
        The first tokens, all different; new ones are appended to it.
    """
    ids: defaultdict[str, int] = defaultdict(count(len(tokens)).__next__, zip(tokens, count()))

    def add(some: Sequence[str]) -> Ints:
        numbers = np.fromiter(map(ids.__getitem__, some), np.int64, len(some))
        newest = list(islice(reversed(ids), len(ids) - len(tokens)))
        tokens.extend(reversed(newest))
        return numbers

    return add
