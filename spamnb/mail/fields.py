"""The block of header fields of an entity (RFC 5322, section 2.2) → `Entity`.

The fields themselves are parsed by the standard library (compat32, the policy that keeps what it
finds; ``policy=default`` raises on real mail and takes 30 times as long); where the block ends, and
how much of it is read, is decided here.
"""

from __future__ import annotations

import re
from email.parser import HeaderParser
from email.policy import compat32
from typing import NamedTuple

from spamnb.mail.defects import Defect
from spamnb.mail.limits import Limits
from spamnb.mail.parameters import Parameter, parameters

_PARSER = HeaderParser(policy=compat32)

_HEADER_LINE = re.compile(rb"[!-9;-~]+[ \t]*:")
# Old mail has "Subject : text", which the standard library takes for the end of the headers.
_SPACE_BEFORE_COLON = re.compile(rb"^([!-9;-~]+)[ \t]+:", re.MULTILINE)

MAIL_FIELD = re.compile(
    rb"^(?:from|to|cc|subject|date|received|return-path|message-id|mime-version|content-[a-z-]+"
    rb"|reply-to|sender|delivered-to|x-[a-z0-9-]+)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
"""A field that mail has, at the beginning of a line."""


class Entity(NamedTuple):
    """The header fields of a MIME entity, each byte as one Latin-1 character."""

    fields: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str:
        """Return the first value of a field, or ``""``; names in lower case."""
        return next((value for field, value in self.fields if field.lower() == name), "")

    def parameter(self, name: str, parameter: str) -> Parameter:
        """Return a parameter of a structured field; empty where there is none."""
        return parameters(self.get(name)).get(parameter, Parameter())


def read_fields(
    data: bytes, start: int, end: int, limits: Limits, defects: set[Defect]
) -> tuple[Entity, int]:
    """Return the headers that begin at a position, and where the body begins.

    The headers end with a blank line, or before a line that is neither a field nor the
    continuation of one.  Such a line with a well-known field after it belongs to the headers
    all the same: some program has broken a long one.

    Parameters
    ----------
    data : bytes
        The mail, lines ended by newlines.
    start, end : int
        Where the entity is in it.
    limits : Limits
        How much to read.
    defects : set of Defect
        Gets what is found.

    Returns
    -------
    entity : Entity
        The fields.
    body : int
        Where the body begins.
    """
    lines: list[bytes] = []
    position = start
    room = 0
    while position < end:
        if data[position] == 0x0A:
            return _parse_fields(lines), position + 1
        line_end = data.find(b"\n", position, end) + 1 or end
        is_folded = data[position] in b" \t"
        mark = b""
        if not is_folded and not _HEADER_LINE.match(data, position, end):
            defects.add(Defect.HEADERS_UNFINISHED)
            if not (lines and MAIL_FIELD.match(data, line_end, end)):
                return _parse_fields(lines), position
            mark, is_folded = b" ", True
        if is_folded and not lines:
            defects.add(Defect.HEADERS_UNFINISHED)
            if not MAIL_FIELD.match(data, line_end, end):
                return Entity(), position
        else:
            room = room if is_folded else limits.header_bytes
            kept = min(line_end - position, room)
            if kept < line_end - position or len(lines) > limits.header_lines:
                defects.add(Defect.CUT)
            if kept and len(lines) <= limits.header_lines:
                line = data[position : position + kept].rstrip(b"\n")
                lines.append(mark + line + b"\n")
            room -= kept
        position = line_end
    return _parse_fields(lines), end


def _parse_fields(lines: list[bytes]) -> Entity:
    """Return the fields of header lines, which are all fields or continuations."""
    block = _SPACE_BEFORE_COLON.sub(rb"\1:", b"".join(lines))
    # As Latin-1, every byte is one character and nothing is lost or refused on the way.
    fields = _PARSER.parsestr(block.decode("latin-1")).raw_items()
    return Entity(tuple((name, str(value)) for name, value in fields))
