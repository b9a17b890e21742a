"""Rows of counts in little memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import CountMatrix, Ints

MAX_COUNT = np.iinfo(np.uint16).max
"""The largest count that is kept."""

# Unpacked and seen by a model a block is some 50 MB.  Seconds of processor time to learn the first
# half of the SpamAssassin corpus with a quarter of it, half, this, twice and four times as much:
# 3.2, 2.8, 2.9, 2.8, 2.7, where the larger ones leave less for a second core (2026-11).
BLOCK = 1 << 19
"""How many counts make a block."""

MAX_ROWS = 1 << 15
"""How many rows a block has at most: some documents are empty."""


@dataclass(frozen=True, slots=True)
class PackedRows:
    """Rows of counts, six bytes for each count.

    Attributes
    ----------
    data : ndarray of uint16
    indices : ndarray of uint32
    lengths : ndarray of shape (n_rows,)
        How many counts each row has.
    """

    BYTES: ClassVar[int] = 6

    data: NDArray[np.uint16]
    indices: NDArray[np.uint32]
    lengths: Ints

    @property
    def n_bytes(self) -> int:
        """How much memory the counts and their columns take."""
        return self.BYTES * len(self.data)

    @classmethod
    def of(cls, X: CountMatrix) -> PackedRows:
        """Pack a matrix of whole numbers; a count above 65,535 is kept as that."""
        data = np.minimum(X.data, MAX_COUNT).astype(np.uint16)
        return cls(data, X.indices.astype(np.uint32), np.diff(X.indptr))

    @classmethod
    def join(cls, parts: Sequence[PackedRows]) -> PackedRows:
        """Return the rows of several, one after the other."""
        names = ("data", "indices", "lengths")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def unpack(self, n_features: int) -> CountMatrix:
        """Return the matrix."""
        indptr = np.concatenate(([0], np.cumsum(self.lengths)))
        return CountMatrix(self.data, self.indices, indptr, (len(self.lengths), n_features))

    def renumber(self, new_column: Ints) -> PackedRows:
        """Return the rows over other columns, each row in the order of these.

        Parameters
        ----------
        new_column : ndarray of shape (n_columns,)
            The new number of each column, negative for one to leave out.
        """
        new = new_column[self.indices]
        kept = new >= 0
        row = np.repeat(np.arange(len(self.lengths)), self.lengths)[kept]
        # Row, column and count as one number: numpy sorts numbers four times as fast as it finds
        # an order for them.
        key = (row << 48) | (new[kept] << 16) | self.data[kept]
        key.sort()
        return PackedRows(
            key.astype(np.uint16),
            (key >> 16).astype(np.uint32),
            np.bincount(row, minlength=len(self.lengths)),
        )

    def take(self, rows: Ints) -> PackedRows:
        """Return some rows, in the order given."""
        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        shift = (np.cumsum(self.lengths) - self.lengths)[rows] - (ends - lengths)
        where = np.arange(ends[-1] if len(ends) else 0) + np.repeat(shift, lengths)
        return PackedRows(self.data[where], self.indices[where], lengths)


def split(rows: PackedRows) -> Iterator[PackedRows]:
    """Yield rows in blocks."""
    ends = np.cumsum(rows.lengths)
    start = begin = 0
    while start < len(ends):
        stop = int(np.searchsorted(ends, begin + BLOCK, side="right"))
        stop = min(max(stop, start + 1), start + MAX_ROWS)
        end = int(ends[stop - 1])
        own = slice(begin, end)
        yield PackedRows(rows.data[own], rows.indices[own], rows.lengths[start:stop])
        start, begin = stop, end
