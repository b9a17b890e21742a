"""What the sections of the benchmark work with: corpora and the programs that learned them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from peers.peer import NotInstalledError

from timing.material import halves
from timing.measure import Step, Usage, progress, run
from timing.programs import PEERS, Program, Spamnb

CHINESE = ", Chinese mail"
"""What the names of measurements of Chinese mail end with."""


class Arm:
    """A corpus, and the programs that learn its first half and judge its second.

    Parameters
    ----------
    index : str
        The corpus.
    command : list of str
        How spamnb is started.
    scratch : Path
        A new folder for mail and models.
    peers : iterable of str
        Which of `PEERS` take part where they are installed.
    """

    def __init__(self, index: str, command: list[str], scratch: Path, peers: Sequence[str]) -> None:
        self.first, self.second = halves(index, scratch)
        self.spamnb = Spamnb(command, scratch)
        self.single = Spamnb(command, scratch, jobs=1)
        self.programs: dict[str, Program] = {"spamnb": self.spamnb}
        self.notes: list[str] = []
        for name in peers:
            try:
                program = PEERS[name](scratch)
            except NotInstalledError as error:
                self.notes.append(f"{name} is left out: {error}.")
            else:
                self.programs[program.name] = program

    def train(self) -> None:
        """Let every program learn, unmeasured."""
        for name, program in self.programs.items():
            progress(f"  {name} learns {len(self.first.files):,} mails")
            program.forget()
            run_all(program.training(self.first))


@dataclass
class Bench:
    """What the sections work with.

    Attributes
    ----------
    english : Arm
        The corpus that is measured most.
    chinese : Arm or None
        The Chinese one.
    repeat, cold_repeat : int
        How often everything is run, and how often what takes milliseconds.
    sizes : list of int
        Numbers of mails, for scaling.
    mbox_bytes : int
        The size of the large mbox.
    """

    english: Arm
    chinese: Arm | None
    repeat: int
    cold_repeat: int
    sizes: list[int]
    mbox_bytes: int


def run_all(steps: Sequence[Step], watch: bool = False) -> Usage:
    """Run one step after the other and return what all of them have used."""
    usages = [run(step, watch) for step in steps]
    peaks = max((usage.peaks for usage in usages), key=lambda peaks: max(peaks, default=0))
    seconds = sum(usage.seconds for usage in usages)
    return Usage(seconds, sum(usage.cpu_seconds for usage in usages), peaks=peaks)


def seconds_of(usages: Mapping[str, list[Usage]]) -> dict[str, list[float]]:
    """Return the wall times of each run."""
    return {name: [usage.seconds for usage in runs] for name, runs in usages.items()}
