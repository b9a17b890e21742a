import encodings
import pkgutil
import random
import time
from encodings.aliases import aliases

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.charsets import decode, lookup_charset
from spamnb.mail.defects import Defect

pytestmark = pytest.mark.usefixtures("form")

MODULES = {module.name for module in pkgutil.iter_modules(encodings.__path__)}
CODECS = sorted(MODULES | set(aliases) | set(aliases.values()))
NAMES = st.sampled_from(CODECS) | st.text(max_size=30)

MISSING, UNKNOWN, WRONG = Defect.CHARSET_MISSING, Defect.CHARSET_UNKNOWN, Defect.CHARSET_WRONG


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("", ""),
        ("  ", ""),
        ("UTF-8", "utf-8"),
        ('"utf-8"', "utf-8"),
        ("utf8", "utf-8"),
        ("utf-8*en", "utf-8"),
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("x-gbk", "gb18030"),
        ("cp936", "gb18030"),
        ("gb18030", "gb18030"),
        ("us-ascii", "cp1252"),
        ("ISO-8859-1", "cp1252"),
        ("latin1", "cp1252"),
        ("big5", "big5hkscs"),
        ("ks_c_5601-1987", "cp949"),
        ("shift_jis", "cp932"),
        ("hz-gb-2312", "hz"),
        ("nonsense", None),
        ("x-", None),
        ("base64", None),
        ("rot13", None),
        ("idna", None),
        ("unicode_escape", None),
        ("utf-8\0", None),
    ],
)
def test_a_declared_name_is_read_as_its_superset(declared, codec):
    assert lookup_charset(declared) == codec


@pytest.mark.parametrize(
    ("data", "declared", "text", "defect"),
    [
        (b"plain", "", "plain", None),
        (b"plain", "nonsense", "plain", None),
        ("发票".encode("gb2312"), "gb2312", "发票", None),
        ("朱镕基".encode("gbk"), "gb2312", "朱镕基", None),
        ("發票".encode("big5"), "big5", "發票", None),
        ("発行".encode("iso-2022-jp"), "iso-2022-jp", "発行", None),
        ("发票".encode("hz"), "hz-gb-2312", "发票", None),
        ("spam €".encode("utf-16"), "utf-16", "spam €", None),
        ("“naïve” €".encode("cp1252"), "iso-8859-1", "“naïve” €", None),
        ("naïve".encode(), "utf-8", "naïve", None),
        ("naïve".encode(), "", "naïve", MISSING),
        ("naïve".encode(), "nonsense", "naïve", UNKNOWN),
        ("naïve".encode(), "us-ascii", "naïve", WRONG),
        ("发票".encode(), "iso-8859-1", "发票", WRONG),
        ("免费发票的".encode(), "gb2312", "免费发票的", WRONG),
        ("发票优惠".encode("gbk"), "", "发票优惠", MISSING),
        ("发票优惠".encode("gbk"), "utf-8", "发票优惠", WRONG),
        ("发票优惠".encode("gbk"), "iso-8859-1", "发票优惠", WRONG),
        ("naïve".encode("latin-1"), "", "naïve", MISSING),
        ("naïve".encode("latin-1"), "utf-8", "naïve", WRONG),
        (b"\xff", "", "ÿ", MISSING),
        # A byte is missing at the end: the charset still holds for the rest.
        (
            "发票优惠开具电话联系方便快捷".encode("gb2312")[:-1],
            "gb2312",
            "发票优惠开具电话联系方便快�",
            WRONG,
        ),
    ],
)
def test_text_is_read_as_a_person_would(data, declared, text, defect):
    decoded = decode(data, declared)
    assert (decoded.text, decoded.defect) == (text, defect)


@settings(deadline=None)
@given(st.binary(max_size=200), NAMES)
def test_any_bytes_in_any_charset_become_text(data, declared):
    assert isinstance(decode(data, declared).text, str)


@pytest.mark.parametrize("declared", CODECS)
def test_no_codec_of_python_refuses_all_bytes(declared):
    data = bytes(range(256)) + b"\xed\xa0\x80 +2AA- \\u0041"
    assert decode(data, declared).text


@pytest.mark.parametrize(
    ("data", "declared"),
    [(b"a +2AA- b", "utf-7"), (b"\xed\xa0\x80", "utf-8"), (b"\0\xd8", "utf-16le")],
)
def test_decoded_text_can_be_written_as_utf8(data, declared):
    assert decode(data, declared).text.encode("utf-8")


@given(st.text(), st.sampled_from(["utf-8", "utf-16", "gb18030"]))
def test_text_in_its_declared_charset_comes_back(text, charset):
    if charset == "utf-8":
        text = text.removeprefix("\ufeff")
    assert decode(text.encode(charset), charset).text == text


@pytest.mark.parametrize("declared", ["", "gb2312", "big5", "utf-7", "hz", "iso-2022-jp", "euc-kr"])
@pytest.mark.parametrize("kind", ["same byte", "random"])
def test_a_megabyte_is_decoded_in_linear_time(declared, kind):
    data = b"\xff" * 1_000_000 if kind == "same byte" else random.Random(1).randbytes(1_000_000)
    start = time.process_time()
    decode(data, declared)
    assert time.process_time() - start < 2
