"""``spamnb show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spamnb.cli import exit_status

if TYPE_CHECKING:
    from spamnb.text.analyzer import Analyzer


@click.command(short_help="Show a mail as the filter reads it.")
@click.argument("paths", nargs=-1, metavar="[PATH…|-]")
@click.option(
    "-m",
    "--model",
    metavar="PATH",
    help="Read the mail as this model does. [default: as train does without options]",
)
@click.option("--tokens", is_flag=True, help="List all tokens, not only how many there are.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per mail, on one line.")
@click.pass_context
def show(
    context: click.Context,
    paths: tuple[str, ...],
    model: str | None,
    tokens: bool,
    as_json: bool,
) -> None:
    """Show a mail as the filter reads it.

    That is: subject, sender, visible text, hidden text, links with what they show, attachments,
    charsets, defects with what was done about them, and the tokens that a model learns from. It
    is the first thing to look at when a verdict surprises.

    Without PATH, one message is read from standard input. A PATH is a mail file, a folder, an
    mbox, a Maildir or an MH folder; - is standard input. No model is needed.
    """
    from spamnb.cli.options.inputs import MailInput
    from spamnb.cli.output.shown import shown
    from spamnb.cli.output.verdicts import report_skipped
    from spamnb.filter.pipeline import read_message

    mails = MailInput(paths)
    analyzer = _analyzer(model)
    limits = analyzer.config.limits
    for number, (_, mail) in enumerate(mails.read(limits.raw_bytes)):
        found = shown(mail.source, read_message(mail, limits), analyzer)
        if as_json:
            from spamnb.cli.output.lines import to_json

            click.echo(to_json(found))
        else:
            from spamnb.cli.output.mail_view import mail_view

            if number:
                click.echo()
            mail_view(found, list_tokens=tokens)
    report_skipped(mails.skipped)
    if mails.skipped:
        context.exit(exit_status.IO)


def _analyzer(model: str | None) -> Analyzer:
    """Return the analyzer of a model, that of `train` without options where none is named."""
    from spamnb.text.analyzer import Analyzer

    if model is None:
        return Analyzer()
    from spamnb.cli.options.models import load_filter

    return load_filter(model, verbose=False, quiet=True).analyzer
