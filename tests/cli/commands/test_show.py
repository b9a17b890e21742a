"""``spamnb show``: what it prints of mails of every kind, for a person and as JSON."""

import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.cli.conftest import Result, spamnb
from tests.cli.test_processes import in_terminal

ENGLISH = b"From: Ann Kern <ann@example.org>\nSubject: lunch\n\nShall we meet at noon?\n"
CHINESE = """From: 李雷 <li@example.cn>
Subject: 发票
Content-Type: text/plain; charset={}

发票已开，优惠多多
"""
HTML = b"""From: shop@example.org
Subject: offer
Content-Type: text/html; charset=utf-8

<style>.off { display: none }</style>
<p class=off>the gardening society met</p>
<p>Vi<b></b>agra at <a href="http://evil.example/x">www.bank.example</a></p>
<p>or http://plain.example/y <img src="http://pixel.example/1.gif"></p>
"""
FILES = (
    b"From: a@example.org\nSubject: files\nContent-Type: multipart/mixed; boundary=b\n\n"
    b"--b\nContent-Type: text/plain\n\nsee the file\n"
    b"--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=bill.pdf\n"
    b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(b"x" * 1234) + b"\n"
    b"--b\nContent-Type: text/csv; name=list.csv\n\na,b\n"
    b"--b\nContent-Type: text/plain\n\nbegin 644 old.exe\n#86)C\n`\nend\n"
    b"--b--\n"
)


def shown(mail: bytes, *arguments: str | Path) -> dict[str, Any]:
    """Return the one JSON object that is printed for a mail."""
    result = spamnb("show", "--json", *arguments, stdin=mail)
    assert (result.status, result.err) == (0, "")
    assert result.out.isascii()
    (line,) = result.out.splitlines()
    return dict(json.loads(line))


def sections(result: Result) -> dict[str, list[str]]:
    """Return the lines of each section of the view."""
    assert (result.status, result.err) == (0, "")
    found: dict[str, list[str]] = {}
    name = ""
    for line in result.out.splitlines()[1:]:
        name = line[:13].strip() or name
        found.setdefault(name, []).append(line[13:])
    return found


def test_the_keys_are_these_in_this_order() -> None:
    assert list(shown(ENGLISH)) == [
        *("source", "subject", "from", "text", "hidden", "links", "attachments", "charsets"),
        *("defects", "tokens"),
    ]


def test_english() -> None:
    mail = shown(ENGLISH)
    tokens = mail.pop("tokens")
    assert mail == {
        "source": "-",
        "subject": "lunch",
        "from": "Ann Kern <ann@example.org>",
        "text": "Shall we meet at noon?\n",
        "hidden": "",
        "links": [],
        "attachments": [],
        "charsets": [{"part": "text/plain", "declared": "", "read_as": "ascii"}],
        "defects": [],
    }
    assert tokens["body"] == ["shall", "we", "meet", "at", "noon", "?"]
    assert tokens["subject"] == ["subject:lunch"]
    assert "from:@example.org" in tokens["from"]


@pytest.mark.parametrize(
    ("written_as", "declared", "read_as", "defects"),
    [
        ("gbk", "gbk", "gb18030", set()),
        ("gbk", "utf-8", "gb18030", {"charset-wrong"}),
        ("utf-8", "us-ascii", "utf-8", {"charset-wrong"}),
        ("gbk", "made-up", "gb18030", {"charset-unknown"}),
    ],
)
def test_chinese(written_as: str, declared: str, read_as: str, defects: set[str]) -> None:
    mail = shown(CHINESE.format(declared).encode(written_as))
    assert mail["subject"] == "发票"
    assert mail["from"] == "李雷 <li@example.cn>"
    assert mail["text"] == "发票已开，优惠多多\n"
    assert mail["charsets"] == [{"part": "text/plain", "declared": declared, "read_as": read_as}]
    named = {defect["name"] for defect in mail["defects"] if defect["remedy"]}
    assert named == {"charset-missing", *defects}  # of the raw fields of the header
    assert "发票" in mail["tokens"]["body"]


def test_html_with_hidden_text_and_links() -> None:
    mail = shown(HTML)
    assert mail["text"].split() == [
        *("Viagra", "at", "www.bank.example", "or", "http://plain.example/y"),
    ]
    assert mail["hidden"].strip() == "the gardening society met"
    assert mail["links"] == [
        {"url": "http://evil.example/x", "host": "evil.example", "text": "www.bank.example"},
        *(
            {"url": url, "host": host, "text": url}
            for url, host in (
                ("http://plain.example/y", "plain.example"),
                ("www.bank.example", "www.bank.example"),
            )
        ),
        {"url": "http://pixel.example/1.gif", "host": "pixel.example", "text": ""},
    ]


def test_attachments() -> None:
    mail = shown(FILES)
    assert mail["attachments"] == [
        {"name": "bill.pdf", "type": "application/pdf", "size": 1234},
        {"name": "list.csv", "type": "text/csv", "size": 3},
        {"name": "old.exe", "type": "application/x-uuencode", "size": None},
    ]
    assert "see the file" in mail["text"]
    assert "a,b" in mail["text"]


def test_the_view_for_a_person() -> None:
    view = sections(spamnb("show", stdin=HTML))
    tokens = view.pop("tokens")
    assert view == {
        "subject": ["offer"],
        "from": ["shop@example.org"],
        "text": ["Viagra at www.bank.example", "or http://plain.example/y"],
        "hidden": ["the gardening society met"],
        "links": [
            "http://evil.example/x",
            "  another host shown: www.bank.example",
            "http://plain.example/y",
            "www.bank.example",
            "http://pixel.example/1.gif",
        ],
        "charsets": ["text/html: declared utf-8, read as ascii"],
    }
    assert tokens[0].startswith("body ")


