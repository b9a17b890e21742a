"""What the rest of spamnb sees of a mail: plain, frozen and total data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from spamnb.mail.defects import Defect

# Delivery status reports are written for people too (RFC 3464).
TEXT_TYPES = ("text/", "message/delivery-status", "message/disposition-notification")
"""Prefixes of the content types whose text a person reads."""

Headers = tuple[tuple[str, str], ...]
"""Names and values of header fields, in order."""


class Part(NamedTuple):
    """One MIME entity; every attribute is total.

    Attributes
    ----------
    content_type : str
        ``type/subtype``, lower-case; ``text/plain`` where nothing valid is declared.
    charset : str
        The declared charset, lower-case, or ``""``.
    transfer_encoding : str
        The declared transfer encoding, lower-case, or ``""``.
    disposition : str
        ``inline``, ``attachment``, another token, or ``""``.
    filename : str
        The name from Content-Disposition or Content-Type, or ``""``.
    text : str
        The decoded text of a part that a person reads, the subject of an attached mail, ``""`` for
        others.
    depth : int
        0 for the mail itself.
    read_as : str
        The codec that the text was decoded with, ``""`` where nothing was.
    size : int or None
        Bytes of the content without its transfer encoding (counted without decoding, see
        `spamnb.mail.transfer.decoded_size`); None for a file inside a text.
    """

    content_type: str
    charset: str = ""
    transfer_encoding: str = ""
    disposition: str = ""
    filename: str = ""
    text: str = ""
    depth: int = 0
    read_as: str = ""
    size: int | None = None

    @property
    def is_attachment(self) -> bool:
        """Whether a mail program offers to save it: a named file, or anything that is not text."""
        if self.content_type.startswith("multipart/"):
            return False
        return bool(self.filename) or self.disposition == "attachment" or not self.is_text

    @property
    def is_text(self) -> bool:
        """Whether it is text for a person to read."""
        return self.content_type.startswith(TEXT_TYPES)


class Message(NamedTuple):
    """A mail as the rest of spamnb sees it; every attribute is total.

    Attributes
    ----------
    headers : tuple of (str, str)
        Names as in the mail and decoded values, in order, of the mail itself; without the verdicts
        of spam filters.
    parts : tuple of Part
        All entities in the order of the mail, the mail itself first.
    defects : tuple of Defect
        What was wrong, each kind once, sorted.
    """

    headers: Headers = ()
    parts: tuple[Part, ...] = ()
    defects: tuple[Defect, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> Message:
        """Make a message of a text without headers, such as an SMS."""
        return cls(parts=(Part("text/plain", text=text),))

    @property
    def attachments(self) -> Iterator[Part]:
        """The parts that a mail program offers to save, not those that it shows as text."""
        return (part for part in self.parts if part.is_attachment)

    @property
    def subject(self) -> str:
        """The first Subject, or ``""``."""
        return next(self.header_values("subject"), "")

    def header_values(self, name: str) -> Iterator[str]:
        """Yield the values of all fields of a name, in any case, in order."""
        wanted = name.lower()
        return (value for field, value in self.headers if field.lower() == wanted)
