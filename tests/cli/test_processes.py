"""What only the shell sees: pipes, signals, terminals, file names, exact numbers."""

import json
import math
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import spamnb

PROGRAM = [sys.executable, "-m", "spamnb"]
SPAM_MAIL = (
    b"Subject: offer\n\nfree money, cheap pills, free offer, click here, act now, guaranteed\n"
)


def test_a_closed_pipe_is_no_error(mails: Path, model: Path) -> None:
    many = [str(mails / "ham")] * 3000
    process = subprocess.Popen(
        [*PROGRAM, "classify", "-m", model, *many], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()


def test_a_closed_pipe_is_no_verdict(model: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, "classify", "--exit-code", "-m", model],
        input=SPAM_MAIL,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert done.returncode not in {0, 1, 2}
    assert done.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_a_full_disk_is_an_error(model: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, "classify", "--exit-code", "-m", model],
            input=SPAM_MAIL,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 74
    assert b"No space left" in done.stderr


def test_an_unreadable_file_is_told_and_the_rest_scored(model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(SPAM_MAIL)
    (tmp_path / "b.eml").symlink_to(tmp_path / "gone")
    result = spamnb("classify", "-m", model, tmp_path)
    assert result.status == 74
    assert result.out.count("\n") == 1
    assert "skipped" in result.err
    assert "b.eml" in result.err


def test_train_tells_what_it_skipped(mails: Path, tmp_path: Path) -> None:
    index = mails / "index-with-a-hole"
    index.write_text((mails / "index").read_text() + "ham ham/gone\n")
    result = spamnb("train", "--index", index, "-m", tmp_path / "model")
    assert result.status == 0
    assert "ham/gone: No such file" in result.out


def test_any_file_name_survives(model: Path, tmp_path: Path) -> None:
    names = [b"plain", b"sp ace", b"tab\there", b"line\nend", b"\xff\xfe", "中文".encode()]
    folder = os.fsencode(tmp_path / "mails")
    os.mkdir(folder)
    for name in names:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(SPAM_MAIL)
    done = subprocess.run(
        [*PROGRAM, "classify", "-m", model, folder], capture_output=True, check=True
    )
    sources = {line.split(b"\t", 3)[3] for line in done.stdout.splitlines()}
    assert sources == {os.path.join(folder, name.replace(b"\n", b"\\n")) for name in names}
    done = subprocess.run(
        [*PROGRAM, "classify", "--format", "jsonl", "-m", model, folder],
        capture_output=True,
        check=True,
    )
    sources = {os.fsencode(json.loads(line)["source"]) for line in done.stdout.splitlines()}
    assert sources == {os.path.join(folder, name) for name in names}


def test_nothing_is_wrapped_or_cut_on_a_pipe(model: Path, tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["long folder name"] * 12)
    deep.mkdir(parents=True)
    (deep / "mail.eml").write_bytes(b"Subject: x\n\n" + b"free " * 9 + b"m" * 300)
    for format_ in ("text", "tsv", "jsonl"):
        result = spamnb("classify", "-m", model, "--format", format_, deep)
        assert str(deep / "mail.eml") in result.out
    assert "\x1b" not in spamnb("explain", "-m", model, deep).out


def test_explained_contributions_add_up(mails: Path, model: Path) -> None:
    result = spamnb("explain", "--json", "-m", model, mails / "spam", mails / "ham")
    for line in result.out.splitlines():
        data = json.loads(line)
        nats = [item["contribution"] for item in data["contributions"]]
        assert data["rest"] == {"tokens": 0, "contribution": 0}
        total = math.fsum(nats) + data["intercept"]
        assert total == pytest.approx(data["log_odds"], abs=1e-9)
    top = json.loads(spamnb("explain", "--json", "--top", "2", "-m", model, stdin=SPAM_MAIL).out)
    nats = [item["contribution"] for item in top["contributions"]]
    assert len(nats) == 2
    total = sum(nats) + top["rest"]["contribution"] + top["intercept"]
    assert total == pytest.approx(top["log_odds"], abs=1e-9)


def test_scores_are_written_with_all_digits(mails: Path, model: Path, tmp_path: Path) -> None:
    file = tmp_path / "scores"
    arguments = ("evaluate", "--index", mails / "index", "-m", model)
    spamnb(*arguments, "--scores", file)
    rows = [line.split("\t") for line in file.read_text().splitlines()]
    assert [row[0] for row in rows] == ["ham", "spam"] * 4
    assert rows[0][3] == str(mails / "ham/deep/er/0.eml")
    for _, log_odds, probability, _ in rows:
        expected = 1 / (1 + math.exp(-float(log_odds)))
        assert float(probability) == pytest.approx(expected, abs=1e-12)
    piped = spamnb(*arguments, "--scores", "-")
    assert piped.out == file.read_text()
    assert "1-ROCA" in piped.err


def test_the_number_of_jobs_changes_nothing(mails: Path, model: Path) -> None:
    many = [mails / "ham.mbox", mails / "spam.mbox"] * 100
    one, two = (spamnb("classify", "-m", model, "--jobs", n, *many) for n in ("1", "2"))
    assert one.out.count("\n") == 800
    assert one == two


def in_terminal(*arguments: str | Path, out: Path | None = None, **environment: str) -> str:
    """Return what the program shows on a terminal of 80 columns; its output may go to a file."""
    pid, terminal = pty.fork()
    if pid == 0:
        if out is not None:
            os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT), 1)
        os.environ.update(environment, COLUMNS="80", TERM="xterm-256color")
        os.execv(sys.executable, [*PROGRAM, *map(str, arguments)])
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.waitpid(pid, 0)
    os.close(terminal)
    return shown.decode()


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_terminal_gets_a_colored_table(mails: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    costs = ["--cost", "5", "--unsure-cost", "0.5"]  # spam from P = .9
    assert spamnb("train", "--index", mails / "index", "-m", model, *costs).status == 0
    shown = in_terminal("classify", "-m", model, mails / "spam")
    assert "verdict" in shown
    assert "\x1b[1;31mspam" in shown
    assert "4 mails: 3 unsure, 1 spam" in shown
    plain = in_terminal("classify", "-m", model, mails / "spam", NO_COLOR="1")
    assert "31m" not in plain


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("form", [[], ["--format", "jsonl"], ["--format", "text"]])
def test_what_goes_to_a_file_is_there_whoever_watches(
    mails: Path, model: Path, tmp_path: Path, form: list[str]
) -> None:
    out = tmp_path / "out"
    shown = in_terminal(
        "classify", "-m", model, mails / "spam.mbox", mails / "spam", *form, out=out
    )
    expected = spamnb("classify", "-m", model, mails / "spam.mbox", mails / "spam", *form).out
    assert out.read_text() == expected
    assert "spam.mbox" not in shown


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_terminal_never_obeys_a_mail(model: Path, tmp_path: Path) -> None:
    evil = tmp_path / "\x1b]0;evil\x07.eml"
    evil.write_bytes(b"Subject: \x1b[31mred\x9b2J\n\nfree money\n")
    for command in ("classify", "explain"):
        shown = in_terminal(command, "-m", model, evil)
        assert "\x1b]0" not in shown
        assert "\x07" not in shown
        assert "\x9b" not in shown
        assert "\x1b[31mred" not in shown


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_no_mail_on_a_terminal_is_a_usage_error(model: Path) -> None:
    assert "no mail was named" in in_terminal("classify", "-m", model)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_does_not_change_the_verdict(model: Path, closed: str) -> None:
    command = f"{sys.executable} -m spamnb classify --exit-code -m {model} {closed}"
    done = subprocess.run(command, shell=True, input=SPAM_MAIL, capture_output=True, check=False)
    assert done.returncode == 0


def test_closed_standard_input_is_an_error(model: Path) -> None:
    command = f"{sys.executable} -m spamnb classify -m {model} <&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        74,
        "spamnb: cannot read standard input: it is closed\n",
    )


