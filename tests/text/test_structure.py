import pytest

from spamnb.mail.defects import Defect
from spamnb.mail.message import Message, Part
from spamnb.mail.parser import parse
from spamnb.text.reading import read
from spamnb.text.structure import defect_tokens, mime_tokens, shape_tokens

pytestmark = pytest.mark.usefixtures("form")

SUBJECT = (("Subject", "s"),)


def structure(*parts, headers=SUBJECT, defects=()):
    message = Message(headers=headers, parts=parts, defects=defects)
    return [*defect_tokens(message), *mime_tokens(message)]


def shape(*parts, subject=""):
    reading = read(Message(headers=(("Subject", subject),), parts=parts))
    return list(shape_tokens(reading, "\n".join((reading.subject, *reading.texts))))


def plain(text):
    return Part("text/plain", text=text)


def test_each_part_has_its_type_and_what_its_headers_say():
    assert structure(
        Part("multipart/mixed"),
        Part("text/plain", charset="utf-8", transfer_encoding="base64", text="Hello Tom"),
        Part("application/zip", disposition="attachment", filename="Bill.2026.ZIP"),
    ) == [
        "mime:multipart/mixed",
        "mime:text/plain", "mime:charset:utf-8", "mime:encoding:base64",
        "mime:application/zip", "mime:disposition:attachment", "mime:ext:zip",
        "mime:parts:2",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["", "no dot", "a.", "no extension.of a file", "a.longword"])
def test_a_file_name_without_an_extension(name):
    assert structure(Part("image/png", filename=name)) == ["mime:image/png", "mime:parts:1"]


@pytest.mark.parametrize("value", ["", "two words", "x" * 41, "a:b", "é\n"])
def test_a_charset_that_is_no_name_is_left_out(value):
    found = structure(Part("text/plain", charset=value, transfer_encoding=value, disposition=value))
    assert found == ["mime:text/plain", "mime:parts:1"]


@pytest.mark.parametrize(("n", "digits"), [(1, 1), (2, 2), (3, 2), (4, 3), (100, 7)])
def test_the_number_of_parts(n, digits):
    assert structure(*[plain("a")] * n)[-1] == f"mime:parts:{digits}"


def test_a_text_without_headers_has_its_defects_alone():
    defect = next(iter(Defect))
    found = structure(plain("a"), headers=(), defects=(defect,))
    assert found == [f"meta:defect:{defect.value}"]
    assert list(mime_tokens(Message.from_text("a"))) == []


def test_a_defect_is_a_token_of_a_mail():
    message = parse(b"Subject: s\nContent-Transfer-Encoding: base64\n\nSGVsbG8=!\n--\n\xff\n")
    found = set(defect_tokens(message))
    assert found == {f"meta:defect:{defect.value}" for defect in message.defects} != set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a" * 6, "size:3 caps:0 digits:0"),  # with the line end after the subject
        ("a" * 7, "size:4 caps:0 digits:0"),
        ("AAAA", "size:3 caps:10 digits:0"),
        ("Aaaa", "size:3 caps:5 digits:0"),
        ("Aa", "size:2 caps:10 digits:0"),
        ("1" + "a" * 38, "size:6 caps:0 digits:1"),
        ("1111", "size:3 digits:10"),
        ("发票", "size:2 caps:0 digits:0"),
    ],
)
def test_size_capitals_and_digits(text, found):
    expected = [f"meta:{token}" for token in [*found.split(), "links:0", "images:0"]]
    assert shape(plain(text)) == expected


def test_capitals_and_digits_are_those_of_the_beginning():
    assert {"meta:caps:0", "meta:digits:0"} <= set(shape(plain("a" * 2_000 + "A1" * 5_000)))


def test_links_and_images():
    html = '<a href="http://a.example">a</a><a href="x">b</a> http://b.example <img><img><img>'
    found = shape(Part("text/html", text=html))
    assert {"meta:links:2", "meta:images:2"} <= set(found)


@pytest.mark.parametrize("parts", [(), (plain(""),), (plain(" \n"),), (Part("image/png"),)])
def test_no_text(parts):
    assert "meta:no-text" in shape(*parts, subject="hello")


@pytest.mark.parametrize(
    ("text", "has_gap"),
    [
        ("one" + "\n" * 21 + "two", True),
        ("one" + "\n" * 20 + "two", False),
        ("one" + "\n \t" * 30 + "\ntwo", True),
        ("one" + " " * 200 + "two", True),
        ("one" + " " * 199 + "two", False),
        ("\n" * 50 + "one two" + "\n" * 50, False),
    ],
)
def test_a_gap_stands_between_texts(text, has_gap):
    assert ("meta:gap" in shape(plain(text))) == has_gap
