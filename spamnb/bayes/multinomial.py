"""Multinomial naive Bayes: a document is a bag of draws from its class's distribution."""

from __future__ import annotations

from typing import Any

from spamnb.bayes.logarithms import smoothed_log_ratio, smoothing_log_density
from spamnb.bayes.sampling import TokenNB
from spamnb.bayes.settings import Settings
from spamnb.features.matrix import Floats


class MultinomialNB(TokenNB):
    """Multinomial naive Bayes (Manning, Raghavan and Schütze, IR-book, section 13.2).

    ``feature_log_prob_`` is log P(feature | class) = log (N_ci + α) / (N_c + α n_features).
    For the parameters see `DiscreteNB`.

    Examples
    --------
    >>> from spamnb.bayes import MultinomialNB
    >>> model = MultinomialNB(alpha=0.5).fit([[2, 0], [0, 3], [1, 1]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 1]]).tolist()
    ['spam']
    """

    @classmethod
    def parameters_for(cls, settings: Settings) -> dict[str, Any]:
        """Return the parameters that the training options ask for."""
        binary = settings.counts == "binary"
        return {**super().parameters_for(settings), "binary": binary}

    def _update_feature_log_prob(self, alpha: Floats) -> None:
        count = self.feature_count_ + alpha
        self.feature_log_prob_ = smoothed_log_ratio(count, count.sum(axis=1, keepdims=True))

    @property
    def weights(self) -> Floats:
        """What each further count adds to each class, of shape (n_classes, n_features)."""
        return self.feature_log_prob_

    @property
    def intercept(self) -> Floats:
        """The class log prior, of shape (n_classes,)."""
        return self.class_log_prior_

    def _token_log_prob(self) -> Floats:
        return self.feature_log_prob_

    def _features_log_density(self) -> float:
        return smoothing_log_density(self.feature_log_prob_, self.alpha)
