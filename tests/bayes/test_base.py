"""What holds for every estimator; what holds for one of them is in that one's file."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import naive_bayes

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.errors import MatrixError, NotFittedError, ParameterError
from spamnb.features.matrix import CountMatrix
from tests.strategies import FORMS, LABELS, labeled_counts, modest

ALL = (MultinomialNB, BernoulliNB, ComplementNB)

X = np.array([[1, 0, 2], [0, 1, 1], [1, 1, 0]])
Y = np.array(["ham", "spam", "spam"])

FITTED = (
    "classes_",
    "class_count_",
    "class_log_prior_",
    "feature_count_",
    "feature_log_prob_",
    "weights",
    "intercept",
)


@pytest.fixture(params=ALL, ids=lambda model: model.__name__)
def model(request):
    return request.param


every_model = pytest.mark.parametrize("model", ALL)


def assert_same(left, right):
    """Assert that two estimators have learned exactly the same."""
    for name in FITTED:
        assert_array_equal(getattr(left, name), getattr(right, name), err_msg=name)


def is_clear(log_proba):
    """Return which rows have a most probable class that rounding cannot change."""
    padded = np.pad(log_proba, ((0, 0), (1, 0)), constant_values=-inf)
    best, second = np.sort(padded, axis=1)[:, :-3:-1].T
    return best - second > 1e-9


# scikit-learn as the oracle


@st.composite
def weights_for(draw, n):
    """No weights, or some with a positive sum."""
    weight = st.sampled_from([0.0, 0.3, 1.0, 2.5])
    weights = draw(st.none() | st.lists(weight, min_size=n, max_size=n))
    assume(weights is None or sum(weights) > 0)
    return weights


@st.composite
def alphas(draw, n_features, per_feature):
    alpha = st.sampled_from([1e-3, 0.1, 1.0, 3.0])
    if per_feature and draw(st.booleans()):
        return draw(st.lists(alpha, min_size=n_features, max_size=n_features))
    return draw(alpha)


@st.composite
def priors(draw, n_classes):
    """Empirical, uniform or given."""
    shares = draw(st.none() | st.lists(st.integers(1, 9), min_size=n_classes, max_size=n_classes))
    given_prior = None if shares is None else (np.array(shares) / sum(shares)).tolist()
    return {"fit_prior": draw(st.booleans()), "class_prior": given_prior}


@pytest.mark.parametrize(
    ("ours", "theirs", "more"),
    [
        (MultinomialNB, naive_bayes.MultinomialNB, {}),
        (BernoulliNB, naive_bayes.BernoulliNB, {}),
        (BernoulliNB, naive_bayes.BernoulliNB, {"binarize": 1.5}),
        (ComplementNB, naive_bayes.ComplementNB, {}),
        (ComplementNB, naive_bayes.ComplementNB, {"norm": True}),
    ],
)
@modest
@given(labeled=labeled_counts(min_columns=2), form=st.sampled_from(sorted(FORMS)), data=st.data())
def test_scikit_learn_gives_the_same(ours, theirs, more, labeled, form, data):
    X, y = labeled
    # scikit-learn's BernoulliNB confuses an alpha per feature with one per class.
    alpha = data.draw(alphas(X.shape[1], per_feature=ours is not BernoulliNB))
    parameters = {"alpha": alpha, **data.draw(priors(len(set(y)))), **more}
    weight = data.draw(weights_for(len(y)))
    expected = theirs(**parameters).fit(X, y, weight)
    got = ours(**parameters).fit(FORMS[form](X), y, weight)

    assert_array_equal(got.classes_, expected.classes_)
    for name in ("class_count_", "class_log_prior_", "feature_count_", "feature_log_prob_"):
        assert_allclose(
            getattr(got, name), getattr(expected, name), rtol=0, atol=1e-10, err_msg=name
        )
    joint = expected.predict_joint_log_proba(X)
    log_proba = expected.predict_log_proba(X)
    form_of_X = FORMS[form](X)
    assert_allclose(got.predict_joint_log_proba(form_of_X), joint, rtol=0, atol=1e-10)
    assert_allclose(got.predict_log_proba(form_of_X), log_proba, rtol=0, atol=1e-10)
    assert_allclose(got.predict_proba(form_of_X), np.exp(log_proba), rtol=0, atol=1e-10)
    clear = is_clear(log_proba)
    assert_array_equal(got.predict(form_of_X)[clear], expected.predict(X)[clear])


# How learning in parts relates to learning at once


@every_model
@modest
@given(labeled=labeled_counts(), data=st.data())
def test_learning_in_any_parts_equals_learning_at_once(model, labeled, data):
    X, y = labeled
    cuts = sorted(data.draw(st.lists(st.integers(0, len(y)), max_size=4)))
    in_parts = model()
    for start, stop in zip([0, *cuts], [*cuts, len(y)], strict=True):
        in_parts.partial_fit(X[start:stop], y[start:stop], classes=np.unique(y))
    assert_same(in_parts, model().fit(X, y))


@every_model
@modest
@given(labeled=labeled_counts(), data=st.data())
def test_the_order_of_the_samples_leaves_no_trace(model, labeled, data):
    X, y = labeled
    order = np.array(data.draw(st.permutations(range(len(y)))))
    assert_same(model().fit(X[order], y[order]), model().fit(X, y))


@every_model
@modest
@given(labeled=labeled_counts(), data=st.data())
def test_a_repeated_sample_equals_one_of_double_weight(model, labeled, data):
    X, y = labeled
    row = data.draw(st.integers(0, len(y) - 1))
    repeated = model().fit(np.vstack([X, X[[row]]]), np.append(y, y[row]))
    weighted = model().fit(X, y, sample_weight=1 + (np.arange(len(y)) == row))
    assert_same(repeated, weighted)


@every_model
@modest
@given(first=labeled_counts(), second=labeled_counts())
def test_fit_forgets_what_was_before(model, first, second):
    assert_same(model().fit(*first).fit(*second), model().fit(*second))


@every_model
@modest
@given(labeled=labeled_counts(), data=st.data())
def test_taking_columns_equals_learning_only_them(model, labeled, data):
    X, y = labeled
    columns = data.draw(st.permutations(range(X.shape[1])))
    columns = np.array(columns[: data.draw(st.integers(0, X.shape[1]))], dtype=np.int64)
    assert_same(model().fit(X, y).take_columns(columns), model().fit(X[:, columns], y))
    mask = np.isin(np.arange(X.shape[1]), columns)
    assert_same(model().fit(X, y).take_columns(mask), model().fit(X[:, mask], y))


@every_model
@modest
@given(labeled=labeled_counts(), n_new=st.integers(0, 3))
def test_widening_equals_learning_columns_of_zeros(model, labeled, n_new):
    X, y = labeled
    wide = np.pad(X, ((0, 0), (0, n_new)))
    assert_same(model().fit(X, y).widen(wide.shape[1]).update(), model().fit(wide, y))


def test_widening_makes_room_for_the_next_samples(model):
    new = np.array([[0, 1, 0, 4]])
    widened = model().fit(X, Y).widen(4).partial_fit(new, ["ham"])
    at_once = model().fit(np.vstack([np.pad(X, ((0, 0), (0, 1))), new]), [*Y, "ham"])
    assert_same(widened, at_once)


def test_a_widened_estimator_predicts_at_once(model):
    wide = np.pad(X, ((0, 0), (0, 2)))
    new_words = np.array([[1, 0, 0, 3, 1]])
    expected = model().fit(wide, Y).predict_proba(new_words)
    assert_allclose(model().fit(X, Y).widen(5).predict_proba(new_words), expected, rtol=1e-14)


@every_model
@modest
@given(labeled=labeled_counts())
def test_counts_are_all_that_an_estimator_needs(model, labeled):
    learned = model(alpha=0.5).fit(*labeled)
    restored = model(alpha=0.5).set_state(
        learned.classes_.tolist(), learned.n_features_in_, learned.state()
    )
    assert_same(restored, learned)


def test_set_state_does_not_share_what_is_learned_later(model):
    learned = model().fit(X, Y)
    before = learned.feature_count_.copy()
    restored = model().set_state(learned.classes_, learned.n_features_in_, learned.state())
    restored.partial_fit(X, Y)
    assert_array_equal(learned.feature_count_, before)
    assert_array_equal(learned.class_count_, [1, 2])
    assert_array_equal(restored.class_count_, [2, 4])


def test_update_follows_a_change_of_alpha(model):
    changed = model(alpha=1).fit(X, Y)
    changed.alpha = 0.25
    assert_same(changed.update(), model(alpha=0.25).fit(X, Y))


@every_model
@modest
@given(labeled=labeled_counts(), data=st.data())
def test_weighted_classes_are_learned_as_weighted_samples(model, labeled, data):
    X, y = labeled
    weight = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y))))
    one_hot = (y[:, np.newaxis] == np.unique(y)) * weight[:, np.newaxis].astype(float)
    twice = model().fit(X, y, weight).partial_fit_weighted(X, one_hot)
    assert_same(twice, model().fit(X, y, weight).partial_fit(X, y, sample_weight=weight))


# Probabilities


@every_model
@modest
@given(labeled=labeled_counts(), alpha=st.sampled_from([0.0, 1e-10, 0.1, 1.0]), data=st.data())
def test_probabilities_sum_to_one_and_are_never_nan(model, labeled, alpha, data):
    X, y = labeled
    n = data.draw(st.integers(1, len(y)))
    estimator = model(alpha=alpha).partial_fit(X[:n], y[:n], classes=LABELS)
    log_proba = estimator.predict_log_proba(X)
    assert log_proba.shape == (len(X), len(LABELS))
    assert np.all(log_proba <= 0)
    assert_allclose(np.logaddexp.reduce(log_proba, axis=1), 0, atol=1e-12)
    assert_array_equal(estimator.predict_proba(X), np.exp(log_proba))


def test_of_equals_the_first_class_is_predicted(model):
    estimator = model().fit([[1, 0], [0, 1]], ["b", "a"])
    assert estimator.predict([[1, 1], [0, 0]]).tolist() == ["a", "a"]


def test_no_samples_get_no_predictions(model):
    estimator = model().fit(X, Y)
    nothing = np.zeros((0, 3))
    assert estimator.predict_proba(nothing).shape == (0, 2)
    assert estimator.predict(nothing).tolist() == []


def test_extreme_log_odds_do_not_overflow(model):
    X = np.array([[1, 0], [0, 1]])
    estimator = model(alpha=1e-300).fit(X, ["a", "b"])
    assert_array_equal(estimator.predict_proba(X * 1000), [[1, 0], [0, 1]])


@pytest.mark.parametrize(
    "learn",
    [
        lambda model: model().fit(X, Y, sample_weight=[0, 0, 0]),
        lambda model: model().partial_fit(X[:0], Y[:0], classes=["ham", "spam"]),
    ],
    ids=["zero weights", "no samples yet"],
)
def test_an_estimator_that_has_seen_nothing_has_no_nan(model, learn):
    assert_allclose(learn(model).predict_proba(X).sum(axis=1), 1, rtol=1e-12)


# Priors


@pytest.mark.parametrize(
    ("parameters", "prior"),
    [
        ({}, [1 / 3, 2 / 3]),
        ({"fit_prior": False}, [1 / 2, 1 / 2]),
        ({"class_prior": [0.2, 0.8]}, [0.2, 0.8]),
        ({"class_prior": [0.2, 0.8], "fit_prior": False}, [0.2, 0.8]),
        ({"class_prior": [1, 0]}, [1, 0]),
        ({"prior_alpha": 1}, [2 / 5, 3 / 5]),
        ({"prior_alpha": 0.5}, [1.5 / 4, 2.5 / 4]),
    ],
)
def test_the_prior_is_learned_smoothed_uniform_or_given(model, parameters, prior):
    estimator = model(**parameters).fit(X, Y)
    assert_allclose(np.exp(estimator.class_log_prior_), prior, rtol=1e-14)


def test_a_class_without_samples_has_no_prior_unless_it_is_smoothed(model):
    for prior_alpha, expected in ((0, [0, 1 / 3, 2 / 3]), (1, [1 / 6, 2 / 6, 3 / 6])):
        estimator = model(prior_alpha=prior_alpha).partial_fit(X, Y, classes=LABELS)
        assert_allclose(np.exp(estimator.class_log_prior_), expected, rtol=1e-14)


# What is refused


def fit_with(**parameters):
    return lambda model: model(**parameters).fit(X, Y)


@pytest.mark.parametrize(
    ("learn", "message"),
    [
        (fit_with(alpha=-1), "alpha must be a finite number ≥ 0, got -1"),
        (fit_with(alpha=nan), "alpha must be a finite number ≥ 0, got nan"),
        (fit_with(alpha=inf), "alpha must be a finite number ≥ 0, got inf"),
        (fit_with(alpha=None), "alpha must be a finite number ≥ 0, got None"),
        (fit_with(alpha="auto"), "alpha must be a finite number ≥ 0, got auto"),
        (fit_with(alpha=[1, -1, 1]), "alpha must be a finite number ≥ 0, got [1, -1, 1]"),
        (fit_with(alpha=[1, 1]), "alpha must be one number or 3 of them, got shape (2,)"),
        (fit_with(alpha=[[1, 1, 1]]), "alpha must be one number or 3 of them, got shape (1, 3)"),
        (fit_with(class_prior=[1]), "class_prior must be 2 numbers ≥ 0 with the sum 1, got [1]"),
        (
            fit_with(class_prior=[0.5, 0.6]),
            "class_prior must be 2 numbers ≥ 0 with the sum 1, got [0.5, 0.6]",
        ),
        (
            fit_with(class_prior=[-0.5, 1.5]),
            "class_prior must be 2 numbers ≥ 0 with the sum 1, got [-0.5, 1.5]",
        ),
        (
            fit_with(class_prior=[nan, 1]),
            "class_prior must be 2 numbers ≥ 0 with the sum 1, got [nan, 1]",
        ),
        (fit_with(prior_alpha=-1), "prior_alpha must be a number ≥ 0, got -1"),
        (fit_with(prior_alpha=nan), "prior_alpha must be a number ≥ 0, got nan"),
        (fit_with(prior_alpha=inf), "prior_alpha must be a number ≥ 0, got inf"),
        (
            lambda model: model().fit(X, Y, [1, 2]),
            "sample_weight must be 3 numbers ≥ 0, got [1, 2]",
        ),
        (
            lambda model: model().fit(X, Y, [1, -2, 1]),
            "sample_weight must be 3 numbers ≥ 0, got [1, -2, 1]",
        ),
        (
            lambda model: model().fit(X, Y, [1, nan, 1]),
            "sample_weight must be 3 numbers ≥ 0, got [1, nan, 1]",
        ),
        (
            lambda model: model().partial_fit(X, Y),
            "classes must be given in the first call of partial_fit, got None",
        ),
        (
            lambda model: model().fit(X, Y).partial_fit(X, Y, classes=["ham", "x"]),
            "classes must be the same as before, ['ham', 'spam'], got ['ham', 'x']",
        ),
        (
            lambda model: model().fit(X, Y).partial_fit(X, ["ham", "ads", "spam"]),
            "y must be labels among ['ham', 'spam'], got ads",
        ),
        (
            lambda model: model().partial_fit(X, Y, classes=["ham", "eggs"]),
            "y must be labels among ['eggs', 'ham'], got spam",
        ),
        (
            lambda model: model().fit(X, [0, 1, 1]).partial_fit(X, [0, 1, 2]),
            "y must be labels among [0, 1], got 2",
        ),
    ],
)
def test_parameters_that_cannot_work_are_refused(model, learn, message):
    with pytest.raises(ParameterError) as caught:
        learn(model)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (X - 1, Y, "expected counts ≥ 0, got Negative values in data passed to"),
        (np.where(X, X, nan), Y, "expected finite counts, got NaN or infinity in X"),
        (np.where(X, X, inf), Y, "expected finite counts, got NaN or infinity in X"),
        (X[0], Y, "expected a matrix with 2 dimensions, got 1 dimensions"),
        (X, Y[:2], "expected 3 labels, one for each row of X, got shape (2,)"),
        (X, Y[:, np.newaxis], "expected 3 labels, one for each row of X, got shape (3, 1)"),
        (X[:0], Y[:0], "expected at least one sample, got none"),
    ],
    ids=["negative", "NaN", "infinite", "1-D", "few labels", "2-D labels", "empty"],
)
def test_data_that_cannot_be_learned_from_is_refused(model, X, y, message):
    with pytest.raises(MatrixError) as caught:
        model().fit(X, y)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        (X[:, :2], "expected 3 features, as in training, got 2"),
        (np.ones((1, 4)), "expected 3 features, as in training, got 4"),
        (CountMatrix.coerce(X[:, :2]), "expected 3 features, as in training, got 2"),
        (X[0], "expected a matrix with 2 dimensions, got 1 dimensions"),
        (-X, "expected counts ≥ 0, got Negative values in data passed to"),
        (np.where(X, X, nan), "expected finite counts, got NaN or infinity in X"),
    ],
    ids=["narrow", "wide", "narrow CountMatrix", "1-D", "negative", "NaN"],
)
def test_samples_that_cannot_be_judged_are_refused(model, samples, message):
    estimator = model().fit(X, Y)
    for predict in (estimator.predict, estimator.predict_proba, estimator.predict_joint_log_proba):
        with pytest.raises(MatrixError) as caught:
            predict(samples)
        assert str(caught.value).startswith(message)


def test_another_number_of_features_is_refused_in_a_later_batch(model):
    with pytest.raises(MatrixError, match="expected 3 features, as before, got 2"):
        model().fit(X, Y).partial_fit(X[:, :2], Y)


@pytest.mark.parametrize(
    "use",
    [
        lambda estimator: estimator.predict(X),
        lambda estimator: estimator.predict_proba(X),
        lambda estimator: estimator.predict_log_proba(X),
        lambda estimator: estimator.predict_joint_log_proba(X),
        lambda estimator: estimator.n_features_in_,
        lambda estimator: estimator.widen(5),
        lambda estimator: estimator.take_columns(np.array([0])),
        lambda estimator: estimator.update(),
        lambda estimator: estimator.weights,
        lambda estimator: estimator.intercept,
    ],
    ids=[
        "predict",
        "predict_proba",
        "predict_log_proba",
        "predict_joint_log_proba",
        "n_features_in_",
        "widen",
        "take_columns",
        "update",
        "weights",
        "intercept",
    ],
)
def test_an_untrained_estimator_says_so(model, use):
    with pytest.raises(NotFittedError) as caught:
        use(model())
    assert str(caught.value) == (
        f"this {model.__name__} has not been trained yet: call fit or partial_fit first"
    )


@pytest.mark.parametrize("wrong", [{"alpha": -1}, {"class_prior": [1, 1]}, {"prior_alpha": -1}])
def test_a_refused_parameter_leaves_nothing_learned(model, wrong):
    estimator = model(**wrong)
    with pytest.raises(ParameterError):
        estimator.fit(X, Y)
    with pytest.raises(NotFittedError):
        estimator.predict(X)


def test_a_refused_batch_leaves_the_estimator_as_it_was(model):
    estimator = model().fit(X, Y)
    estimator.alpha = -1
    with pytest.raises(ParameterError):
        estimator.partial_fit(X, Y)
    estimator.alpha = 1
    assert_same(estimator.update(), model().fit(X, Y))
