"""Learning from labeled and unlabeled samples: self-training."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.checks import numbers
from spamnb.bayes.parameters import Classifier
from spamnb.errors import MatrixError, NotFittedError, ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints

if TYPE_CHECKING:
    from typing_extensions import Self

CRITERIA = ("threshold", "k_best")


class SemiSupervised(Classifier):
    """What has learned from labeled and unlabeled samples, and predicts as its estimator does.

    Attributes
    ----------
    estimator_ : object
        The trained estimator.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    transduction_ : ndarray of shape (n_samples,)
        The labels of the samples, given and found.
    """

    estimator_: Any
    classes_: NDArray[Any]
    transduction_: NDArray[Any]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each sample, of shape (n_samples,)."""
        return np.asarray(self._fitted().predict(X))

    def predict_proba(self, X: Any) -> Floats:
        """Return P(class | sample), of shape (n_samples, n_classes)."""
        return np.asarray(self._fitted().predict_proba(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return log P(class | sample), of shape (n_samples, n_classes)."""
        return np.asarray(self._fitted().predict_log_proba(X))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "transduction_")

    def _fitted(self) -> Any:
        if not hasattr(self, "transduction_"):
            raise NotFittedError(type(self).__name__)
        return self.estimator_


class SelfTrainingClassifier(SemiSupervised):
    """Self-training (Yarowsky, 1995): in each iteration confident predictions become labels.

    Parameters
    ----------
    estimator : object with ``fit``, ``predict`` and ``predict_proba``
        Copied, not modified.
    criterion : str
        "threshold" to take over every prediction with a probability above ``threshold``,
        "k_best" the ``k_best`` most probable ones.
    threshold : float
        From 0 to 1.
    k_best : int
        How many in a round.
    max_iter : int, optional
        The maximum number of iterations; None to continue until nothing changes.
    unlabeled
        The label that marks a sample as unlabeled.
    progress : callable, optional
        Called after each iteration with its number, from 1, and the number of new labels.

    Attributes
    ----------
    estimator_ : object
        The estimator, trained on all labels, given and new.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    transduction_ : ndarray of shape (n_samples,)
        The labels, given and new.
    labeled_iter_ : ndarray of shape (n_samples,)
        The round in which each sample got its label, 0 for given ones, -1 for none.
    n_iter_ : int
        The number of iterations.
    termination_condition_ : str
        "all_labeled", "no_change" or "max_iter".

    Examples
    --------
    >>> from spamnb.bayes import MultinomialNB, SelfTrainingClassifier
    >>> X = [[2, 0, 0], [0, 3, 0], [4, 0, 2], [0, 5, 0]]
    >>> model = SelfTrainingClassifier(MultinomialNB(), unlabeled="")
    >>> model.fit(X, ["ham", "spam", "", ""]).labeled_iter_.tolist()
    [0, 0, 1, 1]
    """

    labeled_iter_: Ints
    n_iter_: int
    termination_condition_: str

    def __init__(
        self,
        estimator: Any,
        *,
        criterion: str = "threshold",
        threshold: float = 0.75,
        k_best: int = 10,
        max_iter: int | None = 10,
        unlabeled: Any = -1,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.estimator = estimator
        self.criterion = criterion
        self.threshold = threshold
        self.k_best = k_best
        self.max_iter = max_iter
        self.unlabeled = unlabeled
        self.progress = progress

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Learn from the labeled samples, then from what is predicted for the others.

        Parameters
        ----------
        X : CountMatrix, scipy sparse matrix or array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The labels; ``unlabeled`` where there is none.

        Raises
        ------
        MatrixError, ParameterError

        Warns
        -----
        UserWarning
            When no sample is unlabeled, or fewer than ``k_best``.
        """
        self._check_parameters()
        labels = np.array(y)
        n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
        is_labeled = find_labeled(labels, self.unlabeled, n_samples)
        if self.criterion == "k_best" and self.k_best > np.count_nonzero(~is_labeled):
            warnings.warn("k_best is larger than the number of unlabeled samples", stacklevel=2)
        estimator = copy.deepcopy(self.estimator)
        labeled_iter = np.where(is_labeled, 0, -1)
        n_iter, reason = 0, "max_iter"
        while not np.all(is_labeled) and (self.max_iter is None or n_iter < self.max_iter):
            n_iter += 1
            estimator.fit(take_rows(X, is_labeled), labels[is_labeled])
            unlabeled = np.flatnonzero(~is_labeled)
            proba = np.asarray(estimator.predict_proba(take_rows(X, unlabeled)))
            surest = self._surest(proba.max(axis=1))
            chosen = unlabeled[surest]
            labels[chosen] = estimator.classes_[proba[surest].argmax(axis=1)]
            is_labeled[chosen], labeled_iter[chosen] = True, n_iter
            if self.progress is not None:
                self.progress(n_iter, len(chosen))
            if not len(chosen):
                reason = "no_change"
                break
        estimator.fit(take_rows(X, is_labeled), labels[is_labeled])
        self.estimator_, self.classes_ = estimator, estimator.classes_
        self.transduction_, self.labeled_iter_, self.n_iter_ = labels, labeled_iter, n_iter
        self.termination_condition_ = "all_labeled" if np.all(is_labeled) else reason
        return self

    def _surest(self, certainty: Floats) -> Ints:
        """Return the positions of the predictions that become labels."""
        if self.criterion == "threshold":
            return np.flatnonzero(certainty > self.threshold)
        return np.argsort(-certainty, kind="stable")[: self.k_best]

    def _check_parameters(self) -> None:
        if self.criterion not in CRITERIA:
            raise ParameterError("criterion", f"one of {', '.join(CRITERIA)}", self.criterion)
        expected = "a number from 0 to 1"
        threshold = numbers("threshold", self.threshold, expected)
        if threshold.ndim or threshold > 1:
            raise ParameterError("threshold", expected, self.threshold)
        if not isinstance(self.k_best, (int, np.integer)) or self.k_best < 1:
            raise ParameterError("k_best", "a whole number > 0", self.k_best)
        check_max_iter(self.max_iter)


def check_max_iter(max_iter: int | None) -> None:
    """Raise a `ParameterError` unless the number of rounds is one, or None for any number."""
    if max_iter is not None and (not isinstance(max_iter, (int, np.integer)) or max_iter < 0):
        raise ParameterError("max_iter", "a whole number ≥ 0, or None", max_iter)


def find_labeled(labels: NDArray[Any], unlabeled: Any, n_samples: int) -> NDArray[np.bool_]:
    """Return which samples have a label.

    Parameters
    ----------
    labels : ndarray of shape (n_samples,)
        The labels, some of them equal to ``unlabeled``.
    unlabeled
        What marks a sample as unlabeled.
    n_samples : int
        How many labels there must be.

    Raises
    ------
    MatrixError
        When there are more or fewer, or none but ``unlabeled``.
    ParameterError
        When the labels are of a kind in which ``unlabeled`` cannot occur.

    Warns
    -----
    UserWarning
        When all have.
    """
    if labels.shape != (n_samples,):
        raise MatrixError(f"{n_samples} labels, one for each row of X", f"shape {labels.shape}")
    if labels.dtype.kind in "US" and not isinstance(unlabeled, (str, bytes)):
        raise ParameterError(
            "y", f"of dtype object, so that {unlabeled!r} can stand in it", f"dtype {labels.dtype}"
        )
    is_labeled = np.array([label != unlabeled for label in labels.tolist()], dtype=np.bool_)
    if not is_labeled.any():
        raise MatrixError("at least one labeled sample", "none")
    if is_labeled.all():
        warnings.warn("y contains no unlabeled samples", stacklevel=3)
    return is_labeled


def take_rows(X: Any, rows: NDArray[Any]) -> Any:
    """Return some rows of any matrix, as a matrix of its kind.

    Parameters
    ----------
    X : CountMatrix, scipy sparse matrix or array-like of shape (n_samples, n_features)
    rows : ndarray of int, or of bool of shape (n_samples,)
    """
    if isinstance(X, CountMatrix):
        return X.take_rows(rows)
    return X.tocsr()[rows] if hasattr(X, "tocsr") else np.asarray(X)[rows]
