"""What ``spamnb classify`` does, whoever parsed its arguments; nothing here needs click."""

from __future__ import annotations

import gc
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import chain, islice
from typing import TYPE_CHECKING

from spamnb.cli import exit_status
from spamnb.cli.commands.request import Request
from spamnb.cli.options.inputs import MailInput
from spamnb.cli.options.models import describe, model_path
from spamnb.cli.output import verdicts
from spamnb.errors import UsageError
from spamnb.filter.pipeline import judge_batches
from spamnb.filter.verdict import HAM_OR_SPAM, UNSURE
from spamnb.store.opening import open_with_info

if TYPE_CHECKING:
    from spamnb.filter.pipeline import Judged
    from spamnb.mail.sources import LabeledMail


def carry_out(request: Request) -> int:
    """Give the verdicts that are asked for; return the exit status.

    Raises
    ------
    SpamnbError, OSError
    """
    mails = MailInput(request.paths)
    path = model_path(request.model)
    spam_filter, info = open_with_info(path)
    describe(path, info, verbose=request.verbose, quiet=request.quiet)
    if request.exit_code and spam_filter.labels != HAM_OR_SPAM:
        raise UsageError("--exit-code needs a model of ham and spam")
    raw = _collecting(mails.read(spam_filter.config.limits.raw_bytes))
    jobs = 1 if request.profile else request.jobs
    judged: Iterator[Judged] = chain.from_iterable(judge_batches(raw, spam_filter, jobs))
    if request.exit_code:
        judged = _only_one(judged, mails)
    if request.profile:
        from spamnb.cli.output.profile import profiled
    with profiled() if request.profile else nullcontext():
        labels = _show(judged, request, (*spam_filter.labels, UNSURE))
    verdicts.report_skipped(mails.skipped)
    if mails.skipped:
        return exit_status.IO
    return exit_status.VERDICTS[labels[0]] if request.exit_code else exit_status.OK


def _show(judged: Iterator[Judged], request: Request, names: Sequence[str]) -> list[str]:
    """Print the verdicts, and return the labels."""
    is_table = request.form == "text" or (request.form is None and sys.stdout.isatty())
    # Who reads a pipe may write to the same terminal as a progress bar would.
    is_watched = sys.stderr.isatty() and _goes_to_a_file()
    if is_table or is_watched:
        from spamnb.cli.output import tables

        if is_table:
            return tables.verdicts(judged, names, show_defects=request.verbose)
        judged = tables.progress(judged, "classifying")
    return verdicts.write(judged, request.form or "tsv", verbose=request.verbose)


def _goes_to_a_file() -> bool:
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # no file at all, as in a test
        return False


def _collecting(mails: Iterator[LabeledMail]) -> Iterator[LabeledMail]:
    """Yield mails; from the second on there is something to collect (see `spamnb.cli`)."""
    yield from islice(mails, 1)
    gc.enable()
    yield from mails


def _only_one(judged: Iterator[Judged], mails: MailInput) -> Iterator[Judged]:
    """Refuse all but one mail, which is what ``--exit-code`` can tell of."""
    first = list(islice(judged, 2))
    if len(first) != 1 and not mails.skipped:
        got = "none" if not first else "more"
        raise UsageError(f"--exit-code is for exactly one mail, got {got}")
    return iter(first)
