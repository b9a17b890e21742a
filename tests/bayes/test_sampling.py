"""What holds for the samples of every estimator, and of those over counts."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.gaussian import GaussianNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.errors import NotFittedError, ParameterError

ALL = (MultinomialNB, BernoulliNB, ComplementNB, GaussianNB, CategoricalNB)

X = np.array([[1, 0, 2], [0, 1, 1], [1, 1, 0], [3, 0, 1]])
Y = np.array(["ham", "spam", "spam", "ham"])


@pytest.fixture(params=ALL, ids=lambda model: model.__name__)
def model(request):
    return request.param


def test_the_seed_decides_the_sample(model):
    estimator = model().fit(X, Y)
    (first, labels), (again, _), (other, _) = (estimator.sample(20, seed) for seed in (1, 1, 2))
    assert first.shape == (20, 3)
    assert set(labels) <= {"ham", "spam"}
    assert_array_equal(first.toarray(), again.toarray())
    assert np.any(first.toarray() != other.toarray())


def test_a_generator_goes_on(model):
    estimator, rng = model().fit(X, Y), np.random.default_rng(0)
    one, other = estimator.sample(20, rng)[0], estimator.sample(20, rng)[0]
    assert np.any(one.toarray() != other.toarray())


def test_no_samples_and_one(model):
    estimator = model().fit(X, Y)
    empty, labels = estimator.sample(0, 0)
    assert (empty.shape, labels.tolist()) == ((0, 3), [])
    assert estimator.sample()[0].shape == (1, 3)


def test_classes_are_drawn_by_their_prior(model):
    prior = {"priors" if model is GaussianNB else "class_prior": [0.2, 0.8]}
    labels = model(**prior).fit(X, Y).sample(10_000, 0)[1]
    # Five standard errors.
    assert abs(np.mean(labels == "spam") - 0.8) < 5 * np.sqrt(0.16 / 10_000)


def test_what_cannot_be_drawn_is_refused(model):
    with pytest.raises(NotFittedError):
        model().sample()
    for n in (-1, 1.5, None):
        with pytest.raises(ParameterError) as caught:
            model().fit(X, Y).sample(n)
        assert str(caught.value) == f"n_samples must be a whole number ≥ 0, got {n}"


def test_an_estimator_that_has_seen_nothing_draws_all_the_same(model):
    estimator = model().partial_fit(X[:0], Y[:0], classes=["ham", "spam"])
    assert estimator.sample(5, 0)[0].shape == (5, 3)


@pytest.mark.parametrize("model", [MultinomialNB, BernoulliNB])
def test_parameters_are_recovered_from_samples(model):
    true = model(class_prior=[0.5, 0.5]).fit(X, Y)
    learned = model(alpha=0).fit(*true.sample(4_000, 0))
    # Five standard errors at 1,900 documents; a token's share has less.
    assert_allclose(
        np.exp(learned.feature_log_prob_), np.exp(true.feature_log_prob_), atol=5 * 0.5 / 1_900**0.5
    )


def test_complement_weights_are_recovered_from_samples():
    # The classes have as many tokens in the training data as in the samples: complements too.
    true = ComplementNB(alpha=0).fit([[4, 1, 3], [1, 5, 2]], ["a", "b"])
    learned = ComplementNB(alpha=0).fit(*true.sample(4_000, 0))
    assert_allclose(
        np.exp(-learned.feature_log_prob_),
        np.exp(-true.feature_log_prob_),
        atol=5 * 0.5 / 1_900**0.5,
    )


@pytest.mark.parametrize("model", [MultinomialNB, ComplementNB])
def test_documents_have_the_given_lengths(model):
    estimator = model().fit(X, Y)
    lengths = estimator.sample(200, 0, lengths=[0, 3, 8])[0].toarray().sum(axis=1)
    assert set(lengths) == {0, 3, 8}
    assert set(estimator.sample(20, 0, lengths=7)[0].toarray().sum(axis=1)) == {7}
    for wrong in (-1, 0.5, [], "long"):
        with pytest.raises(ParameterError) as caught:
            estimator.sample(1, 0, lengths=wrong)
        assert str(caught.value) == f"lengths must be one or more whole numbers ≥ 0, got {wrong}"


@pytest.mark.parametrize("binarize", [None, 0.0, 1.5])
def test_a_present_feature_is_above_the_threshold(binarize):
    true = BernoulliNB(binarize=binarize).fit(np.minimum(X, 1) * (3 if binarize else 1), Y)
    drawn, y = true.sample(2_000, 0)
    learned = BernoulliNB(binarize=binarize).fit(drawn, y)
    assert_allclose(np.exp(learned.feature_log_prob_), np.exp(true.feature_log_prob_), atol=0.1)
