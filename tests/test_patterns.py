"""A lazy pattern does what the compiled one does, and is compiled when it is used."""

import re

import pytest

from spamnb.patterns import lazy_pattern


@pytest.mark.parametrize("method", ["search", "match", "fullmatch", "findall", "split"])
@pytest.mark.parametrize("text", ["", "a1b22", "22", "AB"])
def test_it_works_as_the_compiled_pattern(method, text):
    lazy, compiled = (
        lazy_pattern(r"[a-b]\d*", re.IGNORECASE),
        re.compile(r"[a-b]\d*", re.IGNORECASE),
    )
    for _ in range(2):
        assert str(getattr(lazy, method)(text)) == str(getattr(compiled, method)(text))


def test_bytes_have_patterns_too():
    assert lazy_pattern(rb"\s+").sub(b" ", b"a \n b") == b"a b"


def test_it_is_compiled_at_first_use():
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("")
