"""How the memory that training may take is divided.

Mail of any amount is learned in it: tokens in few mails are forgotten when there are too many
tokens, counts go to a temporary file, and calibration and refinement, which need their samples
at hand, are learned from a part of the mails when there are too many.
"""

from __future__ import annotations

from typing import NamedTuple

LEAST_MEMORY = 1 << 20
"""Less is refused: it would not hold the words of one long mail."""

# A token in the dictionary, 190 bytes (itself 60, its number 30, its place in the table 60 to 100),
# and its places in arrays, of which the tables of the folds are the most; training of the first
# half of the SpamAssassin corpus takes .. bytes for each.
_BYTES_OF_TOKEN = 400
# A count as logarithm, with its column, 16, again in the transposed matrix, and as much while that
# is made.
_BYTES_OF_SAMPLED_COUNT = 64
# Beyond, what is learned of calibration and refinement changes little, and takes time.
_SAMPLED_MAILS = 50_000


class Shares(NamedTuple):
    """How much of everything may be in memory.

    Attributes
    ----------
    tokens : int
        How many tokens are known at once; half of the memory.
    bytes_of_counts : int
        How large the counts are that stay in memory; an eighth of it.
    sampled_counts, sampled_mails : int
        How many counts and mails are calibrated and refined on; half of it, when nothing is read
        any more and half of the tokens' memory has become free.
    """

    tokens: int
    bytes_of_counts: int
    sampled_counts: int
    sampled_mails: int

    @classmethod
    def of(cls, max_memory: int) -> Shares:
        """Divide so many bytes."""
        half = max_memory // 2
        counts = half // _BYTES_OF_SAMPLED_COUNT
        return cls(half // _BYTES_OF_TOKEN, max_memory // 8, counts, _SAMPLED_MAILS)
