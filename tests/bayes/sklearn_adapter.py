"""Our estimators with scikit-learn's plumbing, under scikit-learn's names, for its own tests.

Everything that is computed is ours; what is added are get_params, set_params, score and tags
(so that scikit-learn can clone and cross-validate), and how it spells constructor parameters.
"""

from __future__ import annotations

from sklearn.base import BaseEstimator, ClassifierMixin

from spamnb.bayes import bernoulli, categorical, complement, gaussian, multinomial
from spamnb.bayes.semi_supervised import SelfTraining


class Plumbing(ClassifierMixin, BaseEstimator):
    pass


class BernoulliNB(Plumbing, bernoulli.BernoulliNB):
    pass


class CategoricalNB(Plumbing, categorical.CategoricalNB):
    pass


class ComplementNB(Plumbing, complement.ComplementNB):
    pass


class GaussianNB(Plumbing, gaussian.GaussianNB):
    pass


class MultinomialNB(Plumbing, multinomial.MultinomialNB):
    pass


class SelfTrainingClassifier(SelfTraining):
    """Prints the rounds when it is ``verbose``, where ours tells whoever wants to know."""

    def __init__(self, estimator, *, verbose=False, **parameters):
        super().__init__(estimator, progress=self._print if verbose else None, **parameters)

    @staticmethod
    def _print(n_iter, n_new):
        print(f"End of iteration {n_iter}, added {n_new} new labels.")
