"""The counts of many documents in little memory: packed, and unpacked block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import CountMatrix, Ints
from spamnb.threads import in_threads

Result = TypeVar("Result")

MOST_COUNT = np.iinfo(np.uint16).max
"""The greatest count that is kept."""

# Unpacked and seen by a model a block is some 50 MB; half of it or twice as much makes no
# difference to the time.
BLOCK = 1 << 19
"""How many counts make a block."""

MOST_ROWS = 1 << 15
"""How many rows a block has at most: some documents are empty."""


class PackedRows(NamedTuple):
    """Rows of counts, six bytes for each count.

    Attributes
    ----------
    data : ndarray of uint16
    indices : ndarray of uint32
    lengths : ndarray of shape (n_rows,)
        How many counts each row has.
    """

    data: NDArray[np.uint16]
    indices: NDArray[np.uint32]
    lengths: Ints

    @classmethod
    def of(cls, X: CountMatrix) -> PackedRows:
        """Pack a matrix of whole numbers; a count above 65,535 is kept as that."""
        data = np.minimum(X.data, MOST_COUNT).astype(np.uint16)
        return cls(data, X.indices.astype(np.uint32), np.diff(X.indptr))

    @classmethod
    def join(cls, parts: Sequence[PackedRows]) -> PackedRows:
        """Return the rows of several, one after the other."""
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

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


class CountBlocks:
    """A matrix of counts that is never unpacked whole.

    Parameters
    ----------
    blocks : sequence of PackedRows
        The rows; none of the blocks too large to be unpacked.
    n_features : int
        The number of columns.

    Attributes
    ----------
    shape : tuple of int
        (n_samples, n_features).
    """

    def __init__(self, blocks: Sequence[PackedRows], n_features: int) -> None:
        self._blocks = blocks
        starts = np.cumsum([0, *(len(block.lengths) for block in blocks)]).tolist()
        self._rows = [slice(*pair) for pair in pairwise(starts)]
        self.shape = (int(starts[-1]), n_features)

    def blocks(self) -> Iterator[tuple[slice, CountMatrix]]:
        """Yield block by block which rows it has, and the matrix of these."""
        for rows, block in zip(self._rows, self._blocks, strict=True):
            yield rows, block.unpack(self.shape[1])

    def take_rows(self, rows: NDArray[Any]) -> CountBlocks:
        """Return some rows, in the order given.

        Parameters
        ----------
        rows : ndarray of int, or of bool of shape (n_samples,)
            Which rows.
        """
        chosen = np.arange(self.shape[0])[rows]
        lengths = np.concatenate([np.empty(0, np.int64), *(b.lengths for b in self._blocks)])
        ends = np.cumsum(lengths[chosen])
        n_stored = int(ends[-1]) if len(ends) else 0
        data, indices = np.empty(n_stored, np.uint16), np.empty(n_stored, np.uint32)
        for block_rows, block in zip(self._rows, self._blocks, strict=True):
            wanted = (chosen >= block_rows.start) & (chosen < block_rows.stop)
            part = block.take(chosen[wanted] - block_rows.start)
            where = np.arange(len(part.data)) + np.repeat(
                (ends[wanted] - part.lengths) - (np.cumsum(part.lengths) - part.lengths),
                part.lengths,
            )
            data[where], indices[where] = part.data, part.indices
        whole = PackedRows(data, indices, lengths[chosen])
        return CountBlocks(list(split(whole)), self.shape[1])

    def document_frequency(self) -> Ints:
        """Return in how many rows each feature stands, of shape (n_features,)."""
        total = np.zeros(self.shape[1], dtype=np.int64)
        for block in self._blocks:
            total += np.bincount(block.indices, minlength=self.shape[1])
        return total

    def whole(self) -> CountMatrix:
        """Return the matrix, for whoever has the memory."""
        if not self._blocks:
            return CountMatrix.from_rows([], self.shape[1])
        return PackedRows.join(list(self._blocks)).unpack(self.shape[1])


def split(rows: PackedRows) -> Iterator[PackedRows]:
    """Yield rows in blocks."""
    ends = np.cumsum(rows.lengths)
    start = begin = 0
    while start < len(ends):
        stop = int(np.searchsorted(ends, begin + BLOCK, side="right"))
        stop = min(max(stop, start + 1), start + MOST_ROWS)
        end = int(ends[stop - 1])
        own = slice(begin, end)
        yield PackedRows(rows.data[own], rows.indices[own], rows.lengths[start:stop])
        start, begin = stop, end


def map_blocks(
    function: Callable[[slice, CountMatrix], Result], X: CountMatrix | CountBlocks
) -> Iterator[Result]:
    """Yield what a function returns for each block of rows, in their order, on all cores.

    Parameters
    ----------
    function : callable
        Gets which rows the block has, and the matrix of these.
    X : CountMatrix or CountBlocks
    """
    return in_threads(lambda block: function(*block), X.blocks())


def whole(X: CountMatrix | CountBlocks) -> CountMatrix:
    """Return a matrix unpacked."""
    return X.whole() if isinstance(X, CountBlocks) else X
