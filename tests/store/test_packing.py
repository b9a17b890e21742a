"""The fingerprints of many tokens, and where a table has them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spamnb.store.packing import Fingerprints, first_slots
from spamnb.text.fingerprints import fingerprint

TEXT = st.text(st.characters() | st.sampled_from("ab\0é中\udc80\U0001f600"), max_size=30)


@given(st.lists(TEXT), st.integers(0, 2**63 - 1).map(lambda n: 2 * n + 1))
@example([], 1)
@example(["", "", "a", ""], 2**64 - 1)
def test_the_fingerprints_are_those_of_one_token(tokens, base):
    find = Fingerprints(base)
    expected = [fingerprint(token, base) for token in tokens]
    assert find(tokens).tolist() == expected
    assert find(tokens[:3]).tolist() == expected[:3]


@pytest.mark.parametrize("bits", [1, 4, 20])
def test_the_first_slots_are_slots(bits):
    slots = first_slots(Fingerprints(2**63 + 1)([f"w{i}" for i in range(1_000)]), 1 << bits)
    assert (slots.min(), slots.max()) == (0, (1 << bits) - 1) or bits == 20
    assert slots.max() < 1 << bits
