import base64
import binascii
import quopri
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.defects import Defect
from spamnb.mail.transfer import decode_base64, decode_transfer, decoded_size

ENCODINGS = ["", "7bit", "8bit", "binary", "quoted-printable", "base64", "x-uuencode", "nonsense"]
BROKEN, UNKNOWN = Defect.BASE64_BROKEN, Defect.TRANSFER_ENCODING_UNKNOWN
UU = b"begin 644 a.txt\n" + binascii.b2a_uu(b"hello") + b"`\nend\n"


@pytest.mark.parametrize(
    ("data", "encoding", "decoded", "defect"),
    [
        (b"a=3Db", "", b"a=3Db", None),
        (b"a=3Db", "7bit", b"a=3Db", None),
        (b"\xff", "8bit", b"\xff", None),
        (b"\0", "binary", b"\0", None),
        (b"a=3Db", "quoted-printable", b"a=b", None),
        (b"a=3db=\nc", "quoted-printable", b"a=bc", None),
        (b"a_b = c=ZZ", "quoted-printable", b"a_b = c=ZZ", None),
        (b"aGVs\nbG8=\n", "base64", b"hello", None),
        (b"aGVs!bG8=", "base64", b"hello", BROKEN),
        (b"", "base64", b"", None),
        (UU, "x-uuencode", b"hello", None),
        (b"a note first\n" + UU + b"and after\n", "uuencode", b"hello", None),
        (b"text", "x-unheard-of", b"text", UNKNOWN),
    ],
)
def test_an_encoding_is_undone(data, encoding, decoded, defect):
    assert decode_transfer(data, encoding) == (decoded, defect)


@pytest.mark.parametrize(
    ("data", "decoded", "intact"),
    [
        (b"aGVsbG8=", b"hello", True),
        (b" aG Vs\r\nbG8= ", b"hello", True),
        (b"aGVsbG8", b"hello", False),
        (b"aGVsbG8====", b"hello", False),
        (b"aGVsbG8=aGVsbG8=", b"hellohello", False),
        (b"aGVs-bG8=", b"hello", False),
        (b"aGVsb", b"hel", False),
        (b"a", b"", False),
        (b"===", b"", False),
        (b"\xff", b"", False),
    ],
)
def test_base64_is_read_as_far_as_it_goes(data, decoded, intact):
    assert decode_base64(data) == (decoded, intact)


@given(st.binary())
def test_valid_base64_is_what_the_standard_library_says(data):
    assert decode_base64(base64.encodebytes(data)) == (data, True)


@given(st.binary(max_size=300))
def test_valid_quoted_printable_comes_back(data):
    # Text mode: "\r" stands for no line end here.
    data = data.replace(b"\r", b"")
    assert decode_transfer(quopri.encodestring(data), "quoted-printable") == (data, None)


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from(ENCODINGS), st.sampled_from([b"", b"begin 1 a\n"]))
def test_no_bytes_are_refused(data, encoding, start):
    decoded, _ = decode_transfer(start + data, encoding)
    assert isinstance(decoded, bytes)


HOSTILE = {
    "pads": (b"=a" * 500_000, "base64"),
    "noise": (b"!a" * 500_000, "base64"),
    "joined": (b"YQ==" * 250_000, "base64"),
    "equal signs": (b"=" * 1_000_000, "quoted-printable"),
    "soft line ends": (b"=\n" * 500_000, "quoted-printable"),
    "short uu lines": (b"begin \n" + b"M\n" * 500_000, "x-uuencode"),
    "one uu line": (b"begin \n" + b"M" * 1_000_000, "x-uuencode"),
    "broken uu lines": (b"begin \n" + b"!\xff\xff\xff\n" * 200_000, "x-uuencode"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_body_takes_linear_time(kind):
    start = time.process_time()
    decode_transfer(*HOSTILE[kind])
    assert time.process_time() - start < 2


@pytest.mark.parametrize("n_bytes", [0, 1, 2, 3, 4, 56, 57, 58, 1000])
def test_the_size_of_base64_is_that_of_its_content(n_bytes):
    body = b"before" + base64.encodebytes(b"x" * n_bytes) + b"\nafter"
    assert decoded_size(body, 6, len(body) - 5, "base64") == n_bytes


@pytest.mark.parametrize("encoding", ["", "8bit", "quoted-printable", "x-unknown"])
def test_the_size_of_anything_else_is_as_it_stands(encoding):
    assert decoded_size(b"before=3Dafter", 6, 9, encoding) == 3


@pytest.mark.parametrize("body", [b"", b"=", b"====", b"\n\n\n", b"a", b"\xff==\n=="])
def test_no_size_is_negative(body):
    assert 0 <= decoded_size(body, 0, len(body), "base64") <= len(body)
