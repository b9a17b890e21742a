"""Bernoulli naive Bayes: each feature is present or absent, and absence is evidence too."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spamnb.bayes.checks import numbers
from spamnb.bayes.discrete import DiscreteNB
from spamnb.bayes.logarithms import smoothed_log_ratio, smoothing_log_density
from spamnb.features.matrix import CountMatrix, Floats, Ints


class BernoulliNB(DiscreteNB):
    """Bernoulli naive Bayes (Manning, Raghavan and Schütze, IR-book, section 13.3).

    ``feature_log_prob_`` is log P(feature present | class) = log (N_ci + α) / (N_c + 2 α), where
    N counts samples.

    Parameters
    ----------
    alpha, fit_prior, class_prior, prior_alpha
        As in `DiscreteNB`.
    binarize : float or None
        A feature is present when its value is above this threshold, ≥ 0 so that absent counts
        stay absent; None takes the input as zeros and ones.

    Examples
    --------
    >>> from spamnb.bayes import BernoulliNB
    >>> model = BernoulliNB().fit([[1, 0], [0, 1], [1, 1]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 1]]).tolist()
    ['spam']
    """

    intercept_meaning = "prior, and every known word absent"

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
    ) -> None:
        super().__init__(
            alpha=alpha,
            fit_prior=fit_prior,
            class_prior=class_prior,
            prior_alpha=prior_alpha,
            binary=True,
        )
        self.binarize = binarize

    @property
    def view_name(self) -> str | None:
        """How it sees counts: binarized; None with another threshold."""
        return "presence" if self.binarize == 0 else None

    def view(self, X: CountMatrix) -> CountMatrix:
        """Return 1 for each value above the threshold."""
        if self.binarize is None:
            return X
        return X.binary(float(numbers("binarize", self.binarize, "a number ≥ 0, or None")))

    def _update_feature_log_prob(self, alpha: Floats) -> None:
        total = self.class_count_[:, np.newaxis] + 2 * alpha
        self.feature_log_prob_ = smoothed_log_ratio(self.feature_count_ + alpha, total)
        absent = self.class_count_[:, np.newaxis] - self.feature_count_ + alpha
        # Weighted counts can differ in the last bit from their sum over the class.
        self.absent_log_prob_ = smoothed_log_ratio(np.maximum(absent, 0.0), total)

    @property
    def weights(self) -> Floats:
        """Log P(present) - log P(absent), of shape (n_classes, n_features); ±∞ with α = 0."""
        with np.errstate(invalid="ignore"):  # -∞ - -∞, of a class without samples and α = 0
            return np.asarray(self.feature_log_prob_ - self.absent_log_prob_)

    @property
    def intercept(self) -> Floats:
        """The class log prior and the absence of everything, of shape (n_classes,)."""
        return np.asarray(self.class_log_prior_ + self.absent_log_prob_.sum(axis=1))

    def _joint_log_likelihood(self, X: CountMatrix) -> Floats:
        present, absent = self.feature_log_prob_, self.absent_log_prob_
        if np.all(np.isfinite(absent)):
            return super()._joint_log_likelihood(X)
        # With α = 0, ∞ - ∞ is undefined: add the finite terms, and count the impossible ones: a
        # feature that always occurs in the class and is absent here.
        always = np.isneginf(absent)
        finite = np.where(always, 0.0, absent)
        weights = present - finite
        joint = X.dot(weights.T) + self.class_log_prior_ + finite.sum(axis=1)
        missing = always.sum(axis=1) - X.binary().dot(always.T.astype(np.float64))
        joint[missing > 0] = -np.inf
        return np.asarray(joint)

    def _sample_features(self, index: Ints, rng: np.random.Generator) -> CountMatrix:
        present = (
            rng.random((len(index), self.n_features_in_)) < np.exp(self.feature_log_prob_)[index]
        )
        # The smallest integer count above the threshold.
        return CountMatrix.coerce(present * (np.floor(self.binarize or 0.0) + 1))

    def _features_log_density(self) -> float:
        both = np.stack([self.feature_log_prob_, self.absent_log_prob_])
        return smoothing_log_density(both, self.alpha)