@pytest.mark.parametrize("command", ["explain", "classify --format text", "evaluate --cv 2"])
def test_rich_leaves_a_closed_pipe_to_us(mails: Path, model: Path, command: str) -> None:
    mail = f"--index {mails}/index" if command.startswith("evaluate") else f"-m {model} {mails}/ham"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        f"{sys.executable} -m spamnb {command} {mail}",
        shell=True,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_unreadable_mail_is_no_verdict(model: Path, tmp_path: Path) -> None:
    (tmp_path / "mail.eml").mkdir()
    (tmp_path / "mail.eml" / "x").symlink_to(tmp_path / "gone")
    result = spamnb("classify", "--exit-code", "-m", model, tmp_path / "mail.eml")
    assert (result.status, "skipped" in result.err) == (74, True)


def test_a_models_note_cannot_command_the_terminal(model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "model")
    manifest = tmp_path / "model" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"about": ""', '"about": "\\u001b]0;x"'))
    result = spamnb("classify", "-m", tmp_path / "model", stdin=SPAM_MAIL)
    assert result.err == "spamnb: \\x1b]0;x\n"


def test_an_empty_vocabulary_leaves_the_old_model(mails: Path, tmp_path: Path) -> None:
    arguments = ("train", "--index", mails / "index", "-m", tmp_path / "model")
    assert spamnb(*arguments).status == 0
    before = (tmp_path / "model" / "manifest.json").read_bytes()
    refused = spamnb(*arguments, "--min-df", "100")
    assert (refused.status, "no word is left" in refused.err) == (65, True)
    assert (tmp_path / "model" / "manifest.json").read_bytes() == before


@pytest.mark.parametrize("label", ["unsure", "a\tb", " ", "\x1b"])
def test_a_label_that_would_confuse_is_refused(mails: Path, tmp_path: Path, label: str) -> None:
    result = spamnb("train", f"--label={label}={mails}/ham", "-m", tmp_path / "model")
    assert result.status == 64
