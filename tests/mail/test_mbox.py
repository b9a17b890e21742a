import base64
import io
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.mbox import single_mail, split_mbox
from spamnb.mail.parser import parse

LIMIT = 1 << 20
FROM = b"From anna@example.com Fri Nov  6 10:00:00 2026\n"


def boxed(*mails):
    return b"".join(FROM + mail + b"\n" for mail in mails)


def mail(subject, body=b"Hello.\n", fields=b""):
    return b"Subject: " + subject.encode() + b"\n" + fields + b"\n" + body


def split(data, limit=LIMIT):
    return list(split_mbox(io.BytesIO(data), limit))


def read(data):
    """(subject, text) of each mail."""
    messages = [parse(piece) for piece in split(data)]
    return [(message.subject, message.parts[0].text) for message in messages]


def test_the_mails_come_as_they_are():
    assert split(boxed(mail("a"), mail("b"))) == [FROM + mail("a"), FROM + mail("b")]


@pytest.mark.parametrize(
    "line",
    [
        b"From anna@example.com Fri Nov  6 10:00:00 2026",
        b"From anna@example.com  Fri Nov  6 10:00:00 2026  ",
        b"From anna@example.com Fri Nov  6 10:00 2026",
        b"From anna@example.com Fri Nov  6 10:00:00 CET 2026",
        b"From anna@example.com Thu Jan  1 00:00:00 +0000 1998",
        b"From anna@example.com Thu Jan  1 00:00:00 1998 remote from host",
        b"From anna Thu, 01 Jan 1998 00:00:00 GMT",
        b"From anna@example.com\tThu Jan  1 00:00:00 1998",
        b'From "Anna Berg"@example.com Thu Jan  1 00:00:00 1998',
        b"From - Thu Jan 01 00:00:00 1970",
        b"From ???@??? Thu Jan 1 00:00:00 1998",
        b"From MAILER-DAEMON Thu Jan  1 00:00:00 1998",
        b"From MAILER-DAEMON",
        b"From <> Thu Jan  1 00:00:00 1998",
        b"From  Thu Jan  1 00:00:00 1998",
        b"From anna@example.com 2026-11-06T10:00:00Z",
    ],
)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_from_lines_of_all_systems(line, end):
    box = (line + b"\n" + mail("a") + b"\n" + line + b"\n" + mail("b")).replace(b"\n", end)
    assert read(box) == [("a", "Hello.\n"), ("b", "Hello.\n")]


@pytest.mark.parametrize(
    "body",
    [
        b"\nFrom here on, nothing.\n",
        b"\nFrom 10:00 on: nothing.\nOr at 11:00.\n",
        b"\nFrom: me\n",
        b"\nfrom anna@example.com Fri Nov  6 10:00:00 2026\nSubject: no\n",
        b"\n From anna@example.com Fri Nov  6 10:00:00 2026\nSubject: no\n",
        b"\n" + FROM + b"no field follows.\n",
        b"\n" + FROM + b"\n",
        b"no blank line\n" + FROM + b"Subject: no\n",
    ],
)
def test_a_from_line_in_a_body_begins_no_mail(body):
    assert [subject for subject, _ in read(boxed(mail("a", body), mail("b")))] == ["a", "b"]


def test_mails_without_a_blank_line_between_them_are_one():
    assert len(split(FROM + mail("a") + FROM + mail("b"))) == 1


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b">From me\n", "From me\n"),
        (b">>From me\n>>>From you\n", ">From me\n>>From you\n"),
        (b"> From me\n>from me\n x >From me\n", "> From me\n>from me\n x >From me\n"),
        (b"\n>From me at 10:00\nSubject: no\n", "\nFrom me at 10:00\nSubject: no\n"),
    ],
)
def test_a_quoted_from_line_loses_one_quote(body, text):
    assert read(boxed(mail("a", body), mail("b"))) == [("a", text), ("b", "Hello.\n")]


def test_a_quoted_from_line_in_the_headers_stays():
    data = FROM + b">From anna@example.com Fri Nov  6 10:00:00 2026\n" + mail("a")
    assert split(data) == [data]
    assert read(data) == [("a", "Hello.\n")]


# Content-Length

TRAP = b"Hello.\n\n" + FROM + b"Subject: no mail\n\nBye.\n"


def counted(subject, body, length):
    return mail(subject, body, b"Content-Length: %d\n" % length)


@pytest.mark.parametrize("name", [b"Content-Length", b"content-length", b"CONTENT-LENGTH"])
def test_a_content_length_keeps_a_mail_whole(name):
    fields = name + b": %d\n" % len(TRAP)
    box = boxed(mail("a", TRAP, fields), mail("b"))
    assert read(box) == [("a", TRAP.decode()), ("b", "Hello.\n")]


def test_a_content_length_counts_the_last_mail_too():
    assert read(FROM + counted("a", TRAP, len(TRAP))) == [("a", TRAP.decode())]


def test_a_content_length_counts_crlf_as_two():
    body = TRAP.replace(b"\n", b"\r\n")
    crlf = boxed(counted("a", TRAP, len(body)), mail("b")).replace(b"\n", b"\r\n")
    assert [subject for subject, _ in read(crlf)] == ["a", "b"]


def test_a_content_length_needs_no_blank_line_after_it():
    box = FROM + counted("a", TRAP, len(TRAP)) + FROM + mail("b")
    assert [subject for subject, _ in read(box)] == ["a", "b"]


