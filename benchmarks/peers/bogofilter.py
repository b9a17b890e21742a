"""bogofilter: https://bogofilter.sourceforge.io, by its manual page of version 1.2.5."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from peers.peer import find_program, log_odds, run, write_mails
from spamnb.mail.sources import LabeledMail, RawMail


class Bogofilter:
    """bogofilter as it is shipped, whatever configuration files say (``-C``).

    It is told the names of files on standard input (``-b``) rather than given an mbox (``-M``),
    for which the mail would have to be changed.

    Parameters
    ----------
    scratch : Path
        Where its word list goes.
    """

    spam_from = 0.99

    def __init__(self, scratch: Path) -> None:
        self._command = [find_program("bogofilter"), "-C", "-d", str(scratch)]
        self._mails = scratch / "mails"
        # "bogofilter version 1.2.5", in Debian "bogofilter-sqlite version 1.2.5".
        first, *_ = run([self._command[0], "-V"]).splitlines()
        self.name = f"bogofilter {first.split()[-1]}"

    def train(self, mails: Sequence[LabeledMail]) -> None:
        """Learn from mail."""
        for label, option in (("ham", "-n"), ("spam", "-s")):
            own = [mail.mail for mail in mails if mail.label == label]
            run([*self._command, option, "-b"], _lines(write_mails(self._mails, own)))

    def score(self, mails: Sequence[RawMail]) -> list[float]:
        """Return the log-odds, from probabilities of 16 digits (``-TT``)."""
        names = write_mails(self._mails, mails)
        # The exit status is the last mail's verdict: 0 spam, 1 ham, 2 unsure; 3 is an error.
        printed = run([*self._command, "-TT", "-b"], _lines(names), (0, 1, 2)).splitlines()
        pairs = [line.rsplit(" ", 1) for line in printed]
        if [pair[0] for pair in pairs] != names:
            raise RuntimeError(f"bogofilter: {len(names)} mails, but {len(printed)} lines")
        return [log_odds(float(probability)) for _, probability in pairs]


def _lines(names: Sequence[str]) -> str:
    return "".join(f"{name}\n" for name in names)
