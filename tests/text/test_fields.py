from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.mail.parser import parse
from spamnb.text.analyzer import Analyzer
from spamnb.text.fields import field_tokens, header_style_tokens
from spamnb.text.words import FullSplitter
from tests.strategies import few

pytestmark = pytest.mark.usefixtures("form")

split = FullSplitter(lambda run: [run])


def tokens(*headers):
    return list(chain(*field_tokens(headers, split).values()))


def test_the_sender():
    assert tokens(("From", '"Anna Berg" <Anna.Smith7@mail.Example.co.uk>')) == [
        "from:anna.smith7@mail.example.co.uk", "from:@mail.example.co.uk", "from:@example.co.uk",
        "from:tld:uk", "from:anna", "from:smith", "from:7",
        "from:local:a.a0",
        "from:anna", "from:berg",
        "name:from",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "prefix"), [("SENDER", "from:sender:"), ("reply-To", "from:reply-to:")]
)
def test_other_senders_are_told_apart(name, prefix):
    assert tokens((name, "a@b.example")) == [
        *(prefix + token for token in ("a@b.example", "@b.example", "tld:example", "a")),
        *(prefix + token for token in ("local:a", "name:none")),
        f"name:{name.lower()}",
    ]


def test_a_sender_of_two_labels_has_no_other_domain():
    assert tokens(("From", "a@b.example"))[:3] == [
        "from:a@b.example", "from:@b.example", "from:tld:example",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sender", "expected"),
    [
        ("a@b.example", ["name:none"]),
        ("<a@b.example>", ["name:none"]),
        ('"" <a@b.example>', ["name:none"]),
        ("Anna7 <anna7@b.example>", ["name:local"]),
        ("Anna 7 <anna7@b.example>", ["name:local"]),
        ("ANNA7 <anna7@b.example>", ["name:local"]),
        ("ANNA <a@b.example>", ["name:capitals"]),
        ("AN NA <a@b.example>", ["name:capitals"]),
        ("ANN <a@b.example>", []),
        ("ANNa <a@b.example>", []),
        ("1234 <a@b.example>", []),
        ("ÄÖÜÉ", ["name:capitals"]),
        ("Anna", []),
    ],
)
def test_how_a_name_is_written(sender, expected):
    found = [token for token in tokens(("From", sender)) if token.startswith("from:name:")]
    assert found == ["from:" + token for token in expected]


@pytest.mark.parametrize(
    ("local", "form"),
    [("anna", "a"), ("anna.smith7", "a.a0"), ("a1b2c3", "a0a0a0"), ("x-1+2_y", "a-0+0_a"),
     ("a.b.c.d.e.f", "a.a.a.a."), ("ünü12", "a0")],
)  # fmt: skip
def test_the_form_of_an_address(local, form):
    assert f"from:local:{form}" in tokens(("From", f"{local}@b.example"))


def hand(*names):
    return header_style_tokens(tuple((name, "value") for name in names))


def test_the_hand_in_which_a_header_is_written():
    assert hand("MIME-Version", "From", "X-Mailer", "Received", "content-type", "From") == [
        "meta:field:MIME-Version", "meta:field:content-type",
        "meta:order:mime-version>from", "meta:order:from>x-mailer",
        "meta:order:x-mailer>content-type", "meta:order:content-type>from",
    ]  # fmt: skip


def test_names_in_another_hand_come_once_and_are_cut():
    assert hand("MIME-Version", "MIME-Version") == [
        "meta:field:MIME-Version", "meta:order:mime-version>mime-version",
    ]  # fmt: skip
    assert hand("n" * 50) == [f"meta:field:{'n' * 40}"]
    assert hand() == hand("From") == []


def test_the_words_of_other_fields():
    assert tokens(("X-Mailer", "Some Mailer, V. 1.0 (x)"), ("List-Id", "<a.b-c>")) == [
        "header:x-mailer:some", "header:x-mailer:mailer", "header:x-mailer:v.",
        "header:x-mailer:1.0", "header:x-mailer:x", "header:list-id:a.b-c",
        "name:list-id", "name:x-mailer",
    ]  # fmt: skip


def test_names_are_sorted_and_come_once():
    found = tokens(("B", "1"), ("a", "2"), ("b", "3"))
    assert found == ["header:b:1", "header:a:2", "header:b:3", "name:a", "name:b"]


@pytest.mark.parametrize(
    "name", ["Cc", "References", "In-Reply-To", "DKIM-Signature", "Thread-Index", "Resent-To"]
)
def test_of_what_names_others_the_name_alone_is_read(name):
    assert tokens((name, "<secret@example.com> word")) == [f"name:{name.lower()}"]


def test_long_fields_are_cut():
    assert len(tokens(("X", "w " * 500))) == 31
    assert tokens(("X", "w" * 41 + " v")) == ["header:x:v", "name:x"]
    assert tokens(("X", "v " + " " * 2_000 + "w")) == ["header:x:v", "name:x"]
    assert tokens(("N" * 50, "v")) == [f"header:{'n' * 40}:v", f"name:{'n' * 40}"]


RECIPIENTS = [
    "Status", "X-Status", "X-UID", "X-UIDL", "X-Keywords", "X-IMAPbase", "X-IMAP", "X-Sieve",
    "X-Mozilla-Status", "X-Mozilla-Status2", "X-Mozilla-Keys", "X-Account-Key", "X-Evolution",
    "X-Evolution-Source", "X-Gmail-Labels", "X-GM-THRID", "X-KMail-Label", "X-Mutt-Fcc",
    "X-MS-Exchange-Organization-SCL", "X-Microsoft-Exchange-Diagnostics", "Received", "X-Received",
    "Received-SPF", "Authentication-Results", "ARC-Seal", "To", "Apparently-To", "Delivered-To",
    "X-Original-To", "Envelope-To", "Return-Path", "Date", "Delivery-Date", "Message-ID", "Lines",
    "Content-Length", "Subject", "X-Folder", "X-Delivered-To", "X-Envelope-From",
]  # fmt: skip
VERDICTS = [
    "X-Spam-Status", "X-Spam-Flag", "X-Spam-Level", "X-Spam-Score", "X-Spam-Report", "X-Spam",
    "X-Bogosity", "X-DSPAM-Result",
]  # fmt: skip
NAMES = st.sampled_from(RECIPIENTS).flatmap(
    lambda name: st.sampled_from([name, name.lower(), name.upper()])
)


@few
@given(st.lists(st.tuples(NAMES, st.text(max_size=20)), max_size=5))
def test_the_recipients_fields_give_no_token(headers):
    assert tokens(*headers) == []
    assert header_style_tokens(tuple(headers)) == []


@pytest.mark.parametrize("name", [*sorted({*RECIPIENTS} - {"Subject"}), *VERDICTS])
def test_a_mail_has_the_same_tokens_without_them(name):
    mail = "From: a@b.example\nSubject: hello\nX-Mailer: m\n{}\nwords\n"
    without, with_it = (
        Analyzer().analyze(parse(mail.format(line).encode()))
        for line in ("", f"{name}: Yes, marker@example.net score=9\n")
    )
    assert with_it == without


@given(st.lists(st.tuples(st.text(max_size=50), st.text(max_size=100)), max_size=5))
def test_any_field_gives_tokens_of_the_three_groups(headers):
    for token in tokens(*headers):
        assert token.startswith(("from:", "header:", "name:"))
