"""Every console example of the README runs and prints what it says; … stands for anything."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def pattern(expected: str) -> str:
    """Return a regular expression for the output; a line of … alone is any number of lines."""
    lines = []
    for line in expected.splitlines(keepends=True):
        lines.append(
            "(.*\n)*" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…")))
        )
    return "".join(lines)


def test_the_readme_has_examples() -> None:
    assert len(BLOCKS) >= 4


def test_every_example_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("SPAMNB_MODEL", raising=False)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    shutil.copytree(ROOT / "data" / "samples", "samples")
    for block in BLOCKS:
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = example.partition("\n")
            done = subprocess.run(
                command, shell=True, capture_output=True, text=True, encoding="utf-8", check=False
            )
            assert done.returncode == 0, (command, done.stderr)
            assert re.fullmatch(pattern(expected), done.stdout), (command, done.stdout, expected)
            assert done.stderr == "", command
