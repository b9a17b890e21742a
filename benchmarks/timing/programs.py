"""The programs that are measured: how each learns, judges one mail and judges many."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from peers.peer import NotInstalledError, find_program, run

from spamnb import __version__
from timing.material import Half
from timing.measure import Step

LIBRARY_FILTER = str(Path(__file__).with_name("library_filter.py"))
_BATCH = 100


class Program(Protocol):
    """A spam filter that is run as a program.

    Attributes
    ----------
    name : str
        With its version.
    """

    name: str

    def forget(self) -> None:
        """Remove what was learned."""

    def training(self, half: Half) -> list[Step]:
        """Return how to learn the mails of half a corpus."""

    def one(self, mail: Path) -> Step:
        """Return how to judge one mail on standard input."""

    def many(self, half: Half) -> Step:
        """Return how to judge all mails of half a corpus; it prints a line for each."""


class Spamnb:
    """Ours.

    Parameters
    ----------
    command : sequence of str
        How it is started.
    scratch : Path
        Where its model goes.
    jobs : int, optional
        How many processes judge many mails, by default as many as there are cores.
    """

    def __init__(self, command: Sequence[str], scratch: Path, jobs: int | None = None) -> None:
        self.name = f"spamnb {__version__}"
        self._command = list(command)
        self._model = scratch / "spamnb"
        self._jobs = [f"--jobs={jobs}"] if jobs else []

    def forget(self) -> None:
        """Remove the model."""
        shutil.rmtree(self._model, ignore_errors=True)

    def training(self, half: Half) -> list[Step]:
        """Return how to learn, all by default."""
        options = ["--index", str(half.labels), "-m", str(self._model), *self._jobs]
        return [Step([*self._command, "train", *options])]

    def one(self, mail: Path) -> Step:
        """Return how to judge one mail."""
        return self.classify(mail)

    def many(self, half: Half) -> Step:
        """Return how to judge a folder."""
        return self.classify(None, *self._jobs, str(half.folder))

    def classify(self, source: Path | Iterator[bytes] | None, *arguments: str) -> Step:
        """Return any other form of the command."""
        command = [*self._command, "classify", "-q", "-m", str(self._model), *arguments]
        return Step(command, source)


class Bogofilter:
    """bogofilter, whatever configuration files say (``-C``); the names of files are its input.

    Parameters
    ----------
    scratch : Path
        Where its word list goes.
    """

    def __init__(self, scratch: Path) -> None:
        program = find_program("bogofilter")
        first, *_ = run([program, "-V"]).splitlines()
        self.name = f"bogofilter {first.split()[-1]}"
        self._folder = _new(scratch / "bogofilter")
        self._command = [program, "-C", "-d", str(self._folder)]

    def forget(self) -> None:
        """Remove the word list."""
        _new(self._folder)

    def training(self, half: Half) -> list[Step]:
        """Return how to learn ham and then spam."""
        options = {"-n": half.names["ham"], "-s": half.names["spam"]}
        return [Step([*self._command, option, "-b"], names) for option, names in options.items()]

    def one(self, mail: Path) -> Step:
        """Return how to judge one mail; the exit status is the verdict."""
        return Step([*self._command, "-T"], mail, (0, 1, 2))

    def many(self, half: Half) -> Step:
        """Return how to judge many mails."""
        return Step([*self._command, "-b", "-T"], half.names["all"], (0, 1, 2))


class SpamProbe:
    """SpamProbe, each file one mail; it learns what it is not sure of, some ham and spam in turn.

    Parameters
    ----------
    scratch : Path
        Where its database goes.
    """

    def __init__(self, scratch: Path) -> None:
        program = find_program("spamprobe")
        self.name = f"spamprobe {run([program, '-V']).split()[1].strip('v')}"
        self._folder = _new(scratch / "spamprobe")
        self._command = [program, "-8", "-M", "-d", str(self._folder)]

    def forget(self) -> None:
        """Remove the database."""
        _new(self._folder)

    def training(self, half: Half) -> list[Step]:
        """Return how to learn, in batches."""
        steps = [Step([*self._command, "create-db"])]
        ham, spam = (half.names[label].read_text().splitlines() for label in ("ham", "spam"))
        n_ham = max(1, _BATCH * len(ham) // len(half.files))
        n_spam = max(1, _BATCH - n_ham)
        while ham or spam:
            for action, batch in (("train-good", ham[:n_ham]), ("train-spam", spam[:n_spam])):
                steps += [Step([*self._command, action, *batch])] if batch else []
            ham, spam = ham[n_ham:], spam[n_spam:]
        return steps

    def one(self, mail: Path) -> Step:
        """Return how to judge one mail."""
        return Step([*self._command, "score"], mail)

    def many(self, half: Half) -> Step:
        """Return how to judge many mails, which it takes as arguments."""
        return Step([*self._command, "score", *map(str, half.files)])


class Library:
    """A filter made of a Python library by `library_filter`.

    Parameters
    ----------
    name : str
        The name to show.
    module : str
        What must be importable.
    scratch : Path
        Where its model goes.
    package : str, optional
        The distribution that has the library, and its version.
    """

    def __init__(self, name: str, module: str, scratch: Path, package: str | None = None) -> None:
        if importlib.util.find_spec(module) is None:
            raise NotInstalledError(f"there is no module {module}")
        self.name = f"{name} {version(package)}" if package else name
        self._model = scratch / module
        self._command = [sys.executable, "-W", "ignore", LIBRARY_FILTER, module]

    def forget(self) -> None:
        """Remove the model."""
        self._model.unlink(missing_ok=True)

    def training(self, half: Half) -> list[Step]:
        """Return how to learn."""
        return [self._step("train", half.labels)]

    def one(self, mail: Path) -> Step:
        """Return how to judge one mail."""
        return self._step("one", mail)

    def many(self, half: Half) -> Step:
        """Return how to judge many mails."""
        return self._step("many", half.names["all"])

    def _step(self, action: str, source: Path) -> Step:
        return Step([*self._command, action, str(self._model)], source)


PEERS: dict[str, Callable[[Path], Program]] = {
    "bogofilter": Bogofilter,
    "spamprobe": SpamProbe,
    "scikit-learn": lambda scratch: Library("scikit-learn", "sklearn", scratch, "scikit-learn"),
    "SpamBayes": lambda scratch: Library("SpamBayes 1.1b3", "spambayes", scratch),
}
"""How to make each other program, given a folder; raises `NotInstalledError`."""


def find_spamnb(given: str | None) -> list[str]:
    """Return how spamnb is started.

    Raises
    ------
    SystemExit
        When there is no such program.
    """
    program = given or str(Path(sys.executable).with_name("spamnb"))
    found = shutil.which(program)
    if found is None:
        raise SystemExit(f"{program}: no such program; install spamnb or use --spamnb PROGRAM")
    return [os.path.abspath(found)]


def _new(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
