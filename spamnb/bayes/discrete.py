"""What the estimators over counts share: smoothed counts, and scores that are linear in them."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.checks import check_alpha, check_finite, check_not_negative, stored
from spamnb.bayes.evidence import Evidence
from spamnb.bayes.logarithms import difference
from spamnb.errors import NotFittedError, ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints

if TYPE_CHECKING:
    from typing_extensions import Self


class DiscreteNB(NaiveBayes):
    """Naive Bayes over counts, linear in them.

    The joint log likelihood of every model here is ``X @ weights.T + intercept``.  A model has
    two hooks: `view` is how it sees the counts (as they are, by default), and
    `_update_feature_log_prob` turns the summed counts into parameters.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,)
        Additive (Laplace, Lidstone) smoothing, ≥ 0; 0 is maximum likelihood.
    fit_prior, class_prior, prior_alpha
        As in `NaiveBayes`.
    binary : bool
        Take each positive count as 1 (Metsis, Androutsopoulos and Paliouras, CEAS 2006).

    Attributes
    ----------
    feature_count_ : ndarray of shape (n_classes, n_features)
        The (weighted) count of each feature in each class.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        The model's parameters, as each class documents them.
    """

    feature_count_: Floats
    feature_log_prob_: Floats

    is_linear: ClassVar[bool] = True
    can_grow: ClassVar[bool] = True
    options: ClassVar[frozenset[str]] = frozenset({"alpha"})

    count_unit: ClassVar[float] = 1.0
    """All counts are integer multiples of this."""

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
        binary: bool = False,
    ) -> None:
        super().__init__(fit_prior=fit_prior, class_prior=class_prior, prior_alpha=prior_alpha)
        self.alpha = alpha
        self.binary = binary

    def __getattr__(self, name: str) -> Any:
        """Raise `NotFittedError` for an attribute that fitting sets."""
        if name in {"weights", "intercept"}:
            raise NotFittedError(type(self).__name__)
        return super().__getattr__(name)

    def begin(self, classes: NDArray[Any], document_frequency: Ints, n_samples: int) -> Self:
        """Forget everything, and prepare to learn samples with known document frequencies.

        Parameters
        ----------
        classes : ndarray of shape (n_classes,)
            All labels, sorted.
        document_frequency : ndarray of shape (n_features,)
            The number of samples that contain each feature.
        n_samples : int
            The number of samples.
        """
        self.reset()
        self.classes_ = classes
        self.n_features_in_ = len(document_frequency)
        self._check_parameters(self.n_features_in_)
        self._reset_counts()
        self.class_count_ = np.zeros(len(classes))
        return self

    def dependent_columns(self) -> Ints:
        """Return the features whose weight in a sample depends on the other samples."""
        return np.empty(0, dtype=np.int64)

    def seeing(self, columns: Ints) -> Self:
        """Return an estimator restricted to some of the features, for `view` only."""
        return copy.copy(self)

    @property
    def is_whole(self) -> bool:
        """Whether the sums are integers, so that they are exact in any order of the samples."""
        steps = self.feature_count_ / self.count_unit
        return bool(np.all(steps == np.rint(steps)) and np.all(steps < 2.0**53))

    @property
    def view_name(self) -> str | None:
        """How it sees counts: as they are, or binarized."""
        return "presence" if self.binary else "counts"

    @property
    def scales(self) -> Floats:
        """The factor of each feature in the named view, of shape (n_features,)."""
        return np.ones(self.n_features_in_)

    def grow(self, tokens: Sequence[str]) -> Self:
        """Add features for new tokens, with zero counts."""
        return self.widen(self.n_features_in_ + len(tokens))

    def widen(self, n_features: int) -> Self:
        """Add new features, with zero counts.

        Parameters
        ----------
        n_features : int
            The new number of features.
        """
        missing = n_features - self.n_features_in_
        if missing < 0:
            raise ParameterError("n_features", f"at least {self.n_features_in_}", n_features)
        self.feature_count_ = np.pad(self.feature_count_, ((0, 0), (0, missing)))
        self.n_features_in_ = n_features
        return self.update()

    def take_columns(self, columns: NDArray[Any]) -> Self:
        """Keep some of the features, in the order given: the same as learning only them.

        Parameters
        ----------
        columns : ndarray of int, or of bool of shape (n_features,)
            As for `CountMatrix.take_columns`.
        """
        chosen = np.arange(self.n_features_in_)[columns]
        self.feature_count_ = np.take(self.feature_count_, chosen, axis=1)
        self.n_features_in_ = self.feature_count_.shape[1]
        return self.update()

    def log_odds_weights(self, towards: int, against: int) -> tuple[Floats, float]:
        """Return the weight of each feature and the intercept between two classes.

        Where α = 0 makes a feature impossible in a class, its weight is infinite; where in both, 0.
        """
        weights, intercept = self.weights, self.intercept
        return (
            difference(weights[towards], weights[against]),
            float(difference(intercept[towards], intercept[against])),
        )

    @property
    @abstractmethod
    def weights(self) -> Floats:
        """What each further count adds to each class, of shape (n_classes, n_features)."""

    @property
    @abstractmethod
    def intercept(self) -> Floats:
        """The score of each class before any feature is seen, of shape (n_classes,)."""

    # The hooks

    def view(self, X: CountMatrix) -> CountMatrix:
        """Return the counts as the model sees them."""
        return X.binary() if self.binary else X

    @abstractmethod
    def _update_feature_log_prob(self, alpha: Floats) -> None:
        """Compute the parameters from the counts, smoothed by ``alpha``."""

    def _joint_log_likelihood(self, X: CountMatrix) -> Floats:
        return X.dot(self.weights.T) + self.intercept

    def _evidence(self, X: CountMatrix, towards: int, against: int) -> Evidence:
        weights, intercept = self.log_odds_weights(towards, against)
        return Evidence(X.indices, X.data, X.data * weights[X.indices], intercept)

    # What `NaiveBayes` asks for

    def _counts(self) -> dict[str, NDArray[Any]]:
        return {"feature_count": self.feature_count_ / self.count_unit}

    def _set_counts(self, state: Mapping[str, NDArray[Any]]) -> None:
        shape = (len(self.classes_), self.n_features_in_)
        self.feature_count_ = stored(state, "feature_count", shape) * self.count_unit

    def _reset_counts(self) -> None:
        self.feature_count_ = np.zeros((len(self.classes_), self.n_features_in_))

    def _count(self, X: CountMatrix, Y: Floats) -> None:
        self.feature_count_ = self.feature_count_ + X.transposed_dot(Y)

    def _update_parameters(self) -> None:
        self._update_feature_log_prob(np.asarray(self.alpha, dtype=np.float64))

    def _check_matrix(self, X: Any) -> CountMatrix:
        return check_not_negative(check_finite(CountMatrix.coerce(X), "counts"), self)

    def _check_parameters(self, n_features: int) -> None:
        check_alpha(self.alpha, n_features)
        super()._check_parameters(n_features)
