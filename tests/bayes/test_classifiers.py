from __future__ import annotations

import pytest

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.classifiers import CLASSIFIERS, classifier, growing_classifiers, make_classifier
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


def test_a_classifier_says_what_it_reads():
    others = {"gaussian": "numbers", "categorical": "facts"}
    assert {name: classifier(name).reads for name in CLASSIFIERS} == {
        name: others.get(name, "words") for name in CLASSIFIERS
    }


def test_a_classifier_says_what_can_be_done_with_it():
    linear = ["grouped", "multinomial", "bernoulli", "complement"]
    assert [name for name in CLASSIFIERS if classifier(name).is_linear] == linear
    assert growing_classifiers() == linear
    assert [name for name in CLASSIFIERS if not classifier(name).has_likelihood] == ["complement"]


OPTIONS = {
    "alpha": set(CLASSIFIERS) - {"gaussian"},
    "features": {"aode", "tan", "spode", "ode"},
    "parents": {"ode"},
    "discretize": {"gaussian"},
}


@pytest.mark.parametrize("option", OPTIONS)
def test_a_classifier_says_which_options_it_has_a_use_for(option):
    assert {n for n in CLASSIFIERS if option in classifier(n).options} == OPTIONS[option]


@pytest.mark.parametrize(
    ("estimator", "view"),
    [
        (GroupedNB(), "grouped"),
        (MultinomialNB(), "counts"),
        (MultinomialNB(binary=True), "presence"),
        (ComplementNB(), "counts"),
        (BernoulliNB(), "presence"),
        (BernoulliNB(binarize=2), None),
        (BernoulliNB(binarize=None), None),
        (AODE(), None),
        (GaussianNB(), None),
    ],
    ids=repr,
)
def test_an_estimator_says_how_it_sees_counts(estimator, view):
    assert estimator.view_name == view
