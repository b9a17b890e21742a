"""``spamnb show`` for a person: sections with their names at the left, the mail's text beside them.

Everything here comes from a mail, so every line passes through `_safe` on its way to the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.console import Console
from rich.text import Text

from spamnb.cli.output.console import console_of
from spamnb.cli.output.shown import ShownCharset, ShownFile, ShownLink, ShownMail
from spamnb.cli.terminal import printable
from spamnb.text.links import Link, differs_from_text

_INDENT = 13
_WHITE = re.compile(r"[^\S\n]")
Lines = Iterable[tuple[str, str]]
"""Lines of a section, each with its style."""


def mail_view(mail: ShownMail, *, list_tokens: bool) -> None:
    """Print a mail as the filter reads it.

    Parameters
    ----------
    mail : dict
        What `spamnb.cli.output.shown.shown` returns.
    list_tokens : bool
        Whether to list the tokens of each group, not only how many there are.
    """
    console = console_of()
    _print(console, "", [(mail["source"], "bold")], indent=0)
    for name, lines in _sections(mail, list_tokens):
        _print(console, name, lines)


def _sections(mail: ShownMail, list_tokens: bool) -> Iterator[tuple[str, Lines]]:
    yield "subject", _plain(mail["subject"])
    yield "from", _plain(mail["from"])
    yield "text", _text(mail["text"], "") or [("(no visible text)", "dim")]
    yield "hidden", _text(mail["hidden"], "yellow")
    yield "links", [line for link in mail["links"] for line in _link(link)]
    yield "attachments", [line for file in mail["attachments"] for line in _plain(_file(file))]
    yield "charsets", [(_charset(charset), "") for charset in mail["charsets"]]
    yield "defects", [(f"{d['name']}: {d['remedy']}", "yellow") for d in mail["defects"]]
    if list_tokens:
        for group, tokens in mail["tokens"].items():
            yield group, _plain("  ".join(tokens))
    else:
        counts = [f"{group} {len(tokens):,}" for group, tokens in mail["tokens"].items()]
        yield "tokens", _plain(", ".join(counts))


def _plain(text: str) -> Lines:
    return [(text, "")] if text else []


def _text(text: str, style: str) -> list[tuple[str, str]]:
    """Return the lines of a text, of several empty ones in a row one."""
    lines: list[tuple[str, str]] = []
    stripped = (line.rstrip() for line in text.strip().splitlines())
    for is_filled, group in groupby(stripped, bool):
        lines += [(line, style) for line in group] if is_filled else [("", style)]
    return lines


def _link(link: ShownLink) -> Iterator[tuple[str, str]]:
    """Yield the address, and what a reader sees of it where that is something else."""
    yield link["url"], ""
    text = " ".join(link["text"].split())
    if text and text != link["url"]:
        differs = differs_from_text(Link(link["url"], link["text"]))
        note = "another host shown: " if differs else "shown as: "
        yield f"  {note}{text}", "bold red" if differs else "dim"


def _file(file: ShownFile) -> str:
    size = "" if file["size"] is None else f"{file['size']:,} bytes"
    return ", ".join(filter(None, (file["name"], file["type"], size)))


def _charset(charset: ShownCharset) -> str:
    declared = f"declared {charset['declared']}" if charset["declared"] else "nothing declared"
    return f"{charset['part']}: {declared}, read as {charset['read_as']}"


def _print(console: Console, name: str, lines: Lines, indent: int = _INDENT) -> None:
    """Print a section; on a pipe nothing of it is wrapped."""
    for text, style in lines:
        safe = Text(_safe(text), style=style)
        room = max(20, console.width - indent)
        for piece in safe.wrap(console, room) if console.is_terminal else [safe]:
            piece.rstrip()
            line = Text.assemble((f"{_safe(name):<{indent}}", "bold" if name else ""), piece)
            line.rstrip()
            console.print(line, soft_wrap=True)
            name = ""


def _safe(text: str) -> str:
    """Return a line without anything that a terminal would obey; every kind of blank is one."""
    return printable(_WHITE.sub(" ", text.expandtabs(4)))
