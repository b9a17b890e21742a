"""How the memory for training is divided.

Mail of any amount is learned in it: tokens in few mails are forgotten when there are too many
tokens, counts go to a temporary file, and calibration and refinement, which need their samples
at hand, are learned from a part of the mails when there are too many.
"""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_MEMORY = 4 << 30
"""Enough for 4.3 million tokens and 27,000 mails of 680 distinct ones, as the SpamAssassin corpus
has, without anything being left out: 100,000 mails made of that corpus took 2.8 GB."""

LEAST_MEMORY = 1 << 20
"""Less is rejected: it would not hold the words of one long mail."""

# Measured when 20,000 mails with 650,000 tokens and 13 million counts were learned (2026-11): a
# token is 150 bytes in the dictionary while mail is read; later 420, as text, in tables of numbers
# and in what was needed for these and is not given back; 230 more while folds are scored.
_BYTES_OF_TOKEN = 420
# A count that is refined on: 16 bytes with its column, 16 in the transposed matrix, and as much as
# both while that is made; and 6 in the sample.
_BYTES_OF_SAMPLED_COUNT = 70
# More mail makes a better refinement: trained on 8,270 mails of Enron-Spam, log loss on as many
# others when 1,000, 2,000, 4,000, 6,000 and all are refined on: .0204, .0181, .0168, .0161, .0154;
# 1-ROCA .036, .037, .031, .028, .024 % (2026-11).  So this bounds the time, far above what was
# measured; with the default memory the number of counts is the narrower bound.
_SAMPLED_MAILS = 50_000


class Shares(NamedTuple):
    """The limits on what may be in memory.

    Attributes
    ----------
    tokens : int
        How many tokens are known at once: 42 % of the memory.
    bytes_of_counts : int
        How large the counts are that stay in memory: 6 %.
    sampled_counts, sampled_mails : int
        How many counts and mails are calibrated and refined on: 30 %, when the folds are scored.
    """

    tokens: int
    bytes_of_counts: int
    sampled_counts: int
    sampled_mails: int

    @classmethod
    def of(cls, max_memory: int) -> Shares:
        """Divide ``max_memory`` bytes."""
        return cls(
            tokens=max_memory * 42 // 100 // _BYTES_OF_TOKEN,
            bytes_of_counts=max_memory * 6 // 100,
            sampled_counts=max_memory * 30 // 100 // _BYTES_OF_SAMPLED_COUNT,
            sampled_mails=_SAMPLED_MAILS,
        )
