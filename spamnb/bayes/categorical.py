"""Categorical naive Bayes: each feature has one of a few values, such as a weekday."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.checks import (
    check_alpha,
    check_not_negative,
    numbers,
    stored,
    stored_whole,
)
from spamnb.bayes.evidence import Evidence
from spamnb.bayes.logarithms import difference, smoothed_log_ratio, smoothing_log_density
from spamnb.errors import MatrixError, ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_CATEGORIES = 1_000_000
"""More are a mistake, such as amounts or times, and their counts would fill the memory."""


class CategoricalNB(NaiveBayes):
    """Categorical naive Bayes (Li Hang, Statistical Learning Methods, section 4.2).

    The values are the numbers 0, 1, … of categories; fractions are truncated.  Feature j has S_j
    categories: up to the largest seen, or more by ``min_categories``.  Its parameters are
    P(value | class) = (N_cjv + λ) / (N_cj + S_j λ).

    NaN is a missing value.  It is left out of the product and of the counts, not filled in, so
    N_cj is the number of samples of the class in which the feature is known.  A value that was
    never seen has the count 0, so the probability λ / (N_cj + S_j λ) (scikit-learn raises an
    IndexError).

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,)
        λ ≥ 0: 1 is Laplace's, less is Lidstone's smoothing, 0 maximum likelihood.
    fit_prior, class_prior, prior_alpha
        As in `NaiveBayes`.
    min_categories : int or array-like of shape (n_features,), optional
        The minimum S_j, for categories that are known to exist but have not been seen yet.

    Attributes
    ----------
    n_categories_ : ndarray of shape (n_features,)
        S_j.
    category_count_ : list of n_features ndarrays of shape (n_classes, S_j)
        The (weighted) count of each value in each class.
    feature_log_prob_ : list of n_features ndarrays of shape (n_classes, S_j)
        log P(value | class), in nats.

    Examples
    --------
    >>> from spamnb.bayes import CategoricalNB
    >>> model = CategoricalNB().fit([[0, 2], [1, 1], [0, 0]], ["ham", "spam", "ham"])
    >>> model.predict([[1, 1]]).tolist()
    ['spam']
    """

    reads = "facts"
    options: ClassVar[frozenset[str]] = frozenset({"alpha"})

    n_categories_: Ints
    category_count_: list[Floats]
    feature_log_prob_: list[Floats]

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
        min_categories: ArrayLike | None = None,
    ) -> None:
        super().__init__(fit_prior=fit_prior, class_prior=class_prior, prior_alpha=prior_alpha)
        self.alpha = alpha
        self.min_categories = min_categories

    def _reset_counts(self) -> None:
        least = np.asarray(0 if self.min_categories is None else self.min_categories, np.int64)
        self.n_categories_ = np.broadcast_to(least, (self.n_features_in_,))
        self.category_count_ = [np.zeros((len(self.classes_), n)) for n in self.n_categories_]

    def _count(self, X: CountMatrix, Y: Floats) -> None:
        for rows, block in X.dense_blocks():
            for j, values in enumerate(block.T):
                known = ~np.isnan(values)
                codes = values[known].astype(np.int64)
                n_categories = max(self.n_categories_[j], codes.max(initial=-1) + 1)
                weights = Y[rows][known].T
                counts = [np.bincount(codes, weight, minlength=n_categories) for weight in weights]
                self.category_count_[j] = counts + _padded(self.category_count_[j], n_categories)
            self.n_categories_ = np.array([c.shape[1] for c in self.category_count_], np.int64)

    def _update_parameters(self) -> None:
        self.feature_log_prob_ = [
            smoothed_log_ratio(count + alpha, count.sum(axis=1, keepdims=True) + n * alpha)
            for count, alpha, n in zip(
                self.category_count_, self._alphas(), self.n_categories_, strict=True
            )
        ]

    def _joint_log_likelihood(self, X: CountMatrix) -> Floats:
        tables = self._tables()
        joint = np.tile(self.class_log_prior_, (X.shape[0], 1))
        for rows, block in X.dense_blocks():
            for table, n, values in zip(tables, self.n_categories_, block.T, strict=True):
                joint[rows] += table.T[_positions(values, n)]
        return joint

    def _tables(self) -> list[Floats]:
        """Return the log probabilities, then those of an unseen value, then of a missing one: 0."""
        return [
            np.hstack([log_prob, unseen, np.zeros_like(unseen)])
            for log_prob, unseen in zip(self.feature_log_prob_, self._unseen(), strict=True)
        ]

    def take_columns(self, columns: NDArray[Any]) -> Self:
        """Keep some of the features; see `NaiveBayes.take_columns`.

        ``alpha`` has to be one number, and ``min_categories`` as well.
        """
        chosen = np.arange(self.n_features_in_)[columns].tolist()
        self.n_categories_ = self.n_categories_[chosen]
        self.category_count_ = [self.category_count_[j] for j in chosen]
        self.n_features_in_ = len(chosen)
        return self.update()

    def _evidence(self, X: CountMatrix, towards: int, against: int) -> Evidence:
        values = X.toarray()[0]
        position = _positions(values, self.n_categories_)
        nats = np.array(
            [
                difference(table[towards, at], table[against, at])
                for table, at in zip(self._tables(), position, strict=True)
            ]
        )
        known = np.flatnonzero(~np.isnan(values))
        prior = self._prior_between(towards, against)
        return Evidence(known, values[known], nats[known], prior)

    def _counts(self) -> dict[str, NDArray[Any]]:
        none = np.empty((len(self.classes_), 0))
        return {
            "n_categories": self.n_categories_,
            "category_count": np.hstack([none, *self.category_count_]),
        }

    def _set_counts(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.n_categories_ = stored_whole(
            state, "n_categories", (self.n_features_in_,), MAX_CATEGORIES + 1
        )
        ends = np.cumsum(self.n_categories_)
        shape = (len(self.classes_), int(ends[-1]) if len(ends) else 0)
        count = stored(state, "category_count", shape)
        self.category_count_ = np.split(count, ends, axis=1)[:-1]

    def _unseen(self) -> list[Floats]:
        """Return the log probability of a value that was never seen, (n_classes, 1) each."""
        return [
            smoothed_log_ratio(
                np.full((len(count), 1), alpha), count.sum(axis=1, keepdims=True) + n * alpha
            )
            for count, alpha, n in zip(
                self.category_count_, self._alphas(), self.n_categories_, strict=True
            )
        ]

    def _alphas(self) -> Floats:
        return np.broadcast_to(np.asarray(self.alpha, np.float64), (self.n_features_in_,))

    def _features_log_density(self) -> float:
        pairs = zip(self.feature_log_prob_, self._alphas(), strict=True)
        return sum(smoothing_log_density(log_prob, alpha) for log_prob, alpha in pairs)

    def _sample_features(self, index: Ints, rng: np.random.Generator) -> CountMatrix:
        drawn = np.zeros((len(index), self.n_features_in_))
        for j, log_prob in enumerate(self.feature_log_prob_):
            # By the inverse of the distribution function; rounding must not lead past its end.
            steps = np.exp(log_prob).cumsum(axis=1)[:, :-1]
            drawn[:, j] = (rng.random((len(index), 1)) >= steps[index]).sum(axis=1)
        return CountMatrix.coerce(drawn)

    def _check_matrix(self, X: Any) -> CountMatrix:
        matrix = CountMatrix.coerce(X)
        largest = np.fmax.reduce(matrix.data, initial=0.0)  # NaN left aside
        if largest >= MAX_CATEGORIES:
            raise MatrixError(f"numbers of categories below {MAX_CATEGORIES}", f"{largest:g}")
        return check_not_negative(matrix, self, "numbers of categories")

    def _check_parameters(self, n_features: int) -> None:
        check_alpha(self.alpha, n_features)
        if self.min_categories is not None:
            expected = f"one whole number ≥ 0 or {n_features} of them"
            least = numbers("min_categories", self.min_categories, expected)
            if least.shape not in ((), (n_features,)) or np.any(least % 1):
                raise ParameterError("min_categories", expected, self.min_categories)
        super()._check_parameters(n_features)


def _positions(values: Floats, n_categories: Ints | int) -> Ints:
    """Return where the values stand in tables of ``n_categories`` categories; see `_tables`."""
    missing = np.isnan(values)
    seen = np.minimum(np.where(missing, 0.0, values), n_categories)
    return np.where(missing, n_categories + 1, seen).astype(np.int64)


def _padded(count: NDArray[Any], n_categories: int) -> Floats:
    """Return the counts padded with zeros for new categories."""
    return np.pad(count, ((0, 0), (0, n_categories - count.shape[1])))
