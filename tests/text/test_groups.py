import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.features.group_numbers import group_numbers
from spamnb.text.groups import BODY, GROUPS, TEXT_GROUPS, group_of


@pytest.mark.parametrize(
    ("token", "group"),
    [
        ("hello", ""),
        ("", ""),
        ("subject:hello", "subject"),
        ("pair:one two", "pair"),
        ("url:host:example.com", "url"),
        ("header:x-mailer:outlook", "header"),
        (":", ""),
        ("://", ""),
        ("a:", ""),
        ("subject:", ""),
        ("subject::", "subject"),
        ("Subject:a", ""),
        ("x-y:a", ""),
        ("发票:a", ""),
        ("a b:c", ""),
    ],
)
def test_the_prefix_is_the_group(token, group):
    assert group_of(token) == group


def test_what_people_write():
    assert BODY in TEXT_GROUPS < {*GROUPS}
    assert {group_of(token) for token in ("a", "subject:a", "char:abcd", "end:a")} <= TEXT_GROUPS
    assert not {group_of(token) for token in ("url:ip", "html:p", "mime:a")} & TEXT_GROUPS


def test_stored_models_rely_on_the_numbers():
    assert GROUPS[0] == BODY
    assert len(set(GROUPS)) == len(GROUPS)
    tokens = ["a", *(f"{name}:a" for name in GROUPS[1:])]
    expected = [GROUPS.index({"meta": "mime", "word": "mime"}.get(name, name)) for name in GROUPS]
    assert group_numbers(tokens).tolist() == expected
    assert group_numbers([]).tolist() == []


TOKENS = st.sampled_from(["a", "b", "subject:a", "url:ip", "url:user", "html:p", "other:a"])


@given(st.lists(TOKENS | st.text()))
def test_tokens_of_a_group_have_its_number(tokens):
    numbers = group_numbers(tokens)
    for token, number in zip(tokens, numbers.tolist(), strict=True):
        group = group_of(token)
        if group in {"meta", "word"}:
            group = "mime"
        assert GROUPS[number] == (group if group in GROUPS else BODY)
