from __future__ import annotations

import pytest

from spamnb.bayes.aode import AODE
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.composite import CompositeNB
from spamnb.bayes.gaussian import GaussianNB
from spamnb.errors import ParameterError
from spamnb.training import TrainingOptions, check_used

LABELS = ("ham", "spam")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classifier": "svm"}, "classifier must be one of grouped, .*, got svm"),
        ({"classifier": ""}, "classifier must be one of"),
        ({"classifier": "multinomial+"}, "classifier must be one of"),
        ({"classifier": "multinomial+bernoulli"}, "do not read the same"),
        ({"classifier": "gaussian+gaussian"}, "do not read the same"),
        ({"classifier": "complement+gaussian"}, "which complement has not"),
        ({"classifier": "aode", "refine": "on"}, "off or auto for aode, which is not linear"),
        ({"classifier": "grouped+gaussian", "refine": "on"}, "not linear"),
        ({"features": 0}, "features must be a whole number ≥ 1, got 0"),
        ({"semi": "magic"}, "semi must be one of em, self-training, got magic"),
        ({"unlabeled_weight": 0.0}, "unlabeled-weight must be a number > 0, got 0"),
    ],
)
def test_what_cannot_work_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        TrainingOptions(**options)


@pytest.mark.parametrize(
    "option", [{"alpha": 1.0}, {"alpha": "auto"}, {"features": 9}, {"discretize": True}]
)
def test_what_makes_no_difference_to_any_filter_is_refused(option):
    others = [TrainingOptions(name, **option) for name in ("aode", "gaussian")]
    check_used(others)
    unused = "tan" if "discretize" in option else "gaussian"
    with pytest.raises(ParameterError, match=f"^{next(iter(option))} must be left out for "):
        check_used([TrainingOptions(unused, **option)])


def test_the_estimator_has_the_parameters():
    aode = TrainingOptions("aode", features=7, alpha=0.5).make_estimator(LABELS)
    assert isinstance(aode, AODE)
    assert (aode.k, aode.alpha) == (7, 0.5)
    prior = {"ham": 0.25, "spam": 0.75}
    gaussian = TrainingOptions("gaussian", prior=prior).make_estimator(LABELS)
    assert isinstance(gaussian, GaussianNB)
    assert gaussian.priors == [0.25, 0.75]
    binned = TrainingOptions("gaussian", discretize=True, alpha=0.1).make_estimator(LABELS)
    assert isinstance(binned, CategoricalNB)
    assert binned.alpha == 0.1


def test_several_are_one_estimator_with_one_prior():
    options = TrainingOptions("multinomial+gaussian+categorical", prior="uniform", alpha=0.5)
    estimator = options.make_estimator(LABELS, ["a", "b"], [2, 5, 3])
    assert isinstance(estimator, CompositeNB)
    assert not estimator.fit_prior
    widths = [(view.name, view.n_features) for view in estimator.views]
    assert widths == [("multinomial", 2), ("gaussian", 5), ("categorical", 3)]
    assert [view.estimator.fit_prior for view in estimator.views] == [False] * 3
    assert [getattr(view.estimator, "alpha", None) for view in estimator.views] == [0.5, None, 0.5]
