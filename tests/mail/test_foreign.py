import binascii
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.foreign import (
    is_verdict_field,
    split_files,
    without_report,
    without_subject_mark,
)

UU, YENC = "application/x-uuencode", "application/x-yenc"


@pytest.mark.parametrize(
    "name",
    [
        "X-Spam",
        "X-Spam-Status",
        "x-spam-flag",
        "X-SPAM-LEVEL",
        "X-Spam-Checker-Version",
        "X-Spam-Report",
        "X-Spamd-Result",
        "X-Spambayes-Classification",
        "X-Spamnb-Verdict",
        "X-SpamProbe",
        "X-Bogosity",
        "X-CRM114-Status",
        "X-DSPAM-Result",
        "X-Rspamd-Score",
        "X-Rspamd-Queue-Id",
        "X-SA-Exim-Scanned",
        "X-Gmane-Spam-Report",
        "X-MailScanner-SpamCheck",
        "X-Example-MailScanner-SpamScore",
        "X-Barracuda-Spam-Score",
        "X-IronPort-Anti-Spam-Result",
        "X-Microsoft-Antispam",
        "X-Forefront-Antispam-Report",
        "X-MS-Exchange-Organization-SCL",
        "X-Proofpoint-Spam-Details",
        "X-Virus-Scanned",
        "X-Antivirus-Status",
        "X-Text-Classification",
    ],
)
def test_a_verdict_is_known_by_its_name(name):
    assert is_verdict_field(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "From",
        "Subject",
        "Received",
        "Content-Type",
        "Spam",
        "Sender",
        "X-Mailer",
        "X-Priority",
        "X-MSMail-Priority",
        "X-MimeOLE",
        "X-Originating-IP",
        "X-Sender",
        "X-Source",
        "X-UIDL",
        "X-Spa",
        "List-Unsubscribe",
        "Authentication-Results",
    ],
)
def test_other_fields_are_no_verdicts(name):
    assert not is_verdict_field(name)


@pytest.mark.parametrize(
    "mark",
    [
        "*****SPAM***** ",
        "***** SPAM ***** ",
        "***SPAM***",
        "**JUNK** ",
        "[SPAM] ",
        "[spam]",
        "[***SPAM***] ",
        "[ Bulk ] ",
        "{Spam?} ",
        "{Spam} ",
        "{SPAM ?}",
        "[SPAM] *****SPAM***** ",
        "[SPAM] [SPAM] ",
    ],
)
def test_a_subject_loses_its_mark(mark):
    assert without_subject_mark(mark + "Cheap watches") == "Cheap watches"


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "Cheap watches",
        "Spam for lunch",
        "* spam *",
        "[spam free]",
        "[list] spam",
        "{spam",
        "How to stop [SPAM] in one day",
        "***",
    ],
)
def test_a_subject_without_a_mark_stays(subject):
    assert without_subject_mark(subject) == subject


HEAD = """Spam detection software, running on the system "mx.example.org",
has identified this incoming email as possible spam.  The original
message has been attached to this so you can view it (if it isn't spam)
or label similar future email.  If you have any questions, see
the administrator of that system for details.

"""
TAIL = """Content analysis details:   (12.6 points, 5.0 required)

 pts rule name              description
---- ---------------------- --------------------------------------------------
 3.5 BAYES_99               BODY: Bayes spam probability is 99 to 100%
                            [score: 1.0000]
-0.0 SPF_PASS               SPF: sender matches SPF record
 9.1 URIBL                  Contains a URL listed in a block list
                            [URIs: example.net]

"""
UNSAFE = """The original message was not completely plain text, and may be unsafe to
open with some email clients; in particular, it may contain a virus,
or confirm that your address can receive spam.  If you wish to view
it, it may be safer to save it to a file and open it with an editor.

"""
OLD_REPORT = """SPAM: -------------------- Start SpamAssassin results ----------------------
SPAM: This mail is probably spam.  The original message has been altered
SPAM: so you can recognize or block similar unwanted mail in future.
SPAM: \nSPAM: Content analysis details:   (6.9 hits, 5 required)
SPAM: FROM_ENDS_IN_NUMS  (0.7 points)  From: ends in numbers
SPAM:
SPAM: -------------------- End of SpamAssassin results ---------------------
"""
PREVIEW = "Content preview:  Cheap watches today. [...]\n\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + PREVIEW + TAIL, "Content preview: Cheap watches today. [...]"),
        (HEAD + PREVIEW + TAIL + UNSAFE, "Content preview: Cheap watches today. [...]"),
        (
            HEAD + PREVIEW + TAIL + "After it.\n",
            "Content preview: Cheap watches today. [...] After it.",
        ),
        ("Before it.\n" + HEAD + PREVIEW, "Before it. Content preview: Cheap watches today. [...]"),
        (OLD_REPORT + "\nCheap watches.\n", "Cheap watches."),
        ("Before it.\n" + OLD_REPORT + "After it.\n", "Before it. After it."),
    ],
)
def test_a_report_loses_what_spamassassin_says(text, words):
    assert without_report(text).split() == words.split()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A text about spam.\n",
        "SPAM: it is tinned meat.\n",
        "We sell Spam detection software for all systems.\n",
        "Content analysis details: none.\n",
    ],
)
def test_a_text_without_a_report_stays(text):
    assert without_report(text) == text


