"""The compiled shape of a message is that of its twin."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spamnb.text.reading import Reading
from spamnb.text.structure import shape_tokens
from tests.text.native.strategies import TEXTS

native = pytest.importorskip("spamnb.text.native.structure")

GAPS = ("\n", " ", "\t", "\xa0", "\x0b", "a", "\n" * 20, " " * 199, " \n" * 9, "\u2003", "://")
READINGS = st.builds(
    lambda texts, n_links, n_images: Reading(
        "", tuple(texts), (), (("", ""),) * n_links, (), {"img": n_images} if n_images else {}
    ),
    st.lists(st.lists(st.sampled_from(GAPS), max_size=8).map("".join) | TEXTS, max_size=3),
    st.integers(0, 9),
    st.integers(0, 9),
)


@settings(max_examples=2_000, deadline=None)
@given(READINGS, TEXTS | st.text("aAÀ1٣ ", min_size=990, max_size=1_010))
@example(Reading("", ("a" + "\n \t" * 21 + "b",), (), (), (), {}), "")
@example(Reading("", ("a" + "\n \t" * 20 + "b",), (), (), (), {}), "")
@example(Reading("", ("a" + " " * 200 + "b",), (), (), (), {}), "")
@example(Reading("", ("a" + " " * 199 + "b",), (), (), (), {}), "")
@example(
    Reading("", ("x" * 30 + " " * 150 + "\n" + "\t" * 150 + "\n" * 19 + "b",), (), (), (), {}), ""
)
@example(
    Reading("", ("x" * 30 + " " * 30 + "y" + "\xa0" * 200 + "b", "\n" * 50), (), (), (), {}), ""
)
def test_the_same_shape_of_any_reading(reading, text):
    assert native.shape_tokens(reading, text) == list(shape_tokens(reading, text))
