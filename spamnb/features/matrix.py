"""The sparse matrix of counts (compressed sparse rows) and the few products that learning needs.

Only numpy: importing scipy.sparse costs 0.2 s, more than everything else that scoring one mail
takes (2026-11).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spamnb.errors import MatrixError
from spamnb.native.twins import has_twin

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class CountMatrix:
    """Counts of features in samples, in compressed sparse rows.

    Row ``i`` has the counts ``data[indptr[i]:indptr[i + 1]]`` in the columns
    ``indices[indptr[i]:indptr[i + 1]]``; no column twice, no explicit zero.

    Parameters
    ----------
    data : ndarray of shape (n_stored,)
        The counts, each finite and not zero.
    indices : ndarray of shape (n_stored,)
        Their columns.
    indptr : ndarray of shape (n_samples + 1,)
        Where each row begins.
    shape : tuple of int
        (n_samples, n_features).
    """

    __slots__ = ("data", "indices", "indptr", "shape")

    def __init__(
        self,
        data: NDArray[Any],
        indices: NDArray[Any],
        indptr: NDArray[Any],
        shape: tuple[int, int],
    ) -> None:
        self.data: Floats = np.asarray(data, dtype=np.float64)
        self.indices: Ints = np.asarray(indices, dtype=np.int64)
        self.indptr: Ints = np.asarray(indptr, dtype=np.int64)
        self.shape = (int(shape[0]), int(shape[1]))

    @classmethod
    def from_rows(cls, rows: Iterable[dict[int, int]], n_features: int) -> CountMatrix:
        """Build a matrix from one dictionary ``{column: count}`` per row.

        Parameters
        ----------
        rows : iterable of dict
            The rows; counts are positive.
        n_features : int
            The number of columns.
        """
        indices: list[int] = []
        data: list[int] = []
        indptr = [0]
        for row in rows:
            indices += row.keys()
            data += row.values()
            indptr.append(len(indices))
        return cls(
            np.array(data), np.array(indices), np.array(indptr), (len(indptr) - 1, n_features)
        )

    @classmethod
    def coerce(cls, X: Any) -> CountMatrix:
        """Return any matrix as a `CountMatrix`: another one, scipy's CSR, or a dense array.

        Parameters
        ----------
        X : CountMatrix, object with ``data``, ``indices``, ``indptr`` and ``shape``, or array-like
            Any matrix of shape (n_samples, n_features).

        Raises
        ------
        MatrixError
            When it is not two-dimensional, or has values that are not numbers or indices out
            of range.
        """
        if isinstance(X, cls):
            return X
        if all(hasattr(X, name) for name in ("data", "indices", "indptr", "shape")):
            if getattr(X, "format", "csr") != "csr":
                return cls.coerce(X.tocsr())
            if len(X.shape) != 2:
                raise MatrixError("a matrix with 2 dimensions", f"{len(X.shape)}")
            matrix = cls(X.data, X.indices, X.indptr, X.shape)
            matrix._check_structure()
            return matrix._canonical()
        if hasattr(X, "tocsr") and len(X.shape) == 2:
            return cls.coerce(X.tocsr())
        if hasattr(X, "toarray"):
            raise MatrixError("a matrix with 2 dimensions", f"{len(X.shape)} dimensions")
        try:
            dense = np.asarray(X, dtype=np.float64)
        except (TypeError, ValueError):
            raise MatrixError("a matrix of numbers", f"{type(X).__name__}") from None
        if dense.ndim != 2:
            raise MatrixError("a matrix with 2 dimensions", f"{dense.ndim} dimensions")
        rows, columns = np.nonzero(dense)
        indptr = np.concatenate(([0], np.cumsum(np.count_nonzero(dense, axis=1))))
        return cls(dense[rows, columns], columns, indptr, dense.shape)

    @classmethod
    def vstack(cls, blocks: Sequence[CountMatrix]) -> CountMatrix:
        """Stack matrices on top of one another; the result is as wide as the widest."""
        n_features = max((block.shape[1] for block in blocks), default=0)
        ends = np.cumsum([0, *(len(block.data) for block in blocks)])
        pointers = [block.indptr[1:] + end for block, end in zip(blocks, ends, strict=False)]
        return cls(
            np.concatenate([np.empty(0), *(block.data for block in blocks)]),
            np.concatenate([np.empty(0, np.int64), *(block.indices for block in blocks)]),
            np.concatenate([np.zeros(1, np.int64), *pointers]),
            (sum(block.shape[0] for block in blocks), n_features),
        )

    @classmethod
    def hstack(cls, blocks: Sequence[CountMatrix]) -> CountMatrix:
        """Concatenate matrices with the same number of rows side by side."""
        widths = [block.shape[1] for block in blocks]
        starts = np.cumsum([0, *widths])
        rows = np.concatenate([block.row_of for block in blocks])
        order = np.argsort(rows, kind="stable")
        indices = np.concatenate(
            [block.indices + start for block, start in zip(blocks, starts, strict=False)]
        )
        return cls(
            np.concatenate([block.data for block in blocks])[order],
            indices[order],
            np.sum([block.indptr for block in blocks], axis=0),
            (blocks[0].shape[0], sum(widths)),
        )

    @property
    def row_of(self) -> Ints:
        """The row of each stored count, of shape (n_stored,)."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))

    def dot(self, weights: Floats) -> Floats:
        """Return the product with a dense matrix.

        Parameters
        ----------
        weights : ndarray of shape (n_features, n_outputs)
            Infinite weights are allowed: only stored counts are multiplied, so that an absent
            feature adds nothing, not 0 · ∞.

        Returns
        -------
        ndarray of shape (n_samples, n_outputs)
        """
        rows, n_rows = self.row_of, self.shape[0]
        product = np.empty((n_rows, weights.shape[1]))
        for output in range(weights.shape[1]):
            terms = np.take(np.ascontiguousarray(weights[:, output]), self.indices)
            terms *= self.data
            product[:, output] = np.bincount(rows, terms, minlength=n_rows)
        return product

    def dot_vector(self, weights: Floats) -> Floats:
        """Return the product with a vector of finite weights.

        Parameters
        ----------
        weights : ndarray of shape (n_features,)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        product = np.zeros(self.shape[0])
        filled = self.indptr[1:] > self.indptr[:-1]  # reduceat is wrong on empty rows
        if len(self.data):
            terms = np.take(weights, self.indices)
            terms *= self.data
            product[filled] = np.add.reduceat(terms, self.indptr[:-1][filled])
        return product

    def transpose(self) -> CountMatrix:
        """Return the transposed matrix."""
        data, indices, indptr = self.data, self.indices, self.indptr
        return CountMatrix(*transposed(data, indices, indptr, self.shape[1]), self.shape[::-1])

    def transposed_dot(self, Y: Floats) -> Floats:
        """Return ``Yᵀ X``: the counts of each feature, weighted and summed over the samples.

        Parameters
        ----------
        Y : ndarray of shape (n_samples, n_outputs)

        Returns
        -------
        ndarray of shape (n_outputs, n_features)
        """
        lengths, n_features = np.diff(self.indptr), self.shape[1]
        product = np.empty((Y.shape[1], n_features))
        for output, y in enumerate(Y.T):
            weights, indices, terms = np.repeat(y, lengths), self.indices, self.data
            if not np.all(y):  # of a label most are 0
                counts = weights != 0
                weights, indices, terms = weights[counts], indices[counts], terms[counts]
            product[output] = np.bincount(indices, terms * weights, minlength=n_features)
        return product

    def document_frequency(self) -> Ints:
        """Return the document frequency of each feature, of shape (n_features,)."""
        return np.bincount(self.indices, minlength=self.shape[1])

    def binary(self, threshold: float = 0.0) -> CountMatrix:
        """Return 1 where a stored count is above the threshold, and nothing elsewhere."""
        above = np.flatnonzero(self.data > threshold)
        return self._keep(above, np.ones(len(above)), np.take(self.indices, above), self.shape)

    def toarray(self) -> Floats:
        """Return the dense equivalent, of shape (n_samples, n_features)."""
        dense = np.zeros(self.shape)
        dense[self.row_of, self.indices] = self.data
        return dense

    def dense_blocks(self, n_values: int = 1 << 22) -> Iterator[tuple[slice, Floats]]:
        """Yield the dense equivalent in blocks of rows, so that it is never in memory as a whole.

        Parameters
        ----------
        n_values : int
            The maximum number of values in a block, which has at least one row.

        Yields
        ------
        tuple of slice and ndarray of shape (n_rows, n_features)
            The rows, and their values.
        """
        step = max(1, n_values // max(self.shape[1], 1))
        for start in range(0, self.shape[0], step):
            rows = slice(start, min(start + step, self.shape[0]))
            yield rows, self.take_rows(np.arange(rows.start, rows.stop)).toarray()

    def blocks(self, n_stored: int = 1 << 19) -> Iterator[tuple[slice, CountMatrix]]:
        """Yield blocks of rows, which share the memory of the matrix.

        Parameters
        ----------
        n_stored : int
            The maximum number of stored counts in a block, which has at least one row.

        Yields
        ------
        tuple of slice and CountMatrix
            The rows, and the matrix of these.
        """
        start, n_rows = 0, self.shape[0]
        while start < n_rows:
            begin = int(self.indptr[start])
            stop = int(np.searchsorted(self.indptr, begin + n_stored, side="right")) - 1
            stop = min(max(stop, start + 1), n_rows)
            own = slice(begin, int(self.indptr[stop]))
            indptr = self.indptr[start : stop + 1] - begin
            shape = (stop - start, self.shape[1])
            yield slice(start, stop), CountMatrix(self.data[own], self.indices[own], indptr, shape)
            start = stop

    def take_rows(self, rows: NDArray[Any]) -> CountMatrix:
        """Return some rows, in the order given.

        Parameters
        ----------
        rows : ndarray of int, or of bool of shape (n_samples,)
            Which rows.
        """
        chosen = np.arange(self.shape[0])[rows]
        lengths = np.diff(self.indptr)[chosen]
        indptr = np.concatenate(([0], np.cumsum(lengths)))
        where = np.arange(indptr[-1]) + np.repeat(self.indptr[chosen] - indptr[:-1], lengths)
        shape = (len(chosen), self.shape[1])
        return CountMatrix(self.data[where], self.indices[where], indptr, shape)

    def take_columns(self, columns: NDArray[Any]) -> CountMatrix:
        """Return some columns, in the order given.

        Parameters
        ----------
        columns : ndarray of int without repetition, or of bool of shape (n_features,)
            Which columns.
        """
        chosen = np.arange(self.shape[1])[columns]
        new_index = np.full(self.shape[1], -1)
        new_index[chosen] = np.arange(len(chosen))
        indices = np.take(new_index, self.indices)
        kept = np.flatnonzero(indices >= 0)
        shape = (self.shape[0], len(chosen))
        return self._keep(kept, np.take(self.data, kept), np.take(indices, kept), shape)

    def _keep(self, kept: Ints, data: Floats, indices: Ints, shape: tuple[int, int]) -> CountMatrix:
        """Return a matrix with some of the stored counts replaced and the others dropped."""
        return CountMatrix(data, indices, np.searchsorted(kept, self.indptr), shape)

    def _check_structure(self) -> None:
        n_samples, n_features = self.shape
        pointers = self.indptr
        if (
            len(pointers) != n_samples + 1
            or pointers[0] != 0
            or pointers[-1] != len(self.indices)
            or len(self.indices) != len(self.data)
            or np.any(np.diff(pointers) < 0)
        ):
            raise MatrixError("compressed sparse rows", "arrays that do not fit together")
        if len(self.indices) and not 0 <= self.indices.min() <= self.indices.max() < n_features:
            raise MatrixError(f"column indices from 0 to {n_features - 1}", "others")

    def _canonical(self) -> CountMatrix:
        """Return the same matrix with repeated columns summed and explicit zeros left out."""
        position = self.row_of * max(self.shape[1], 1) + self.indices
        if np.all(self.data) and (len(position) < 2 or np.diff(position).min() > 0):
            return self
        unique, inverse = np.unique(position, return_inverse=True)
        data = np.bincount(inverse, self.data, minlength=len(unique))
        # NaN is kept, for the value checks.
        unique, data = unique[data != 0], data[data != 0]
        rows, columns = np.divmod(unique, max(self.shape[1], 1))
        lengths = np.bincount(rows, minlength=self.shape[0])
        return CountMatrix(data, columns, np.concatenate(([0], np.cumsum(lengths))), self.shape)


@has_twin
def transposed(
    data: Floats, indices: Ints, indptr: Ints, n_columns: int
) -> tuple[Floats, Ints, Ints]:
    """Return the data, the row numbers and the ends of the columns of a matrix.

    Parameters
    ----------
    data, indices, indptr : ndarray
        Of a `CountMatrix`.
    n_columns : int
    """
    # Column and place as one number: numpy sorts numbers much faster than it finds a stable order
    # (2 million of them: .02 s and .24 s, 2026-11).
    n_bits = len(data).bit_length()
    order = np.sort((indices << n_bits) | np.arange(len(data)))
    order &= (1 << n_bits) - 1
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    ends = np.concatenate(([0], np.cumsum(np.bincount(indices, minlength=n_columns))))
    return data[order], rows[order], ends
