"""Blocks in memory or in a file: what comes out is what went in."""

import tempfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from spamnb.errors import OutputWriteError
from spamnb.features.matrix import CountMatrix
from spamnb.features.packed_rows import PackedRows
from spamnb.features.store import BlockStore
from tests.strategies import counts, modest, to_dense


def packed(X):
    return PackedRows.of(CountMatrix.coerce(X))


def unpacked(block, X):
    return to_dense(block.unpack(X.shape[1]))


@modest
@given(st.lists(counts(), max_size=5), st.sampled_from([None, 0, 60]))
def test_blocks_come_back(dense, most_bytes):
    store = BlockStore(map(packed, dense), most_bytes)
    assert len(store) == len(dense)
    for X, block, lengths in zip(dense, store, store.lengths(), strict=True):
        assert_array_equal(unpacked(block, X), X)
        assert_array_equal(lengths, (X > 0).sum(axis=1))
    n_bytes = sum(block.n_bytes for block in store)
    assert store.is_spilled == (most_bytes is not None and n_bytes > most_bytes)


@modest
@given(st.lists(counts(), min_size=1, max_size=5), st.sampled_from([None, 0, 60]), st.data())
def test_a_block_is_replaced_and_no_other(dense, most_bytes, data):
    store = BlockStore(map(packed, dense), most_bytes)
    number = data.draw(st.integers(0, len(dense) - 1))
    smaller = dense[number] * (np.arange(dense[number].shape[1]) % 2)
    store.replace(number, packed(smaller))
    dense[number] = smaller
    for X, block in zip(dense, store[:], strict=True):
        assert_array_equal(unpacked(block, X), X)


def test_a_file_that_cannot_be_written_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(OutputWriteError, match="missing"):
        BlockStore([packed(np.ones((2, 2), int))], 0)
