"""The mails of a training, in an order and in folds that depend on nothing but their content."""

from __future__ import annotations

import hashlib
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
    def of(cls, X: CountMatrix, y: NDArray[np.str_], unlabelled: str) -> Samples:
        """Sort the mails; those with the label ``unlabelled`` have none."""
        is_labelled = y != unlabelled
        rest = X.take_rows(~is_labelled)
        rest = rest.take_rows(np.argsort(_digests(rest), kind="stable"))
        X, y = X.take_rows(is_labelled), y[is_labelled]
        digests = _digests(X)
        order = np.lexsort((digests, y))
        X, y, digests = X.take_rows(order), y[order], digests[order]
        is_new = np.concatenate(([True], (digests[1:] != digests[:-1]) | (y[1:] != y[:-1])))
        different = [int(is_new[y == label].sum()) for label in np.unique(y)]
        n_folds = min(_N_FOLDS, *different)
        return cls(X, y, (np.cumsum(is_new) - 1) % n_folds, n_folds, rest)


def _digests(X: CountMatrix) -> Ints:
    return np.array([_digest(X, i) for i in range(X.shape[0])], dtype=np.int64)


def _digest(X: CountMatrix, row: int) -> int:
    own = slice(X.indptr[row], X.indptr[row + 1])
    content = X.indices[own].tobytes() + X.data[own].tobytes()
    return int.from_bytes(hashlib.blake2b(content, digest_size=7).digest(), "big")
