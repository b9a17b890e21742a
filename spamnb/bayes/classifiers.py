"""The estimators by the names that the command line and a model's manifest use."""

from __future__ import annotations

from typing import Any

from spamnb.bayes.aode import AODE
from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.gaussian import GaussianNB
from spamnb.bayes.grouped import GroupedNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.ode import ODE, SPODE
from spamnb.bayes.tan import TAN
from spamnb.errors import ParameterError

_CLASSIFIERS: dict[str, type[NaiveBayes]] = {
    "grouped": GroupedNB,
    "multinomial": MultinomialNB,
    "bernoulli": BernoulliNB,
    "complement": ComplementNB,
    "gaussian": GaussianNB,
    "categorical": CategoricalNB,
    "aode": AODE,
    "tan": TAN,
    "spode": SPODE,
    "ode": ODE,
}

CLASSIFIERS = tuple(_CLASSIFIERS)
"""The names that `make_classifier` knows."""


def make_classifier(name: str, **parameters: Any) -> NaiveBayes:
    """Return a new estimator.

    Parameters
    ----------
    name : str
        One of `CLASSIFIERS`.
    **parameters
        Its constructor's parameters.

    Raises
    ------
    ParameterError
        For an unknown name.
    """
    if name not in _CLASSIFIERS:
        raise ParameterError("classifier", f"one of {', '.join(CLASSIFIERS)}", name)
    return _CLASSIFIERS[name](**parameters)
