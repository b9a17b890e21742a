"""What the documents say of the code is so: rooms, options, tables, links."""

import re
from pathlib import Path

import click
import pytest

from spamnb.cli.main import COMMANDS, spamnb
from spamnb.cli.output.lines import VERDICT_FORMATS
from tests.test_layers import ROOMS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in DOCUMENTS}
# Of the benchmarks and of other programs.
OTHER_OPTIONS = {
    "--chinese-index", "--cross", "--drop-known", "--filters", "--only", "--shuffle", "--sizes",
    "--swap", "--version",
}  # fmt: skip


def options_of(name: str) -> set[str]:
    """Return the options of a subcommand."""
    context = click.Context(spamnb)
    command = spamnb.get_command(context, name)
    assert command is not None
    options = (p for p in command.get_params(context) if isinstance(p, click.Option))
    return {name for option in options for name in (*option.opts, *option.secondary_opts)}


def test_the_rooms_are_those_that_are_enforced_in_that_order() -> None:
    assert re.findall(r"^\d+\. `(\w+)`", TEXTS["docs/architecture.md"], re.MULTILINE) == list(ROOMS)


@pytest.mark.parametrize("name", TEXTS)
def test_every_option_in_the_documents_is_there(name: str) -> None:
    known = set().union(*map(options_of, COMMANDS)) | OTHER_OPTIONS
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXTS[name])) <= known


@pytest.mark.parametrize("command", ["train", "evaluate", "tune"])
def test_every_option_of_training_is_documented(command: str) -> None:
    named = set(re.findall(r"--[a-z][a-z-]+", TEXTS["docs/training.md"]))
    spelled_otherwise = {"--help", "--verbose", "--unlabelled", "--labelled"}
    options = {name for name in options_of(command) if name.startswith("--")}
    assert options - named <= spelled_otherwise


@pytest.mark.parametrize("command", ["classify", "explain", "show"])
def test_every_subcommand_is_documented(command: str) -> None:
    assert f"`{command}" in TEXTS["docs/mail.md"]
    assert all(f"`{name}`" in TEXTS["docs/mail.md"] for name in VERDICT_FORMATS)


def test_every_make_target_is_documented() -> None:
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = re.findall(r"^\| `make ([a-z-]+)`", TEXTS["CONTRIBUTING.md"], re.MULTILINE)
    assert set(targets) - set(named) <= {"help"}


def test_the_numbers_of_the_readme_are_those_of_the_documents() -> None:
    rows = re.findall(r"^\|.*\d.*\|$", TEXTS["README.md"].partition("## Accuracy")[2], re.MULTILINE)
    rows = [row for row in rows if ".md" not in row]
    full = {row for name in ("accuracy", "speed") for row in TEXTS[f"docs/{name}.md"].splitlines()}
    assert len(rows) > 12
    assert set(rows) <= full


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_leads_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", TEXTS[name]):
        if "://" not in target:
            path, _, heading = target.partition("#")
            file = (ROOT / name).parent / path if path else ROOT / name
            assert file.exists(), target
            headings = (
                re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE) if heading else []
            )
            assert not heading or heading in [h.lower().replace(" ", "-") for h in headings], target


@pytest.mark.parametrize("name", TEXTS)
def test_every_file_that_is_named_is_there(name: str) -> None:
    roots = "spamnb|tests|benchmarks|docs|data"
    for path in re.findall(rf"`((?:{roots})/[\w./]+)`", TEXTS[name]):
        if name != "CONTRIBUTING.md" or not re.search("emoji|NAME", path):
            assert (ROOT / path).exists(), path
