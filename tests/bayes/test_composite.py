from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.aode import AODE
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.composite import CompositeNB, View
from spamnb.bayes.em import EM
from spamnb.bayes.gaussian import GaussianNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.errors import MatrixError, ParameterError
from spamnb.features.matrix import CountMatrix

RNG = np.random.default_rng(3)
Y = np.array(["ham"] * 12 + ["spam"] * 18)
WORDS = RNG.integers(0, 3, size=(30, 4)) + (Y == "spam")[:, np.newaxis] * [1, 0, 0, 2]
NUMBERS = RNG.normal(size=(30, 2)) + (Y == "spam")[:, np.newaxis]
FACTS = RNG.integers(0, 3, size=(30, 2)).astype(float)
FACTS[4, 1] = np.nan
X = CountMatrix.hstack([CountMatrix.coerce(part) for part in (WORDS, NUMBERS, FACTS)])


def composite(**prior):
    views = [
        View("words", MultinomialNB(fit_prior=False), 4),
        View("numbers", GaussianNB(fit_prior=False), 2),
        View("facts", CategoricalNB(fit_prior=False), 2),
    ]
    return CompositeNB(views, **prior)


@pytest.mark.parametrize("prior", [{}, {"fit_prior": False}, {"class_prior": [0.9, 0.1]}])
def test_the_likelihoods_are_multiplied_and_the_prior_counts_once(prior):
    learned = composite(**prior).fit(X, Y)
    expected = {
        "fit_prior": np.log([0.5, 0.5]),
        "class_prior": np.log([0.9, 0.1]),
    }.get(next(iter(prior), ""), np.log([12 / 30, 18 / 30]))
    for model, own in ((MultinomialNB(), WORDS), (GaussianNB(), NUMBERS), (CategoricalNB(), FACTS)):
        model.fit(own, Y)
        expected = expected + model.predict_joint_log_proba(own) - model.class_log_prior_
    assert_allclose(learned.predict_joint_log_proba(X), expected, rtol=1e-12)


def test_a_fit_leaves_the_given_models_untrained_and_copies_apart():
    model = composite()
    first, second = model.fit(X, Y).estimators_, None
    second = model.fit(X.take_rows(np.arange(30) % 2 == 0), Y[::2]).estimators_
    assert all(not hasattr(view.estimator, "class_count_") for view in model.views)
    assert all(a is not b for a, b in zip(first, second, strict=True))


def test_batches_give_the_same_model():
    at_once = composite().fit(X, Y)
    batches = composite()
    for rows in np.array_split(RNG.permutation(30), 4):
        batches.partial_fit(X.take_rows(rows), Y[rows], ["ham", "spam"])
    assert_allclose(
        batches.predict_joint_log_proba(X), at_once.predict_joint_log_proba(X), rtol=1e-9
    )


def test_it_learns_from_unlabeled_samples_too():
    labels = Y.astype(object)
    labels[5:12] = labels[20:] = -1
    em = EM(composite(), max_iter=5).fit(X, labels)
    assert em.predict_proba(X).shape == (30, 2)


def test_samples_have_all_columns():
    drawn, labels = composite().fit(X, Y).sample(200, 1)
    assert drawn.shape == (200, 8)
    assert set(labels) == {"ham", "spam"}
    spam = drawn.toarray()[labels == "spam", 4:6].mean(axis=0)
    assert_allclose(spam, NUMBERS[Y == "spam"].mean(axis=0), atol=0.4)


def test_evidence_is_that_of_the_views():
    learned = composite().fit(X, Y)
    found = learned.evidence(X.take_rows(np.array([4])), 1, 0)
    assert found.columns.tolist() == [*np.flatnonzero(WORDS[4]).tolist(), 4, 5, 6]  # 7 is missing
    own = learned.estimators_[1].evidence(CountMatrix.coerce(NUMBERS[4:5]), 1, 0)
    assert_array_equal(found.nats[np.isin(found.columns, [4, 5])], own.nats)


def test_one_view_that_is_not_additive_makes_the_whole_so():
    views = [View("words", AODE(), 4), View("numbers", GaussianNB(), 2)]
    assert composite().is_additive
    assert not CompositeNB(views).is_additive


def test_what_has_no_likelihood_is_refused():
    with pytest.raises(ParameterError, match="models with a likelihood"):
        CompositeNB([View("words", ComplementNB(), 4)])


def test_another_number_of_columns_is_refused():
    with pytest.raises(MatrixError, match="8 features, those of all views"):
        composite().fit(X.take_columns(np.arange(7)), Y)
