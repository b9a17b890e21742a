"""What a peer must do, and what peers that are programs have in common."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from spamnb.filter.verdict import Verdict, logistic
from spamnb.mail.sources import LabeledMail, RawMail


class NotInstalledError(Exception):
    """Why a peer cannot run here."""


class Peer(Protocol):
    """Another filter, made with an empty folder for its files and trained once.

    Many mails are scored at once, since a process for each would be timed instead of the filter.

    Attributes
    ----------
    name : str
        With its version.
    spam_from : float
        The P(spam) from which it calls a mail spam, as it is shipped.
    """

    name: str
    spam_from: float

    def train(self, mails: Sequence[LabeledMail]) -> None:
        """Learn from mail."""

    def score(self, mails: Sequence[RawMail]) -> Sequence[float]:
        """Return the log-odds of spam for each mail, in their order; infinite ones are allowed."""


class PeerFilter:
    """A peer that gives verdicts.

    Parameters
    ----------
    peer : Peer
    """

    def __init__(self, peer: Peer) -> None:
        self.name = peer.name
        self._peer = peer

    def train(self, mails: Sequence[LabeledMail]) -> None:
        """Learn from mail."""
        self._peer.train(mails)

    def judge(self, mails: Sequence[RawMail]) -> list[Verdict]:
        """Return the verdict on each mail, in their order."""
        verdicts = []
        for odds in self._peer.score(mails):
            probability = logistic(odds)
            label = "spam" if probability >= self._peer.spam_from else "ham"
            verdicts.append(Verdict(label, probability, odds))
        return verdicts


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability, infinite for 0 and 1."""
    if probability in (0, 1):
        return math.inf if probability else -math.inf
    return math.log(probability / (1 - probability))


def find_program(name: str) -> str:
    """Return where a program is.

    Raises
    ------
    NotInstalledError
        When it is nowhere on the path.
    """
    program = shutil.which(name)
    if program is None:
        raise NotInstalledError(f"there is no {name} on the path")
    return program


def run(command: Sequence[str], standard_input: str = "", good: Sequence[int] = (0,)) -> str:
    """Return what a program prints; its complaints are shown only where it fails.

    Raises
    ------
    RuntimeError
        When its exit status is not one of the good ones.
    """
    done = subprocess.run(
        command, input=standard_input, capture_output=True, encoding="utf-8", errors="replace"
    )
    if done.returncode not in good:
        raise RuntimeError(f"{command[0]}: exit status {done.returncode}: {done.stderr[-1000:]}")
    return done.stdout


def write_mails(folder: Path, mails: Sequence[RawMail]) -> list[str]:
    """Write each mail to a file of its own and return their names.

    A text without headers becomes the body of a mail without headers; no file is empty, for a
    program may say nothing of an empty one.
    """
    folder.mkdir(exist_ok=True)
    names = []
    for number, mail in enumerate(mails):
        path = folder / f"{number:06}"
        path.write_bytes(b"\n" + mail.data if mail.is_text or not mail.data else mail.data)
        names.append(str(path))
    return names
