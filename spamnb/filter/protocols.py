"""What every filter can do, whatever it judges by, and every kind of work on batches of mails."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from spamnb.filter.verdict import Verdict
from spamnb.mail.message import Message
from spamnb.mail.sources import LabeledMail
from spamnb.text.analyzer import AnalyzerConfig

T = TypeVar("T")


class Filter(Protocol):
    """Classifies messages; can be pickled to another process."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that it was trained on, sorted; a verdict has one of them, or is unsure."""

    @property
    def config(self) -> AnalyzerConfig:
        """How it reads a mail."""

    def classify(self, message: Message) -> Verdict:
        """Return the verdict on a message."""

    def classify_all(self, messages: Iterable[Message]) -> list[Verdict]:
        """Return the verdict on each of some messages: the same as on each alone."""


class Work(Protocol[T]):
    """Work on a batch of mails, in this process or in another."""

    def __call__(self, batch: list[LabeledMail]) -> list[T]:
        """Work on a batch."""

    def send(self, results: list[T]) -> Any:
        """Return what to send of the results from another process."""

    def receive(self, sent: Any) -> list[T]:
        """Return the results of what was sent; in the order in which each process sent it."""
