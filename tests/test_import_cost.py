"""What a process loads: help and usage errors must not wait for numpy."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from spamnb.system.resources import resource

HEAVY = {"numpy", "jieba", "joblib", "rich", "scipy", "matplotlib", "pkg_resources"}


def modules_loaded(code: str) -> set[str]:
    report = "import sys, json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    # A process that ends at once would not report.
    start = (
        f"import atexit, os, sys; os._exit = sys.exit; atexit.register(lambda: exec({report!r}))"
    )
    script = f"{start}\n{code}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["classify", "--help"],
        ["show", "--help"],
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


# What `classify` of one mail may load: a few modules of the standard library, and of spamnb what
# reads a mail and looks its tokens up.
CLASSIFY_MAY_LOAD = {
    "abc", "future__", "binascii", "builtins", "codecs", "collections", "contextlib",
    "copyreg", "encodings", "enum", "errno", "functools", "gc", "html", "io", "itertools", "json",
    "keyword", "marshal", "math", "mmap", "operator", "os", "posixpath", "genericpath", "re",
    "reprlib", "runpy", "site", "stat", "string", "struct", "sys", "time", "types", "typing",
    "unicodedata", "urllib", "warnings", "weakref", "zipimport", "zlib", "posix", "pwd",
    "importlib", "sitecustomize", "usercustomize",
}  # fmt: skip
CLASSIFY_MAY_LOAD_OF_SPAMNB = {
    "cli", "errors", "filter", "mail", "memo", "native", "patterns", "store", "system", "text",
}  # fmt: skip
NOT_FOR_ONE_MAIL = {
    "spamnb.cli.main", "spamnb.cli.output.tables", "spamnb.filter.processes",
    "spamnb.filter.spam_filter", "spamnb.store.files",
}  # fmt: skip
MAIL_OF = {
    "English": "From: a@example.com\nSubject: lunch\n\nShall we meet at one?\n",
    "HTML": "From: a@example.com\nContent-Type: text/html\n\n<p style='color:red'>&amp; now\n",
}


@pytest.mark.parametrize("kind", MAIL_OF)
def test_one_mail_is_classified_within_the_budget(kind: str, tmp_path: Path) -> None:
    (tmp_path / "mail").write_text(MAIL_OF[kind])
    arguments = ["classify", "-q", "-m", resource("models", "starter"), str(tmp_path / "mail")]
    before = modules_loaded("pass")
    code = f"import sys; sys.argv = ['spamnb', *{arguments}]; from spamnb.cli import main; main()"
    loaded = modules_loaded(code) - before
    tops = {name.partition(".")[0].lstrip("_") for name in loaded}
    tops -= {"spamnb", *(name for name in tops if name.startswith("cython_"))}  # no files of it
    assert tops <= CLASSIFY_MAY_LOAD
    own = {name.split(".")[1] for name in loaded if name.startswith("spamnb.")}
    assert own <= CLASSIFY_MAY_LOAD_OF_SPAMNB
    assert not {"spamnb.store.files", "spamnb.cli.main", "spamnb.cli.output.tables"} & loaded


def test_chinese_mail_loads_no_jieba_either() -> None:
    code = (
        "from spamnb.text.analyzer import Analyzer; from spamnb.mail.message import Message\n"
        "Analyzer().analyze(Message.from_text('我们明天开会'))"
    )
    assert not HEAVY & modules_loaded(code)
