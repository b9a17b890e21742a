"""A memo gives what its function gives, and stays small."""

from hypothesis import given
from hypothesis import strategies as st

from spamnb.memo import Memo


@given(st.lists(st.sampled_from("abcdefgh") | st.text(max_size=9)))
def test_the_results_are_those_of_the_function(texts):
    memo = Memo(str.upper, size=3, longest=5)
    for text in texts:
        assert memo[text] == text.upper()
        assert len(memo) <= 3
        assert all(len(key) <= 5 for key in memo)


def test_the_function_is_called_once_for_a_short_text():
    calls = []
    memo = Memo(lambda text: calls.append(text) or len(text), size=10, longest=3)
    assert [memo[text] for text in ("abc", "abc", "abcd", "abcd")] == [3, 3, 4, 4]
    assert calls == ["abc", "abcd", "abcd"]


def test_none_is_a_result_like_others():
    calls = []
    memo = Memo(calls.append, size=10)
    assert memo["a"] is memo["a"] is None
    assert calls == ["a"]
