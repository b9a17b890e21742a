import base64
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.defects import Defect
from spamnb.mail.headers import decode_header

pytestmark = pytest.mark.usefixtures("form")

PIECES = st.sampled_from(
    [
        b"=?",
        b"?=",
        b"?",
        b"=",
        b"utf-8",
        b"gbk",
        b"?q?",
        b"?B?",
        b"=E5",
        b"_",
        b" ",
        b"\n ",
        b"\xff",
    ]
)


def word(charset, data):
    return b"=?%s?B?%s?=" % (charset, base64.b64encode(data))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        (b"  plain  ", "plain"),
        (b"folded\n line", "folded line"),
        (b"folded\r\n\tline", "folded line"),
        (b"=?utf-8?Q?caf=C3=A9?=", "café"),
        (b"=?UTF-8?q?a_b=5Fc?=", "a b_c"),
        (b"=?utf-8?Q?a b?=", "a b"),
        (b"=?iso-8859-1*fr?Q?caf=E9?=", "café"),
        (b"=?utf-8?B?Y2Fmw6k=?=", "café"),
        (b"=?utf-8?B?Y2Fmw6k?=", "café"),
        (b"=?a?q?x?= =?b?q?y?=", "xy"),
        (b"=?utf-8?q?a?=\n =?utf-8?q?b?=", "ab"),
        (b"=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
        (b"Re: =?utf-8?q?a?=", "Re: a"),
        (b"re[=?utf-8?q?a?=]", "re[a]"),
        (b"=?utf-8?q?a=0Ab=0D=0Ac?=", "a b c"),
        (b"=?utf-8?q??= x", "x"),
        (b"=?utf-8?x?a?=", "=?utf-8?x?a?="),
        (b"=?utf-8?q?a", "=?utf-8?q?a"),
        ("发票".encode(), "发票"),
        ("发票优惠".encode("gbk"), "发票优惠"),
        ("naïve".encode("latin-1"), "naïve"),
        (word(b"gb2312", "发票".encode("gb2312")), "发票"),
        (word(b"utf-8", "发".encode()[:2]) + b" " + word(b"UTF-8", "发".encode()[2:]), "发"),
        (word(b"gbk", "发票".encode("gbk")[:3]) + word(b"gbk", "发票".encode("gbk")[3:]), "发票"),
        (word(b"gbk", "发".encode("gbk")) + b" " + word(b"utf-8", "票".encode()), "发票"),
    ],
)
def test_a_value_reads_as_a_person_reads_it(raw, text):
    assert decode_header(raw)[0] == text


@pytest.mark.parametrize(
    ("raw", "defects"),
    [
        (b"plain =?utf-8?q?caf=C3=A9?=", []),
        (b"=?utf-8?b?Y2F!mw6k=?=", [Defect.ENCODED_WORD_BROKEN]),
        (b"=?nonsense?q?=ff?=", [Defect.CHARSET_UNKNOWN]),
        (b"=?us-ascii?q?=C3=A9?=", [Defect.CHARSET_WRONG]),
        ("发票优惠".encode("gbk"), [Defect.CHARSET_MISSING]),
    ],
)
def test_a_guess_is_recorded(raw, defects):
    assert decode_header(raw)[1] == defects


@settings(deadline=None)
@given(st.binary(max_size=100) | st.lists(PIECES, max_size=20).map(b"".join))
def test_any_value_becomes_one_line(raw):
    text, _ = decode_header(raw)
    assert len(text.splitlines()) <= 1


HOSTILE = {
    "openings": b"=?" * 300_000,
    "almost words": b"=?u?q?" * 160_000,
    "words": b"=?utf-8?q?a?= " * 75_000,
    "words of two charsets": b"=?utf-8?q?a?==?gbk?q?a?=" * 40_000,
    "words of unknown charsets": b"".join(b"=?x%d?q?a?= " % n for n in range(60_000)),
    "folds": b"\n " * 500_000,
    "one charset name": b"=?" + b"a" * 1_000_000,
    "line ends in words": b"=?utf-8?q?=0A?=" * 70_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_value_takes_linear_time(kind):
    start = time.process_time()
    decode_header(HOSTILE[kind])
    assert time.process_time() - start < 2
