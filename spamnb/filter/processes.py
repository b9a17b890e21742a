"""Work on batches of mails, in their order, on one process or several."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from spamnb.errors import ParameterError, WorkerError
from spamnb.mail.sources import LabeledMail, RawMail

if TYPE_CHECKING:
    from spamnb.filter.protocols import Work

T = TypeVar("T")

# Large enough that sending a batch to another process costs little beside the work in it, small
# enough that a few batches are little memory.
_MOST_MAILS = 64
_MOST_BYTES = 1 << 20
_FEW_BATCHES = 4
_COLLECT_AFTER = 50_000


def in_order(mails: Iterable[LabeledMail], work: Work[T], jobs: int | None) -> Iterator[list[T]]:
    """Yield what becomes of each batch of mails, in the order of the mails.

    The first batches are small, so that the first results come at once, and are worked on in this
    process: a small number of mails is not worth a second one.  In other processes the work is what
    it is when it is sent, so that they map the same table.

    Parameters
    ----------
    mails : iterable of LabeledMail
        Never more than a few batches of them are in memory.
    work : Work
        What is to be done; goes to the other processes.
    jobs : int or None
        How many processes work; None for one per core.

    Raises
    ------
    ParameterError
        When ``jobs`` is less than 1.
    WorkerError
        When a process ends before its work is done.
    """
    if jobs is not None and jobs < 1:
        raise ParameterError("jobs", "a whole number ≥ 1", jobs)
    batches = _batches(mails)
    yield from map(work, islice(batches, 1))
    second = next(batches, None)
    if second is None:  # a single mail needs nothing of what follows
        return
    batches = chain([second], batches)
    if jobs is None:
        from spamnb.system.threads import n_cores

        jobs = n_cores()
    if jobs == 1:
        yield from map(work, batches)
        return
    few: Iterable[list[LabeledMail]] = islice(batches, _FEW_BATCHES)
    if _start_method() == "fork":  # the processes then have all that these batches have loaded
        yield from map(work, few)
    few = list(few)
    following = next(batches, None)
    if following is None:
        yield from map(work, few)
    else:
        yield from _in_processes(few, chain([following], batches), work, jobs)


def _in_processes(
    few: Iterable[list[LabeledMail]],
    batches: Iterator[list[LabeledMail]],
    work: Work[T],
    jobs: int,
) -> Iterator[list[T]]:
    """Work on batches in processes of their own, with a few batches under way for each.

    While they start, this process works on the first few.
    """
    import multiprocessing
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    context = multiprocessing.get_context(_start_method())
    with ProcessPoolExecutor(jobs, context, _start_worker, (work,)) as executor:
        under_way: deque[Future[Any]] = deque()
        try:
            rows = map(_rows, batches)
            under_way += (executor.submit(_work, batch) for batch in islice(rows, 2 * jobs))
            yield from map(work, few)
            for batch in rows:
                under_way.append(executor.submit(_work, batch))
                yield work.receive(under_way.popleft().result())
            while under_way:
                yield work.receive(under_way.popleft().result())
        except BrokenProcessPool:
            raise WorkerError from None
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _batches(mails: Iterable[LabeledMail]) -> Iterator[list[LabeledMail]]:
    """Yield mails in batches of 1, 2, 4 and so on, up to a maximum number of mails or bytes."""
    batch: list[LabeledMail] = []
    most, size = 1, 0
    for mail in mails:
        batch.append(mail)
        size += len(mail.mail.data)
        if len(batch) >= most or size >= _MOST_BYTES:
            yield batch
            batch, size = [], 0
            most = min(2 * most, _MOST_MAILS)
    if batch:
        yield batch


# What each worker process does, set when it starts.
_worker: Work[Any]


def _start_method() -> str:
    """Return how processes are made: forked, which saves .1 s, where there are no other threads.

    numpy starts some; and on a Mac the system's own libraries cannot be forked.
    """
    import threading

    is_alone = threading.active_count() == 1 and "numpy" not in sys.modules
    return "fork" if is_alone and sys.platform == "linux" else "spawn"


def _start_worker(work: Work[Any]) -> None:
    global _worker
    import gc
    import signal

    # Hardly anything of a mail is in a cycle: a fortieth of the time went into looking (2026-11).
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent reports the interruption
    _worker = work


def _rows(batch: list[LabeledMail]) -> list[tuple[Any, ...]]:
    """Return mails as plain tuples: pickle takes ten times as long for each named one."""
    return [(label, *mail) for label, mail in batch]


def _work(rows: list[tuple[Any, ...]]) -> Any:
    batch = [LabeledMail(label, RawMail(*mail)) for label, *mail in rows]
    return _worker.send(_worker(batch))
