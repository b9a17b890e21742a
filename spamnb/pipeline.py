"""Raw mails → their tokens or verdicts, in order, on one process or several."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from spamnb.compiled import CompiledFilter
from spamnb.errors import ParameterError, WorkerError
from spamnb.mail.defects import Defect
from spamnb.mail.limits import Limits
from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.mail.sources import LabelledMail, RawMail
from spamnb.native import compiled_twin
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.verdict import Verdict

if TYPE_CHECKING:
    from spamnb.bulk import BulkJudge
    from spamnb.features.counted import CountedTokens, NewTokens, TokenReceiver, TokenSender
    from spamnb.native_filter import NativeFilter

T = TypeVar("T")

# Large enough that sending a batch to another process costs little beside the work in it, small
# enough that a few batches are little memory.
_MOST_MAILS = 64
_MOST_BYTES = 1 << 20
_FEW_BATCHES = 5
# Mails are counted over one list of tokens until it is so long, 25 MB.
_MOST_SHARED = 1 << 18
# So many mails in a batch are judged together.  numpy, which that takes, is loaded in the time of
# a hundred mails (2026-11).
_BULK = 32


class Document(NamedTuple):
    """A mail after analysis.

    Attributes
    ----------
    source : str
        Where the mail came from.
    label : str
        Its label, ``""`` for mail of unknown label.
    tokens : CountedTokens
        Its tokens.
    defects : tuple of Defect
        What was wrong with it.
    """

    source: str
    label: str
    tokens: CountedTokens
    defects: tuple[Defect, ...]


class Judged(NamedTuple):
    """A mail that was judged.

    Attributes
    ----------
    source : str
        Where the mail came from.
    defects : tuple of Defect
        What was wrong with it.
    verdict : Verdict
        The verdict.
    """

    source: str
    defects: tuple[Defect, ...]
    verdict: Verdict


def read_message(mail: RawMail, limits: Limits | None = None) -> Message:
    """Return the message of a raw mail, or of a text without headers."""
    if mail.is_text:
        return Message.from_text(mail.data.decode("utf-8", "replace"))
    return parse(mail.data, limits)


def analyze(
    mails: Iterable[LabelledMail], config: AnalyzerConfig, jobs: int | None = 1
) -> Iterator[Document]:
    """Yield the documents of mails, in the order of the mails; see `analyze_batches`."""
    for batch in analyze_batches(mails, config, jobs):
        yield from batch


def analyze_batches(
    mails: Iterable[LabelledMail], config: AnalyzerConfig, jobs: int | None = 1
) -> Iterator[list[Document]]:
    """Yield the documents of mails in batches, in the order of the mails.

    The first batches are small, so that the first results come at once.

    Parameters
    ----------
    mails : iterable of LabelledMail
        The mails; never more than a few batches of them are in memory.
    config : AnalyzerConfig
        How messages become tokens.
    jobs : int, optional
        How many processes work; None for one per core.  A small number of mails is not worth a
        second process and gets none.

    Yields
    ------
    list of Document

    Raises
    ------
    ParameterError
        When ``jobs`` is less than 1.
    WorkerError
        When a process ends before its work is done.
    """
    return _in_order(mails, _Analyzing(Analyzer(config)), jobs)


def judge_batches(
    mails: Iterable[LabelledMail], compiled: CompiledFilter, jobs: int | None = 1
) -> Iterator[list[Judged]]:
    """Yield the verdicts on mails in batches, in the order of the mails; see `analyze_batches`.

    The processes map the same table, so that it is in memory once.
    """
    return _in_order(mails, _Judging(compiled), jobs)


def judge(mail: RawMail, compiled: CompiledFilter) -> Judged:
    """Return the verdict on a raw mail."""
    message = read_message(mail, compiled.analyzer.config.limits)
    return Judged(mail.source, message.defects, compiled.classify(message))


class _Work(Generic[T]):
    """What becomes of a batch of mails, in this process or in another."""

    def __call__(self, batch: list[LabelledMail]) -> list[T]:
        """Work on a batch."""
        raise NotImplementedError

    def send(self, results: list[T]) -> Any:
        """Return what to send of the results from another process."""
        return results

    def receive(self, sent: Any) -> list[T]:
        """Return the results of what was sent; in the order in which each process sent it."""
        return cast("list[T]", sent)


class _Analyzing(_Work[Document]):
    """Turns mails into documents, which share the lists of their tokens."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._count: Callable[[Message], CountedTokens] | None = None
        self._n_shared = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as what it was when it was new."""
        return _Analyzing, (self._analyzer,)

    def __call__(self, batch: list[LabelledMail]) -> list[Document]:
        if self._count is None or self._n_shared > _MOST_SHARED:
            self._count = self._counter()
        documents = []
        for label, mail in batch:
            message = read_message(mail, self._analyzer.config.limits)
            documents.append(Document(mail.source, label, self._count(message), message.defects))
        self._n_shared = len(documents[-1].tokens.shared)
        return documents

    def send(self, results: list[Document]) -> tuple[list[Document], NewTokens]:
        return results, self._sender([document.tokens for document in results])

    def receive(self, sent: tuple[list[Document], NewTokens]) -> list[Document]:
        documents, new = sent
        self._receiver((document.tokens for document in documents), new)
        return documents

    @cached_property
    def _sender(self) -> TokenSender:
        from spamnb.features.counted import TokenSender

        return TokenSender()

    @cached_property
    def _receiver(self) -> TokenReceiver:
        from spamnb.features.counted import TokenReceiver

        return TokenReceiver()

    def _counter(self) -> Callable[[Message], CountedTokens]:
        """Return what counts the tokens of messages over a new list."""
        config = self._analyzer.config
        twin = compiled_twin("spamnb.text.keys.CountingAnalyzer") if config.has_twin else None
        if twin is not None:
            return cast("Callable[[Message], CountedTokens]", twin(config))
        from spamnb.features.counted import TokenCounter

        counter = TokenCounter()
        return lambda message: counter(self._analyzer.analyze(message))


class _Judging(_Work[Judged]):
    """Turns mails into verdicts."""

    def __init__(self, compiled: CompiledFilter) -> None:
        self._compiled = compiled

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as what a filter can be built from there."""
        return _Judging, (self._compiled,)

    def __call__(self, batch: list[LabelledMail]) -> list[Judged]:
        limits = self._compiled.analyzer.config.limits
        messages = [read_message(mail, limits) for _, mail in batch]
        verdicts = self._verdicts(messages)
        return [
            Judged(mail.source, message.defects, verdict)
            for (_, mail), message, verdict in zip(batch, messages, verdicts, strict=True)
        ]

    def _verdicts(self, messages: list[Message]) -> list[Verdict]:
        if self._native is not None:
            return list(map(self._native.classify, messages))
        if len(messages) < _BULK:
            return list(map(self._compiled.classify, messages))
        return self._bulk.judge(list(map(self._compiled.analyzer.groups, messages)))

    @cached_property
    def _native(self) -> NativeFilter | None:
        config = self._compiled.analyzer.config
        twin = compiled_twin("spamnb.native_filter.NativeFilter") if config.has_twin else None
        return twin and cast("NativeFilter", twin(self._compiled))

    @cached_property
    def _bulk(self) -> BulkJudge:
        from spamnb.bulk import BulkJudge  # loads numpy, which a few mails need not wait for

        return BulkJudge(self._compiled)


