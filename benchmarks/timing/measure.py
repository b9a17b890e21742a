"""Processes → how long they take and how much memory, all competitors in turn."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from timing.watcher import Watcher

# Set in some workplaces, and then every process compiles its modules anew.
_SLOWS_DOWN = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")


class Step(NamedTuple):
    """One process to run.

    Attributes
    ----------
    command : list of str
        The program and its arguments.
    source : Path or iterable of bytes, optional
        What it reads from standard input: a file, or pieces that come through a pipe.
    good : tuple of int
        The exit statuses that mean that it worked.
    """

    command: list[str]
    source: Path | Iterable[bytes] | None = None
    good: tuple[int, ...] = (0,)


class Usage(NamedTuple):
    """What a process, with those that it started, has used and printed.

    Attributes
    ----------
    seconds, cpu_seconds : float
        Wall time and processor time.
    output, error : bytes
        What it printed.
    peaks : tuple of int
        The most memory that each process had resident, in bytes: the first is the process itself,
        those that it started follow, the largest first.  Empty where nobody watched.
    """

    seconds: float
    cpu_seconds: float
    output: bytes = b""
    error: bytes = b""
    peaks: tuple[int, ...] = ()


def environment() -> dict[str, str]:
    """Return the environment for measured processes."""
    kept = {name: value for name, value in os.environ.items() if name not in _SLOWS_DOWN}
    return kept | {"NO_COLOR": "1", "COLUMNS": "100"}


def run(step: Step, watch: bool = False) -> Usage:
    """Run a process to its end.

    Parameters
    ----------
    step : Step
    watch : bool
        Look every 20 ms at how much memory it has, which takes some of the machine's time.

    Raises
    ------
    SystemExit
        When its exit status is not a good one.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as error:
        seconds, cpu_seconds, status, peaks = _timed(step, output, error, watch)
        output.seek(0)
        error.seek(0)
        printed, complaint = output.read(), error.read()
    if status not in step.good:
        shown = complaint.decode("utf-8", "replace").strip()[-500:]
        raise SystemExit(f"{' '.join(step.command[:4])}…: exit status {status}: {shown}")
    return Usage(seconds, cpu_seconds, printed, complaint, peaks)


def _timed(
    step: Step, output: IO[bytes], error: IO[bytes], watch: bool
) -> tuple[float, float, int, tuple[int, ...]]:
    """Return the wall time, the processor time, the exit status and the peaks of memory."""
    is_file = step.source is None or isinstance(step.source, Path)
    path = step.source if isinstance(step.source, Path) else os.devnull
    with open(path, "rb") as file:
        started = time.perf_counter()
        process = subprocess.Popen(
            step.command,
            stdin=file if is_file else subprocess.PIPE,
            stdout=output,
            stderr=error,
            env=environment(),
        )
        watcher = Watcher(process.pid)
        threads = [threading.Thread(target=watcher.watch)] if watch else []
        if not is_file:
            threads.append(threading.Thread(target=_feed, args=(process.stdin, step.source)))
        for thread in threads:
            thread.start()
        try:
            # Unlike Popen.wait, this tells the processor time, that of waited-for children too.
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # such as Ctrl-C
            watcher.stop.set()
            process.kill()
            raise
        seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    watcher.stop.set()
    for thread in threads:
        thread.join()
    return seconds, usage.ru_utime + usage.ru_stime, process.returncode, watcher.peaks()


def _feed(pipe: Any, pieces: Any) -> None:
    try:
        with pipe:
            for piece in pieces:
                pipe.write(piece)
    except BrokenPipeError:
        pass  # its exit status tells


def interleave(
    steps: Mapping[str, Step], repeat: int, watch: bool = False
) -> dict[str, list[Usage]]:
    """Run every step once, then every step again, and so on: what disturbs one disturbs all."""
    found: dict[str, list[Usage]] = {name: [] for name in steps}
    for turn in range(1, repeat + 1):
        for name, step in steps.items():
            progress(f"  {turn}/{repeat} {name}")
            found[name].append(run(step, watch))
    return found


def ratio(values: Sequence[float], reference: Sequence[float]) -> float:
    """Return the median of the ratios within each repetition."""
    return statistics.median(a / b for a, b in zip(values, reference, strict=True))


def progress(text: str) -> None:
    """Tell on standard error what is being done, on a terminal in one line."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)
