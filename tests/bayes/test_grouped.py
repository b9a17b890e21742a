from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.grouped import GroupedNB
from spamnb.errors import MatrixError, ParameterError
from spamnb.features.matrix import CountMatrix
from tests.strategies import counts, few, labeled_counts, to_dense

UNIT = 2.0**-20
ALPHAS = st.sampled_from([0.003, 0.1, 1.0])


def groups_of(n_features):
    return st.lists(st.integers(0, 2), min_size=n_features, max_size=n_features)


@st.composite
def grouped_counts(draw):
    """(X, y, groups, idf_groups)."""
    X, y = draw(labeled_counts())
    return X, y, draw(groups_of(X.shape[1])), draw(st.sets(st.integers(0, 2)).map(sorted))


def slow_view(X, groups, idf_groups, df, n_documents):
    """The weights of each sample, feature by feature."""
    rows = []
    for counted in X.tolist():
        weights = [
            log(1 + count) * (log(1 + n_documents / max(seen, 1)) if group in idf_groups else 1)
            for count, group, seen in zip(counted, groups, df, strict=True)
        ]
        squares = [
            sum(w**2 for w, g in zip(weights, groups, strict=True) if g == group)
            for group in groups
        ]
        rows.append([
            max(round(w / sqrt(square) / UNIT), 1) * UNIT if w else 0.0
            for w, square in zip(weights, squares, strict=True)
        ])  # fmt: skip
    return rows


def test_a_hand_worked_example_of_two_groups():
    # Features 0 and 1 are words, 2 and 3 are written by programs.
    X = np.array([[1, 0, 1, 0], [3, 0, 0, 1], [0, 1, 0, 1]])
    model = GroupedNB(alpha=1.0, groups=[0, 0, 1, 1]).fit(X, ["ham", "ham", "spam"])
    # One feature in each group of each mail: every weight is 1, however often it stands there.
    assert_array_equal(model.feature_count_, [[2, 0, 1, 1], [0, 1, 0, 1]])
    expected = [[3 / 4, 1 / 4, 2 / 4, 2 / 4], [1 / 3, 2 / 3, 1 / 3, 2 / 3]]
    assert_allclose(np.exp(model.feature_log_prob_), expected, rtol=1e-12)
    # Counts 1 and 3 have the weights log 2 and log 4 = 2 log 2, of length √5 log 2.
    ham, spam = model.predict_joint_log_proba([[1, 3, 0, 2]])[0]
    one, three = 1 / sqrt(5), 2 / sqrt(5)
    assert ham == pytest.approx(
        log(2 / 3) + one * log(3 / 4) + three * log(1 / 4) + log(2 / 4), abs=1e-5
    )
    assert spam == pytest.approx(
        log(1 / 3) + one * log(1 / 3) + three * log(2 / 3) + log(2 / 3), abs=1e-5
    )


@few
@given(grouped_counts(), ALPHAS)
def test_parameters_and_scores_equal_the_slow_ones(labeled, alpha):
    X, y, groups, idf_groups = labeled
    model = GroupedNB(alpha=alpha, groups=groups, idf_groups=idf_groups).fit(X, y)
    df = [sum(count > 0 for count in column) for column in X.T.tolist()]
    weights = slow_view(X, groups, idf_groups, df, len(X))
    assert_allclose(to_dense(model.view(CountMatrix.coerce(X))), weights, rtol=0, atol=2 * UNIT)
    joint = []
    for label in model.classes_:
        total = [
            sum(row[i] for row, own in zip(weights, y, strict=True) if own == label)
            for i in range(len(groups))
        ]
        log_prob = []
        for group, count in zip(groups, total, strict=True):
            in_group = [c for c, g in zip(total, groups, strict=True) if g == group]
            log_prob.append(log((count + alpha) / (sum(in_group) + alpha * len(in_group))))
        prior = log(sum(own == label for own in y) / len(y))
        joint.append([
            prior + sum(w * p for w, p in zip(row, log_prob, strict=True)) for row in weights
        ])  # fmt: skip
    # Up to the rounding of the weights, whose logs are at most log(8 / 0.003) in size.
    assert_allclose(model.predict_joint_log_proba(X), np.transpose(joint), rtol=1e-5, atol=1e-3)


