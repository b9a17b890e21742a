"""A mail as the filter reads it, as plain data: what ``spamnb show`` prints."""

from __future__ import annotations

from typing import TypedDict

from spamnb.mail.message import Message
from spamnb.text.analyzer import Analyzer
from spamnb.text.letters import without_invisible
from spamnb.text.links import host_at
from spamnb.text.reading import read


class ShownLink(TypedDict):
    """A place that a mail leads to, its host, and what a reader sees of it."""

    url: str
    host: str
    text: str


class ShownFile(TypedDict):
    """An attachment; the size is in bytes, None where it is not known."""

    name: str
    type: str
    size: int | None


class ShownCharset(TypedDict):
    """The content type of a text part, its declared charset, and how it was read."""

    part: str
    declared: str
    read_as: str


class ShownDefect(TypedDict):
    """A kind of defect, and what was done about it."""

    name: str
    remedy: str


# Not as a class, since "from" is no name of an attribute.
ShownMail = TypedDict(
    "ShownMail",
    {
        "source": str,
        "subject": str,
        "from": str,
        "text": str,
        "hidden": str,
        "links": list[ShownLink],
        "attachments": list[ShownFile],
        "charsets": list[ShownCharset],
        "defects": list[ShownDefect],
        "tokens": dict[str, list[str]],
    },
)
"""One mail, with the keys of ``spamnb show --json``."""


def shown(source: str, message: Message, analyzer: Analyzer) -> ShownMail:
    """Return what is read in a mail.

    Parameters
    ----------
    source : str
        Where the mail came from.
    message : Message
        The mail.
    analyzer : Analyzer
        Makes the tokens.
    """
    reading = read(message)
    groups = analyzer.groups(message)
    return {
        "source": source,
        "subject": reading.subject,
        "from": next(message.header_values("from"), ""),
        "text": "\n".join(reading.texts),
        "hidden": "\n".join(map(without_invisible, reading.hidden)),
        "links": [
            {"url": link.href, "host": host_at(link.href), "text": link.text}
            for link in reading.addresses()
        ],
        "attachments": [
            {"name": part.filename, "type": part.content_type, "size": part.size}
            for part in message.attachments
        ],
        "charsets": [
            {"part": part.content_type, "declared": part.charset, "read_as": part.read_as}
            for part in message.parts
            if part.read_as
        ],
        "defects": [{"name": defect.value, "remedy": defect.remedy} for defect in message.defects],
        "tokens": {name or "body": tokens for name, tokens in groups.items() if tokens},
    }
