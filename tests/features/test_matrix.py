from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from spamnb.errors import MatrixError
from spamnb.features.matrix import CountMatrix
from tests.strategies import FORMS, counts, messy_csr, modest, to_dense

# An empty row, an empty column, a row of one.
DENSE = np.array([[2, 0, 1, 0], [0, 0, 0, 0], [0, 0, 3, 1], [5, 0, 0, 0]])

EDGES = [
    np.zeros((0, 0)),
    np.zeros((0, 3)),
    np.zeros((3, 0)),
    np.zeros((2, 2)),
    DENSE[:, :1],
    DENSE,
]


@pytest.fixture(params=EDGES, ids=lambda dense: "{}x{}".format(*dense.shape))
def dense(request):
    return request.param


def test_from_rows_places_each_count():
    matrix = CountMatrix.from_rows([{2: 1, 0: 2}, {}, {3: 1, 2: 3}, {0: 5}], 4)
    assert matrix.shape == (4, 4)
    assert_array_equal(to_dense(matrix), DENSE)


@pytest.mark.parametrize("n_features", [0, 3])
def test_from_no_rows_and_from_empty_rows(n_features):
    assert CountMatrix.from_rows([], n_features).shape == (0, n_features)
    assert_array_equal(
        to_dense(CountMatrix.from_rows(iter([{}, {}]), n_features)), np.zeros((2, n_features))
    )


@pytest.mark.parametrize("form", [form for form in FORMS if form != "list"])
def test_coerce_takes_each_form_of_edge_cases(form, dense):
    matrix = CountMatrix.coerce(FORMS[form](dense.astype(np.int64)))
    assert matrix.shape == dense.shape
    assert_array_equal(to_dense(matrix), dense)


@modest
@given(counts(min_rows=1), st.sampled_from(sorted(FORMS)))
def test_coerce_takes_each_form(X, form):
    matrix = CountMatrix.coerce(FORMS[form](X))
    assert (matrix.data.dtype, matrix.indices.dtype) == (np.float64, np.int64)
    assert_array_equal(to_dense(matrix), X)


def test_coerce_returns_a_count_matrix_as_it_is():
    matrix = CountMatrix.coerce(DENSE)
    assert CountMatrix.coerce(matrix) is matrix


def test_coerce_leaves_what_it_was_given_alone():
    given_matrix = messy_csr(DENSE)
    before = (given_matrix.data.copy(), given_matrix.indices.copy(), given_matrix.indptr.copy())
    CountMatrix.coerce(given_matrix)
    assert_array_equal(given_matrix.data, before[0])
    assert_array_equal(given_matrix.indices, before[1])
    assert_array_equal(given_matrix.indptr, before[2])


def test_repeated_entries_that_cancel_are_not_stored():
    csr = sparse.csr_array((np.array([1.0, -1.0]), np.array([1, 1]), np.array([0, 2])), (1, 3))
    assert len(CountMatrix.coerce(csr).data) == 0


class Csr:
    """Arrays that claim to be compressed sparse rows of shape (2, 3)."""

    def __init__(self, data, indices, indptr):
        self.data, self.indices, self.indptr = map(np.array, (data, indices, indptr))
        self.shape = (2, 3)


@pytest.mark.parametrize(
    ("data", "indices", "indptr", "message"),
    [
        ([1.0], [0], [0, 1], "arrays that do not fit together"),
        ([1.0], [0], [0, 1, 1, 1], "arrays that do not fit together"),
        ([1.0, 1.0], [0, 1], [1, 1, 2], "arrays that do not fit together"),
        ([1.0, 1.0], [0, 1], [0, 1, 1], "arrays that do not fit together"),
        ([1.0, 1.0], [0, 1], [0, 3, 2], "arrays that do not fit together"),
        ([1.0], [0, 1], [0, 1, 2], "arrays that do not fit together"),
        ([1.0, 1.0], [0, 3], [0, 1, 2], "column indices from 0 to 2"),
        ([1.0, 1.0], [0, -1], [0, 1, 2], "column indices from 0 to 2"),
    ],
)
def test_coerce_refuses_a_broken_structure(data, indices, indptr, message):
    with pytest.raises(MatrixError, match=message):
        CountMatrix.coerce(Csr(data, indices, indptr))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1, 2], "expected a matrix with 2 dimensions, got 1 dimensions"),
        ([[[1]]], "expected a matrix with 2 dimensions, got 3 dimensions"),
        (7, "expected a matrix with 2 dimensions, got 0 dimensions"),
        ([["a"]], "expected a matrix of numbers, got list"),
        ([[1], [1, 2]], "expected a matrix of numbers, got list"),
        (sparse.csr_array(np.array([1, 0, 2])), "expected a matrix with 2 dimensions, got 1"),
        (sparse.coo_array(np.array([1, 0, 2])), "expected a matrix with 2 dimensions, got 1"),
    ],
    ids=["1-D", "3-D", "number", "words", "ragged", "1-D csr", "1-D coo"],
)
def test_coerce_refuses_what_is_no_matrix_of_numbers(X, message):
    with pytest.raises(MatrixError, match=message):
        CountMatrix.coerce(X)


