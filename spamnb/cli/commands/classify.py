"""``spamnb classify``."""

from __future__ import annotations

import click

from spamnb.cli.options import common
from spamnb.cli.output import lines


@click.command(short_help="Tell spam from ham.")
@click.argument("paths", nargs=-1, metavar="[PATH…|-]")
@common.model_option
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", *lines.VERDICT_FORMATS]),
    help="A table, or one line per mail. [default: text on a terminal, else tsv]",
)
@click.option(
    "--exit-code",
    is_flag=True,
    help="Of one mail, exit with 0 for spam, 1 for ham, 2 for unsure; failures are 64 and more.",
)
@common.jobs_option
@click.option(
    "--profile",
    is_flag=True,
    help="Say on standard error where the time went, stage by stage; works in one process.",
)
@click.option("-q", "--quiet", is_flag=True, help="No note on what the starter model is worth.")
@common.verbose_option
@click.pass_context
def classify(
    context: click.Context,
    paths: tuple[str, ...],
    model: str | None,
    output_format: str | None,
    exit_code: bool,
    jobs: int | None,
    profile: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    r"""Tell spam from ham.

    Without PATH, one message is read from standard input: a raw mail, or plain text. A PATH is a
    mail file, a folder, an mbox, a Maildir or an MH folder; - is standard input.

    On a pipe, one line per mail: label TAB probability TAB log-odds TAB source. The label is
    spam, ham or unsure; the probability is that of spam; a line end in a file name is written
    as \n. The exit status is 0 when it worked.
    """
    from spamnb.cli.commands.judging import carry_out
    from spamnb.cli.commands.request import Request

    request = Request(paths, model, output_format, exit_code, jobs, profile, quiet, verbose)
    context.exit(carry_out(request))
