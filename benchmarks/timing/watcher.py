"""How much memory a process and all that it starts have at most (Linux only)."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

# From the first to the second, for a process may be over in a few milliseconds.
_SOONEST_SECONDS, _LOOK_SECONDS = 0.001, 0.02
_SEARCH_SECONDS = 0.2  # to read the status of every process takes some milliseconds
_FIELD = re.compile(r"^(PPid|VmHWM):\s*(\d+)", re.MULTILINE)
IS_SUPPORTED = Path("/proc/self/status").exists()


class Watcher:
    """Notes the peak of resident memory of a process and of all that it starts.

    The kernel keeps the peak itself (``VmHWM``), so that only the last look matters.  What
    ``wait4`` says of memory is no use here: it is never less than what this process had when it
    started the other.

    Parameters
    ----------
    pid : int
        The process.
    """

    def __init__(self, pid: int) -> None:
        self.stop = threading.Event()
        self._pid = pid
        self._peaks: dict[int, int] = {pid: 0}

    def watch(self) -> None:
        """Look again and again until `stop` is set."""
        searched, pause = 0.0, _SOONEST_SECONDS
        while not self.stop.wait(pause):
            pause = min(1.5 * pause, _LOOK_SECONDS)
            if time.monotonic() - searched > _SEARCH_SECONDS:
                self._search()
                searched = time.monotonic()
            for pid in self._peaks:
                # That of the last look, since a process that is not yet another program has the
                # peak of its parent.
                self._peaks[pid] = _status(pid).get("VmHWM", 0) or self._peaks[pid]

    def peaks(self) -> tuple[int, ...]:
        """Return the peaks in bytes, the process itself first, then the others from the largest."""
        others = sorted((n for pid, n in self._peaks.items() if pid != self._pid), reverse=True)
        return tuple(1024 * kilobytes for kilobytes in (self._peaks[self._pid], *others))

    def _search(self) -> None:
        pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
        parents = {pid: _status(pid).get("PPid", 0) for pid in sorted(pids)}
        n_known = 0
        while n_known < len(self._peaks):
            n_known = len(self._peaks)
            found = (pid for pid, parent in parents.items() if parent in self._peaks)
            self._peaks |= {pid: 0 for pid in found if pid not in self._peaks}


def _status(pid: int) -> dict[str, int]:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return {}  # it has ended
    return {name: int(value) for name, value in _FIELD.findall(text)}
