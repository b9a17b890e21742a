"""``spamnb classify`` as other programs run it: a verdict before click is loaded.

Only what `attempt` knows is done here; every other form of the command goes to `spamnb.cli.main`,
which does the same for the same arguments.  click takes 34 ms to import, as long as all else
together from the start of Python to the verdict (2026-11; ``benchmarks/speed.py``).
"""

from __future__ import annotations

import gc
import os
import stat
import sys
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from spamnb.cli import exit_status
from spamnb.cli.output.lines import VERDICT_FORMATS

if TYPE_CHECKING:
    from spamnb.filter.pipeline import Judged
    from spamnb.mail.sources import Skipped
    from spamnb.store.table import Opened

# A larger file may be an mbox of many mails, for which processes are worth it.
_LARGEST = 1 << 20

_FLAGS = {"-q": "quiet", "--quiet": "quiet", "--exit-code": "exit_code"}
_OPTIONS = {"-m": "model", "--model": "model", "--format": "form"}


class Request(NamedTuple):
    """A ``classify`` of one path, None for standard input."""

    path: str | None = None
    model: str | None = None
    form: str | None = None
    exit_code: bool = False
    quiet: bool = False


def attempt(arguments: list[str]) -> int | None:
    """Do what the arguments ask for and return the exit status, or return None and do nothing.

    Parameters
    ----------
    arguments : list of str
        What follows the name of the program.

    Raises
    ------
    SpamnbError, OSError
        As the command would.
    """
    request = parse(arguments)
    if request is None or (not request.form and sys.stdout.isatty()):
        return None
    is_one_mail = _is_one_mail(request)
    if not is_one_mail and not _is_many(request):
        return None
    from spamnb.cli.options.models import describe, model_path
    from spamnb.cli.output.verdicts import report_skipped, write
    from spamnb.store.table import open_compiled

    path = model_path(request.model)
    opened = open_compiled(path)
    if opened is None:
        return None
    skipped: list[Skipped] = []
    judge = _judge_one if is_one_mail else _judge_many
    judged = judge(request, opened, skipped)
    if judged is None:
        return None
    describe(path, opened.info, verbose=False, quiet=request.quiet)
    labels = write(judged, request.form or "tsv", verbose=False)
    report_skipped(skipped)
    if skipped:
        return exit_status.IO
    return exit_status.VERDICTS[labels[0]] if request.exit_code else exit_status.OK


def _judge_one(request: Request, opened: Opened, skipped: list[Skipped]) -> Iterator[Judged] | None:
    """Return the verdict on one mail, or on those of a small file; None to leave it to click."""
    from spamnb.filter.pipeline import judge
    from spamnb.mail.sources import read_mails, read_one, standard_input

    limit = opened.filter.analyzer.config.limits.raw_bytes
    if request.path is None:
        mails = [read_one(standard_input(), on_skip=skipped.append, limit=limit)]
    else:
        mails = list(read_mails(request.path, skipped.append, limit))
    if request.exit_code and len(mails) != 1:
        return None
    return (judge(mail, opened.filter) for mail in mails)


def _judge_many(request: Request, opened: Opened, skipped: list[Skipped]) -> Iterator[Judged]:
    """Return the verdicts on the mails of a path, made on all cores."""
    from spamnb.filter.pipeline import judge_batches
    from spamnb.mail.sources import LabelledMail, read_mails

    gc.enable()
    assert request.path is not None
    limit = opened.filter.analyzer.config.limits.raw_bytes
    mails = (LabelledMail("", mail) for mail in read_mails(request.path, skipped.append, limit))
    return chain.from_iterable(judge_batches(mails, opened.filter, None))


def parse(arguments: list[str]) -> Request | None:
    """Return what the arguments ask for, None for anything out of the ordinary."""
    if arguments[:1] != ["classify"]:
        return None
    values: dict[str, Any] = {}
    rest = iter(arguments[1:])
    for argument in rest:
        name, equals, value = argument.partition("=")
        if argument in _FLAGS:
            values[_FLAGS[argument]] = True
        elif name in _OPTIONS and (name.startswith("--") if equals else True):
            values[_OPTIONS[name]] = value if equals else next(rest, "-")
        elif argument.startswith("-") or "path" in values:
            return None
        else:
            values["path"] = argument
    request = Request(**values)
    options = (request.model or "", request.form or "tsv")
    return None if options[0].startswith("-") or options[1] not in VERDICT_FORMATS else request


def _is_many(request: Request) -> bool:
    """Tell whether there may be many mails, and nobody who would watch a progress bar."""
    is_path = request.path is not None and os.path.exists(request.path)
    return is_path and not request.exit_code and not sys.stderr.isatty()


def _is_one_mail(request: Request) -> bool:
    """Tell whether there is one file to read, or a pipe."""
    if request.path is None:
        return sys.stdin is not None and not sys.stdin.isatty()
    try:
        status = os.stat(request.path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST
