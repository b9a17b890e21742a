import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.features.groups import BODY, TEXT_GROUPS, group_of, number_groups


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
    assert BODY in TEXT_GROUPS
    assert {group_of(token) for token in ("a", "subject:a", "char:abcd")} <= TEXT_GROUPS
    assert not {group_of(token) for token in ("url:ip", "html:p", "mime:a")} & TEXT_GROUPS


TOKENS = st.sampled_from(["a", "b", "subject:a", "url:ip", "url:user", "html:p"]) | st.text()


@given(st.lists(TOKENS))
def test_tokens_of_a_group_have_its_number(tokens):
    numbers, names = number_groups(tokens)
    assert [names[number] for number in numbers] == [group_of(token) for token in tokens]
    assert list(names) == sorted(set(names))
    assert set(numbers.tolist()) == set(range(len(names)))
