import base64
import email
import email.header
import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.defects import Defect
from spamnb.mail.limits import Limits
from spamnb.mail.message import Part
from spamnb.mail.parser import parse

pytestmark = pytest.mark.usefixtures("form")

FIXTURES = Path(__file__).parents[1] / "fixtures" / "mail"
STEMS = sorted(path.stem for path in FIXTURES.glob("*.eml"))
MAILS = [FIXTURES.joinpath(f"{stem}.eml").read_bytes() for stem in STEMS]


@pytest.mark.parametrize("stem", STEMS, ids=STEMS)
def test_a_mail_reads_as_its_json_says(stem):
    expected = json.loads(FIXTURES.joinpath(f"{stem}.json").read_text(encoding="utf-8"))
    message = parse(FIXTURES.joinpath(f"{stem}.eml").read_bytes())
    assert message.subject == expected["subject"]
    headers = {name: next(message.header_values(name), None) for name in expected["headers"]}
    assert headers == expected["headers"]
    assert bool(message.headers) == bool(expected["headers"])
    assert [part._asdict() for part in message.parts] == expected["parts"]
    assert message.defects == tuple(expected["defects"])


def test_the_fixtures_are_there():
    assert len(STEMS) > 120
    assert sorted(path.stem for path in FIXTURES.glob("*.json")) == STEMS


@pytest.mark.parametrize("stem", STEMS, ids=STEMS)
@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"], ids=["crlf", "cr"])
def test_line_ends_do_not_matter(stem, line_end):
    data = FIXTURES.joinpath(f"{stem}.eml").read_bytes()
    unix = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert parse(unix.replace(b"\n", line_end)) == parse(unix)


@pytest.mark.parametrize(
    ("start", "subject"),
    [
        (b"From a@example.com Fri Nov  6 10:00:00 2026\n", "x"),
        (b">From a@example.com Fri Nov  6 10:00:00 2026\n", "x"),
        (b"\xef\xbb\xbf", "x"),
        (b"\n\n", "x"),
        (b"From : a@example.com\n", "x"),
        (b"Subject: first\n", "first"),
        (b"SUBJECT: first\n", "first"),
        (b"Subject:\n first\n", "first"),
        (b"Note: none of a mail's fields\n", "x"),
        (b"Note: and the body begins\n\n", ""),
    ],
)
def test_what_stands_before_a_subject(start, subject):
    assert parse(start + b"Subject: x\n\nbody\n").subject == subject


def test_a_spaced_from_field_in_the_first_line_is_a_field():
    message = parse(b"From : a@example.com\nSubject: x\n\nbody\n")
    assert message.headers == (("From", "a@example.com"), ("Subject", "x"))


def test_headers_keep_their_order_and_their_repetition():
    message = parse(b"Received: b\nX-A: 1\nreceived: a\nSubject: s\nSubject: t\n\n")
    assert message.headers[:3] == (("Received", "b"), ("X-A", "1"), ("received", "a"))
    assert list(message.header_values("RECEIVED")) == ["b", "a"]
    assert message.subject == "s"


@pytest.mark.parametrize(
    ("field", "part"),
    [
        (b"Content-Type: TEXT/Plain", Part("text/plain", text="x")),
        (b"Content-Type: text", Part("text/plain", text="x")),
        (b"Content-Type: ; charset=gbk", Part("text/plain", "gbk", text="x")),
        (b"Content-Type: text/html; charset", Part("text/html", text="x")),
        (b"Content-Type: text/html; CHARSET = GBK", Part("text/html", "gbk", text="x")),
        (b"Content-Type: text/html; charset=gbk; charset=big5", Part("text/html", "gbk", text="x")),
        (b"Content-Type: text/html; charset*=''gbk", Part("text/html", "gbk", text="x")),
        (b"Content-Type: image/png", Part("image/png")),
        (b'Content-Type: image/png; name="a\\"b.png"', Part("image/png", filename='a"b.png')),
        (b"Content-Type: image/png; name=\xe8\x8a\xb1.png", Part("image/png", filename="花.png")),
        (b"Content-Disposition: inline", Part("text/plain", disposition="inline", text="x")),
        (b"X-Content: 1", Part("text/plain", text="x")),
    ],
)
def test_a_part_says_what_its_fields_say(field, part):
    read_as = "ascii" if part.text else ""
    parts = (part._replace(read_as=read_as, size=1),)
    assert parse(b"Subject: s\n" + field + b"\n\nx").parts == parts


