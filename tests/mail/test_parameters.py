import time
from email.utils import encode_rfc2231

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.parameters import Parameter, parameters, token, without_comments


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("", ""),
        ("text/plain", "text/plain"),
        (" TEXT/Html ; charset=x", "text/html"),
        ("text/html;charset=x", "text/html"),
        ("text/plain (a comment)", "text/plain"),
        ("(a comment) text/plain", "text/plain"),
        ("text/html (with; semicolon); charset=x", "text/html"),
        ("text/html (a (nested) comment); charset=x", "text/html"),
        ("text/html (with \\) escape); charset=x", "text/html"),
        ("; charset=x", ""),
        ("base64;", "base64"),
        ("\tattachment\n", "attachment"),
    ],
)
def test_a_token_stands_before_the_parameters(field, expected):
    assert token(field) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain", "plain"),
        ("a(b)c", "ac"),
        ("(b)(c)", ""),
        ("a (open", "a (open"),
        ("a) closed", "a) closed"),
    ],
)
def test_a_comment_is_left_out(text, expected):
    assert without_comments(text) == expected


@pytest.mark.parametrize(
    ("field", "name", "value"),
    [
        # RFC 2045, section 5.1: these two say the same.
        ("text/plain; charset=us-ascii (Plain text)", "charset", b"us-ascii"),
        ('text/plain; charset="us-ascii"', "charset", b"us-ascii"),
        ("text/plain;CHARSET=us-ascii", "charset", b"us-ascii"),
        ('text/plain; charset = "us-ascii" ; format=flowed', "charset", b"us-ascii"),
        ('text/plain; charset = "us-ascii" ; format=flowed', "format", b"flowed"),
        ("text/plain;\n\tcharset=us-ascii", "charset", b"us-ascii"),
        ("text/plain;; ;charset=us-ascii;", "charset", b"us-ascii"),
        ("text/plain; (which) charset=us-ascii", "charset", b"us-ascii"),
        ("text/plain; charset (which) = us-ascii", "charset", b"us-ascii"),
        ("text/plain; charset=(which) us-ascii", "charset", b"us-ascii"),
        ("text/plain (a; charset=gbk); charset=us-ascii", "charset", b"us-ascii"),
        ("text/plain; charset=a; charset=b", "charset", b"a"),
        ("text/plain; charset=", "charset", b""),
        ('text/plain; charset=""; x=1', "x", b"1"),
        ("text/plain; charset; x=1", "x", b"1"),
        ('x/y; name="a;b=c (d).txt"; x=1', "name", b"a;b=c (d).txt"),
        ('x/y; name="a;b=c (d).txt"; x=1', "x", b"1"),
        ('x/y; name="a \\"b\\" \\\\c"', "name", b'a "b" \\c'),
        ('x/y; name="a', "name", b"a"),
        ('x/y; name="', "name", b""),
        ("x/y; name=two words.txt", "name", b"two words.txt"),
        ("x/y; name=caf\xe9.txt", "name", b"caf\xe9.txt"),
        ("x/y; boundary==_a=b", "boundary", b"=_a=b"),
        # RFC 2231, sections 3, 4 and 4.1.
        (
            'message/external-body; access-type=URL; URL*0="ftp://"; URL*1="example.com/a/b.tar"',
            "url",
            b"ftp://example.com/a/b.tar",
        ),
        (
            "application/x-stuff; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A",
            "title",
            b"This is ***fun***",
        ),
        (
            "application/x-stuff; title*0*=us-ascii'en'This%20is%20even%20more%20;"
            ' title*1*=%2A%2A%2Afun%2A%2A%2A%20; title*2="isn\'t it!"',
            "title",
            b"This is even more ***fun*** isn't it!",
        ),
        ("x/y; a*1=two; a*0=one", "a", b"onetwo"),
        ("x/y; a*10=z; a*9=y; a*0=x", "a", b"xyz"),
        ("x/y; a*0=one; a*0=two", "a", b"one"),
        ("x/y; a*1=one", "a", b"one"),
        ("x/y; a*0=50%25; a*1*=50%25", "a", b"50%2550%"),
        ("x/y; a=plain; a*=utf-8''better", "a", b"better"),
        ("x/y; a*=utf-8''better; a=plain", "a", b"better"),
        ("x/y; a*=%zz%4", "a", b"%zz%4"),
    ],
)
def test_a_parameter_has_its_value(field, name, value):
    assert parameters(field)[name].value == value


