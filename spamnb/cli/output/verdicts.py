"""Writing verdicts for programs to read, and what there is to say beside them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from spamnb.cli.output import lines
from spamnb.cli.process import say
from spamnb.cli.terminal import printable
from spamnb.filter.pipeline import Judged
from spamnb.mail.defects import Defect
from spamnb.mail.sources import Skipped


def write(judged: Iterable[Judged], form: str, *, verbose: bool) -> list[str]:
    """Write one line for each mail to standard output; return the labels.

    Parameters
    ----------
    judged : iterable of Judged
        The mails.
    form : str
        One of `spamnb.cli.output.lines.VERDICT_FORMATS`.
    verbose : bool
        Whether to say on standard error what was wrong with each mail.
    """
    line = lines.VERDICT_FORMATS[form]
    is_terminal = sys.stdout.isatty()
    labels = []
    for mail in judged:
        source = printable(mail.source) if is_terminal else mail.source
        print(line(mail, source), flush=is_terminal)
        labels.append(mail.verdict.label)
        for note in _notes(mail, verbose):
            say(f"{mail.source}: {note}")
    return labels


def _notes(mail: Judged, verbose: bool) -> Iterator[str]:
    """Yield what there is to say of how a mail was read."""
    if Defect.CUT in mail.defects:
        yield "too large, scored by what the limits let in"
    if verbose and mail.defects:
        yield ", ".join(defect.value for defect in mail.defects)


def report_skipped(skipped: Sequence[Skipped]) -> None:
    """Tell on standard error what was skipped."""
    for item in skipped:
        say(f"skipped {item.source}: {item.reason}")
