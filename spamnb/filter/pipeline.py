"""Raw mails → verdicts, in order, on one process or several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from spamnb.filter.processes import in_order
from spamnb.filter.verdict import Verdict
from spamnb.mail.defects import Defect
from spamnb.mail.limits import Limits
from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.mail.sources import LabeledMail, RawMail

if TYPE_CHECKING:
    from spamnb.filter.protocols import Filter


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


def judge_batches(
    mails: Iterable[LabeledMail], spam_filter: Filter, jobs: int | None = 1
) -> Iterator[list[Judged]]:
    """Yield the verdicts on mails in batches, in the order of the mails; see `in_order`."""
    return in_order(mails, _Judging(spam_filter), jobs)


class _Judging:
    """Turns mails into verdicts."""

    def __init__(self, spam_filter: Filter) -> None:
        self._filter = spam_filter

    def __call__(self, batch: list[LabeledMail]) -> list[Judged]:
        limits = self._filter.config.limits
        messages = [read_message(mail, limits) for _, mail in batch]
        rows = zip(batch, messages, self._filter.classify_all(messages), strict=True)
        return [Judged(mail.source, message.defects, said) for (_, mail), message, said in rows]

    def send(self, results: list[Judged]) -> list[tuple[Any, ...]]:
        # Plain tuples: pickle takes ten times as long for each named one.
        return [(source, defects, *verdict) for source, defects, verdict in results]

    def receive(self, sent: list[tuple[Any, ...]]) -> list[Judged]:
        return [Judged(source, defects, Verdict(*said)) for source, defects, *said in sent]
