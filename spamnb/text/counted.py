"""The tokens of a mail, counted over a list of tokens that many mails share.

So mails go from one process to another with each of their tokens once.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, repeat
from os import getpid
from typing import NamedTuple


class CountedTokens(Collection[str]):
    """The tokens of a mail: each as often as it occurs, but in no particular order.

    Parameters
    ----------
    shared : sequence of str
        The distinct tokens of all mails that were counted together; may grow.
    numbers : array of int, shape (n_different,)
        Which of them this mail has.
    counts : array of int, shape (n_different,)
        How often it has each.
    """

    __slots__ = ("counts", "numbers", "shared")

    def __init__(self, shared: Sequence[str], numbers: array[int], counts: array[int]) -> None:
        self.shared = shared
        self.numbers = numbers
        self.counts = counts

    def __len__(self) -> int:
        return sum(self.counts)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(map(repeat, self._different(), self.counts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CountedTokens) and self.as_counts() == other.as_counts()

    def __contains__(self, token: object) -> bool:
        return any(token == each for each in self._different())

    def _different(self) -> Iterator[str]:
        return map(self.shared.__getitem__, self.numbers)

    def as_counts(self) -> dict[str, int]:
        """Return how often each token occurs."""
        return dict(zip(self._different(), self.counts, strict=True))


def count_tokens(tokens: Iterable[str]) -> Mapping[str, int]:
    """Return how often each token occurs."""
    return tokens.as_counts() if isinstance(tokens, CountedTokens) else Counter(tokens)


class TokenCounter:
    """Counts the tokens of mails by their numbers in one shared list."""

    def __init__(self) -> None:
        self._shared: list[str] = []
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)

    def __call__(self, tokens: Iterable[str]) -> CountedTokens:
        """Count the tokens of a mail."""
        counts = Counter(tokens)
        numbers = array("I", map(self._numbers.__getitem__, counts))
        n_before = len(self._shared)
        if len(self._numbers) > n_before:
            self._shared += (token for token in counts if self._numbers[token] >= n_before)
        return CountedTokens(self._shared, numbers, array("I", counts.values()))


class NewTokens(NamedTuple):
    """The tokens added to a shared list since the last message to the other process.

    Attributes
    ----------
    process, number : int
        Which list: the process that has it, and the number of the list there.
    tokens : sequence of str
        The added tokens.
    """

    process: int
    number: int
    tokens: Sequence[str]


class TokenSender:
    """Detaches counted tokens from their shared list, and returns what is new in that list."""

    def __init__(self) -> None:
        self._shared: Sequence[str] = ()
        self._number = self._n_sent = 0

    def __call__(self, counted: Sequence[CountedTokens]) -> NewTokens:
        """Make counted tokens ready to be sent together with the returned new tokens.

        Parameters
        ----------
        counted : sequence of CountedTokens
            At least one; all share one list, which grows until another replaces it.
        """
        shared = counted[0].shared
        if shared is not self._shared:
            self._shared, self._n_sent = shared, 0
            self._number += 1
        new = shared[self._n_sent :]
        self._n_sent = len(shared)
        for each in counted:
            each.shared = ()
        return NewTokens(getpid(), self._number, new)


class TokenReceiver:
    """Attaches counted tokens to their shared list again, in the order in which they were sent."""

    def __init__(self) -> None:
        self._lists: dict[int, tuple[int, list[str]]] = {}

    def __call__(self, counted: Iterable[CountedTokens], new: NewTokens) -> None:
        """Attach received tokens to the shared list, after adding the new ones to it."""
        number, shared = self._lists.get(new.process, (0, []))
        if number != new.number:
            shared = []
            self._lists[new.process] = new.number, shared
        shared += new.tokens
        for each in counted:
            each.shared = shared
