"""The compiled product of a matrix is numpy's, to the last digit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.bayes import refinement
from spamnb.bayes.refinement import RowSums
from spamnb.features.matrix import CountMatrix

native = pytest.importorskip("spamnb.bayes.native")


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 40) | st.sampled_from([127, 128, 129, 137, 300, 1_100]), max_size=6),
    st.integers(0, 2**32 - 1),
)
def test_the_same_product_to_the_last_digit(lengths, seed):
    random = np.random.default_rng(seed)
    n, n_features = sum(lengths), 1_200
    columns = [random.choice(n_features, length, replace=False) for length in lengths]
    indices = np.concatenate([np.empty(0, np.int64), *columns])
    data, weights = random.normal(size=n), random.normal(size=n_features)
    X = CountMatrix(data, indices, np.cumsum([0, *lengths]), (len(lengths), n_features))
    expected, found = np.empty(len(lengths)), np.empty(len(lengths))
    RowSums(X)(weights, expected)
    product = native.RowProduct(X.data, X.indices.astype(np.int32), X.indptr, n_features)
    product(weights, found)
    assert found.tolist() == expected.tolist()


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 40) | st.sampled_from([127, 128, 129, 137, 300, 1_100, 20_011]),
    st.integers(0, 2**32 - 1),
)
def test_the_same_vectors_to_the_last_digit(n, seed):
    random = np.random.default_rng(seed)
    left, right, work = random.normal(size=n), random.normal(size=n), np.empty(n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refinement, "compiled_twin", lambda _: None)
        expected = refinement.dot(left, right, work)
        added = left.copy()
        refinement.add_multiple(added, right, -0.3, work)
    assert native.dot(left, right) == expected
    native.add_multiple(left, right, -0.3)
    assert left.tolist() == added.tolist()


def test_vectors_that_do_not_fit_are_refused():
    for function in (native.dot, lambda a, b: native.add_multiple(a, b, 1.0)):
        with pytest.raises(ValueError, match="3"):
            function(np.ones(2), np.ones(3))


def test_arrays_that_do_not_fit_are_refused():
    data, indices, indptr = np.ones(2), np.array([0, 3], np.int32), np.array([0, 2])
    with pytest.raises(ValueError, match="3"):
        native.RowProduct(data, indices, indptr, 3)
    with pytest.raises(ValueError, match="2"):
        native.RowProduct(data, indices[:1], indptr, 4)
    with pytest.raises(ValueError, match="9"):
        native.RowProduct(data, indices, np.array([0, 9]), 4)
    with pytest.raises(ValueError, match="3"):
        native.RowProduct(data, indices, indptr, 4)(np.ones(3), np.empty(1))
