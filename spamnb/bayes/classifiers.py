"""The estimators by the names that the command line and a model's manifest use."""

from __future__ import annotations

from typing import Any

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.discrete import DiscreteNB
from spamnb.bayes.grouped import GroupedNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.errors import ParameterError

_CLASSIFIERS: dict[str, type[DiscreteNB]] = {
    "grouped": GroupedNB,
    "multinomial": MultinomialNB,
    "bernoulli": BernoulliNB,
    "complement": ComplementNB,
}

CLASSIFIERS = tuple(_CLASSIFIERS)
"""The names that `make_classifier` knows."""


def make_classifier(name: str, **parameters: Any) -> DiscreteNB:
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
