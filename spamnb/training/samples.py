"""The training mails, in an order and in folds that depend only on their content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spamnb.features.blocks import CountBlocks, map_blocks
from spamnb.features.matrix import CountMatrix, Ints
from spamnb.training.memory import Shares

_N_FOLDS = 5


class Samples(NamedTuple):
    """The mails, and folds of those that have a label.

    Mails with the same content are in the same fold, so that no fold knows the others' copies.

    Attributes
    ----------
    X : CountMatrix or CountBlocks, of shape (n_labeled, n_features)
    y : ndarray of shape (n_labeled,)
        The labels.
    folds : ndarray of shape (n_labeled,)
        The number of each mail's fold.
    n_folds : int
        How many; fewer than 2 where there is too little mail.
    rows : ndarray of shape (n_labeled,)
        Which of all mails each is.
    labels : ndarray of shape (n_labels,)
        All labels, sorted; rare ones may be in none of the samples.
    unlabeled : CountMatrix or CountBlocks, of shape (n_unlabeled, n_features)
    """

    X: CountMatrix | CountBlocks
    y: NDArray[np.str_]
    folds: Ints
    n_folds: int
    rows: Ints
    labels: NDArray[np.str_]
    unlabeled: CountMatrix | CountBlocks

    @classmethod
    def of(
        cls,
        X: CountMatrix | CountBlocks,
        y: NDArray[np.str_],
        unlabeled: str,
        digests: Ints | None = None,
        share: Shares | None = None,
    ) -> Samples:
        """Sort the mails.

        Parameters
        ----------
        X : CountMatrix or CountBlocks, of shape (n_mails, n_features)
        y : ndarray of shape (n_mails,)
            The labels.
        unlabeled : str
            The label of mail that has none.
        digests : ndarray of shape (n_mails,), optional
            What tells mails apart whose rows are the same, as the few facts of a mail often are.
        share : Shares, optional
            How much may be taken; of more labeled mail a part is, which its content chooses.
        """
        if digests is None:
            digests = np.concatenate([np.empty(0, np.int64), *map_blocks(_digest_rows, X)])
        by_digest = np.lexsort((digests, y))
        is_labeled = y[by_digest] != unlabeled
        rest = X.take_rows(by_digest[~is_labeled])
        order = by_digest[is_labeled]
        labels = np.unique(y[order])
        if share is not None and isinstance(X, CountBlocks):
            order = order[_chosen(digests[order], X.row_lengths()[order], share)]
        X, y, digests = X.take_rows(order), y[order], digests[order]
        is_new = np.append(True, (digests[1:] != digests[:-1]) | (y[1:] != y[:-1]))[: len(y)]
        different = [int(is_new[y == label].sum()) for label in labels]
        n_folds = min(_N_FOLDS, *different)
        return cls(X, y, (np.cumsum(is_new) - 1) % max(n_folds, 1), n_folds, order, labels, rest)


def digest_tokens(tokens: Iterable[str]) -> int:
    """Return a number that is the same for the same tokens in any order."""
    return _digest("\0".join(sorted(tokens)).encode("utf-8", "surrogatepass"))


def _chosen(digests: Ints, lengths: Ints, share: Shares) -> NDArray[np.bool_]:
    """Return which mails are sampled when not all can be: those with the smallest digests.

    This is as good as random sampling, but independent of the order of the mails.  Copies of
    a mail are all taken or none, so that none is left among those that no fold leaves out.
    """
    order = np.argsort(digests)
    fits = np.cumsum(lengths[order]) <= share.sampled_counts
    fits[share.sampled_mails :] = False
    if fits.all():
        return fits
    return np.asarray(digests < digests[order[np.argmin(fits)]])


def _digest_rows(_rows: slice, X: CountMatrix) -> Ints:
    pairs = zip(X.indptr[:-1].tolist(), X.indptr[1:].tolist(), strict=True)
    digests = (
        _digest(X.indices[start:end].tobytes() + X.data[start:end].tobytes())
        for start, end in pairs
    )
    return np.fromiter(digests, np.int64, X.shape[0])


def _digest(content: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(content, digest_size=7).digest(), "big")
