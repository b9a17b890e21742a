"""Learning from blocks of rows, and out-of-fold scores by subtracting the fold from the sums.

A model of all samples but those of a fold has the sums of all less those of the fold.  The sums of
a `DiscreteNB` over counts are whole multiples of its unit, so the difference has no rounding and
the scores are to the last digit those of a model that has learned the other folds one by one.
"""

from __future__ import annotations

import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spamnb.bayes.discrete import DiscreteNB
from spamnb.features.blocks import CountBlocks, map_blocks
from spamnb.features.matrix import CountMatrix, Floats, Ints
from spamnb.system.threads import in_threads

Rows = CountMatrix | CountBlocks


def fit_blocks(estimator: DiscreteNB, X: Rows, Y: Floats, classes: NDArray[np.str_]) -> None:
    """Learn samples block by block on all cores: the same as ``fit`` if they are counts.

    Parameters
    ----------
    estimator : DiscreteNB
        Fitted in place.
    X : CountMatrix or CountBlocks, of shape (n_samples, n_features)
        Counts.
    Y : ndarray of shape (n_samples, n_classes)
        As for `NaiveBayes.partial_fit_weighted`, whole numbers.
    classes : ndarray of shape (n_classes,)
        All labels, sorted.
    """
    estimator.begin(classes, X.document_frequency(), X.shape[0])
    estimator.class_count_ = Y.sum(axis=0)

    def count(rows: slice, block: CountMatrix) -> Floats:
        return estimator.view(block).transposed_dot(Y[rows])

    for counts in map_blocks(count, X):
        estimator.feature_count_ += counts
    estimator.update()


class Everything(NamedTuple):
    """All samples that an estimator has learned, where folds are made of a part of them only.

    Attributes
    ----------
    X : CountMatrix or CountBlocks, of shape (n_samples, n_features)
    Y : ndarray of shape (n_samples, n_classes)
    folds : ndarray of shape (n_samples,)
        The number of each sample's fold; -1 for one that is never left out.
    """

    X: Rows
    Y: Floats
    folds: Ints


def left_out_scores(
    estimator: DiscreteNB, X: Rows, Y: Floats, folds: Ints, every: Everything | None = None
) -> Floats:
    """Return the joint log likelihood of each sample under a model of the other folds.

    Parameters
    ----------
    estimator : DiscreteNB
        Fitted on all samples, whole numbers; not modified.
    X : CountMatrix or CountBlocks, of shape (n_samples, n_features)
        Counts.
    Y : ndarray of shape (n_samples, n_classes)
        As it was fitted.
    folds : ndarray of shape (n_samples,)
        The number of each sample's fold.
    every : Everything, optional
        All samples, where they are more than these.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        As of `spamnb.bayes.model_selection.out_of_fold`.
    """
    n_folds = int(folds.max()) + 1
    every = every or Everything(X, Y, folds)
    frequency = every.X.document_frequency()
    out = [_unpacked(X, folds == fold) for fold in range(n_folds)]
    models = []
    for fold, own in enumerate(out):
        model = copy.copy(estimator)
        others = frequency - own.document_frequency()
        models.append(model.begin(estimator.classes_, others, every.X.shape[0] - own.shape[0]))
        model.class_count_ = estimator.class_count_ - Y[folds == fold].sum(axis=0)
    dependent = estimator.dependent_columns()
    sums = _dependent_sums(models, every, dependent) if len(dependent) else None

    def score(fold: int) -> Floats:
        model, own = models[fold], out[fold]
        counts = estimator.view(own).transposed_dot(Y[folds == fold])
        model.feature_count_ = estimator.feature_count_ - counts
        if sums is not None:
            model.feature_count_[:, dependent] = sums[fold]
        known = frequency > own.document_frequency()
        model.take_columns(known)
        joint = model.predict_joint_log_proba(own.take_columns(known))
        models[fold] = out[fold] = None  # type: ignore[call-overload]  # no longer needed
        return joint

    joint = np.empty(Y.shape)
    for fold, scores in enumerate(in_threads(score, range(n_folds))):
        joint[folds == fold] = scores
    return joint


def _dependent_sums(models: list[DiscreteNB], every: Everything, columns: Ints) -> list[Floats]:
    """Return the sums of each fold's model over columns that it does not see as the whole does."""
    X, Y, folds = every
    seeing = [model.seeing(columns) for model in models]

    def count(rows: slice, block: CountMatrix) -> list[Floats]:
        part = block.take_columns(columns)
        return [
            model.view(part).transposed_dot(Y[rows] * (folds[rows] != fold)[:, np.newaxis])
            for fold, model in enumerate(seeing)
        ]

    sums = [np.zeros((Y.shape[1], len(columns))) for _ in models]
    for counts in map_blocks(count, X):
        for total, of_block in zip(sums, counts, strict=True):
            total += of_block
    return sums


def _unpacked(X: Rows, rows: NDArray[np.bool_]) -> CountMatrix:
    taken = X.take_rows(rows)
    return taken.whole() if isinstance(taken, CountBlocks) else taken
