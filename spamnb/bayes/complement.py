"""Complement naive Bayes: each class is judged by the counts of all the other classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spamnb.bayes.base import DiscreteNB, smoothed_log_ratio
from spamnb.features.matrix import Floats


class ComplementNB(DiscreteNB):
    """Complement naive Bayes (Rennie, Shih, Teevan and Karger, ICML 2003), for uneven classes.

    ``feature_log_prob_`` is -log P(feature | all other classes), so that larger is better as in
    the other models; with ``norm`` it is divided by its sum over the features.  Like in
    scikit-learn, the prior plays no part except with a single class.

    Parameters
    ----------
    alpha, fit_prior, class_prior, prior_alpha, binary
        As in `DiscreteNB`.
    norm : bool
        Normalise the weights (the paper's section 3.2), against features that hang together.
    """

    intercept_meaning = "no prior"

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
        binary: bool = False,
        norm: bool = False,
    ) -> None:
        super().__init__(
            alpha=alpha,
            fit_prior=fit_prior,
            class_prior=class_prior,
            prior_alpha=prior_alpha,
            binary=binary,
        )
        self.norm = norm

    def _update_feature_log_prob(self, alpha: Floats) -> None:
        complement = self.feature_count_.sum(axis=0) - self.feature_count_ + alpha
        # Weighted counts can differ in the last bit from their sum over the classes.
        complement = np.maximum(complement, 0.0)
        logged = smoothed_log_ratio(complement, complement.sum(axis=1, keepdims=True))
        if self.norm:
            self.feature_log_prob_ = logged / logged.sum(axis=1, keepdims=True)
        else:
            self.feature_log_prob_ = -logged

    @property
    def weights(self) -> Floats:
        """What one more of each feature adds to each class, of shape (n_classes, n_features)."""
        return self.feature_log_prob_

    @property
    def intercept(self) -> Floats:
        """Zero for each class; with a single class its log prior.  Of shape (n_classes,)."""
        if len(self.classes_) == 1:
            return self.class_log_prior_
        return np.zeros(len(self.classes_))
