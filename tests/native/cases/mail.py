"""Header fields and charsets."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from spamnb.mail.charsets import count_gb_pairs
from spamnb.mail.fields import plain_fields
from spamnb.mail.headers import decode_header, decoded_headers, plain_value
from tests.native.cases.case import Case, Form

PIECES = (
    *(b"From", b"Subject", b"X-Spam", b"", b":", b": ", b" :", b":\t", b"\n", b"\n\n", b"\n "),
    *(b"\r", b"\n\t", b" ", b"\t", b"value", b"a b", b"=?utf-8?q?=41?=", b"=", b"?", b"\xe9"),
    *(b"\x00", b"\x0b", b"\x7f", b"To: a\n", b"Date: today\n", b"no field\n", b">From x\n"),
    *(b"\x1f", b"a" * 30),
)
DATA = st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join) | st.binary(max_size=40)
NAMES = st.sampled_from(("From", "subject", "SUBJECT", "X", "ſubject", ""))
GB_BYTES = st.lists(st.sampled_from(b"a@\x80\x81\xa0\xa1\xb0\xd7\xd8\xfe\xff\x3f\x7f")).map(bytes)


@st.composite
def places(draw: Any) -> tuple[bytes, int, int, int, int]:
    """A mail, where an entity is in it, and how many bytes and lines are read."""
    data = draw(DATA)
    start = min(draw(st.integers(0, 5)), len(data))
    end = max(start, len(data) - draw(st.integers(0, 5)))
    return data, start, end, draw(st.integers(0, 60)), draw(st.integers(0, 6))


def decode_all(form: Form, fields: list[tuple[str, bytes]]) -> Any:
    """Return the headers of some fields, the subject marked."""

    def decode(name: str, raw: bytes) -> str:
        return decode_header(raw)[0] + (" mark" if name.lower() == "subject" else "")

    return form(fields, decode)


CASES = {
    plain_fields: Case(places()),
    plain_value: Case(
        st.tuples(DATA), ((b" a\n\tb ",), (b"a\tb",), (b"\x0ba\x0c",), (b"",), (b"\r\n \t",))
    ),
    decoded_headers: Case(st.tuples(st.lists(st.tuples(NAMES, DATA), max_size=4)), call=decode_all),
    count_gb_pairs: Case(
        st.tuples(GB_BYTES | st.binary(max_size=40), st.integers(0, 40)),
        ((b"\xb0\xa1\xb0", 2), (b"\xb0\xa1\xb0", 3), (b"", 9)),
    ),
}
