"""A small mailbox in several forms, models trained on it, and the program as a real process."""

from __future__ import annotations

import mailbox
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

HAM = [
    "the meeting about the quarterly report moves to thursday",
    "please review the patch for the parser and the report",
    "lunch on thursday with the team from the meeting",
    "the compiler warns about the patch, see the parser report",
]
SPAM = [
    "free money now, click here for cheap pills",
    "cheap mortgage offer, free money guaranteed, click",
    "pills and money, free offer, act now",
    "guaranteed cheap pills, the free offer",
]


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


def spamnb(*arguments: str | Path, stdin: bytes = b"", **environment: str) -> Result:
    """Run the program as the shell would."""
    done = subprocess.run(
        [sys.executable, "-m", "spamnb", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )
    out, err = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
    return Result(done.returncode, out, err)


def mail(text: str, number: int) -> bytes:
    return (
        f"From: someone{number}@example.com\nTo: me@example.org\nSubject: note {number}\n"
        f"Message-ID: <{number}@example.com>\n\n{text}\nFrom here on, nothing.\n"
    ).encode()


@pytest.fixture(scope="session")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders ham/ and spam/ of single files, and the same as mbox, Maildir and MH."""
    root = tmp_path_factory.mktemp("mails")
    for label, texts in (("ham", HAM), ("spam", SPAM)):
        folder = root / label / "deep" / "er"
        folder.mkdir(parents=True)
        boxes = (
            mailbox.mbox(root / f"{label}.mbox"),
            mailbox.Maildir(root / f"{label}.maildir"),
            mailbox.MH(root / f"{label}.mh"),
        )
        for number, text in enumerate(texts):
            (folder / f"{number}.eml").write_bytes(mail(text, number))
            for box in boxes:
                box.add(mail(text, number))
        for box in boxes:
            box.close()
    lines = [f"{label} {label}/deep/er/{n}.eml\n" for n in range(4) for label in ("ham", "spam")]
    (root / "index").write_text("".join(lines))
    rows = [
        f"{label}\t{text}\n"
        for h, s in zip(HAM, SPAM, strict=True)
        for label, text in (("ham", h), ("Spam", s))
    ]
    (root / "texts.tsv").write_text("".join(rows))
    return root


@pytest.fixture(scope="session")
def many_texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of 80 texts, of which some words tell the label and others do not."""
    draw = random.Random(0)
    common = [f"common{n}" for n in range(30)]
    rows = []
    for number in range(80):
        label, texts = (("ham", HAM), ("spam", SPAM))[number % 2]
        telling = draw.sample(re.findall(r"\w+", " ".join(texts)), draw.randrange(1, 4))
        rows.append(f"{label}\t{' '.join([*draw.sample(common, 6), *telling])}\n")
    path = tmp_path_factory.mktemp("texts") / "many.tsv"
    path.write_text("".join(rows))
    return path


@pytest.fixture(scope="session")
def model(mails: Path) -> Path:
    path = mails / "model"
    trained = spamnb("train", "--ham", mails / "ham", "--spam", mails / "spam", "-m", path)
    assert trained.status == 0, trained.err
    return path


@pytest.fixture(autouse=True)
def _own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests away from the user's own model."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("SPAMNB_MODEL", raising=False)
    monkeypatch.delenv("SPAMNB_DEBUG", raising=False)
