"""The ``spamnb`` command: its subcommands, and what becomes of click's errors.

A subcommand's module is imported when it is asked for.  Each imports numpy, joblib, jieba and rich
inside its function, so that ``--help`` and a wrong option answer at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

import click

from spamnb import __version__
from spamnb.cli import exit_status
from spamnb.cli.process import say
from spamnb.native.twins import form_in_use

COMMANDS = {
    "train": "spamnb.cli.commands.train",
    "classify": "spamnb.cli.commands.classify",
    "explain": "spamnb.cli.commands.explain",
    "show": "spamnb.cli.commands.show",
    "evaluate": "spamnb.cli.commands.evaluate",
    "tune": "spamnb.cli.commands.tune",
}
"""The subcommands, and the modules that hold a function of the same name, as --help shows them."""


class _ClosedPipeError(Exception):
    """Whoever read our output has seen enough."""


class _Group(click.Group):
    """The group of `COMMANDS`, each of which is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        return cast("click.Command", getattr(import_module(module), cmd_name))

    # Closed pipes are left to `run`: click itself would exit with 1, a verdict.
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ClosedPipeError from None


def _print_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not context.resilient_parsing:
        click.echo(f"spamnb {__version__} ({form_in_use()})")
        context.exit()


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version, and whether compiled code runs.",
)
@click.pass_context
def spamnb(context: click.Context) -> None:
    """Filter spam with naive Bayes, for English and Chinese mail.

    \b
    spamnb train --ham good --spam junk   learn from your own mail
    spamnb classify < message             ask for a verdict
    spamnb explain message.eml            see why
    spamnb show message.eml               see what the filter reads
    spamnb tune --ham good --spam junk    find the options that suit it
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(exit_status.USAGE)


def run() -> int:
    """Run the command that the arguments name; return the exit status.

    Raises
    ------
    BrokenPipeError
        When whoever read our output has seen enough.
    """
    try:
        return spamnb.main(prog_name="spamnb", standalone_mode=False) or exit_status.OK
    except click.exceptions.Exit as done:
        return done.exit_code
    except _ClosedPipeError:
        raise BrokenPipeError from None
    except click.Abort:
        return exit_status.INTERRUPTED
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "spamnb"
        say(f"{' '.join(error.format_message().split())} Try '{command} --help'.")
        return exit_status.USAGE
