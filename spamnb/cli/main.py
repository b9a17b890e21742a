"""The ``spamnb`` command: its subcommands, and what becomes of their errors.

The subcommands import numpy, joblib, jieba and rich inside their functions, so that ``--help``
and a wrong option answer at once.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any, NoReturn

import click

from spamnb import __version__
from spamnb.cli import exit_status
from spamnb.cli.classify import classify
from spamnb.cli.evaluate import evaluate
from spamnb.cli.explain import explain
from spamnb.cli.output import printable
from spamnb.cli.train import train
from spamnb.cli.tune import tune
from spamnb.errors import SpamnbError


class _ClosedPipeError(Exception):
    """Whoever read our output has seen enough."""


class _Group(click.Group):
    """A group that leaves closed pipes to `main`: click itself would exit with 1, a verdict."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ClosedPipeError from None


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", prog_name="spamnb")
@click.pass_context
def spamnb(context: click.Context) -> None:
    """Filter spam with naive Bayes, for English and Chinese mail.

    \b
    spamnb train --ham ~/Mail/inbox --spam ~/Mail/junk    learn from your own mail
    spamnb classify < message                             ask for a verdict
    spamnb explain message.eml                            see why
    spamnb tune --ham ~/Mail/inbox --spam ~/Mail/junk     find the options that suit it
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(exit_status.USAGE)


for command in (train, classify, explain, evaluate, tune):
    spamnb.add_command(command)


def main() -> NoReturn:
    """Run the command line and exit: the entry point of the ``spamnb`` script."""
    try:
        _set_encodings()
        status = spamnb.main(prog_name="spamnb", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        status = done.exit_code
    except (_ClosedPipeError, BrokenPipeError):
        # No error, and no verdict either.  (Without this, the interpreter would complain when it
        # flushes standard output at its end.)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = exit_status.CLOSED_PIPE if "--exit-code" in sys.argv else exit_status.OK
    except (click.Abort, KeyboardInterrupt):
        status = exit_status.INTERRUPTED
    except click.ClickException as error:
        status = _usage(error)
    except Exception as error:  # the last resort: a sentence and a status, not a traceback
        status = _failure(error)
    sys.exit(status or exit_status.OK)


def _set_encodings() -> None:
    """Make every name and text printable.

    On a pipe the output is UTF-8 with undecodable bytes of file names as they were; a terminal
    keeps its own encoding, with escapes for what it cannot show.
    """
    # A closed stream's number would go to the next file that is opened.
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        else:
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]


def _usage(error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "spamnb"
    _complain(f"{error.format_message()} Try '{command} --help'.")
    return exit_status.USAGE


def _failure(error: Exception) -> int:
    status = exit_status.status_of(error)
    if os.environ.get("SPAMNB_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, SpamnbError):
        message = str(error)
    elif isinstance(error, OSError):
        message = f"{error.filename or 'input or output'}: {error.strerror or error}"
    elif isinstance(error, MemoryError):
        message = "there is not enough memory: try again later, or give it less mail at a time"
    else:
        kind = type(error).__name__
        message = f"internal error, {kind}: {error}; SPAMNB_DEBUG=1 shows where, please report it"
    _complain(message)
    return status


def _complain(message: str) -> None:
    """Write one sentence on one line, with nothing in it that a terminal would obey."""
    click.echo(f"spamnb: {printable(' '.join(message.split()))}", err=True)