@few
@given(grouped_counts())
def test_a_sample_has_length_1_in_each_group_that_it_has(labeled):
    X, y, groups, idf_groups = labeled
    model = GroupedNB(groups=groups, idf_groups=idf_groups).fit(X, y)
    seen = to_dense(model.view(CountMatrix.coerce(X)))
    assert_array_equal(seen > 0, X > 0)
    for group in set(groups):
        columns = np.array(groups) == group
        length = np.sqrt(np.square(seen[:, columns]).sum(axis=1))
        assert_allclose(length, (X[:, columns] > 0).any(axis=1), atol=1e-5)


def test_rare_features_weigh_more_where_idf_is_asked_for():
    X = np.array([[1, 1, 1, 1], [1, 0, 1, 0], [1, 0, 1, 0]])
    model = GroupedNB(groups=[0, 0, 1, 1], idf_groups=[1]).fit(X, ["a", "b", "b"])
    assert_array_equal(model.document_frequency_, [3, 1, 3, 1])
    assert model.n_documents_ == 3
    plain, common, rare = 1 / sqrt(2), log(1 + 3 / 3), log(1 + 3 / 1)
    length = sqrt(common**2 + rare**2)
    assert_allclose(
        to_dense(model.view(CountMatrix.coerce(X[:1])))[0],
        [plain, plain, common / length, rare / length],
        atol=UNIT,
    )


@few
@given(grouped_counts(), st.data())
def test_the_order_of_the_samples_leaves_no_trace(labeled, data):
    X, y, groups, idf_groups = labeled
    order = data.draw(st.permutations(range(len(y))))
    one, other = (
        GroupedNB(groups=groups, idf_groups=idf_groups).fit(*samples)
        for samples in ((X, y), (X[order], y[order]))
    )
    assert_array_equal(one.feature_count_, other.feature_count_)
    assert_array_equal(one.feature_log_prob_, other.feature_log_prob_)
    assert_array_equal(one.feature_count_ / UNIT, np.rint(one.feature_count_ / UNIT))


@few
@given(grouped_counts(), st.data())
def test_padding_one_group_does_not_change_what_another_adds(labeled, data):
    X, y, groups, idf_groups = labeled
    model = GroupedNB(groups=groups, idf_groups=idf_groups).fit(X, y)
    padded = data.draw(st.integers(0, 2))
    row = X[:1]
    is_padded = np.array(groups) == padded
    more = np.where(is_padded, data.draw(st.integers(1, 99)), 0)

    def added(sample):
        weights = to_dense(model.view(CountMatrix.coerce(sample)))[0]
        return (weights * model.weights)[:, ~is_padded]

    assert_array_equal(added(row + more), added(row))
    # And all that the padding can say is bounded: its weights have length 1.
    weights = to_dense(model.view(CountMatrix.coerce(row + more)))[0][is_padded]
    assert np.square(weights).sum() <= 1 + 1e-5


