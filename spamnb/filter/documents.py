"""Raw mails → their tokens, in order, on one process or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from spamnb.filter.pipeline import read_message
from spamnb.filter.processes import in_order
from spamnb.mail.defects import Defect
from spamnb.mail.message import Message
from spamnb.mail.sources import LabeledMail
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.text.counted import CountedTokens, NewTokens, TokenReceiver, TokenSender
from spamnb.text.counting import MOST_SHARED, make_counter


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


def analyze(
    mails: Iterable[LabeledMail], config: AnalyzerConfig, jobs: int | None = 1
) -> Iterator[Document]:
    """Yield the documents of mails, in the order of the mails; see `analyze_batches`."""
    for batch in analyze_batches(mails, config, jobs):
        yield from batch


def analyze_batches(
    mails: Iterable[LabeledMail], config: AnalyzerConfig, jobs: int | None = 1
) -> Iterator[list[Document]]:
    """Yield the documents of mails in batches, in the order of the mails; see `in_order`.

    Parameters
    ----------
    mails : iterable of LabeledMail
        The mails.
    config : AnalyzerConfig
        How messages become tokens.
    jobs : int, optional
        How many processes work; None for one per core.
    """
    return in_order(mails, _Analyzing(config), jobs)


class _Analyzing:
    """Turns mails into documents, which share the lists of their tokens."""

    def __init__(self, config: AnalyzerConfig) -> None:
        self._config = config
        self._count: Callable[[Message], CountedTokens] | None = None
        self._n_shared = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a new object."""
        return _Analyzing, (self._config,)

    def __call__(self, batch: list[LabeledMail]) -> list[Document]:
        if self._count is None or self._n_shared > MOST_SHARED:
            self._count = make_counter(self._config)
        documents = []
        for label, mail in batch:
            message = read_message(mail, self._config.limits)
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
        return TokenSender()

    @cached_property
    def _receiver(self) -> TokenReceiver:
        return TokenReceiver()
