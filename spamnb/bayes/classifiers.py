"""The estimators by the names that the command line and a model's manifest use.

The table names modules instead of importing them, so that code that only needs the names, such as
``--help``, does not wait for numpy.  Everything else about a classifier is declared by its
class: `NaiveBayes.reads`, `is_linear`, `options` and so on.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from spamnb.errors import ParameterError

if TYPE_CHECKING:
    from spamnb.bayes.base import NaiveBayes

CLASSIFIERS = {
    "grouped": "spamnb.bayes.grouped:GroupedNB",
    "multinomial": "spamnb.bayes.multinomial:MultinomialNB",
    "bernoulli": "spamnb.bayes.bernoulli:BernoulliNB",
    "complement": "spamnb.bayes.complement:ComplementNB",
    "gaussian": "spamnb.bayes.gaussian:GaussianNB",
    "categorical": "spamnb.bayes.categorical:CategoricalNB",
    "aode": "spamnb.bayes.aode:AODE",
    "tan": "spamnb.bayes.tan:TAN",
    "spode": "spamnb.bayes.ode:SPODE",
    "ode": "spamnb.bayes.ode:ODE",
}
"""Where the class of each name is."""


def classifier(name: str) -> type[NaiveBayes]:
    """Return the class of a classifier.

    Parameters
    ----------
    name : str
        One of `CLASSIFIERS`.

    Raises
    ------
    ParameterError
        For an unknown name.
    """
    if name not in CLASSIFIERS:
        raise ParameterError("classifier", f"one of {', '.join(CLASSIFIERS)}", name)
    module, _, attribute = CLASSIFIERS[name].partition(":")
    return cast("type[NaiveBayes]", getattr(import_module(module), attribute))


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
    return classifier(name)(**parameters)


def growing_classifiers() -> list[str]:
    """Return the names of the classifiers that learn mail by mail."""
    return [name for name in CLASSIFIERS if classifier(name).can_grow]
