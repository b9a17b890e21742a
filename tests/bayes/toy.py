"""A classifier of nobody: what a new one needs is this file and a line in `CLASSIFIERS`."""

from __future__ import annotations

import numpy as np

from spamnb.bayes.sampling import TokenNB


class ToyNB(TokenNB):
    """Weighs each token by the smoothed share of the samples of a class that have it."""

    options = TokenNB.options | {"features"}
    is_refined_by_itself = True

    def __init__(self, *, alpha=2.0, factor=1.0, fit_prior=True, class_prior=None, prior_alpha=0.0):
        super().__init__(
            alpha=alpha,
            fit_prior=fit_prior,
            class_prior=class_prior,
            prior_alpha=prior_alpha,
            binary=True,
        )
        self.factor = factor

    @classmethod
    def parameters_for(cls, settings):
        return {**super().parameters_for(settings), "factor": float(settings.features or 1)}

    def _update_feature_log_prob(self, alpha):
        total = self.class_count_[:, np.newaxis] + 2 * alpha
        self.feature_log_prob_ = self.factor * np.log((self.feature_count_ + alpha) / total)

    @property
    def weights(self):
        return self.feature_log_prob_

    @property
    def intercept(self):
        return self.class_log_prior_

    def _token_log_prob(self):
        return self.feature_log_prob_