def is_total(message):
    texts = [text for header in message.headers for text in header]
    for part in message.parts:
        texts += [part.content_type, part.charset, part.transfer_encoding]
        texts += [part.disposition, part.filename, part.text]
    return message.parts and all(type(text) is str for text in texts)


FIELDS = st.sampled_from(
    [
        b"Content-Type: ",
        b"multipart/mixed; boundary=b",
        b"message/rfc822",
        b"text/html; charset=",
        b"Content-Transfer-Encoding: base64",
        b"Content-Disposition: attachment; filename",
        b"*0*=utf-8''%e5",
        b"*1=x;",
        b"*",
        b"99" * 3000,
        b'="',
        b";",
        b"--b",
        b"--b--",
        b"\n",
        b"\n\n",
        b"\n ",
        b"=?utf-8?q?=e5?=",
        b"\xff",
        b"\0",
    ]
)


@settings(deadline=None)
@given(st.binary(max_size=300) | st.lists(FIELDS, max_size=25).map(b"".join))
def test_any_bytes_become_a_message(data):
    assert is_total(parse(data))
    assert is_total(parse(b"Subject: x\nContent-Type: " + data))


EDITS = st.tuples(
    st.sampled_from(["flip", "delete", "double", "insert", "cut"]),
    st.integers(0, 1000),
    st.integers(1, 60),
)


@settings(deadline=None)
@given(st.sampled_from(MAILS), st.lists(EDITS, min_size=1, max_size=8), st.binary(max_size=8))
def test_a_damaged_mail_becomes_a_message(mail, edits, noise):
    data = bytearray(mail)
    for kind, place, size in edits:
        at = place % (len(data) + 1)
        if kind == "flip" and at < len(data):
            data[at] ^= 1 << size % 8
        elif kind == "delete":
            del data[at : at + size]
        elif kind == "double":
            data[at:at] = data[at : at + size]
        elif kind == "insert":
            data[at:at] = noise
        elif kind == "cut":
            del data[max(at, 20) :]
    assert is_total(parse(bytes(data)))


def multipart(*bodies):
    parts = b"".join(b"--b\n\n%s\n" % body for body in bodies)
    return b"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n" + parts + b"--b--\n"


def nested(depth):
    levels = (
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)
    )
    ends = b"".join(b"\n--b%d--" % n for n in reversed(range(depth)))
    return b"Subject: s\n" + b"".join(levels) + b"\ndeep" + ends


def texts(message):
    return [part.text for part in message.parts]


def test_parts_beyond_the_limit_are_cut():
    whole, cut = multipart(b"1", b"2"), parse(multipart(b"1", b"2", b"3"), Limits(parts=3))
    assert parse(whole, Limits(parts=3)).defects == ()
    assert (texts(cut), cut.defects) == (["", "1", "2"], (Defect.CUT,))


def test_nesting_beyond_the_limit_is_cut():
    whole, cut = parse(nested(3), Limits(depth=3)), parse(nested(3), Limits(depth=2))
    assert (texts(whole), whole.defects) == (["", "", "", "deep"], ())
    assert (texts(cut), cut.defects) == (["", "", ""], (Defect.CUT,))


def test_forwarding_beyond_the_limit_is_cut():
    data = b"Subject: s\n" + b"Content-Type: message/rfc822\n\n" * 3 + b"Subject: t\n\ndeep"
    assert texts(parse(data, Limits(depth=3))) == ["", "", "t", "deep"]
    cut = parse(data, Limits(depth=2))
    assert (texts(cut), cut.defects) == (["", "", ""], (Defect.CUT,))


def test_text_beyond_the_limit_is_cut():
    whole = parse(multipart(b"12345", b"67890"), Limits(text_bytes=10))
    cut = parse(multipart(b"12345", b"67890"), Limits(text_bytes=7))
    assert (texts(whole), whole.defects) == (["", "12345", "67890"], ())
    assert (texts(cut), cut.defects) == (["", "12345", "67"], (Defect.CUT,))


