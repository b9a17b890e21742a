"""Packed counts, block by block: the same as the matrix that they stand for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.features import packed_rows
from spamnb.features.blocks import CountBlocks, map_blocks, whole
from spamnb.features.matrix import CountMatrix
from spamnb.features.packed_rows import PackedRows, split
from tests.strategies import counts, modest, to_dense


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(packed_rows, "BLOCK", 5)
    monkeypatch.setattr(packed_rows, "MAX_ROWS", 3)


def packed(X):
    return CountBlocks(list(split(PackedRows.of(CountMatrix.coerce(X)))), X.shape[1])


@modest
@given(counts())
def test_the_blocks_are_the_rows_in_their_order(X):
    rows = packed(X)
    assert rows.shape == X.shape
    assert_array_equal(to_dense(rows.whole()), X)
    assert_array_equal(rows.document_frequency(), (X > 0).sum(axis=0))
    end = 0
    for own, block in rows.blocks():
        assert own.start == end < own.stop <= end + 3
        assert_array_equal(to_dense(block), X[own])
        assert block.shape[0] == 1 or len(block.data) <= 5
        end = own.stop
    assert end == len(X)


@modest
@given(counts(), st.data())
def test_rows_are_taken_as_dense_indexing_does(X, data):
    indices = data.draw(st.lists(st.integers(0, max(len(X) - 1, 0)), max_size=9 * bool(len(X))))
    taken = packed(X).take_rows(np.array(indices, dtype=np.int64))
    assert_array_equal(to_dense(taken.whole()), X[np.array(indices, dtype=np.int64)])
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(X), max_size=len(X))), bool)
    assert_array_equal(to_dense(packed(X).take_rows(mask).whole()), X[mask])


@modest
@given(counts(min_columns=1), st.data())
def test_other_columns_are_in_their_order_in_each_row(X, data):
    columns = data.draw(st.permutations(range(X.shape[1])))[: data.draw(st.integers(0, 6))]
    new_column = np.full(X.shape[1], -1)
    new_column[columns] = np.arange(len(columns))
    taken = PackedRows.of(CountMatrix.coerce(X)).renumber(new_column).unpack(len(columns))
    assert_array_equal(to_dense(taken), X[:, columns])
    for start, end in zip(taken.indptr, taken.indptr[1:], strict=False):
        assert np.all(np.diff(taken.indices[start:end]) > 0)


@modest
@given(counts())
def test_a_function_sees_each_block_once_in_their_order(X):
    matrix = CountMatrix.coerce(X)
    for rows in (packed(X), matrix):
        sums = list(map_blocks(lambda own, block: (own.start, block.data.sum()), rows))
        assert [start for start, _ in sums] == sorted(start for start, _ in sums)
        assert sum(total for _, total in sums) == X.sum()
    assert whole(matrix) is matrix
