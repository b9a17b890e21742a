from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.features.vocabulary import Vocabulary
from tests.strategies import modest

pytestmark = pytest.mark.usefixtures("form")


def test_tokens_are_numbered_in_the_order_of_their_first_coming():
    vocabulary = Vocabulary(["b", "a", "b", "发票"])
    assert list(vocabulary) == ["b", "a", "发票"]
    assert [vocabulary.get(token) for token in vocabulary] == [0, 1, 2]
    assert len(vocabulary) == 3


def test_get_knows_no_other_token_and_does_not_learn_it():
    vocabulary = Vocabulary(["a"])
    assert vocabulary.get("A") is None
    assert "A" not in vocabulary
    assert "a" in vocabulary
    assert len(vocabulary) == 1


@modest
@given(st.lists(st.text("abß发", max_size=2)))
def test_add_returns_the_number_that_get_returns(tokens):
    vocabulary = Vocabulary()
    numbers = [vocabulary.add(token) for token in tokens]
    assert numbers == [vocabulary.get(token) for token in tokens]
    assert sorted(set(numbers)) == list(range(len(set(tokens))))


@modest
@given(st.lists(st.lists(st.text("abß发", max_size=2))), st.integers(0, 4))
def test_add_all_returns_what_add_returns(lists, n_before):
    start = ["x", "a", "发"]
    all_at_once, one_by_one = Vocabulary.of_different(start), Vocabulary(start)
    for number, tokens in enumerate(lists):
        if number == n_before:
            assert all_at_once.get("x") == 0  # by now there is a dictionary of all
        assert all_at_once.add_all(tokens).tolist() == [one_by_one.add(token) for token in tokens]
        assert len(all_at_once) == len(one_by_one)
    assert list(all_at_once) == list(one_by_one)
    assert all(all_at_once.get(token) == one_by_one.get(token) for token in one_by_one)
    assert start == ["x", "a", "发"]


@pytest.mark.parametrize(
    ("columns", "tokens"),
    [
        (np.array([2, 0]), ["c", "a"]),
        (np.array([True, False, True]), ["a", "c"]),
        (np.array([], dtype=np.int64), []),
    ],
)
def test_take_numbers_the_columns_anew_in_the_order_given(columns, tokens):
    vocabulary = Vocabulary("abc")
    taken = vocabulary.take(columns)
    assert list(taken) == tokens
    assert [taken.get(token) for token in tokens] == list(range(len(tokens)))
    assert list(vocabulary) == ["a", "b", "c"]


def test_a_vocabulary_of_a_list_is_as_any_other():
    listed, other = Vocabulary.of_different(["b", "发", "a"]), Vocabulary("b发a")
    assert (len(listed), list(listed)) == (3, ["b", "发", "a"])
    assert [listed.get(token) for token in "b发ac"] == [other.get(token) for token in "b发ac"]
    assert [listed.add(token) for token in "bcd"] == [0, 3, 4]
    assert list(listed) == ["b", "发", "a", "c", "d"]
    assert "d" in listed
    with pytest.raises(AttributeError):
        _ = listed.nothing


def test_the_packed_tokens_are_those_of_now():
    vocabulary = Vocabulary(["b", "a"])
    assert vocabulary.packed().text.tobytes() == b"ba"
    assert vocabulary.packed() is vocabulary.packed()
    assert vocabulary.take(np.array([1, 0])).packed().text.tobytes() == b"ab"
    vocabulary.add("c")
    assert vocabulary.packed().text.tobytes() == b"bac"
