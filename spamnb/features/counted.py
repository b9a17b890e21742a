"""The tokens of a mail, counted over a list of tokens that the mails of a batch share.

So a batch goes from one process to another with each of its tokens once.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, repeat


class CountedTokens(Collection[str]):
    """The tokens of a mail: as often as each comes, but in no order.

    Parameters
    ----------
    shared : sequence of str
        The tokens of all mails of the batch, each once.
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
        """Return how often each token comes."""
        return dict(zip(self._different(), self.counts, strict=True))


def count_tokens(tokens: Iterable[str]) -> Mapping[str, int]:
    """Return how often each of some tokens comes."""
    return tokens.as_counts() if isinstance(tokens, CountedTokens) else Counter(tokens)


class TokenCounter:
    """Counts the tokens of the mails of one batch."""

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
