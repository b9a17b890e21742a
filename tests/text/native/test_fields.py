"""Compiled tokens of header fields are those of their twins."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spamnb.text.fields import (
    LONGEST_DOMAIN,
    LONGEST_LOCAL,
    LONGEST_NAME,
    LONGEST_VALUE,
    LONGEST_WORD,
    MOST_WORDS,
    SENDERS,
    field_tokens,
    hand_tokens,
)
from spamnb.text.words import FullSplitter
from tests.text.native.strategies import TEXTS

native = pytest.importorskip("spamnb.text.native.fields")

split = FullSplitter(lambda run: [run])

NAMES = (
    *(name.title() for name in (*SENDERS, "to", "date", "received", "cc", "x-mailer", "list-id")),
    *("FROM", "MIME-Version", "content-type", "X-UID", "x-evolution-source", "x", "n" * 50, "Ünï"),
)
PIECES = (
    *("a", "anna", "Anna", "ANNA", "smith7", "0", "12", "²", "٣", "É", "ſ", "İ", "中文"),
    *("@", "@", "@b.example", "@mail.b.co.uk", "@1.2.3.4", "@a.b.5", "@.", "@b.", "@a..uk"),
    *(".", "-", "_", "+", "=", "&", "<", ">", '"', "'", "(", ")", "[", "]", ",", ";", ":", " "),
)
VALUES = st.lists(st.sampled_from(PIECES), max_size=10).map("".join) | TEXTS
HEADERS = st.lists(st.tuples(st.sampled_from(NAMES) | TEXTS, VALUES), max_size=6).map(tuple)
LONG = (
    f"{'a' * (LONGEST_LOCAL + 1)}@b.example x{'-' * LONGEST_LOCAL}@c",
    f"a@{'b.' * LONGEST_DOMAIN}@c@d",
    "a " * (LONGEST_VALUE // 2) + "b",
    "w" * LONGEST_WORD + " " + "w" * (LONGEST_WORD + 1) + " " + "v " * MOST_WORDS,
)


@settings(max_examples=3_000, deadline=None)
@given(HEADERS)
@example(tuple(("From", value) for value in LONG))
@example(tuple(("X-Mailer", value) for value in LONG))
@example((("n" * LONGEST_NAME, "v"), ("n" * (LONGEST_NAME + 1), "v")))
def test_the_same_tokens_of_any_header(headers):
    assert native.field_tokens(headers, split) == field_tokens(headers, split)
    assert native.hand_tokens(headers) == hand_tokens(headers)


def test_it_is_the_same_however_often_a_name_has_come():
    for number in range(3_000):
        headers = ((f"X-{number % 1_500}", "v"), ("From", "a@b.example"))
        assert native.hand_tokens(headers) == hand_tokens(headers)