def _in_order(mails: Iterable[LabelledMail], work: _Work[T], jobs: int | None) -> Iterator[list[T]]:
    """Yield what becomes of each batch of mails, in the order of the mails."""
    if jobs is not None and jobs < 1:
        raise ParameterError("jobs", "a whole number ≥ 1", jobs)
    batches = _batches(mails)
    jobs = jobs or _n_cores()
    if jobs == 1:
        yield from map(work, batches)
        return
    few: Iterable[list[LabelledMail]] = islice(batches, _FEW_BATCHES)
    if _start_method() == "fork":  # the processes then have all that these batches have loaded
        yield from map(work, few)
    few = list(few)
    following = next(batches, None)
    if following is None:
        yield from map(work, few)
    else:
        yield from _in_processes(few, chain([following], batches), work, jobs)


def _in_processes(
    few: Iterable[list[LabelledMail]],
    batches: Iterator[list[LabelledMail]],
    work: _Work[T],
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
            under_way += (executor.submit(_work, batch) for batch in islice(batches, 2 * jobs))
            yield from map(work, few)
            for batch in batches:
                under_way.append(executor.submit(_work, batch))
                yield work.receive(under_way.popleft().result())
            while under_way:
                yield work.receive(under_way.popleft().result())
        except BrokenProcessPool:
            raise WorkerError from None
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _n_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _batches(mails: Iterable[LabelledMail]) -> Iterator[list[LabelledMail]]:
    """Yield mails in batches of 1, 2, 4 and so on, up to so many mails or so many bytes."""
    batch: list[LabelledMail] = []
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
_COLLECT_AFTER = 50_000
_worker: _Work[Any]


def _start_method() -> str:
    """Return how processes are made: forked, which saves .1 s, where there are no other threads.

    numpy starts some; and on a Mac the system's own libraries cannot be forked.
    """
    import threading

    is_alone = threading.active_count() == 1 and "numpy" not in sys.modules
    return "fork" if is_alone and sys.platform == "linux" else "spawn"


def _start_worker(work: _Work[Any]) -> None:
    global _worker
    import gc
    import signal

    # Hardly anything of a mail is in a cycle: a fortieth of the time went into looking (2026-11).
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent tells of the interruption
    _worker = work


def _work(batch: list[LabelledMail]) -> Any:
    return _worker.send(_worker(batch))