def uuencode(data, name, backtick):
    lines = [
        binascii.b2a_uu(data[start : start + 45], backtick=backtick)
        for start in range(0, len(data), 45)
    ]
    last = b"`\n" if backtick else b" \n"
    return f"begin 644 {name}\n" + (b"".join(lines) + last).decode("ascii") + "end\n"


def yenc(data, name):
    escaped = {0: "=@", 10: "=J", 13: "=M", 61: "=}"}
    codes = [(byte + 42) % 256 for byte in data]
    letters = [escaped.get(code, chr(code)) for code in codes]
    lines = ["".join(letters[start : start + 64]) for start in range(0, len(letters), 64)]
    body = "".join(f"{line}\n" for line in lines)
    return f"=ybegin line=64 size={len(data)} name={name}\n{body}=yend size={len(data)}\n"


LINES = st.lists(st.sampled_from(["", "A line.", "begin now", "end", "=y", "`", "begin 644"]))
TEXTS = LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))


@settings(deadline=None)
@given(TEXTS, st.binary(min_size=1, max_size=200), st.booleans(), TEXTS)
def test_a_uuencoded_file_is_taken_out(before, data, backtick, after):
    text = before + uuencode(data, "my file.gif", backtick) + after
    assert split_files(text) == (before + after, [(UU, "my file.gif")])


@settings(deadline=None)
@given(TEXTS, st.binary(min_size=1, max_size=200), TEXTS)
def test_a_yenc_file_is_taken_out(before, data, after):
    text = before + yenc(data, "my file.gif") + after
    assert split_files(text) == (before + after, [(YENC, "my file.gif")])


def test_files_come_in_their_order():
    text = uuencode(b"a", "a", True) + "between\n" + yenc(b"b", "b") + uuencode(b"c", "c", False)
    assert split_files(text) == ("between\n", [(UU, "a"), (YENC, "b"), (UU, "c")])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "begin\n",
        "begin 644 name.txt\n",
        "begin 644 name.txt\nno line of a file\nend\n",
        "to begin 644 name.txt\n#0V%T\n`\nend\n",
        "begin 9 name.txt\n#0V%T\n`\nend\n",
        "=ybegin line=64 size=3 name=a.txt\nnever ended\n",
        "=ybegin line=64 size=3\nno name\n=yend\n",
    ],
)
def test_what_is_no_file_stays(text):
    assert split_files(text) == (text, [])


@given(st.text() | st.text("begin 64\n=ydM#` "))
def test_any_text_can_be_split(text):
    rest, files = split_files(text)
    assert len(rest) <= len(text)
    assert all(kind in {UU, YENC} for kind, _ in files)
    assert isinstance(without_report(text), str)
    assert isinstance(without_subject_mark(text), str)


