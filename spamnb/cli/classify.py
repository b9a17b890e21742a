"""``spamnb classify``."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import click

from spamnb.cli import exit_status, options
from spamnb.cli.inputs import MailInput, report_skipped
from spamnb.mail.defects import Defect

if TYPE_CHECKING:
    from spamnb.pipeline import Document
    from spamnb.spam_filter import SpamFilter
    from spamnb.verdict import Verdict


@click.command(short_help="Tell spam from ham.")
@click.argument("paths", nargs=-1, metavar="[PATH…|-]")
@options.model_option
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "tsv", "jsonl"]),
    help="A table, or one line per mail. [default: text on a terminal, else tsv]",
)
@click.option(
    "--exit-code",
    is_flag=True,
    help="Of one mail, exit with 0 for spam, 1 for ham, 2 for unsure; failures are 64 and more.",
)
@options.jobs_option
@click.option("-q", "--quiet", is_flag=True, help="No note on what the starter model is worth.")
@options.verbose_option
@click.pass_context
def classify(
    context: click.Context,
    paths: tuple[str, ...],
    model: str | None,
    output_format: str | None,
    exit_code: bool,
    jobs: int | None,
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
    from spamnb.cli import output, render
    from spamnb.pipeline import analyze_batches
    from spamnb.verdict import UNSURE

    mails = MailInput(paths)
    spam_filter = options.open_model(model, verbose=verbose, quiet=quiet).spam_filter
    if exit_code and not spam_filter.is_ham_or_spam:
        raise click.UsageError("--exit-code needs a model of ham and spam.")
    config = spam_filter.analyzer.config
    batches = analyze_batches(mails.read(config.limits.raw_bytes), config, jobs)
    judged = _judge(spam_filter, batches)
    if exit_code:
        judged = _only_one(judged, mails, context)
    labels = []
    is_terminal = sys.stdout.isatty()
    if output_format == "text" or (output_format is None and is_terminal):
        names = (*spam_filter.labels, UNSURE)
        labels = render.verdicts(judged, names, show_defects=verbose)
    else:
        write = output.verdict_json if output_format == "jsonl" else output.verdict_tsv
        # Whoever reads a pipe may write to the same terminal as the progress.
        rows = render.progress(judged, "classifying") if _goes_to_a_file() else judged
        for document, verdict in rows:
            source = output.printable(document.source) if is_terminal else document.source
            click.echo(write(source, document, verdict))
            labels.append(verdict.label)
            for note in _notes(document, verbose):
                click.echo(f"spamnb: {output.printable(document.source)}: {note}", err=True)
    report_skipped(mails.skipped)
    if mails.skipped:
        context.exit(exit_status.IO)
    if exit_code:
        context.exit(exit_status.VERDICTS[labels[0]])


def _judge(
    spam_filter: SpamFilter, batches: Iterator[list[Document]]
) -> Iterator[tuple[Document, Verdict]]:
    for batch in batches:
        yield from zip(batch, spam_filter.judge(d.tokens for d in batch), strict=True)


def _goes_to_a_file() -> bool:
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # no file at all, as in a test
        return False


def _notes(document: Document, verbose: bool) -> Iterator[str]:
    """Yield what there is to say of how a mail was read."""
    if Defect.CUT in document.defects:
        yield "too large, scored by what the limits let in"
    if verbose and document.defects:
        yield ", ".join(defect.value for defect in document.defects)


def _only_one(
    judged: Iterator[tuple[Document, Verdict]], mails: MailInput, context: click.Context
) -> Iterator[tuple[Document, Verdict]]:
    first = list(islice(judged, 2))
    if mails.skipped:
        report_skipped(mails.skipped)
        context.exit(exit_status.IO)
    if len(first) != 1:
        got = "none" if not first else "more"
        raise click.UsageError(f"--exit-code is for exactly one mail, got {got}.")
    return iter(first)
