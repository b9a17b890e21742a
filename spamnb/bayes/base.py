"""What all naive Bayes estimators share: how they learn, and which hooks they implement.

``fit`` is a reset and a ``partial_fit``, so learning in any number of batches gives the same
model.  An estimator implements hooks: `view` is how it sees the samples (as they are, by default),
`_reset_counts` and `_count` sum over them, `_update_parameters` turns the sums into parameters,
and `_joint_log_likelihood` scores.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.checks import check_finite, generator, numbers, stored, unique_labels
from spamnb.bayes.description import Described
from spamnb.bayes.evidence import Evidence
from spamnb.bayes.posterior import Posterior
from spamnb.bayes.prior import ClassPrior
from spamnb.errors import MatrixError, NotFittedError, ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints

if TYPE_CHECKING:
    from typing_extensions import Self


class NaiveBayes(Described, Posterior, ClassPrior):
    """The base of all estimators.

    Parameters
    ----------
    fit_prior : bool
        Learn the class prior; False for a uniform one.
    class_prior : array-like of shape (n_classes,), optional
        A given class prior, in the order of ``classes_``.
    prior_alpha : float
        Additive smoothing of the learned class prior, (N_c + λ) / (N + K λ) as in Li Hang,
        Statistical Learning Methods, eq. 4.11; 0 is the empirical prior.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        The (weighted) number of samples of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        The log of the class prior, in nats.
    n_features_in_ : int
        The number of features.

    Examples
    --------
    >>> from spamnb.bayes import MultinomialNB, NaiveBayes
    >>> isinstance(MultinomialNB(), NaiveBayes)
    True
    """

    classes_: NDArray[Any]
    class_count_: Floats
    class_log_prior_: Floats
    n_features_in_: int

    def __getattr__(self, name: str) -> Any:
        """Raise `NotFittedError` for an attribute that fitting sets."""
        if name.endswith("_") and not name.endswith("__"):
            raise NotFittedError(type(self).__name__)
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    # Learning

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from samples, forgetting everything learned before.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each sample counts.

        Raises
        ------
        MatrixError, ParameterError
        """
        X = self._check_matrix(X)  # while the previous state is still there
        return self.reset().partial_fit(X, y, unique_labels("y", y), sample_weight)

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from more samples.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            The labels.
        classes : array-like of shape (n_classes,), optional
            All labels that will ever occur; required in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            How much each sample counts.

        Raises
        ------
        MatrixError, ParameterError
        """
        X = self._check_matrix(X)
        y = np.asarray(y)
        if y.shape != (X.shape[0],):
            raise MatrixError(f"{X.shape[0]} labels, one for each row of X", f"shape {y.shape}")
        self._check_classes(classes)
        Y = self._one_hot(y)
        if sample_weight is not None:
            expected = f"{len(y)} numbers ≥ 0"
            weight = numbers("sample_weight", sample_weight, expected)
            if weight.shape != y.shape:
                raise ParameterError("sample_weight", expected, sample_weight)
            Y *= weight[:, np.newaxis]
        return self.partial_fit_weighted(X, Y)

    def partial_fit_weighted(self, X: Any, Y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Learn from samples with a weight for each class.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)
            The samples.
        Y : array-like of shape (n_samples, n_classes)
            One-hot rows for labels, scaled ones for sample weights, posteriors for EM.
        classes : array-like of shape (n_classes,), optional
            All labels, sorted; required in the first call.

        Raises
        ------
        MatrixError, ParameterError
        """
        X = self._check_matrix(X)
        self._check_classes(classes)
        Y = numbers("Y", Y, "weights ≥ 0")
        if Y.shape != (X.shape[0], len(self.classes_)):
            raise MatrixError(f"Y of shape {(X.shape[0], len(self.classes_))}", f"{Y.shape}")
        is_first = not hasattr(self, "class_count_")
        if not is_first and X.shape[1] != self.n_features_in_:
            raise MatrixError(f"{self.n_features_in_} features, as before", f"{X.shape[1]}")
        # Checked before anything is counted, so that a rejected batch can be passed again.
        self._check_parameters(X.shape[1])
        if is_first:
            self.n_features_in_ = X.shape[1]
            self._reset_counts()
            self.class_count_ = np.zeros(len(self.classes_))
        self._count(self.view(X), Y)
        self.class_count_ = self.class_count_ + Y.sum(axis=0)
        return self.update()

    def update(self) -> Self:
        """Recompute the parameters from the counts, for example after changing ``alpha``."""
        self._check_fitted()
        self._check_parameters(self.n_features_in_)
        self._update_class_log_prior()
        self._update_parameters()
        return self

    def reset(self) -> Self:
        """Forget everything that was learned; keep the parameters."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        return self

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the fitted state as arrays of at most two dimensions, for `set_state`."""
        self._check_fitted()
        return {"class_count": self.class_count_, **self._counts()}

    def set_state(
        self, classes: ArrayLike, n_features: int, state: Mapping[str, NDArray[Any]]
    ) -> Self:
        """Set the fitted state of another estimator with the same parameters.

        Parameters
        ----------
        classes : array-like of shape (n_classes,)
            The labels, sorted.
        n_features : int
            The number of features.
        state : mapping of str to ndarray
            As returned by `state`; may be hostile.

        Raises
        ------
        ParameterError
            When the arrays do not fit together.
        """
        self.reset()
        self.classes_ = np.asarray(classes)
        self.n_features_in_ = n_features
        self._check_parameters(n_features)
        self.class_count_ = stored(state, "class_count", (len(self.classes_),))
        self._set_counts(state)
        return self.update()

    @abstractmethod
    def take_columns(self, columns: NDArray[Any]) -> Self:
        """Keep some of the features, in the order given.

        Parameters
        ----------
        columns : ndarray of int, or of bool of shape (n_features,)
            As for `CountMatrix.take_columns`.
        """

    @property
    def parts(self) -> list[NaiveBayes]:
        """The component estimators; just itself when it is not composite."""
        return [self]

    def log_prior_density(self) -> float:
        """Return the log prior density of the parameters, up to a constant, in nats.

        Smoothed estimates are the posterior modes under Dirichlet priors with the exponents α;
        `EM` maximizes the likelihood times this density.
        """
        self._check_fitted()
        return self._prior_log_density() + self._features_log_density()

    # Predicting

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return log P(class, sample), not normalized over the classes.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In nats; -∞ where a sample is impossible, as ``alpha=0`` can make it.
        """
        self._check_fitted()
        X = self._check_matrix(X)
        if X.shape[1] != self.n_features_in_:
            raise MatrixError(f"{self.n_features_in_} features, as in training", f"{X.shape[1]}")
        return self._joint_log_likelihood(self.view(X))

    def sample(
        self, n_samples: int = 1, random_state: int | np.random.Generator | None = None
    ) -> tuple[CountMatrix, NDArray[Any]]:
        """Draw samples from the model: first the class, then its features.

        Parameters
        ----------
        n_samples : int
            The number of samples.
        random_state : int, numpy.random.Generator or None
            A seed, a generator to continue with, or None for a different sample each time.

        Returns
        -------
        X : CountMatrix of shape (n_samples, n_features)
            The features.
        y : ndarray of shape (n_samples,)
            The labels.

        Raises
        ------
        NotFittedError, ParameterError
        """
        rng = generator(random_state)
        index = self._sample_classes(n_samples, rng)
        return self._sample_features(index, rng), self.classes_[index]

    def _sample_classes(self, n_samples: int, rng: np.random.Generator) -> Ints:
        self._check_fitted()
        return self._draw_classes(n_samples, rng)

    def evidence(self, X: CountMatrix, towards: int, against: int) -> Evidence:
        """Return how much the features of a sample speak for one class against another.

        Parameters
        ----------
        X : CountMatrix of shape (1, n_features)
            The sample.
        towards, against : int
            Numbers of the classes.
        """
        self._check_fitted()
        return self._evidence(self.view(X), towards, against)

    # The hooks

    def view(self, X: CountMatrix) -> CountMatrix:
        """Return the samples as the model sees them."""
        return X

    @abstractmethod
    def _reset_counts(self) -> None:
        """Set the sums over the samples to zero, for ``n_features_in_`` features."""

    @abstractmethod
    def _count(self, X: CountMatrix, Y: Floats) -> None:
        """Add samples to the sums; ``class_count_`` does not include them yet."""

    @abstractmethod
    def _update_parameters(self) -> None:
        """Compute the parameters from the sums."""

    @abstractmethod
    def _joint_log_likelihood(self, X: CountMatrix) -> Floats:
        """Return log P(class, sample), of shape (n_samples, n_classes)."""

    def _features_log_density(self) -> float:
        """Return the features' part of `log_prior_density`; 0 when nothing is smoothed."""
        return 0.0

    @abstractmethod
    def _evidence(self, X: CountMatrix, towards: int, against: int) -> Evidence:
        """Return the evidence of a sample as the model sees it."""

    @abstractmethod
    def _counts(self) -> dict[str, NDArray[Any]]:
        """Return the sums over the samples, by name."""

    @abstractmethod
    def _set_counts(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Set the sums over the samples, after checking them."""

    @abstractmethod
    def _sample_features(self, index: Ints, rng: np.random.Generator) -> CountMatrix:
        """Draw a sample of each of the classes ``classes_[index]``."""

    # Checks

    def _check_matrix(self, X: Any) -> CountMatrix:
        return check_finite(CountMatrix.coerce(X))

    def _check_classes(self, classes: ArrayLike | None) -> None:
        known = getattr(self, "classes_", None)
        if classes is None:
            if known is None:
                raise ParameterError("classes", "given in the first call of partial_fit", None)
            return
        given = unique_labels("classes", classes)
        if known is None:
            if not len(given):
                raise MatrixError("at least one sample", "none")
            self.classes_ = given
        elif not np.array_equal(known, given):
            raise ParameterError("classes", f"the same as before, {known.tolist()}", given.tolist())

    def _one_hot(self, y: NDArray[Any]) -> Floats:
        index = np.searchsorted(self.classes_, y)
        index = np.minimum(index, len(self.classes_) - 1)
        unknown = y[self.classes_[index] != y]
        if len(unknown):
            raise ParameterError("y", f"labels among {self.classes_.tolist()}", unknown[0])
        return np.asarray(np.eye(len(self.classes_))[index])

    def _check_fitted(self) -> None:
        if not hasattr(self, "class_count_"):
            raise NotFittedError(type(self).__name__)

    def _check_parameters(self, n_features: int) -> None:
        """Check the parameters, which can be set at any time."""
        self._check_prior()

    def _input_tags(self) -> dict[str, bool]:
        is_of_facts = self.reads == "facts"
        return {
            "positive_only": self.reads != "numbers",
            "allow_nan": is_of_facts,
            "categorical": is_of_facts,
        }
