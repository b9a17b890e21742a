"""How much of a mail is read."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """How much of one mail is read; the rest is left unread and recorded as a defect.

    Attributes
    ----------
    raw_bytes : int
        Bytes of the mail, still encoded.
    text_bytes : int
        Bytes of decoded text, all parts together.
    parts : int
        Entities, multiparts included.
    depth : int
        Levels of nesting.
    header_bytes : int
        Bytes of one header field.
    header_lines : int
        Lines of the headers of one entity.
    """

    raw_bytes: int = 32 << 20
    text_bytes: int = 2 << 20
    parts: int = 1_000
    depth: int = 100
    header_bytes: int = 1 << 16
    header_lines: int = 10_000
