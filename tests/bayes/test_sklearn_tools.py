"""scikit-learn's own tools work with our estimators, which do not import it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

import spamnb.bayes as bayes
from spamnb.bayes.classifiers import CLASSIFIERS, classifier
from spamnb.errors import ParameterError

rng = np.random.default_rng(1)
Y = np.array(["ham", "spam"] * 20)
X = rng.poisson(0.5 + 2 * np.outer(Y == "spam", [1, 0, 1, 0, 0]), size=(40, 5))
TEXTS = ["cheap pills now" if label == "spam" else "lunch at one" for label in Y]
NAMES = {**{name: classifier(name) for name in CLASSIFIERS}}


def every(function):
    return pytest.mark.parametrize("make", NAMES.values(), ids=NAMES)(function)


@every
def test_a_clone_is_untrained_and_has_the_same_parameters(make):
    estimator = make(prior_alpha=0.5).fit(X, Y)
    copy = clone(estimator)
    assert copy.get_params() == estimator.get_params()
    assert copy.prior_alpha == 0.5
    assert not hasattr(copy, "classes_")
    assert_array_equal(copy.fit(X, Y).predict_proba(X), estimator.predict_proba(X))


@every
def test_it_is_cross_validated(make):
    assert is_classifier(make())
    scores = cross_val_score(make(), X, Y, cv=4, error_score="raise")
    assert scores.mean() > 0.6
    assert make().fit(X, Y).score(X, Y) == np.mean(make().fit(X, Y).predict(X) == Y)


@every
def test_it_ends_a_pipeline_over_sparse_counts(make):
    if make.reads == "numbers":
        return
    pipeline = make_pipeline(CountVectorizer(), make()).fit(TEXTS, Y)
    assert pipeline.predict(["pills"]).tolist() == ["spam"]
    assert sparse.issparse(pipeline[:-1].transform(["pills"]))


def test_a_grid_is_searched():
    pipeline = make_pipeline(CountVectorizer(), bayes.MultinomialNB())
    grid = {"multinomialnb__alpha": [0.1, 1.0], "multinomialnb__binary": [True, False]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(TEXTS, Y)
    assert search.best_score_ == 1.0


@pytest.mark.parametrize("make", [bayes.EM, bayes.SelfTrainingClassifier])
def test_what_learns_from_unlabeled_mail_has_the_parameters_of_its_estimator(make):
    labels = np.where(np.arange(40) < 10, Y, "").astype(object)
    outer = make(bayes.BernoulliNB(alpha=0.5), max_iter=3, unlabeled="")
    assert outer.get_params()["estimator__alpha"] == 0.5
    copy = clone(outer).set_params(estimator__alpha=2.0, max_iter=4)
    assert (copy.estimator.alpha, copy.max_iter, outer.estimator.alpha) == (2.0, 4, 0.5)
    assert 0.5 < copy.fit(X, labels).score(X, Y) <= 1
    assert len(cross_val_score(outer, X, labels, cv=2)) == 2


def test_several_views_are_cloned():
    views = [
        bayes.View("some", bayes.MultinomialNB(), 3),
        bayes.View("others", bayes.GaussianNB(), 2),
    ]
    model = bayes.CompositeNB(views, fit_prior=False).fit(X, Y)
    assert_array_equal(clone(model).fit(X, Y).predict_proba(X), model.predict_proba(X))


def test_weights_count_in_the_score():
    model = bayes.MultinomialNB().fit(X, Y)
    is_right = model.predict(X) == Y
    assert model.score(X, Y, sample_weight=is_right.astype(float)) == 1.0


def test_an_unknown_parameter_is_refused():
    with pytest.raises(ParameterError, match="a parameter of MultinomialNB must be one of alpha"):
        bayes.MultinomialNB().set_params(beta=1)


def test_an_estimator_shows_what_was_set():
    assert repr(bayes.ComplementNB(alpha=0.5, norm=True)) == "ComplementNB(alpha=0.5, norm=True)"
    assert repr(bayes.GaussianNB()) == "GaussianNB()"


def test_every_classifier_is_a_name_of_the_package():
    assert set(bayes.__all__) <= set(dir(bayes))
    assert {getattr(bayes, make.__name__) for make in NAMES.values()} == set(NAMES.values())
    with pytest.raises(AttributeError, match=r"'spamnb.bayes' has no attribute 'Nothing'"):
        bayes.Nothing  # noqa: B018


def test_scikit_learn_is_not_imported():
    code = (
        "import sys, spamnb.bayes as b\n"
        "assert 'numpy' not in sys.modules\n"
        "[getattr(b, name) for name in b.__all__]\n"
        "b.MultinomialNB().fit([[1]], [0]).score([[1]], [0])\n"
        "assert 'sklearn' not in sys.modules and 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
