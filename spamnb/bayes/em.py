"""Learning from labeled and unlabeled samples: expectation maximization."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.checks import numbers
from spamnb.bayes.semi_supervised import SemiSupervised, check_max_iter, find_labeled
from spamnb.errors import ParameterError
from spamnb.features.matrix import CountMatrix, Floats

if TYPE_CHECKING:
    from typing_extensions import Self


class ConvergenceMonitor:
    """Monitors the objective, and reports when it has converged.

    Parameters
    ----------
    tol : float
        Iteration stops when the gain is at most this.
    max_iter : int, optional
        The maximum number of iterations; None for no limit.

    Attributes
    ----------
    history : list of float
        The value at the start and after each iteration.
    """

    def __init__(self, tol: float, max_iter: int | None) -> None:
        self.tol = tol
        self.max_iter = max_iter
        self.history: list[float] = []

    def report(self, value: float) -> None:
        """Record the value at the start, or after an iteration."""
        self.history.append(value)

    @property
    def n_iter(self) -> int:
        """The number of iterations."""
        return len(self.history) - 1

    @property
    def converged(self) -> bool:
        """Whether the gain of the last iteration was at most ``tol``."""
        # Negated, so that ∞ - ∞ is no gain.
        return self.n_iter > 0 and not self.history[-1] - self.history[-2] > self.tol

    @property
    def is_done(self) -> bool:
        """Whether to stop iterating."""
        return self.converged or (self.max_iter is not None and self.n_iter >= self.max_iter)


class EM(SemiSupervised):
    """Expectation maximization (Nigam, McCallum, Thrun and Mitchell, Machine Learning 39, 2000).

    Starts from the labeled samples.  The E step asks the estimator how probable each class is
    for the unlabeled ones, the M step learns from all of them by these weights.  What never
    decreases is the log posterior of the parameters: the log likelihood of all samples, the
    unlabeled ones times ``unlabeled_weight``, and the log of the prior density that smoothing
    stands for (`NaiveBayes.log_prior_density`).  That holds for estimators whose parameters are
    the most probable ones: multinomial, Bernoulli, categorical, Gaussian without
    ``var_smoothing``, and one-dependence with given parents and all features chosen.

    Parameters
    ----------
    estimator : NaiveBayes
        Copied, not modified.
    soft : bool
        Learn from posteriors; False for the most probable class of each sample (hard or
        classification EM, Celeux and Govaert, 1992).
    unlabeled_weight : float
        The weight of an unlabeled sample, > 0 (Nigam et al., section 5.3.1).
    tol : float
        Iteration stops when the gain is at most this, in nats per sample.
    max_iter : int, optional
        The maximum number of iterations; None for no limit.
    unlabeled
        The label that marks a sample as unlabeled.
    progress : callable, optional
        Called after each iteration with its number, from 1, and the log posterior.

    Attributes
    ----------
    estimator_ : NaiveBayes
        The trained estimator.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    log_posterior_ : ndarray of shape (n_iter_ + 1,)
        The log posterior, up to a constant, at the start and after each round, in nats.
    n_iter_ : int
        The number of iterations.
    converged_ : bool
        Whether the gain of the last iteration was at most ``tol``.
    transduction_ : ndarray of shape (n_samples,)
        The labels, given and predicted.

    Examples
    --------
    >>> from spamnb.bayes import EM, MultinomialNB
    >>> X = [[2, 0, 0], [0, 3, 0], [1, 0, 2], [0, 1, 0]]
    >>> em = EM(MultinomialNB(), unlabeled="").fit(X, ["ham", "spam", "", ""])
    >>> em.transduction_.tolist()
    ['ham', 'spam', 'ham', 'spam']
    """

    estimator_: NaiveBayes
    log_posterior_: Floats
    n_iter_: int
    converged_: bool

    def __init__(
        self,
        estimator: NaiveBayes,
        *,
        soft: bool = True,
        unlabeled_weight: float = 1.0,
        tol: float = 1e-4,
        max_iter: int | None = 100,
        unlabeled: Any = -1,
        progress: Callable[[int, float], None] | None = None,
    ) -> None:
        self.estimator = estimator
        self.soft = soft
        self.unlabeled_weight = unlabeled_weight
        self.tol = tol
        self.max_iter = max_iter
        self.unlabeled = unlabeled
        self.progress = progress

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Learn from labeled and unlabeled samples.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The labels; ``unlabeled`` where there is none.

        Raises
        ------
        MatrixError, ParameterError

        Warns
        -----
        UserWarning
            When no sample is unlabeled.
        """
        self._check_parameters()
        X, labels = CountMatrix.coerce(X), np.array(y)
        is_labeled = find_labeled(labels, self.unlabeled, X.shape[0])
        self.estimator_ = copy.deepcopy(self.estimator)
        self.classes_, codes = np.unique(labels[is_labeled], return_inverse=True)
        # One row per sample; the unlabeled ones belong to no class yet.
        Y = np.zeros((len(labels), len(self.classes_)))
        Y[is_labeled] = np.eye(len(self.classes_))[codes]
        self._maximize(X, Y)
        monitor = ConvergenceMonitor(self.tol * len(labels), self.max_iter)
        posterior, value = self._expect(X, Y, is_labeled)
        monitor.report(value)
        while not monitor.is_done:
            Y[~is_labeled] = self.unlabeled_weight * posterior
            self._maximize(X, Y)
            posterior, value = self._expect(X, Y, is_labeled)
            monitor.report(value)
            if self.progress is not None:
                self.progress(monitor.n_iter, value)
        labels[~is_labeled] = self.classes_[posterior.argmax(axis=1)]
        self.transduction_ = labels
        self.log_posterior_ = np.array(monitor.history)
        self.n_iter_, self.converged_ = monitor.n_iter, monitor.converged
        return self

    def _maximize(self, X: CountMatrix, Y: Floats) -> None:
        """M step: fit the parameters to the weights of the classes."""
        self.estimator_.reset().partial_fit_weighted(X, Y, self.classes_)

    def _expect(
        self, X: CountMatrix, Y: Floats, is_labeled: NDArray[np.bool_]
    ) -> tuple[Floats, float]:
        """E step: return the posterior of the unlabeled samples, and the log posterior of all."""
        joint = self.estimator_.predict_joint_log_proba(X)
        labeled = joint[is_labeled, Y[is_labeled].argmax(axis=1)].sum()
        joint = joint[~is_labeled]
        log_proba = self.estimator_.normalize(joint)
        if self.soft:
            posterior, likelihood = np.exp(log_proba), np.logaddexp.reduce(joint, axis=1)
        else:
            posterior = np.eye(joint.shape[1])[log_proba.argmax(axis=1)]
            likelihood = joint.max(axis=1)
        value = labeled + self.unlabeled_weight * likelihood.sum()
        return posterior, float(value + self.estimator_.log_prior_density())

    def _check_parameters(self) -> None:
        weight = numbers("unlabeled_weight", self.unlabeled_weight, "a number > 0")
        if weight.ndim or weight == 0:
            raise ParameterError("unlabeled_weight", "a number > 0", self.unlabeled_weight)
        if numbers("tol", self.tol, "a number ≥ 0").ndim:
            raise ParameterError("tol", "a number ≥ 0", self.tol)
        check_max_iter(self.max_iter)
