import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.text.words import Splitter

split = Splitter(str.split, frozenset({"the", "不"}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("Cheap PILLS!", ["cheap", "pills"]),
        ("the The THE other", ["other"]),
        ("a b cd", ["cd"]),
        ("v1agra snake_case 2026 x2y", ["agra", "snake", "case"]),
        ("don't e-mail", ["don", "mail"]),
        ("one\ttwo\n\nthree\xa0four\u3000five", ["one", "two", "three", "four", "five"]),
        ("Ünïcode ПРИВЕТ", ["ünïcode", "привет"]),
        ("发票，不 发票", ["发票", "发票"]),
        ("vi\u200bagra", ["vi", "agra"]),
    ],
)
def test_a_text_is_split(text, words):
    assert split(text) == words


@given(st.text())
def test_words_are_lower_case_letters_in_the_order_of_the_text(text):
    words = split(text)
    assert all(len(word) > 1 and not re.search(r"[\W\d_]", word) for word in words)
    assert not {"the", "不"} & set(words)
    rest = text.lower()
    for word in words:
        _, found, rest = rest.partition(word)
        assert found


@given(st.text(), st.text())
def test_texts_apart_give_the_words_of_each(one, two):
    assert split(f"{one}\n{two}") == split(one) + split(two)


def test_the_tokenizer_gets_letters_and_spaces():
    got = []
    Splitter(lambda text: got.append(text) or [], frozenset())("One, 2 (three)_4")
    assert got == ["one three "]
