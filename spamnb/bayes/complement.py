"""Complement naive Bayes: each class is judged by the counts of all the other classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spamnb.bayes.logarithms import smoothed_log_ratio
from spamnb.bayes.sampling import TokenNB
from spamnb.bayes.settings import Settings
from spamnb.features.matrix import Floats


class ComplementNB(TokenNB):
    """Complement naive Bayes (Rennie, Shih, Teevan and Karger, ICML 2003), for uneven classes.

    ``feature_log_prob_`` is -log P(feature | all other classes), so that larger is better as in
    the other models; with ``norm`` it is divided by its sum over the features.  As in
    scikit-learn, the prior is not used.  `sample` draws from the model that the paper
    assumes, each class's multinomial distribution.

    Parameters
    ----------
    alpha, fit_prior, class_prior, prior_alpha, binary
        As in `DiscreteNB`.
    norm : bool
        Normalize the weights (the paper's section 3.2), to counter dependent features.

    Attributes
    ----------
    feature_all_ : ndarray of shape (n_features,)
        The count of each feature in all classes together.

    Examples
    --------
    >>> from spamnb.bayes import ComplementNB
    >>> model = ComplementNB(norm=True).fit([[2, 0], [0, 3], [1, 1]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 1]]).tolist()
    ['spam']
    """

    feature_all_: Floats

    intercept_meaning = "no prior"
    has_likelihood = False

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

    @classmethod
    def parameters_for(cls, settings: Settings) -> dict[str, Any]:
        """Return the parameters that the training options ask for."""
        binary = settings.counts == "binary"
        return {**super().parameters_for(settings), "binary": binary}

    def _update_feature_log_prob(self, alpha: Floats) -> None:
        self.feature_all_ = self.feature_count_.sum(axis=0)
        complement = self.feature_all_ - self.feature_count_ + alpha
        logged = smoothed_log_ratio(complement, complement.sum(axis=1, keepdims=True))
        self.feature_log_prob_ = _normalized(logged) if self.norm else -logged

    @property
    def weights(self) -> Floats:
        """What each further count adds to each class, of shape (n_classes, n_features)."""
        return self.feature_log_prob_

    @property
    def intercept(self) -> Floats:
        """Zero for each class, of shape (n_classes,)."""
        return np.zeros(len(self.classes_))

    def _token_log_prob(self) -> Floats:
        count = self.feature_count_ + np.asarray(self.alpha, dtype=np.float64)
        return smoothed_log_ratio(count, count.sum(axis=1, keepdims=True))


def _normalized(logged: Floats) -> Floats:
    """Return each row divided by its sum, as a limit where that is 0 or infinite."""
    impossible = np.isneginf(logged)
    n_impossible = impossible.sum(axis=1, keepdims=True)
    finite = np.where(impossible, 0.0, logged)
    total = finite.sum(axis=1, keepdims=True)
    shares = finite / np.where(total == 0, 1.0, total)
    return np.where(n_impossible > 0, impossible / np.maximum(n_impossible, 1), shares)
