"""The mails of a training, in an order and in folds that depend on nothing but their content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import CountMatrix, Ints

_N_FOLDS = 5


class Samples(NamedTuple):
    """The mails, and folds of those that have a label.

    Mails with the same content are in the same fold, so that no fold knows the others' copies.

    Attributes
    ----------
    X : CountMatrix of shape (n_labelled, n_features)
    y : ndarray of shape (n_labelled,)
        The labels.
    folds : ndarray of shape (n_labelled,)
        The number of each mail's fold.
    n_folds : int
        How many; fewer than 2 where there is too little mail.
    unlabelled : CountMatrix of shape (n_unlabelled, n_features)
    """

    X: CountMatrix
    y: NDArray[np.str_]
    folds: Ints
    n_folds: int
    unlabelled: CountMatrix

    @classmethod
    def of(
        cls,
        X: CountMatrix,
        y: NDArray[np.str_],
        unlabelled: str,
        digests: Ints | None = None,
    ) -> Samples:
        """Sort the mails.

        Parameters
        ----------
        X : CountMatrix of shape (n_mails, n_features)
        y : ndarray of shape (n_mails,)
            The labels.
        unlabelled : str
            The label of mail that has none.
        digests : ndarray of shape (n_mails,), optional
            What tells mails apart whose rows are the same, as the few facts of a mail often are.
        """
        if digests is None:
            digests = np.array([_digest_row(X, i) for i in range(X.shape[0])], dtype=np.int64)
        is_labelled = y != unlabelled
        rest = X.take_rows(~is_labelled)
        rest = rest.take_rows(np.argsort(digests[~is_labelled], kind="stable"))
        X, y, digests = X.take_rows(is_labelled), y[is_labelled], digests[is_labelled]
        order = np.lexsort((digests, y))
        X, y, digests = X.take_rows(order), y[order], digests[order]
        is_new = np.concatenate(([True], (digests[1:] != digests[:-1]) | (y[1:] != y[:-1])))
        different = [int(is_new[y == label].sum()) for label in np.unique(y)]
        n_folds = min(_N_FOLDS, *different)
        return cls(X, y, (np.cumsum(is_new) - 1) % n_folds, n_folds, rest)


def digest_tokens(tokens: Iterable[str]) -> int:
    """Return a number that is the same for the same tokens in any order."""
    return _digest("\0".join(sorted(tokens)).encode("utf-8", "surrogatepass"))


def _digest_row(X: CountMatrix, row: int) -> int:
    own = slice(X.indptr[row], X.indptr[row + 1])
    return _digest(X.indices[own].tobytes() + X.data[own].tobytes())


def _digest(content: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(content, digest_size=7).digest(), "big")
