"""What every estimator refuses, and by which words."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.aode import AODE
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.gaussian import GaussianNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.ode import ODE, SPODE
from spamnb.bayes.tan import TAN
from spamnb.errors import MatrixError, NotFittedError, ParameterError

X = np.array([[1, 0, 2], [0, 1, 1], [1, 1, 0]])
Y = np.array(["ham", "spam", "spam"])

ESTIMATORS = {
    "multinomial": MultinomialNB,
    "Bernoulli": BernoulliNB,
    "complement": ComplementNB,
    "Gaussian": GaussianNB,
    "categorical": CategoricalNB,
    "AODE": lambda **more: AODE(m=1, **more),
    "SPODE": lambda **more: SPODE(parent=0, **more),
    "ODE": lambda **more: ODE(parents=[-1, 0, 1], **more),
    "KDB": ODE,
    "TAN": TAN,
}
WITH_ALPHA = {name: make for name, make in ESTIMATORS.items() if name != "Gaussian"}
WITHOUT_MISSING = {name: make for name, make in ESTIMATORS.items() if name != "categorical"}
COUNTING = {name: make for name, make in WITHOUT_MISSING.items() if name != "Gaussian"}


def every(estimators):
    return pytest.mark.parametrize("make", estimators.values(), ids=estimators)


@pytest.mark.parametrize("alpha", [-1, nan, inf, None, "auto", [1, -1, 1]])
@every(WITH_ALPHA)
def test_alpha_that_cannot_work(make, alpha):
    with pytest.raises(ParameterError) as caught:
        make(alpha=alpha).fit(X, Y)
    assert str(caught.value) == f"alpha must be a finite number ≥ 0, got {alpha}"


@every(ESTIMATORS)
def test_a_label_that_was_not_announced(make):
    for learn in (
        lambda: make().fit(X, Y).partial_fit(X, ["ham", "eggs", "spam"]),
        lambda: make().partial_fit(X, ["ham", "eggs", "spam"], classes=["ham", "spam"]),
    ):
        with pytest.raises(ParameterError) as caught:
            learn()
        assert str(caught.value) == "y must be labels among ['ham', 'spam'], got eggs"


@every(ESTIMATORS)
def test_labels_that_were_never_announced(make):
    with pytest.raises(ParameterError) as caught:
        make().partial_fit(X, Y)
    expected = "classes must be given in the first call of partial_fit, got None"
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"class_prior": [1]}, "class_prior must be 2 numbers ≥ 0 with the sum 1, got [1]"),
        ({"prior_alpha": -1}, "prior_alpha must be a number ≥ 0, got -1"),
    ],
)
@every(WITH_ALPHA)
def test_priors_that_cannot_work(make, parameters, message):
    with pytest.raises(ParameterError) as caught:
        make(**parameters).fit(X, Y)
    assert str(caught.value) == message


@every(ESTIMATORS)
def test_an_empty_matrix(make):
    with pytest.raises(MatrixError) as caught:
        make().fit(X[:0], Y[:0])
    assert str(caught.value) == "expected at least one sample, got none"


@every(ESTIMATORS)
def test_another_number_of_features(make):
    estimator = make().fit(X, Y)
    with pytest.raises(MatrixError) as caught:
        estimator.partial_fit(X[:, :2], Y)
    assert str(caught.value) == "expected 3 features, as before, got 2"
    for predict in (estimator.predict, estimator.predict_log_proba, estimator.decide):
        with pytest.raises(MatrixError) as caught:
            predict(np.ones((1, 4)))
        assert str(caught.value) == "expected 3 features, as in training, got 4"


@every(ESTIMATORS)
def test_another_number_of_labels_or_weights(make):
    with pytest.raises(MatrixError, match="expected 3 labels, one for each row of X, got shape"):
        make().fit(X, Y[:2])
    with pytest.raises(ParameterError, match="sample_weight must be 3 numbers ≥ 0, got"):
        make().fit(X, Y, [1, 2])
    with pytest.raises(MatrixError, match=r"expected Y of shape \(3, 2\), got \(3, 1\)"):
        make().partial_fit_weighted(X, np.ones((3, 1)), classes=["ham", "spam"])


@pytest.mark.parametrize("bad", [nan, inf])
@every(WITHOUT_MISSING)
def test_values_that_are_no_numbers(make, bad):
    estimator, broken = make().fit(X, Y), np.where(X, X, bad)
    kind = "numbers" if make is GaussianNB else "counts"
    for use in (lambda: estimator.predict(broken), lambda: make().fit(broken, Y)):
        with pytest.raises(MatrixError) as caught:
            use()
        assert str(caught.value) == f"expected finite {kind}, got NaN or infinity in X"


@every(COUNTING)
def test_negative_counts(make):
    with pytest.raises(MatrixError) as caught:
        make().fit(-X, Y)
    name = type(make()).__name__
    assert str(caught.value) == (
        f"expected counts ≥ 0, got Negative values in data passed to {name} (input X)"
    )


@every(ESTIMATORS)
def test_labels_without_an_order(make):
    with pytest.raises(ParameterError, match="y must be labels that can be sorted, got"):
        make().fit(X, np.array(["ham", None, 1], dtype=object))


@pytest.mark.parametrize("bad", [-1.0, nan])
@every(ESTIMATORS)
def test_weights_of_classes_that_cannot_work(make, bad):
    Y = [[1, 0], [0, 1], [0, bad]]
    with pytest.raises(ParameterError, match="Y must be weights ≥ 0, got"):
        make().partial_fit_weighted(X, Y, classes=["ham", "spam"])


@pytest.mark.parametrize("seed", [-1, "lucky", 0.5])
@every(ESTIMATORS)
def test_what_is_no_seed(make, seed):
    with pytest.raises(ParameterError) as caught:
        make().fit(X, Y).sample(1, seed)
    assert str(caught.value) == (
        f"random_state must be a whole number ≥ 0, a numpy.random.Generator or None, got {seed}"
    )


@every(ESTIMATORS)
def test_what_is_no_matrix(make):
    with pytest.raises(MatrixError, match="expected a matrix with 2 dimensions, got 1 dimensions"):
        make().fit(X[0], Y)
    with pytest.raises(MatrixError, match="expected a matrix of numbers, got"):
        make().fit([["a", "b"]], ["ham"])


@every(ESTIMATORS)
def test_an_untrained_estimator_says_so(make):
    name = type(make()).__name__
    for use in (
        lambda estimator: estimator.predict(X),
        lambda estimator: estimator.predict_proba(X),
        lambda estimator: estimator.sample(),
        lambda estimator: estimator.update(),
        lambda estimator: estimator.log_prior_density(),
        lambda estimator: estimator.class_log_prior_,
    ):
        with pytest.raises(NotFittedError) as caught:
            use(make())
        assert str(caught.value) == (
            f"this {name} has not been trained yet: call fit or partial_fit first"
        )


@every(ESTIMATORS)
def test_a_refused_matrix_leaves_the_estimator_as_it_was(make):
    estimator = make().fit(X, Y)
    before = estimator.predict_proba(X)
    for learn in (estimator.fit, estimator.partial_fit):
        with pytest.raises(MatrixError):
            learn(np.where(X, X, inf), Y)
        assert_array_equal(estimator.predict_proba(X), before)


@every(ESTIMATORS)
def test_fit_forgets_what_was_before(make):
    again = make().fit(X[::-1] * 2, Y).fit(X, Y).predict_joint_log_proba(X)
    assert_array_equal(again, make().fit(X, Y).predict_joint_log_proba(X))


@every(ESTIMATORS)
def test_an_estimator_that_has_seen_nothing_has_no_nan(make):
    for learned in (
        make().fit(X, Y, sample_weight=[0, 0, 0]),
        make().partial_fit(X[:0], Y[:0], classes=["ham", "spam"]),
    ):
        assert_allclose(learned.predict_proba(X).sum(axis=1), 1, rtol=1e-12)
        assert learned.sample(3, 0)[0].shape == (3, 3)
    assert make().fit(X, Y).predict_proba(X[:0]).shape == (0, 2)


@every(ESTIMATORS)
def test_numbers_and_strings_will_do_for_labels(make):
    words = make().fit(X, Y)
    numbers = make().fit(X, [7, 9, 9])
    assert_array_equal(words.predict_proba(X), numbers.predict_proba(X))
    assert_array_equal(np.where(numbers.predict(X) == 9, "spam", "ham"), words.predict(X))


@every({name: make for name, make in ESTIMATORS.items() if name not in ("SPODE", "ODE")})
def test_without_features_the_prior_is_left(make):
    nothing = np.zeros((3, 0))
    estimator = make().fit(nothing, Y)
    prior = [0.5, 0.5] if make is ComplementNB else [1 / 3, 2 / 3]
    assert_allclose(estimator.predict_proba(nothing), [prior] * 3, rtol=1e-12)
    assert estimator.sample(2, 0)[0].shape == (2, 0)
