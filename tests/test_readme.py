"""Every console example of the documents runs and prints what it says; … stands for anything."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "docs/training.md", "docs/mail.md")


def blocks_of(document: str) -> list[str]:
    text = (ROOT / document).read_text("utf-8")
    return re.findall(r"```console\n(.*?)```", text, re.DOTALL)


def pattern(expected: str) -> str:
    """Return a regular expression for the output; a line of … alone is any number of lines."""
    lines = []
    for line in expected.splitlines(keepends=True):
        lines.append(
            "(.*\n)*" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…")))
        )
    return "".join(lines)


def test_no_document_with_examples_is_left_out() -> None:
    paths = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    found = {path.relative_to(ROOT).as_posix() for path in paths}
    assert {name for name in found if blocks_of(name)} == set(DOCUMENTS)
    assert len(blocks_of("README.md")) >= 3


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_example_prints_what_it_says(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("SPAMNB_MODEL", raising=False)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    shutil.copytree(ROOT / "data" / "samples", "samples")
    for block in blocks_of(document):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = example.partition("\n")
            done = subprocess.run(
                command, shell=True, capture_output=True, text=True, encoding="utf-8", check=False
            )
            assert done.returncode == 0, (command, done.stderr)
            assert re.fullmatch(pattern(expected), done.stdout), (command, done.stdout, expected)
            assert done.stderr == "", command
