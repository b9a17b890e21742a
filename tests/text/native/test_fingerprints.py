"""Compiled fingerprints are those of the table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.features.packed import PackedTokens
from spamnb.text.fingerprints import fingerprint
from tests.text.native.strategies import BASES

Base = pytest.importorskip("spamnb.text.native.fingerprints").Base


@given(st.text(st.characters() | st.sampled_from("ab\0é中\udc80\U0001f600")), BASES)
def test_of_any_token(token, base):
    assert Base(base).fingerprint(token) == fingerprint(token, base)


@given(st.lists(st.text(max_size=9)), BASES)
def test_of_many_tokens(tokens, base):
    packed = PackedTokens(tokens)
    where = packed.text, packed.starts, packed.lengths
    found = pytest.importorskip("spamnb.text.native.fingerprints").fingerprints(*where, base)
    assert list(found) == [fingerprint(token, base) for token in tokens]


def test_of_long_ones():
    for n in (255, 256, 257, 1_000):
        assert Base(2**63 + 1).fingerprint("é" * n) == fingerprint("é" * n, 2**63 + 1)