@few
@given(grouped_counts(), st.data())
def test_taking_columns_keeps_their_counts_and_groups(labeled, data):
    X, y, groups, idf_groups = labeled
    columns = np.array(data.draw(st.permutations(range(len(groups)))))[: len(groups) // 2 + 1]
    model = GroupedNB(groups=groups, idf_groups=idf_groups).fit(X, y)
    counted, df = model.feature_count_[:, columns], model.document_frequency_[columns]
    model.take_columns(columns)
    assert_array_equal(model.feature_count_, counted)
    assert_array_equal(model.document_frequency_, df)
    assert model.groups.tolist() == np.array(groups)[columns].tolist()
    for group in set(model.groups.tolist()):
        prob = np.exp(model.feature_log_prob_[:, model.groups == group]).sum(axis=1)
        assert_allclose(prob, 1, rtol=1e-12)


@few
@given(grouped_counts(), st.data())
def test_taking_whole_groups_equals_learning_only_them(labeled, data):
    X, y, groups, idf_groups = labeled
    columns = np.isin(groups, data.draw(st.sets(st.integers(0, 2), min_size=1).map(sorted)))
    taken = GroupedNB(groups=groups, idf_groups=idf_groups).fit(X, y).take_columns(columns)
    alone = GroupedNB(groups=np.array(groups)[columns], idf_groups=idf_groups)
    alone.fit(X[:, columns], y)
    assert_array_equal(taken.feature_log_prob_, alone.feature_log_prob_)
    assert_array_equal(
        taken.predict_log_proba(X[:, columns]), alone.predict_log_proba(X[:, columns])
    )


@few
@given(grouped_counts(), st.integers(0, 3))
def test_widening_equals_having_had_the_columns_all_along(labeled, n_more):
    X, y, groups, idf_groups = labeled
    wide_groups = [*groups, *[1] * n_more]
    wide_X = np.pad(X, ((0, 0), (0, n_more)))
    model = GroupedNB(groups=groups, idf_groups=idf_groups).fit(X, y)
    model.groups = wide_groups
    model.widen(len(wide_groups))
    at_once = GroupedNB(groups=wide_groups, idf_groups=idf_groups).fit(wide_X, y)
    assert_array_equal(model.feature_log_prob_, at_once.feature_log_prob_)
    assert_array_equal(model.document_frequency_, at_once.document_frequency_)
    more = wide_X + 1
    assert_array_equal(
        model.partial_fit(more, y).feature_count_, at_once.partial_fit(more, y).feature_count_
    )


@few
@given(grouped_counts())
def test_the_probabilities_of_each_group_sum_to_1_and_those_of_tokens_too(labeled):
    X, y, groups, idf_groups = labeled
    model = GroupedNB(groups=groups, idf_groups=idf_groups).fit(X, y)
    for group in set(groups):
        prob = np.exp(model.feature_log_prob_[:, np.array(groups) == group]).sum(axis=1)
        assert_allclose(prob, 1, rtol=1e-12)
    assert_allclose(np.exp(model._token_log_prob()).sum(axis=1), 1, rtol=1e-12)


@few
@given(labeled_counts())
def test_without_groups_all_features_are_one(labeled):
    X, y = labeled
    one = GroupedNB().fit(X, y)
    other = GroupedNB(groups=[0] * X.shape[1]).fit(X, y)
    assert_array_equal(one.predict_log_proba(X), other.predict_log_proba(X))


def test_a_refused_first_batch_leaves_no_frequencies():
    model = GroupedNB(idf_groups=[0])
    with pytest.raises(MatrixError):
        model.partial_fit_weighted([[1, 2, 3]], [[1.0]], ["ham", "spam"])
    X, y = [[1, 0], [1, 1]], ["ham", "spam"]
    model.partial_fit(X, y, ["ham", "spam"])
    assert_array_equal(model.feature_count_, GroupedNB(idf_groups=[0]).fit(X, y).feature_count_)


@few
@given(counts(min_columns=3, max_columns=3))
def test_an_empty_first_batch_is_no_obstacle(X):
    model = GroupedNB(idf_groups=[0]).partial_fit(np.zeros((0, 3)), [], ["ham", "spam"])
    model.partial_fit(X, ["ham"] * len(X))
    assert np.all(np.isfinite(model.feature_count_))


@pytest.mark.parametrize("groups", [[0], [0, 1, 2], [0, -1], [0.0, 1.0], [[0, 1]], ["a", "b"]])
def test_groups_of_another_form_are_refused(groups):
    with pytest.raises(ParameterError, match="groups must be 2 whole numbers"):
        GroupedNB(groups=groups).fit([[1, 0], [0, 1]], ["ham", "spam"])
