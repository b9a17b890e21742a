"""Sums less a fold's: to the last digit what learning the other folds gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.bayes import grouped
from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.grouped import GroupedNB
from spamnb.bayes.left_out import fit_blocks, left_out_scores
from spamnb.bayes.model_selection import out_of_fold
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.features.blocks import CountBlocks
from spamnb.features.matrix import CountMatrix
from spamnb.features.packed_rows import PackedRows
from tests.strategies import few

GROUPS = [0, 1, 2, 0, 1, 2, 0, 1]
ESTIMATORS = {
    "multinomial": MultinomialNB(),
    "binary": MultinomialNB(binary=True),
    "without smoothing": MultinomialNB(alpha=0),
    "bernoulli": BernoulliNB(),
    "complement": ComplementNB(),
    "grouped": GroupedNB(),
    "in groups": GroupedNB(groups=GROUPS),
    "with idf": GroupedNB(groups=GROUPS, idf_groups=[0, 2], fit_prior=False),
    "all with idf": GroupedNB(idf_groups=[0]),
}


def samples(seed, labels):
    rng = np.random.default_rng(seed)
    index = np.arange(40) % len(labels)
    rate = rng.uniform(0.05, 0.6, size=(len(labels), 8))
    X = CountMatrix.coerce(rng.poisson(rate[index]))  # with empty rows, and columns of one row
    return X, np.array(labels)[index], np.arange(40) // len(labels) % 3


@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
@pytest.mark.parametrize("labels", [("ham", "spam"), ("ads", "ham", "spam")])
@pytest.mark.parametrize("is_packed", [False, True])
@few
@given(seed=st.integers(0, 10_000))
def test_the_scores_are_those_of_models_that_learned_the_other_folds(
    estimator, labels, is_packed, seed
):
    X, y, folds = samples(seed, labels)
    rows = X
    if is_packed:
        halves = [PackedRows.of(X.take_rows(np.arange(*ends))) for ends in ((0, 17), (17, 40))]
        rows = CountBlocks(halves, X.shape[1])
    Y = np.eye(len(labels))[np.arange(40) % len(labels)]
    fit_blocks(estimator, rows, Y, np.array(labels))
    fitted = estimator.state()
    assert_array_equal(
        left_out_scores(estimator, rows, Y, folds), out_of_fold(estimator, X, y, folds)
    )
    for name, values in estimator.state().items():
        assert_array_equal(values, fitted[name])
    at_once = estimator.fit(X, y).state()
    for name, values in at_once.items():
        assert_array_equal(values, fitted[name])


def test_sums_that_are_not_whole_are_known():
    X, y, _ = samples(0, ("ham", "spam"))
    assert MultinomialNB().fit(X, y).is_whole
    assert GroupedNB().fit(X, y).is_whole
    assert GroupedNB().fit(CountMatrix(X.data / 3, X.indices, X.indptr, X.shape), y).is_whole
    assert not MultinomialNB().fit(X, y, sample_weight=np.full(40, 0.3)).is_whole


def test_the_size_of_the_blocks_changes_no_weight(monkeypatch):
    X, y, _ = samples(0, ("ham", "spam"))
    estimator = GroupedNB(groups=GROUPS, idf_groups=[1]).fit(X, y)
    before = estimator.view(X).data
    monkeypatch.setattr(grouped, "_BLOCK", 3)
    assert_array_equal(estimator.view(X).data, before)
