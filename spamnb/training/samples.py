"""The mails of a training, in an order and in folds that depend on nothing but their content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spamnb.features.blocks import CountBlocks, map_blocks
from spamnb.features.matrix import CountMatrix, Ints

_N_FOLDS = 5


class Samples(NamedTuple):
    """The mails, and folds of those that have a label.

    Mails with the same content are in the same fold, so that no fold knows the others' copies.

    Attributes
    ----------
    X : CountMatrix or CountBlocks, of shape (n_labelled, n_features)
    y : ndarray of shape (n_labelled,)
        The labels.
    folds : ndarray of shape (n_labelled,)
        The number of each mail's fold.
    n_folds : int
        How many; fewer than 2 where there is too little mail.
    unlabelled : CountMatrix or CountBlocks, of shape (n_unlabelled, n_features)
    """

    X: CountMatrix | CountBlocks
    y: NDArray[np.str_]
    folds: Ints
    n_folds: int
    unlabelled: CountMatrix | CountBlocks

    @classmethod
    def of(
        cls,
        X: CountMatrix | CountBlocks,
        y: NDArray[np.str_],
        unlabelled: str,
        digests: Ints | None = None,
    ) -> Samples:
        """Sort the mails.

        Parameters
        ----------
        X : CountMatrix or CountBlocks, of shape (n_mails, n_features)
        y : ndarray of shape (n_mails,)
            The labels.
        unlabelled : str
            The label of mail that has none.
        digests : ndarray of shape (n_mails,), optional
            What tells mails apart whose rows are the same, as the few facts of a mail often are.
        """
        if digests is None:
            digests = np.concatenate([np.empty(0, np.int64), *map_blocks(_digest_rows, X)])
        by_digest = np.lexsort((digests, y))
        is_labelled = y[by_digest] != unlabelled
        rest = X.take_rows(by_digest[~is_labelled])
        order = by_digest[is_labelled]
        X, y, digests = X.take_rows(order), y[order], digests[order]
        is_new = np.concatenate(([True], (digests[1:] != digests[:-1]) | (y[1:] != y[:-1])))
        different = [int(is_new[y == label].sum()) for label in np.unique(y)]
        n_folds = min(_N_FOLDS, *different)
        return cls(X, y, (np.cumsum(is_new) - 1) % n_folds, n_folds, rest)


def digest_tokens(tokens: Iterable[str]) -> int:
    """Return a number that is the same for the same tokens in any order."""
    return _digest("\0".join(sorted(tokens)).encode("utf-8", "surrogatepass"))


def _digest_rows(_rows: slice, X: CountMatrix) -> Ints:
    pairs = zip(X.indptr[:-1].tolist(), X.indptr[1:].tolist(), strict=True)
    digests = (
        _digest(X.indices[start:end].tobytes() + X.data[start:end].tobytes())
        for start, end in pairs
    )
    return np.fromiter(digests, np.int64, X.shape[0])


def _digest(content: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(content, digest_size=7).digest(), "big")
