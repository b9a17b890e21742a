"""Compiled fingerprints are those of the table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.text.fingerprints import fingerprint
from tests.text.native.strategies import BASES

Base = pytest.importorskip("spamnb.text.native.fingerprints").Base


@given(st.text(st.characters() | st.sampled_from("ab\0é中\udc80\U0001f600")), BASES)
def test_of_any_token(token, base):
    assert Base(base).fingerprint(token) == fingerprint(token, base)


def test_of_long_ones():
    for n in (255, 256, 257, 1_000):
        assert Base(2**63 + 1).fingerprint("é" * n) == fingerprint("é" * n, 2**63 + 1)