LENGTHS = [
    "0",
    "1",
    "5",
    "8",
    "40",
    "100",
    "500",
    "1000000",
    "99999999999999999",
    "-1",
    "x",
    "",
    "7 8",
]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_wrong_content_length_does_not_matter(length):
    fields = f"Content-Length: {length}\n".encode()
    subjects = ["a", "b", "c", "d", "e"]
    box = boxed(*(mail(subject, b"Hello.\n>From me\n", fields) for subject in subjects))
    assert read(box) == [(subject, "Hello.\nFrom me\n") for subject in subjects]


@pytest.mark.parametrize("length", [500, 1_000, 1_500])
def test_a_length_too_long_does_not_lose_what_follows(length):
    body = b"line\n" * 60
    wrong = [counted(f"wrong {number}", body, length + number) for number in range(9)]
    right = [counted(f"right {number}", TRAP, len(TRAP)) for number in range(9)]
    mails = [item for pair in zip(wrong, right, strict=True) for item in pair]
    subjects = [subject for subject, _ in read(boxed(*mails))]
    expected = [f"{kind} {number}" for number in range(9) for kind in ("wrong", "right")]
    assert subjects == expected


def test_a_content_length_in_a_body_counts_nothing():
    box = boxed(mail("a", b"Content-Length: 500\n\nHello.\n"), mail("b"), mail("c"))
    assert len(split(box)) == 3


# An mbox inside of an mbox


def test_a_quoted_mbox_in_a_body_is_text():
    inner = boxed(mail("x"), mail("y", b">From me\n"))
    quoted = inner.replace(b">From ", b">>From ").replace(b"\nFrom ", b"\n>From ")
    body = b"See:\n\n>" + quoted
    assert read(boxed(mail("a", body), mail("b"))) == [
        ("a", "See:\n\n" + inner.decode()),
        ("b", "Hello.\n"),
    ]


def test_an_encoded_mbox_in_an_attachment_is_no_mail():
    inner = base64.encodebytes(boxed(mail("x"), mail("y")))
    fields = b"Content-Type: application/mbox\nContent-Transfer-Encoding: base64\n"
    box = boxed(mail("a", inner, fields), mail("b"))
    assert [parse(piece).subject for piece in split(box)] == ["a", "b"]


# Properties

LINES = st.sampled_from(
    [b"\n", b"\r\n", b"a", b"Subject: s\n", b">From x\n", b"From x\n", b"\r", FROM, FROM[:-1]]
    + [b"Content-Length: %d\n" % n for n in (0, 5, 60, 10**9)]
)
BOXES = st.binary(max_size=300) | st.lists(LINES, max_size=30).map(b"".join)


@settings(deadline=None)
@given(BOXES)
def test_nothing_is_lost_but_quotes_and_blank_lines(data):
    def essence(pieces):
        text = b"".join(pieces).replace(b"\r", b"").replace(b"\n", b"")
        return text.replace(b">", b"")

    box = FROM + data
    assert essence(split(box)) == essence([box])


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from([b"Hello.\n", b">From x\n", b"\n"])), min_size=1))
def test_what_is_put_in_comes_out(bodies):
    pieces = split(boxed(*(mail("s", b"".join(body) + b"end\n") for body in bodies)))
    assert pieces == [
        FROM + mail("s", b"".join(body).replace(b">From", b"From") + b"end\n") for body in bodies
    ]


# Memory


def peak_of(stream, limit=LIMIT):
    tracemalloc.start()
    try:
        sizes = [len(piece) for piece in split_mbox(stream, limit)]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return sizes, peak


class Lazy(io.RawIOBase):
    """A stream of chunks that do not all lie in memory."""

    def __init__(self, chunks):
        self._chunks = iter(chunks)

    def readable(self):
        return True

    def readinto(self, buffer):
        chunk = next(self._chunks, b"")
        buffer[: len(chunk)] = chunk
        return len(chunk)


def test_a_line_of_40_megabytes_takes_constant_memory():
    chunks = [FROM, b"Subject: a\n\n", *[b"x" * 8_000] * 5_000, b"\n\n", FROM, mail("b")]
    sizes, peak = peak_of(io.BufferedReader(Lazy(chunks), 8_000))
    assert len(sizes) == 2
    assert LIMIT <= sizes[0] <= 3 * LIMIT
    assert peak < 10 * LIMIT


SMALL = 1 << 17


@pytest.mark.parametrize("line", [b"\n", b"a\n"])
def test_a_wrong_content_length_takes_constant_memory(line):
    body = line * (2 * SMALL // len(line))
    box = FROM + counted("a", body, SMALL - 10) + b"\n" + FROM + mail("b")
    sizes, peak = peak_of(io.BytesIO(box), SMALL)
    assert len(sizes) == 2
    assert peak < 10 * SMALL


def test_a_mail_of_short_lines_takes_constant_memory():
    _, peak = peak_of(io.BytesIO(FROM + mail("a", b"a\n" * SMALL)), SMALL)
    assert peak < 10 * SMALL


SINGLE = st.lists(
    st.sampled_from(
        [
            *(b"From a 10:00\n", b"\nFrom b\n", b">From c\n", b"Subject: x\n", b"\n", b"\r\n"),
            *(b"Content-Length: 5\n", b"content-LENGTH: 1\n", b"a From b", b"From ", b"\n\n"),
            *(b"text\n", b"x"),
        ]
    ),
    max_size=8,
).map(lambda pieces: b"From " + b"".join(pieces))


@settings(deadline=None)
@given(SINGLE, st.integers(0, 90))
def test_what_is_told_at_a_glance_is_what_splitting_tells(content, limit):
    single = single_mail(content, limit)
    assert single is None or [single] == list(split_mbox(io.BytesIO(content), limit))


def test_most_single_mails_are_told_at_a_glance():
    assert single_mail(b"From a 10:00\nSubject: x\n\ntext\n\n", 99) == (
        b"From a 10:00\nSubject: x\n\ntext\n"
    )
