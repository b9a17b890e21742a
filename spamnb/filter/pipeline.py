"""Raw mails → their tokens or verdicts, in order, on one process or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from spamnb.filter.table_filter import CompiledFilter
from spamnb.filter.verdict import Verdict
from spamnb.mail.defects import Defect
from spamnb.mail.limits import Limits
from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.mail.sources import LabelledMail, RawMail
from spamnb.native.twins import compiled_twin
from spamnb.text.analyzer import Analyzer, AnalyzerConfig

if TYPE_CHECKING:
    from spamnb.filter.native_filter import NativeFilter
    from spamnb.text.counted import CountedTokens, NewTokens, TokenReceiver, TokenSender

# Mails are counted over one list of tokens until it is so long, 25 MB.
_MOST_SHARED = 1 << 18


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
    from spamnb.filter.processes import in_order  # not for a single mail

    return in_order(mails, _Analyzing(Analyzer(config)), jobs)


def judge_batches(
    mails: Iterable[LabelledMail], compiled: CompiledFilter, jobs: int | None = 1
) -> Iterator[list[Judged]]:
    """Yield the verdicts on mails in batches, in the order of the mails; see `analyze_batches`.

    The processes map the same table, so that it is in memory once.
    """
    from spamnb.filter.processes import in_order  # not for a single mail

    return in_order(mails, _Judging(compiled), jobs)


def judge(mail: RawMail, compiled: CompiledFilter) -> Judged:
    """Return the verdict on a raw mail."""
    message = read_message(mail, compiled.analyzer.config.limits)
    return Judged(mail.source, message.defects, compiled.classify(message))


class _Analyzing:
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
        from spamnb.text.counted import TokenSender

        return TokenSender()

    @cached_property
    def _receiver(self) -> TokenReceiver:
        from spamnb.text.counted import TokenReceiver

        return TokenReceiver()

    def _counter(self) -> Callable[[Message], CountedTokens]:
        """Return what counts the tokens of messages over a new list."""
        config = self._analyzer.config
        twin = compiled_twin("spamnb.text.keys.CountingAnalyzer") if config.has_twin else None
        if twin is not None:
            return cast("Callable[[Message], CountedTokens]", twin(config))
        from spamnb.text.counted import TokenCounter

        counter = TokenCounter()
        return lambda message: counter(self._analyzer.analyze(message))


class _Judging:
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

    def send(self, results: list[Judged]) -> list[tuple[Any, ...]]:
        # Plain tuples: pickle takes ten times as long for each named one.
        return [(source, defects, *verdict) for source, defects, verdict in results]

    def receive(self, sent: list[tuple[Any, ...]]) -> list[Judged]:
        return [Judged(source, defects, Verdict(*said)) for source, defects, *said in sent]

    def _verdicts(self, messages: list[Message]) -> list[Verdict]:
        if self._native is not None:
            return list(map(self._native.classify, messages))
        return list(map(self._compiled.classify, messages))

    @cached_property
    def _native(self) -> NativeFilter | None:
        config = self._compiled.analyzer.config
        twin = (
            compiled_twin("spamnb.filter.native_filter.NativeFilter") if config.has_twin else None
        )
        return twin and cast("NativeFilter", twin(self._compiled))
