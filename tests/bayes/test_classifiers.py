from __future__ import annotations

import pytest

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.classifiers import CLASSIFIERS, make_classifier
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.gaussian import GaussianNB
from spamnb.bayes.grouped import GroupedNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.ode import ODE, SPODE
from spamnb.bayes.tan import TAN
from spamnb.errors import ParameterError

EXPECTED = {
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


def test_every_name_makes_its_estimator():
    assert {name: type(make_classifier(name)) for name in CLASSIFIERS} == EXPECTED


def test_parameters_reach_the_constructor():
    estimator = make_classifier("complement", alpha=0.25, norm=True, prior_alpha=2.0)
    assert (estimator.alpha, estimator.norm, estimator.prior_alpha) == (0.25, True, 2.0)


@pytest.mark.parametrize("name", ["Multinomial", "", "kdb"])
def test_an_unknown_name_is_refused(name):
    with pytest.raises(ParameterError) as caught:
        make_classifier(name)
    assert str(caught.value) == (
        "classifier must be one of grouped, multinomial, bernoulli, complement, gaussian,"
        f" categorical, aode, tan, spode, ode, got {name}"
    )
