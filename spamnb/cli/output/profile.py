"""Where the time of a command goes, stage by stage: ``classify --profile``.

A sample of the stack is taken every few milliseconds of processor time, and belongs to the stage of
the innermost function of spamnb.  So nothing is slowed down, and the stages need no marks in the
code.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from types import FrameType

from spamnb.cli.process import say

STAGES = {
    "read": ("mail.sources", "mail.mbox", "mail.corpora", "mail.compressed",
             "cli.options.inputs"),
    "parse": ("mail.parser", "mail.fields", "mail.headers", "mail.parameters", "mail.multipart",
              "mail.message", "mail.foreign"),
    "decode": ("mail.transfer", "mail.charsets"),
    "HTML": ("text.html", "text.tags", "text.css"),
    "tokenize": ("text",),
    "look up": ("filter.table", "text.fingerprints"),
    "score": ("filter.table_filter", "filter.verdict",
              "filter.spam_filter", "bayes", "features"),
    "write": ("cli",),
}  # fmt: skip
"""The modules of each stage; of several that fit, the longest name counts."""

_OTHER = "other"
_INTERVAL = 0.001
# The timer of many systems ticks every 4 ms only, so this is half a second.
_LEAST_SAMPLES = 100
_PACKAGE = "spamnb."


class Profile:
    """Samples of what a process does, from `start` to `stop`.

    Attributes
    ----------
    samples : Counter of str
        How many samples each stage has.
    """

    def __init__(self) -> None:
        self.samples: Counter[str] = Counter()

    def start(self) -> None:
        """Begin to take samples; in the main thread of a process."""
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, _INTERVAL, _INTERVAL)

    def stop(self) -> None:
        """Take no more samples."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def shares(self) -> dict[str, float]:
        """Return the share of each stage, in the order in which a mail goes through them."""
        total = sum(self.samples.values())
        stages = (*STAGES, _OTHER)
        return {stage: self.samples[stage] / total for stage in stages} if total else {}

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        while frame is not None:
            name = str(frame.f_globals.get("__name__", ""))
            # A memo works for whoever looks something up in it.
            if name.startswith(_PACKAGE) and name != "spamnb.memo":
                self.samples[stage_of(name)] += 1
                return
            frame = frame.f_back
        self.samples[_OTHER] += 1


@contextmanager
def profiled() -> Iterator[None]:
    """Say on standard error where the time of what is done inside went."""
    from spamnb.cli.output import tables

    profile = Profile()
    before = process_time()
    profile.start()
    try:
        yield
    finally:
        profile.stop()
    if sum(profile.samples.values()) < _LEAST_SAMPLES:
        say("too little time was spent to tell where: profile some hundreds of mails")
    else:
        tables.profile(profile.shares(), process_time() - before)


def stage_of(module: str) -> str:
    """Return the stage of a module of spamnb, such as ``spamnb.mail.parser``."""
    name = module.removeprefix(_PACKAGE)
    fitting = [
        (len(part), stage)
        for stage, parts in STAGES.items()
        for part in parts
        if name == part or name.startswith(f"{part}.")
    ]
    return max(fitting)[1] if fitting else _OTHER
