"""Where a table has the fingerprints of its tokens."""

import numpy as np
import pytest

from spamnb.store.packing import first_slots


@pytest.mark.parametrize("bits", [1, 4, 20])
def test_the_first_slots_are_slots(bits):
    keys = np.random.default_rng(5).integers(0, 2**64, 1_000, np.uint64, endpoint=False)
    slots = first_slots(keys, 1 << bits)
    assert (slots.min(), slots.max()) == (0, (1 << bits) - 1) or bits == 20
    assert slots.max() < 1 << bits
