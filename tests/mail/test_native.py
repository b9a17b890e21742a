"""Header fields are read the same with and without compiled code."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spamnb.mail import fields, headers
from spamnb.mail.charsets import count_gb_pairs
from spamnb.mail.limits import Limits

native = pytest.importorskip("spamnb.mail.native")

PIECES = (
    *(
        b"From",
        b"Subject",
        b"X-Spam",
        b"",
        b":",
        b": ",
        b" :",
        b":\t",
        b"\n",
        b"\n\n",
        b"\n ",
        b"\r",
    ),
    *(
        b"\n\t",
        b" ",
        b"\t",
        b"value",
        b"a b",
        b"=?utf-8?q?=41?=",
        b"=",
        b"?",
        b"\xe9",
        b"\x00",
        b"\x0b",
    ),
    *(b"\x7f", b"To: a\n", b"Date: today\n", b"no field\n", b">From x\n", b"\x1f", b"a" * 30),
)
DATA = st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join) | st.binary(max_size=40)


def both(monkeypatch, function, *arguments):
    """Return what a function gives with compiled code, and without."""
    found = function(*arguments)
    with monkeypatch.context() as patch:
        patch.setattr(fields, "compiled_twin", lambda _: None)
        patch.setattr(headers, "compiled_twin", lambda _: None)
        return found, function(*arguments)


def read(data: bytes, start: int, end: int, limits: Limits):
    defects: set = set()
    entity, body = fields.read_fields(data, start, end, limits, defects)
    return entity.fields, body, defects


@pytest.fixture(scope="module")
def module_patch():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@settings(max_examples=2_000, deadline=None)
@given(DATA, st.integers(0, 5), st.integers(0, 5), st.integers(0, 60), st.integers(0, 6))
def test_the_same_fields_of_any_bytes(module_patch, data, start, less, n_bytes, n_lines):
    start = min(start, len(data))
    end = max(start, len(data) - less)
    limits = Limits()._replace(header_bytes=n_bytes, header_lines=n_lines)
    found, expected = both(module_patch, read, data, start, end, limits)
    assert found == expected


@settings(max_examples=2_000, deadline=None)
@given(DATA)
@example(b" a\n\tb ")
@example(b"a\tb")
@example(b"\x0ba\x0c")
def test_the_same_value_of_any_bytes(module_patch, raw):
    found, expected = both(module_patch, headers.decode_header, raw)
    assert found == expected


def test_a_place_outside_of_the_mail_is_refused():
    for start, end in ((-1, 2), (0, 9), (3, 2)):
        with pytest.raises(ValueError, match=str(end)):
            native.plain_fields(b"A: b", start, end, 9, 9)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("From", "subject", "SUBJECT", "X")), DATA), max_size=4))
def test_the_same_headers(found):
    def value(name: str, raw: bytes) -> str:
        return headers.decode_header(raw)[0] + (" mark" if name.lower() == "subject" else "")

    assert native.plain_headers(found, value) == tuple(
        (name, value(name, raw)) for name, raw in found
    )


GB_BYTES = st.lists(st.sampled_from(b"a@\x80\x81\xa0\xa1\xb0\xd7\xd8\xfe\xff\x3f\x7f")).map(bytes)


@settings(max_examples=2_000, deadline=None)
@given(GB_BYTES | st.binary(max_size=40), st.integers(0, 40))
def test_the_same_hanzi(data, end):
    assert native.count_gb_pairs(data, end) == count_gb_pairs(data, end)
