"""Mail of unknown label that a command is asked about: paths, or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from spamnb.errors import InputNotFoundError, UsageError
from spamnb.mail.sources import (
    LabeledMail,
    RawMail,
    Skipped,
    read_mails,
    read_one,
    read_stream,
    standard_input,
)


class MailInput:
    """The mails at some paths, and what had to be skipped among them.

    Parameters
    ----------
    paths : sequence of str
        As for `spamnb.mail.sources.read_mails`; ``-`` for standard input, as one mail or an mbox.
        Without any path, one mail is read from standard input, whatever it looks like.

    Attributes
    ----------
    skipped : list of Skipped
        What could not be read, so far.

    Raises
    ------
    InputNotFoundError
        When nothing is at one of the paths.
    UsageError
        When there is no path, and standard input is a terminal; when ``-`` comes twice.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.skipped: list[Skipped] = []
        self._paths = paths
        if not paths and sys.stdin is not None and sys.stdin.isatty():
            raise UsageError("no mail was named: give a path, or pipe a message to standard input")
        if list(paths).count("-") > 1:
            raise UsageError("standard input (-) can be given only once")
        for path in paths:
            if path != "-" and not os.path.exists(path):
                raise InputNotFoundError(path or "''")

    def read(self, limit: int) -> Iterator[LabeledMail]:
        """Yield the mails, at most ``limit`` bytes of each, with the label ``""``."""
        return (LabeledMail("", mail) for mail in self._mails(limit))

    def _mails(self, limit: int) -> Iterator[RawMail]:
        if not self._paths:
            yield read_one(standard_input(), on_skip=self.skipped.append, limit=limit)
        for path in self._paths:
            if path == "-":
                yield from read_stream(standard_input(), on_skip=self.skipped.append, limit=limit)
            else:
                yield from read_mails(path, self.skipped.append, limit)