@pytest.mark.parametrize(
    ("encoding", "body"),
    [(b"base64", base64.b64encode(b"a" * 100)), (b"quoted-printable", b"=61" * 100)],
)
def test_text_is_measured_after_decoding(encoding, body):
    data = b"Subject: s\nContent-Transfer-Encoding: " + encoding + b"\n\n" + body
    whole, cut = parse(data, Limits(text_bytes=100)), parse(data, Limits(text_bytes=50))
    assert (texts(whole), whole.defects) == (["a" * 100], ())
    assert (texts(cut), cut.defects) == (["a" * 50], (Defect.CUT,))


def test_a_header_field_beyond_the_limit_is_cut():
    data = b"Subject: " + b"a" * 50 + b"\n b\nTo: x\n\nbody"
    whole, cut = parse(data, Limits(header_bytes=200)), parse(data, Limits(header_bytes=20))
    assert (whole.subject, whole.defects) == ("a" * 50 + " b", ())
    assert (cut.subject, cut.defects) == ("a" * 11, (Defect.CUT,))
    assert (list(cut.header_values("to")), texts(cut)) == (["x"], ["body"])


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(MAILS), st.integers(1, 4), st.integers(0, 2), st.integers(0, 60))
def test_no_mail_exceeds_the_limits(mail, parts, depth, text_bytes):
    message = parse(mail, Limits(parts=parts, depth=depth, text_bytes=text_bytes))
    assert len(message.parts) <= parts
    assert max(part.depth for part in message.parts) <= depth
    assert sum(len(part.text) for part in message.parts) <= text_bytes


def content_type(parameters):
    return b"Subject: s\nContent-Type: text/plain" + parameters + b"\n\nbody"


def fields(name, start, filling, end=b""):
    """Sixteen fields of 60 kB, which is as much as the limits let through of each."""
    return (name + b": " + start + filling[:60_000] + end + b"\n") * 16


def html(fields):
    return b"Subject: s\n" + fields + b"Content-Type: text/html\n\nbody"


def sixteen_parts(value):
    part = b"--b\nContent-Type: text/plain" + value[:60_000] + b"\n\nx\n"
    return MULTIPART + part * 16


