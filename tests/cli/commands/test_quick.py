"""``classify`` of one mail without click: the same words, numbers and statuses as with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from spamnb.cli.commands import quick
from tests.cli.conftest import SPAM, Result, mail, spamnb

MAIL = mail(SPAM[0], 1)
# Sends every command to click.
SLOW = """\
from spamnb.cli import main
from spamnb.cli.commands import quick
quick.parse = lambda arguments: None
main()
"""


def slow(*arguments: str | Path, stdin: bytes = b"") -> Result:
    done = subprocess.run(
        [sys.executable, "-c", SLOW, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
    )
    out, err = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
    return Result(done.returncode, out, err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["classify", "-m", "MODEL"],
        ["classify", "--model", "MODEL", "--exit-code"],
        ["classify", "--model=MODEL", "--format=jsonl", "-q"],
        ["classify", "--format", "tsv", "-m", "MODEL", "MAIL"],
        ["classify", "-m", "MODEL", "MAIL", "--exit-code"],
        ["classify", "MAIL", "-m", "gone"],
        ["classify", "-m", "MODEL", "MBOX"],
        ["classify", "-m", "MODEL", "MBOX", "--exit-code"],
        ["classify", "-m", "MODEL", "FOLDER"],
        ["classify", "-m", "MODEL", "FOLDER", "--format", "jsonl"],
        ["classify", "-m", "MODEL", "FOLDER", "--exit-code"],
        ["classify", "-q"],
        ["classify"],
    ],
    ids=" ".join,
)
def test_it_does_what_click_does(arguments, model, mails, tmp_path):
    (tmp_path / "one.eml").write_bytes(MAIL)
    places = {"MODEL": model, "MAIL": tmp_path / "one.eml", "MBOX": mails / "spam.mbox"}
    places["FOLDER"] = mails / "spam"
    for name, place in places.items():
        arguments = [argument.replace(name, str(place)) for argument in arguments]
    if "MBOX" not in arguments:
        assert quick.parse(arguments) is not None
    assert spamnb(*arguments, stdin=MAIL) == slow(*arguments, stdin=MAIL)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["train"],
        ["classify", "-h"],
        ["classify", "--help"],
        ["classify", "-v"],
        ["classify", "-j", "2"],
        ["classify", "a", "b"],
        ["classify", "-"],
        ["classify", "-m"],
        ["classify", "-m=x"],
        ["classify", "-mx"],
        ["classify", "-m", "-q"],
        ["classify", "--format", "text"],
        ["classify", "--format=xml"],
        ["classify", "--quiet=1"],
        ["classify", "--nonsense"],
    ],
    ids=" ".join,
)
def test_all_else_is_for_click(arguments):
    assert quick.parse(arguments) is None


def test_what_is_not_there_is_for_click(tmp_path, model):
    assert quick.attempt(["classify", "-m", str(model), str(tmp_path / "gone")]) is None


def test_who_watches_a_folder_gets_a_progress_bar(tmp_path, model, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert quick.attempt(["classify", "-m", str(model), str(tmp_path)]) is None


def test_a_large_file_is_judged_as_with_click(tmp_path, model):
    large = tmp_path / "large.mbox"
    large.write_bytes((b"From x\n" + MAIL + b"\n") * (1 + (1 << 20) // len(MAIL)))
    arguments = ["classify", "-m", str(model), str(large)]
    found = spamnb(*arguments)
    assert found == slow(*arguments)
    assert found.out.count("\n") > 1_000
