"""``spamnb explain``."""

from __future__ import annotations

from itertools import islice

import click

from spamnb.cli import exit_status
from spamnb.cli.options import common


@click.command(short_help="Show the words that decided.")
@click.argument("paths", nargs=-1, metavar="[PATH|-]")
@common.model_option
@click.option(
    "--top",
    type=click.IntRange(min=0),
    help="How many words to show, the strongest first. [default: 20; all with --json]",
)
@click.option(
    "--tree",
    is_flag=True,
    help="Show instead, of a tan, spode or ode model, on which word each word depends and how much,"
    " in nats; no mail is read.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per mail.")
@click.option("-q", "--quiet", is_flag=True, help="No note on what the starter model is worth.")
@common.verbose_option
@click.pass_context
def explain(
    context: click.Context,
    paths: tuple[str, ...],
    model: str | None,
    top: int | None,
    tree: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Show the words that decided on a mail, and by how much.

    A contribution is in nats: positive towards spam, negative towards ham. The contributions and
    the intercept add up to the log-odds of the verdict.
    """
    from spamnb.cli.options.inputs import MailInput
    from spamnb.cli.options.models import load_filter
    from spamnb.cli.output import lines, tables
    from spamnb.cli.output.verdicts import report_skipped
    from spamnb.filter.pipeline import read_message

    if tree:
        if paths or as_json:
            raise click.UsageError("--tree shows the model: it goes with no mail and no --json.")
        loaded = load_filter(model, verbose=verbose, quiet=quiet)
        tables.model_tree(islice(loaded.tree(), top))
        return
    mails = MailInput(paths)
    spam_filter = load_filter(model, verbose=verbose, quiet=quiet)
    limits = spam_filter.analyzer.config.limits
    for number, (_, mail) in enumerate(mails.read(limits.raw_bytes)):
        message = read_message(mail, limits)
        explanation = spam_filter.explain(message)
        if as_json:
            click.echo(lines.to_json(lines.explanation_dict(mail.source, explanation, top)))
        else:
            if number:
                click.echo()
            shown = 20 if top is None else top
            tables.explanation(mail.source, message.subject, explanation, shown)
    report_skipped(mails.skipped)
    if mails.skipped:
        context.exit(exit_status.IO)
