"""SpamProbe: http://spamprobe.sourceforge.net, by its manual page of version 1.4."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from peers.peer import find_program, log_odds, run, write_mails
from spamnb.mail.sources import LabeledMail, RawMail

_BATCH = 100


class SpamProbe:
    """SpamProbe, each file one mail (``-M``), with characters beyond ASCII kept (``-8``).

    It learns only what it would get wrong or is not sure of, as its manual advises, so a little
    ham and a little spam take turns.

    Parameters
    ----------
    scratch : Path
        Where its database goes.
    """

    spam_from = 0.7

    def __init__(self, scratch: Path) -> None:
        program = find_program("spamprobe")
        self._command = [program, "-8", "-M", "-d", str(scratch)]
        self._mails = scratch / "mails"
        # "SpamProbe v1.4d using null database."
        words = run([program, "-V"]).split()
        self.name = f"spamprobe {words[1].strip('v')}"

    def train(self, mails: Sequence[LabeledMail]) -> None:
        """Learn from mail."""
        run([*self._command, "create-db"])
        for start in range(0, len(mails), _BATCH):
            for label, action in (("ham", "train-good"), ("spam", "train-spam")):
                batch = mails[start : start + _BATCH]
                own = [mail.mail for mail in batch if mail.label == label]
                if own:
                    run([*self._command, action, *write_mails(self._mails, own)])

    def score(self, mails: Sequence[RawMail]) -> list[float]:
        """Return the log-odds, from probabilities of 7 digits."""
        scores: list[float] = []
        for start in range(0, len(mails), 10 * _BATCH):
            names = write_mails(self._mails, mails[start : start + 10 * _BATCH])
            # "GOOD 0.0000074 39041d273ee22a03139ca040ba3ff707"
            printed = run([*self._command, "score", *names]).splitlines()
            if len(printed) != len(names):
                raise RuntimeError(f"spamprobe: {len(names)} mails, but {len(printed)} lines")
            scores += (log_odds(float(line.split()[1])) for line in printed)
        return scores