@pytest.mark.parametrize(
    ("field", "parameter"),
    [
        ("x/y; a*=UTF-8'de'caf%C3%A9", Parameter("café".encode(), "utf-8")),
        ("x/y; a*=''caf%C3%A9", Parameter("café".encode())),
        ("x/y; a*0*=gbk''%B7; a*1*=%A2", Parameter("发".encode("gbk"), "gbk")),
        ("x/y; a*0=gbk''%B7", Parameter(b"gbk''%B7")),
        ("x/y; a*=no-quotes", Parameter(b"no-quotes")),
        ("x/y; a=gbk''b", Parameter(b"gbk''b")),
    ],
)
def test_a_parameter_has_its_charset(field, parameter):
    assert parameters(field) == {"a": parameter}


@pytest.mark.parametrize(
    "field", ["", "text/plain", "text/plain;", ";=;==;", ";;;", "a=b", '; "a"=b']
)
def test_nothing_has_no_parameters(field):
    assert parameters(field) == {}


def test_no_more_than_a_hundred_are_read():
    assert len(parameters("".join(f"; a{n}=b" for n in range(200)))) == 100


@given(st.text(st.characters(max_codepoint=0xFF), max_size=200) | st.text(";=\"\\*'%( )0a\n"))
def test_any_field_has_parameters(field):
    assert isinstance(token(field), str)
    for name, parameter in parameters(field).items():
        assert name == name.lower()
        assert isinstance(parameter.value, bytes)
        assert isinstance(parameter.charset, str)


@settings(deadline=None)
@given(st.text(min_size=1))
def test_what_rfc_2231_encodes_comes_back(text):
    field = "attachment; filename*=" + encode_rfc2231(text, "utf-8", "en")
    assert parameters(field) == {"filename": Parameter(text.encode(), "utf-8")}


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=0xFF, exclude_characters="\r\n")))
def test_what_is_quoted_comes_back(text):
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    field = f'attachment; filename="{quoted}"; size=1'
    value = text.encode("latin-1")
    assert parameters(field) == {"filename": Parameter(value), "size": Parameter(b"1")}


MB = 1_000_000
HOSTILE = {
    "parameters": "x/y" + "; a=b" * 100_000,
    "distinct parameters": "x/y" + "".join(f"; a{n}=b" for n in range(80_000)),
    "sections": "x/y" + "".join(f"; a*{n}*=b" for n in range(80_000)),
    "semicolons": ";" * MB,
    "semicolons in an open quote": 'x/y; a="' + ";" * MB,
    "open quotes": 'x/y; a="' * 120_000,
    "escapes": 'x/y; a="' + "\\" * MB,
    "spaces": " " * MB,
    "spaces before a name": "x/y;" + " " * MB,
    "spaces after a name": "x/y; a" + " " * MB + "b=c",
    "spaces after an equal sign": "x/y; a=" + " " * MB,
    "spaces in a value": "x/y; a=b" + " " * MB + "c",
    "semicolons and spaces": "x/y" + ("; a" + " " * 97) * 10_000,
    "a name": "x/y;" + "a" * MB,
    "names": "x/y" + "; a a" * 200_000,
    "line ends": "x/y;" + "\n" * MB,
    "equal signs": "x/y;a" + "=" * MB,
    "stars": "x/y;" + "*" * MB + "=a",
    "digits": "x/y;a*" + "1" * MB + "=a",
    "apostrophes": "x/y;a*=" + "'" * MB,
    "percents": "x/y;a*=utf-8''" + "%" * MB,
    "open comments": "(" * MB,
    "open comments with text": "(a" * (MB // 2),
    "closed comments": ")" * MB,
    "comments": "()" * (MB // 2),
    "nested comments": "(" * (MB // 2) + ")" * (MB // 2),
    "nested comments in a value": "x/y; a=" + "(" * (MB // 2) + ")" * (MB // 2),
    "nested comments before a name": "x/y; " + "(" * (MB // 2) + ")" * (MB // 2) + "a=b",
    "comments before a name": "x/y;" + "()" * (MB // 2) + "a=b",
    "comments and semicolons": "x/y" + ";(" * (MB // 2),
    "escaped comments": "(" + "\\(" * (MB // 2),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_field_takes_linear_time(kind):
    start = time.process_time()
    token(HOSTILE[kind])
    parameters(HOSTILE[kind])
    assert time.process_time() - start < 1
