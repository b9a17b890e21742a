"""The consoles and plain tables that everything shown to a person is drawn with.

On a pipe nothing is colored, wrapped or cut.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

STYLES = {"spam": "bold red", "ham": "green", "unsure": "yellow"}
"""The colors of the verdicts."""

_PIPE_WIDTH = 10_000


def percent(share: float) -> str:
    """Return a share as a percentage, a dash for NaN."""
    return "–" if share != share else f"{100 * share:.2f} %"


def plain_table(*, show_header: bool = False) -> Table:
    """Return a table without any lines."""
    return Table(box=None, show_header=show_header, header_style="dim", pad_edge=False)


def show(console: Console, table: Table) -> None:
    """Print a table; on a pipe without the white space that fills its last column."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as captured:
        console.print(table)
    lines = captured.get().splitlines()
    console.file.write("".join(line.rstrip() + "\n" for line in lines))


def console_of(to_stderr: bool = False) -> Console:
    """Return the console of standard output, or of standard error."""
    stream = sys.stderr if to_stderr else sys.stdout
    width = None if stream.isatty() else _PIPE_WIDTH
    return _PipeConsole(file=stream, width=width, highlight=False, markup=False, emoji=False)


class _PipeConsole(Console):
    """A console that leaves closed pipes to `spamnb.cli.main`: rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