MB = 1_000_000
SA3 = "Spam detection software, running on the system"
HOSTILE_TEXTS = {
    "uu begins": "begin 644 x\n" * 80_000,
    "uu begins and one end": "begin 644 x\n" * 80_000 + "#0V%T\n`\nend\n",
    "uu begins with a line each": "begin 644 x\n#0V%T\n" * 50_000,
    "uu lines": "begin 644 x\n" + "#0V%T\n" * 160_000,
    "one uu line": "begin 644 x\n" + "M" * MB,
    "long names": ("begin 644 " + "x" * 240 + "\n") * 4_000,
    "one name": "begin 644 " + "x" * MB,
    "spaces in a name": "begin 644 " + " " * MB,
    "yenc begins": "=ybegin name=x\n" * 60_000,
    "yenc begins and one end": "=ybegin name=x\n" * 60_000 + "=yend\n",
    "yenc begins after the end": "=ybegin name=x\n=yend\n" + "=ybegin name=x\n" * 60_000,
    "yenc files": "=ybegin name=x\n=yend\n" * 47_000,
    "yenc names": ("=ybegin " + "name=" * 110 + "\n") * 1_800,
    "yenc without a name": ("=ybegin " + "name " * 50 + "\n") * 3_800,
    "yenc spaces": "=ybegin" + " " * MB,
    "heads": (SA3 + "\n") * 21_000,
    "heads and spaces": (SA3 + "\n") * 10_000 + " " * 500_000,
    "heads and short spaces": ((SA3 + "\n") * 30 + " " * 15_000) * 60,
    "head and line ends": (SA3 + "\n a") * 20_000,
    "spaces after a head": SA3 + " " * MB,
    "spaces before a head": " " * MB + SA3,
    "head of blank lines": SA3 + "\n" + (" " * 700 + "\n") * 1_400,
    "tails": SA3 + "\n\n" + "Content analysis details:\n" * 37_000,
    "spaces after a tail": SA3 + "\n\nContent analysis details:\n" + " " * MB,
    "dashes after a tail": SA3 + "\n\nContent analysis details:\n" + "- " * (MB // 2),
    "dashes in lines": SA3 + "\n\nContent analysis details:\n" + "----\n" * 200_000,
    "digits after a tail": SA3 + "\n\nContent analysis details:\n" + "1" * MB,
    "blank lines after a tail": SA3 + "\n\nContent analysis details:\n" + "\n" * MB,
    "spaces in lines": SA3 + "\n\nContent analysis details:\n" + (" " * 99 + "\n") * 10_000,
    "old lines": "SPAM: SpamAssassin results\n" * 37_000,
    "old spaces": "SPAM: SpamAssassin results" + " " * MB,
    "old marks": "SPAM: SpamAssassin results " + "SPAM: " * 160_000,
    "spaces": " " * MB,
    "line ends": "begin \n" * 140_000,
}
HOSTILE_SUBJECTS = {
    "open bracket and spaces": "[" + " " * MB,
    "open bracket and stars": "[" + "* " * (MB // 2),
    "bracket word and spaces": "[spam" + " " * MB,
    "bracket word and stars": "[spam" + "* " * (MB // 2),
    "open brace and spaces": "{" + " " * MB,
    "brace word and spaces": "{spam" + " " * MB,
    "brace word and question marks": "{spam" + "?" * MB,
    "brace word, spaces and question marks": "{spam" + " " * (MB // 2) + "?" * (MB // 2),
    "stars": "*" * MB,
    "stars and spaces": "**" + " " * MB,
    "stars, word and spaces": "**spam" + " " * MB,
    "stars, word and stars": "**spam" + "* " * (MB // 2),
    "spaces": " " * MB,
    "marks": "[spam]" * (MB // 6),
    "star marks": "**spam** " * (MB // 9),
}


@pytest.mark.parametrize("kind", HOSTILE_TEXTS)
def test_a_hostile_text_takes_linear_time(kind):
    start = time.process_time()
    without_report(HOSTILE_TEXTS[kind])
    split_files(HOSTILE_TEXTS[kind])
    assert time.process_time() - start < 1


@pytest.mark.parametrize("kind", HOSTILE_SUBJECTS)
def test_a_hostile_subject_takes_linear_time(kind):
    # Of the length that the limits let through; quadratic time shows there too.
    subject = HOSTILE_SUBJECTS[kind][: 1 << 16]
    start = time.process_time()
    without_subject_mark(subject)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("name", ["x-" + "s" * 60_000, "x-" + "spa" * 20_000, "x-" + "-" * 60_000])
def test_a_hostile_field_name_takes_linear_time(name):
    start = time.process_time()
    is_verdict_field(name)
    assert time.process_time() - start < 1
