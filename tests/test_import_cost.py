"""What a process loads: help and usage errors must not wait for numpy."""

import json
import subprocess
import sys

import pytest

HEAVY = {"numpy", "jieba", "joblib", "rich", "scipy", "matplotlib", "pkg_resources"}


def modules_loaded(code: str) -> set[str]:
    report = "import sys, json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    script = f"import atexit; atexit.register(lambda: exec({report!r}))\n{code}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["classify", "--help"],
        ["train", "--nonsense"],
        ["evaluate", "--plot", "x.pdf"],
        ["nonsense"],
    ],
    ids=" ".join,
)
def test_help_and_usage_errors_load_nothing_heavy(arguments: list[str]) -> None:
    code = f"import sys; sys.argv = ['spamnb', *{arguments}]; from spamnb.cli import main; main()"
    assert not HEAVY & modules_loaded(code)


def test_parsing_mail_needs_only_the_standard_library() -> None:
    code = "from spamnb.mail.parser import parse; parse(b'Subject: x')"
    assert not HEAVY & modules_loaded(code)


def test_english_mail_loads_no_jieba() -> None:
    code = (
        "from spamnb.text.analyzer import Analyzer; from spamnb.mail.message import Message\n"
        "Analyzer().analyze(Message.from_text('good morning'))"
    )
    assert not {"jieba", "numpy"} & modules_loaded(code)
