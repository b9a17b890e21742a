"""What the rest of spamnb sees of a mail: plain, frozen and total data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from spamnb.mail.defects import Defect

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
    """

    content_type: str
    charset: str = ""
    transfer_encoding: str = ""
    disposition: str = ""
    filename: str = ""
    text: str = ""
    depth: int = 0


class Message(NamedTuple):
    """A mail as the rest of spamnb sees it; every attribute is total.

    Attributes
    ----------
    headers : tuple of (str, str)
        Names as they stand in the mail and decoded values, in order, of the mail itself; without
        the verdicts of spam filters.
    parts : tuple of Part
        All entities, the mail itself first, in the order in which they stand.
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
    def subject(self) -> str:
        """The first Subject, or ``""``."""
        return next(self.header_values("subject"), "")

    def header_values(self, name: str) -> Iterator[str]:
        """Yield the values of all fields of a name, in any case, in order."""
        wanted = name.lower()
        return (value for field, value in self.headers if field.lower() == wanted)
