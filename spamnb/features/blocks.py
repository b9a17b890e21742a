"""The counts of many documents in little memory: packed, and unpacked block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import CountMatrix, Ints
from spamnb.features.packed_rows import PackedRows, split
from spamnb.features.store import BlockStore
from spamnb.system.threads import in_threads

Result = TypeVar("Result")


class CountBlocks:
    """A matrix of counts that is never unpacked whole.

    Parameters
    ----------
    blocks : BlockStore or iterable of PackedRows
        The rows; none of the blocks too large to be unpacked.
    n_features : int
        The number of columns.

    Attributes
    ----------
    shape : tuple of int
        (n_samples, n_features).
    """

    def __init__(self, blocks: BlockStore | Iterable[PackedRows], n_features: int) -> None:
        self._blocks = blocks if isinstance(blocks, BlockStore) else BlockStore(blocks)
        starts = np.cumsum([0, *map(len, self._blocks.lengths())]).tolist()
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
        lengths = self.row_lengths()
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
        return CountBlocks(split(whole), self.shape[1])

    def row_lengths(self) -> Ints:
        """Return how many counts each row has, of shape (n_samples,)."""
        return np.concatenate([np.empty(0, np.int64), *self._blocks.lengths()])

    def document_frequency(self) -> Ints:
        """Return the document frequency of each feature, of shape (n_features,)."""
        total = np.zeros(self.shape[1], dtype=np.int64)
        for block in self._blocks:
            total += np.bincount(block.indices, minlength=self.shape[1])
        return total

    def whole(self) -> CountMatrix:
        """Return the whole matrix unpacked, if memory allows."""
        if not self._blocks:
            return CountMatrix.from_rows([], self.shape[1])
        return PackedRows.join(list(self._blocks)).unpack(self.shape[1])


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
