"""Tokens as an array of bytes: the order of `sorted`, and beginnings, for any text at all."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spamnb.features.packed import PackedTokens, fingerprints
from spamnb.text.fingerprints import fingerprint
from tests.strategies import modest

pytestmark = pytest.mark.usefixtures("form")

# Few letters, so that beginnings are often the same; of one to four bytes; NUL and surrogates.
ODD = "ab\0é发\U0001f600\ud800\udfff"
TOKENS = st.lists(
    st.text(ODD, max_size=4) | st.text(ODD, max_size=3).map(lambda end: "url:host:ex" * 9 + end),
    unique=True,
)


@modest
@given(TOKENS)
def test_the_order_is_that_of_sorted(tokens):
    order = PackedTokens(tokens).order().tolist()
    assert [tokens[i] for i in order] == sorted(tokens)


@modest
@given(TOKENS)
def test_the_bytes_are_those_of_each_token(tokens):
    packed = PackedTokens(tokens)
    for token, start, length in zip(tokens, packed.starts, packed.lengths, strict=True):
        own = packed.text[start : start + length].tobytes()
        assert own == token.encode("utf-8", "surrogatepass")


@modest
@given(TOKENS, st.sampled_from(["a", "", "\0", "发", "url:host", "b\0a"]))
def test_beginnings_are_found(tokens, prefix):
    found = PackedTokens(tokens).starting_with(prefix).tolist()
    assert found == [i for i, token in enumerate(tokens) if token.startswith(prefix)]


@modest
@given(TOKENS, st.data())
def test_some_tokens_are_as_if_packed_by_themselves(tokens, data):
    packed = PackedTokens(tokens)
    chosen = packed.order()[: data.draw(st.integers(0, len(tokens)))]
    own = [tokens[i] for i in chosen]
    taken, alone = packed.take(chosen), PackedTokens(own)
    assert taken.tokens() == packed.tokens(chosen) == own
    for name in ("text", "starts", "lengths"):
        assert getattr(taken, name).tolist() == getattr(alone, name).tolist()


@modest
@given(TOKENS, st.integers(0, 2**63 - 1).map(lambda n: 2 * n + 1))
@example([], 1)
@example(["", "", "a", ""], 2**64 - 1)
def test_the_fingerprints_are_those_of_one_token(tokens, base):
    packed = PackedTokens(tokens)
    found = fingerprints(packed.text, packed.starts, packed.lengths, base)
    assert found.tolist() == [fingerprint(token, base) for token in tokens]
