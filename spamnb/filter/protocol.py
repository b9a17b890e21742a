"""What every filter can do, whatever it judges by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from spamnb.filter.verdict import Verdict
from spamnb.mail.message import Message
from spamnb.text.analyzer import AnalyzerConfig


class Filter(Protocol):
    """Gives verdicts on messages; can be pickled to another process."""

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