@modest
@given(st.lists(counts(), max_size=4))
def test_vstack_pads_to_the_widest(blocks):
    stacked = CountMatrix.vstack([CountMatrix.coerce(block) for block in blocks])
    width = max((block.shape[1] for block in blocks), default=0)
    padded = [np.pad(block, ((0, 0), (0, width - block.shape[1]))) for block in blocks]
    assert_array_equal(to_dense(stacked), np.vstack([np.zeros((0, width)), *padded]))


@modest
@given(counts())
def test_row_of_tells_the_row_of_each_stored_count(X):
    assert_array_equal(CountMatrix.coerce(X).row_of, np.nonzero(X)[0])


@modest
@given(counts(), st.integers(0, 3), st.integers(0, 99))
def test_products_equal_the_dense_ones(X, n_outputs, seed):
    matrix, rng = CountMatrix.coerce(X), np.random.default_rng(seed)
    weights = rng.normal(size=(X.shape[1], n_outputs))
    Y = rng.normal(size=(X.shape[0], n_outputs))
    assert_allclose(matrix.dot(weights), X @ weights, rtol=0, atol=1e-12)
    assert_allclose(matrix.transposed_dot(Y), Y.T @ X, rtol=0, atol=1e-12)


@pytest.mark.usefixtures("form")
@modest
@given(counts())
def test_the_transpose_is_that_of_the_dense_matrix(X):
    matrix = CountMatrix.coerce(X)
    assert_array_equal(to_dense(matrix.transpose()), X.T)


def test_dot_leaves_the_infinite_weight_of_an_absent_feature_out():
    weights = np.array([[1.0], [np.inf], [-np.inf], [0.0]])
    product = CountMatrix.coerce(DENSE).dot(weights)
    assert_array_equal(product[:, 0], [-np.inf, 0, -np.inf, 5])


@modest
@given(counts())
def test_sums_equal_the_dense_ones(X):
    matrix = CountMatrix.coerce(X)
    assert_array_equal(matrix.document_frequency(), (X > 0).sum(axis=0))


@modest
@given(counts(), st.sampled_from([0.0, 0.5, 1.0, 2.5, 9.0]))
def test_binary_is_one_above_the_threshold(X, threshold):
    binary = CountMatrix.coerce(X).binary(threshold)
    assert_array_equal(to_dense(binary), np.greater(X, threshold))


@modest
@given(counts(min_rows=1, min_columns=1), st.data())
def test_take_rows_and_columns_as_dense_indexing_does(X, data):
    n_rows, n_columns = X.shape
    rows = np.array(data.draw(st.lists(st.integers(-n_rows, n_rows - 1))), dtype=np.int64)
    columns = np.array(data.draw(st.permutations(range(n_columns))), dtype=np.int64)
    columns = columns[: data.draw(st.integers(0, n_columns))]
    matrix = CountMatrix.coerce(X)
    assert_array_equal(to_dense(matrix.take_rows(rows)), X[rows])
    assert_array_equal(to_dense(matrix.take_columns(columns)), X[:, columns])


@modest
@given(counts(), st.data())
def test_take_rows_and_columns_by_mask(X, data):
    rows = np.array(data.draw(st.lists(st.booleans(), min_size=len(X), max_size=len(X))), bool)
    width = X.shape[1]
    columns = np.array(data.draw(st.lists(st.booleans(), min_size=width, max_size=width)), bool)
    matrix = CountMatrix.coerce(X)
    assert_array_equal(to_dense(matrix.take_rows(rows)), X[rows])
    assert_array_equal(to_dense(matrix.take_columns(columns)), X[:, columns])


def test_a_very_wide_matrix_is_never_made_dense():
    width = 50_000_000
    tracemalloc.start()
    try:
        wide = CountMatrix.from_rows([{0: 1, width - 1: 2}, {}, {7: 3}], width)
        csr = sparse.csr_array((wide.data, wide.indices, wide.indptr), wide.shape)
        stacked = CountMatrix.vstack([CountMatrix.coerce(csr), wide.binary(), wide])
        taken = stacked.take_rows(np.array([2, 0]))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert taken.shape == (2, width)
    assert_array_equal(taken.indices, [7, 0, width - 1])
    assert_array_equal(taken.data, [3, 1, 2])
    assert peak < 1_000_000
