"""``spamnb classify``."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from spamnb.cli import exit_status
from spamnb.cli.options import common
from spamnb.cli.options.inputs import MailInput
from spamnb.cli.output import lines, verdicts
from spamnb.cli.output.profile import profiled
from spamnb.filter.verdict import HAM_OR_SPAM, UNSURE

if TYPE_CHECKING:
    from spamnb.filter.pipeline import Judged
    from spamnb.filter.spam_filter import SpamFilter
    from spamnb.mail.sources import LabelledMail


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
    from spamnb.cli.options import models
    from spamnb.filter.pipeline import judge_batches
    from spamnb.store.table import open_compiled

    mails = MailInput(paths)
    jobs = 1 if profile else jobs
    path = models.model_path(model)
    opened = open_compiled(path)
    judged: Iterator[Judged]
    if opened is not None:
        models.describe(path, opened.info, verbose=verbose, quiet=quiet)
        labels_known: tuple[str, ...] = opened.filter.labels
        raw = mails.read(opened.filter.analyzer.config.limits.raw_bytes)
        judged = chain.from_iterable(judge_batches(raw, opened.filter, jobs))
    else:
        spam_filter = models.load_filter(model, verbose=verbose, quiet=quiet)
        labels_known = spam_filter.labels
        raw = mails.read(spam_filter.analyzer.config.limits.raw_bytes)
        judged = _judged(spam_filter, raw, jobs)
    if exit_code and labels_known != HAM_OR_SPAM:
        raise click.UsageError("--exit-code needs a model of ham and spam.")
    if exit_code:
        judged = _only_one(judged, mails, context)
    with profiled() if profile else nullcontext():
        labels = _show(judged, output_format, (*labels_known, UNSURE), verbose)
    verdicts.report_skipped(mails.skipped)
    if mails.skipped:
        context.exit(exit_status.IO)
    if exit_code:
        context.exit(exit_status.VERDICTS[labels[0]])


def _show(
    judged: Iterator[Judged], output_format: str | None, names: Sequence[str], verbose: bool
) -> list[str]:
    """Print the verdicts, and return the labels."""
    if output_format == "text" or (output_format is None and sys.stdout.isatty()):
        from spamnb.cli.output import tables

        return tables.verdicts(judged, names, show_defects=verbose)
    if _goes_to_a_file():  # whoever reads a pipe may write to the same terminal as the progress
        from spamnb.cli.output import tables

        judged = tables.progress(judged, "classifying")
    return verdicts.write(judged, output_format or "tsv", verbose=verbose)


def _judged(
    spam_filter: SpamFilter, mails: Iterable[LabelledMail], jobs: int | None
) -> Iterator[Judged]:
    """Judge with a model that is not linear, which takes numpy and all of it."""
    from spamnb.filter.pipeline import Judged, analyze_batches

    for batch in analyze_batches(mails, spam_filter.analyzer.config, jobs):
        judged = spam_filter.judge(document.tokens for document in batch)
        for document, verdict in zip(batch, judged, strict=True):
            yield Judged(document.source, document.defects, verdict)


def _goes_to_a_file() -> bool:
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # no file at all, as in a test
        return False


def _only_one(
    judged: Iterator[Judged], mails: MailInput, context: click.Context
) -> Iterator[Judged]:
    first = list(islice(judged, 2))
    if mails.skipped:
        verdicts.report_skipped(mails.skipped)
        context.exit(exit_status.IO)
    if len(first) != 1:
        got = "none" if not first else "more"
        raise click.UsageError(f"--exit-code is for exactly one mail, got {got}.")
    return iter(first)