MB = 1_000_000
SPACES = b" " * MB
MULTIPART = b"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n"
HOSTILE = {
    "header of 10 MB": b"Subject: " + b"a" * 10_000_000 + b"\n\nbody",
    "header name of 1 MB": b"Subject: s\n" + b"a" * MB + b": b\n\nbody",
    "unknown name of 1 MB": b"Subject: s\nx-" + b"spa" * 300_000 + b": b\n\nbody",
    "parameters": content_type(b"; a=b" * 100_000),
    "distinct parameters": content_type(b"".join(b"; a%d=b" % n for n in range(100_000))),
    "parameter continuations": content_type(b"".join(b"; name*%d*=a" % n for n in range(99_999))),
    "semicolons": content_type(b";" * MB),
    "semicolons in an open quote": content_type(b'; a="' + b";" * 60_000),
    "fields of semicolons": html(fields(b"Content-Type", b'text/plain; a="', b";" * MB)),
    "parts of semicolons": sixteen_parts(b'; a="' + b";" * 60_000),
    "parts of open comments": sixteen_parts(b"; a=" + b"(" * 60_000),
    "parts of spaces": sixteen_parts(b"; a" + SPACES),
    "nested multiparts": b"Subject: s\n" + nested(20_000),
    "nested multiparts without end": MULTIPART
    + b"".join(b"--b\nContent-Type:multipart/a;boundary=b\n\n" for _ in range(50_000)),
    "nested multiparts of one boundary": MULTIPART + (b"--b\n" + MULTIPART) * 18_000,
    "parts": MULTIPART + b"--b\n\nx\n" * 100_000,
    "parts without text": MULTIPART + b"--b\n" * 250_000,
    "closed parts": MULTIPART + b"--b--\n" * 160_000,
    "forwarded mails": b"Subject: s\nContent-Type: message/rfc822\n\n" * 25_000,
    "chain of rfc822": b"Subject: s\n" + b"Content-Type:message/rfc822\n\n" * 20_000,
    "headers": b"Subject: a\n" * 90_000 + b"\n",
    "short headers": b"Subject: a\n" + b"a: b\n" * 100_000 + b"\n",
    "header lines of text": b"Subject: a\n" + b"x\nTo: y\n" * 100_000 + b"\n",
    "folded lines": b"Subject: a" + b"\n b" * 300_000 + b"\n\nbody",
    "folds of spaces": b"Subject: a" + b"\n " * 500_000 + b"\n\nbody",
    "unknown charsets": b"".join(b"To: =?x%d?q?a?=\n" % n for n in range(100_000, 160_000)),
    "unknown charsets in words": b"Subject: "
    + b"".join(b"=?%x?q?\xff?=\n " % n for n in range(60_000)),
    "unknown charsets in parts": MULTIPART
    + b"".join(b"--b\nContent-Type:a/b;charset=%x\n\n\xff\n" % n for n in range(25_000)),
    "near boundaries": MULTIPART + b"\n--bx" * 200_000,
    "long boundary": MULTIPART.replace(b"=b", b"=" + b"b" * 60_000)
    + (b"\n--" + b"b" * 59_999) * 16,
    "spaces after a boundary": MULTIPART + b"--b" + SPACES + b"\n\nx\n--b--",
    "blank lines": b"\n" * MB,
    "blank lines after the headers": b"Subject: s\nContent-Type: message/rfc822\n\n" + b"\n" * MB,
    "line ends": b"Subject: s\n\n" + b"\r\r\n" * 330_000,
    "spaces": SPACES,
    "spaces in a text": b"Subject: s\n\n" + SPACES,
    "spaces before no colon": b"Subject: s\n" + (b"a" * 1_000 + b" " * 1_000 + b"\n") * 500,
    "spaces before one no colon": b"Subject: s\nTo" + SPACES + b"\n\nbody",
    "spaces before a colon": b"Subject: s\nTo" + SPACES + b":\n\nbody",
    "spaces after From": b"From " + SPACES + b"\nSubject: s\n\nbody",
    "spaces in a transfer encoding": html(
        b"Content-Transfer-Encoding: base64" + SPACES[:60_000] + b"x\n"
    ),
    "spaces in a type": content_type(SPACES + b"x"),
    "spaces in quoted-printable": b"Subject: s\nContent-Transfer-Encoding: quoted-printable\n\n"
    + b"="
    + SPACES
    + b"x",
    "uu begins": b"Subject: s\n\n" + b"begin 644 x\n" * 80_000,
    "yenc begins": b"Subject: s\n\n" + b"=ybegin name=x\n" * 60_000,
    "uu files": b"Subject: s\n\n" + b"begin 644 x\n#0V%T\n`\nend\n" * 40_000,
    "subjects of an open bracket": html(fields(b"Subject", b"[", SPACES, b"x")),
    "subjects of an open brace": html(fields(b"Subject", b"{spam", SPACES, b"x")),
    "subjects of a closed bracket": html(fields(b"Subject", b"[spam", SPACES, b"x")),
    "subjects of stars": html(fields(b"Subject", b"** spam", b"* " * MB, b"x")),
    "subjects of encoded words": html(fields(b"Subject", b"=?utf-8?q?{spam", SPACES, b"x?=")),
    "spaces between words": html(fields(b"Subject", b"=?utf-8?q?a?=", SPACES, b"x")),
    "report heads": b"Subject: s\n\n"
    + b"Spam detection software, running on the system\n" * 21_000,
    "spaces in a report": b"Subject: s\n\nSpam detection software" + SPACES,
    "spaces after a report": b"Subject: s\n\nSpam detection software, running on the system"
    b"\n\nContent analysis details:\n" + SPACES,
    "old reports": b"Subject: s\n\n" + b"SPAM: SpamAssassin results\n" * 37_000,
    "spaces in an old report": b"Subject: s\n\nSPAM: SpamAssassin results\nSPAM: " + SPACES,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_mail_takes_linear_time(kind):
    start = time.process_time()
    parse(HOSTILE[kind])
    assert time.process_time() - start < 1


def test_a_junk_line_does_not_end_the_headers_before_a_known_field():
    message = parse(b"X-A: 1\njunk\nSubject: s\nmore junk\nTo: x\n\nbody\n")
    assert list(message.header_values("to")) == ["x"]
    assert (texts(message), message.defects) == (["body\n"], (Defect.HEADERS_UNFINISHED,))


def test_a_fold_of_white_space_only_is_white_space():
    message = parse(b"Subject: free\n \t\n   \n offer\nTo: x\n\nbody")
    assert message.subject.split() == ["free", "offer"]
    assert (list(message.header_values("to")), texts(message)) == (["x"], ["body"])


@pytest.mark.parametrize("where", ["subject", "filename", "header", "text"])
def test_nul_is_no_text(where):
    message = parse(b'Subject: a\0b\nX-A: a\0b\nContent-Type: text/plain; name="a\0b"\n\na\0b')
    read = {
        "subject": message.subject,
        "filename": message.parts[0].filename,
        "header": next(message.header_values("x-a")),
        "text": message.parts[0].text,
    }
    assert read[where] == "ab"


def test_a_report_and_a_file_do_not_exceed_the_limits():
    data = FIXTURES.joinpath("spamassassin-3-report-safe-1.eml").read_bytes()
    file = FIXTURES.joinpath("uuencode-in-text.eml").read_bytes()
    for mail in data, file:
        message = parse(mail, Limits(depth=0))
        assert max(part.depth for part in message.parts) == 0
        assert len(parse(mail, Limits(parts=1)).parts) == 1


def test_only_what_spamassassin_has_written_is_taken_for_a_report():
    data = FIXTURES.joinpath("spamassassin-3-report-safe-1.eml").read_bytes()
    forged = re.sub(rb"(?m)^X-Spam-.*\n(?:\t.*\n)*", b"", data)
    assert parse(data).parts[0].content_type == "multipart/alternative"
    assert parse(forged).parts[0].content_type == "multipart/mixed"


def wrapper(report, *more):
    parts = [
        report,
        b"Content-Type: message/rfc822; x-spam-type=original\n\nSubject: o\n\nOriginal.",
    ]
    bodies = b"".join(b"--b\n" + part + b"\n" for part in [*parts, *more])
    fields = b"Subject: [SPAM] o\nX-Spam-Flag: YES\nContent-Type: multipart/mixed; boundary=b\n"
    return fields + b"\n" + bodies + b"--b--\n"


@pytest.mark.parametrize(
    "data",
    [
        wrapper(b"\nHidden."),
        wrapper(b"\nReport.", b"\nHidden."),
        wrapper(b"Content-Type: multipart/mixed; boundary=c\n\n--c\n\nHidden.\n--c--"),
        wrapper(b"Content-Type: message/rfc822\n\nSubject: x\n\nHidden."),
    ],
    ids=["in the report", "after the original", "in a multipart", "in a mail"],
)
def test_nothing_hides_in_what_only_looks_like_a_report(data):
    message = parse(data)
    assert "Hidden." in texts(message)
    assert "Original." in texts(message)


@pytest.mark.parametrize("encoding", [b"base64", b"quoted-printable"])
def test_a_wrapped_mail_is_decoded(encoding):
    original = b"Subject: original\n\nCaf\xc3\xa9 menu."
    if encoding == b"base64":
        encoded = base64.encodebytes(original)
    else:
        encoded = original.replace(b"\xc3\xa9", b"=C3=A9") + b"\n"
    message = parse(
        b"Subject: [SPAM] original\nX-Spam-Flag: YES\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\n\nThe report.\n--b\nContent-Type: message/rfc822; x-spam-type=original\n"
        b"Content-Transfer-Encoding: " + encoding + b"\n\n" + encoded + b"--b--\n"
    )
    assert message.subject == "original"
    assert texts(message) == ["Café menu.", "The report."]


def cpython_mails():
    """Return the messages on which CPython tests its email package, where they are installed."""
    try:
        from test import test_email
    except ImportError:
        return []
    return sorted(Path(test_email.__file__).with_name("data").glob("msg_*.txt"))


CPYTHON_MAILS = cpython_mails()


@pytest.mark.skipif(not CPYTHON_MAILS, reason="CPython's own tests are not installed")
def test_the_mails_of_cpythons_tests_become_messages():
    for path in CPYTHON_MAILS:
        data = path.read_bytes()
        message = parse(data)
        assert is_total(message), path.name
        wanted = email.message_from_bytes(data)["subject"]
        if wanted is not None and message.headers:
            decoded = email.header.make_header(email.header.decode_header(wanted))
            assert message.subject.split() == str(decoded).split(), path.name
