"""Matrices are made dense in blocks of rows, which nobody may notice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.bayes.aode import AODE
from spamnb.bayes.categorical import CategoricalNB
from spamnb.bayes.ode import ODE
from spamnb.bayes.tan import TAN
from spamnb.features.matrix import CountMatrix
from tests.strategies import counts, modest


@modest
@given(counts(), st.integers(1, 12))
def test_blocks_are_the_matrix_cut_into_rows(X, n_values):
    matrix = CountMatrix.coerce(X)
    assert_array_equal(matrix.toarray(), X)
    blocks = list(matrix.dense_blocks(n_values))
    assert all(block.size <= max(n_values, X.shape[1]) for _, block in blocks)
    for rows, block in blocks:
        assert_array_equal(block, X[rows])
    assert sum(len(block) for _, block in blocks) == len(X)


@pytest.mark.parametrize(
    "make",
    [CategoricalNB, TAN, lambda: AODE(m=3), lambda: ODE(parents=[-1, 0, 1, 0])],
    ids=["categorical", "TAN", "AODE", "ODE"],
)
def test_the_size_of_the_blocks_changes_nothing(make, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(3, size=(11, 4)), rng.integers(2, size=11)
    expected = make().fit(X, y).predict_joint_log_proba(X)
    whole = CountMatrix.dense_blocks
    monkeypatch.setattr(CountMatrix, "dense_blocks", lambda self, *_: whole(self, 8))
    assert_array_equal(make().fit(X, y).predict_joint_log_proba(X), expected)