def test_the_view_of_files_and_defects() -> None:
    view = sections(spamnb("show", stdin=FILES.replace(b"--b--\n", b"")))
    assert view["attachments"] == [
        "bill.pdf, application/pdf, 1,234 bytes",
        "list.csv, text/csv, 3 bytes",
        "old.exe, application/x-uuencode",
    ]
    (defect,) = view["defects"]
    assert defect.startswith("multipart-unfinished: A multipart is not closed")


def test_the_view_of_a_mail_without_text() -> None:
    view = sections(spamnb("show", stdin=b"Subject: x\n\n"))
    assert view["text"] == ["(no visible text)"]
    assert "links" not in view


def test_tokens_are_listed_on_request() -> None:
    view = sections(spamnb("show", "--tokens", stdin=ENGLISH))
    assert view["body"] == ["shall  we  meet  at  noon  ?"]
    assert "tokens" not in view


def test_many_mails_of_every_form(mails: Path) -> None:
    sources = []
    for form in ("", ".mbox", ".maildir", ".mh"):
        result = spamnb("show", "--json", mails / f"ham{form}")
        assert (result.status, result.err) == (0, "")
        found = [json.loads(line) for line in result.out.splitlines()]
        assert sorted(mail["subject"] for mail in found) == [f"note {n}" for n in range(4)]
        sources += [mail["source"] for mail in found]
    assert len(set(sources)) == 16
    assert spamnb("show", mails / "ham.mbox").out.count("\n\n") == 3
    piped = spamnb("show", "--json", "-", stdin=(mails / "ham.mbox").read_bytes())
    assert piped.out.count("\n") == 4


def test_a_models_own_analyzer_makes_the_tokens(mails: Path, tmp_path: Path) -> None:
    options = ["--index", mails / "index", "-m", tmp_path / "model", "--preset", "textbook"]
    assert spamnb("train", *options).status == 0
    tokens = shown(b"Subject: The Lunches\n\nThe lunch of 2026!\n", "-m", tmp_path / "model")
    assert list(tokens["tokens"]) == ["body"]
    assert "subject:lunches" not in tokens["tokens"]["body"]
    assert "lunches" in tokens["tokens"]["body"]


@pytest.mark.parametrize(
    ("arguments", "status", "err"),
    [
        ("{m}/nothing", 66, "nothing is not there"),
        ("{m}/ham {m}/nothing", 66, "nothing is not there"),
        ("-m {m}/nothing {m}/ham", 66, "there is no model at"),
        ("-m {m}/ham {m}/ham", 65, "there is no spamnb model in it"),
        ("- -", 64, "only once"),
        ("--nonsense", 64, "No such option"),
    ],
)
def test_errors(arguments: str, status: int, err: str, mails: Path) -> None:
    result = spamnb("show", *arguments.format(m=mails).split(), stdin=ENGLISH)
    assert (result.status, result.out) == (status, "")
    assert err in result.err


def test_what_cannot_be_read_is_told_and_the_rest_shown(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(ENGLISH)
    (tmp_path / "b.eml").symlink_to(tmp_path / "gone")
    result = spamnb("show", "--json", tmp_path)
    assert result.status == 74
    assert result.out.count("\n") == 1
    assert "b.eml" in result.err


def test_a_closed_pipe_is_no_error(mails: Path) -> None:
    for form in ([], ["--json"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, "-m", "spamnb", "show", *form, mails / "ham"],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, b"")


EVIL = "\x1b]0;evil\x07\x9b2J\x1b[31mred\r\u202eback"
EVIL_MAIL = f"""From: {EVIL} <a@example.org>
Subject: {EVIL}
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset="utf-8{EVIL}"

<p>{EVIL}<p hidden>{EVIL}</p><a href="http://e.example/{EVIL}">{EVIL}</a>
--b
Content-Type: application/pdf; name="{EVIL}.pdf"

--b
Content-Type: text/plain; charset=utf-8

{EVIL} and [bold]no markup[/bold] :smile:
""".encode()
OBEYED = ("\x1b]", "\x1b[31mred", "\x07", "\x9b", "\u202e")


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("form", [[], ["--tokens"], ["--json"]])
def test_nothing_in_a_mail_commands_the_terminal(form: list[str], tmp_path: Path) -> None:
    evil = tmp_path / "\x1b]0;evil\x07.eml"
    evil.write_bytes(EVIL_MAIL)
    for shown_there in (in_terminal("show", *form, evil), spamnb("show", *form, evil).out):
        assert "red" in shown_there
        assert not [found for found in OBEYED if found in shown_there]
    assert "[bold]no markup[/bold] :smile:" in spamnb("show", evil).out


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_terminal_of_80_columns_is_not_overrun(tmp_path: Path) -> None:
    words = "多少 money for everybody, 请点击这里领取优惠，不要错过这个机会，名额有限 " * 9
    (tmp_path / "mail.eml").write_text(f"Subject: {words}\n\n{words}\n{'x' * 300}\n", "utf-8")
    view = re.sub(r"\x1b\[\d*m", "", in_terminal("show", tmp_path / "mail.eml"))
    assert max(map(cell_len, view.splitlines())) <= 80
    assert view.count("x") >= 300
