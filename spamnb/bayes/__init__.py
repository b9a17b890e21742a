"""Naive Bayes estimators and their relatives, with scikit-learn's interface and names.

They take a `spamnb.features.matrix.CountMatrix`, a scipy CSR matrix or anything that numpy can turn
into a matrix, and work in scikit-learn's own tools: ``clone``, ``Pipeline``, ``GridSearchCV``.

>>> from spamnb.bayes import MultinomialNB
>>> X = [[2, 0, 1], [0, 3, 1], [1, 0, 0]]
>>> model = MultinomialNB(alpha=0.5).fit(X, ["ham", "spam", "ham"])
>>> model.predict([[0, 1, 0]]).tolist()
['spam']
>>> model.predict_proba([[0, 1, 0]]).round(3).tolist()
[[0.222, 0.778]]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spamnb.bayes.classifiers import CLASSIFIERS
from spamnb.system.lazy import lazy_names

if TYPE_CHECKING:
    from spamnb.bayes.aode import AODE as AODE
    from spamnb.bayes.base import NaiveBayes as NaiveBayes
    from spamnb.bayes.bernoulli import BernoulliNB as BernoulliNB
    from spamnb.bayes.categorical import CategoricalNB as CategoricalNB
    from spamnb.bayes.complement import ComplementNB as ComplementNB
    from spamnb.bayes.composite import CompositeNB as CompositeNB
    from spamnb.bayes.composite import View as View
    from spamnb.bayes.em import EM as EM
    from spamnb.bayes.gaussian import GaussianNB as GaussianNB
    from spamnb.bayes.grouped import GroupedNB as GroupedNB
    from spamnb.bayes.multinomial import MultinomialNB as MultinomialNB
    from spamnb.bayes.ode import ODE as ODE
    from spamnb.bayes.ode import SPODE as SPODE
    from spamnb.bayes.semi_supervised import SelfTrainingClassifier as SelfTrainingClassifier
    from spamnb.bayes.tan import TAN as TAN

_PLACES = {
    **{place.partition(":")[2]: place for place in CLASSIFIERS.values()},
    "CompositeNB": "spamnb.bayes.composite:CompositeNB",
    "EM": "spamnb.bayes.em:EM",
    "NaiveBayes": "spamnb.bayes.base:NaiveBayes",
    "SelfTrainingClassifier": "spamnb.bayes.semi_supervised:SelfTrainingClassifier",
    "View": "spamnb.bayes.composite:View",
}

__all__ = sorted(_PLACES)
__getattr__, __dir__ = lazy_names(__name__, _PLACES)
