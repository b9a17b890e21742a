"""The block of header fields of an entity (RFC 5322, section 2.2) → `Entity`.

Not the standard library's parser: importing it takes 22 ms, parsing a mail .15 ms, and its
``policy=default`` raises on real mail (2026-11).
"""

from __future__ import annotations

from spamnb.mail.defects import Defect
from spamnb.mail.limits import Limits
from spamnb.mail.parameters import Parameter, parameters
from spamnb.native.twins import has_twin
from spamnb.patterns import lazy_pattern

# A name (old mail has white space after it), then a value, which continues on the next line if that
# begins with white space.
_FIELD = lazy_pattern(rb"([!-9;-~]+)[ \t]*:[ \t]*([^\n]*(?:\n[ \t][^\n]*)*)(?:\n|\Z)")
_NEWLINE = 0x0A

_MAIL_FIELDS = frozenset({"from", "to", "cc", "subject", "date", "received", "return-path",
                          "message-id", "mime-version", "reply-to", "sender",
                          "delivered-to"})  # fmt: skip
_NAME = lazy_pattern(rb"([!-9;-~]+)[ \t]*:")


def is_mail_field(name: str) -> bool:
    """Return whether a field is one that mail has, rather than the beginning of a plain text."""
    name = name.lower()
    prefix, _, rest = name.partition("-")
    word = rest.replace("-", "a")
    return (
        name in _MAIL_FIELDS
        or (prefix == "content" and word.isalpha())
        or (prefix == "x" and word.isalnum())
    ) and name.isascii()


class Entity:
    """The header fields of a MIME entity.

    Parameters
    ----------
    fields : list of (str, bytes)
        The names and the values, folded as in the mail.
    """

    def __init__(self, fields: list[tuple[str, bytes]]) -> None:
        self.fields = fields
        self._first = {name.lower(): value for name, value in reversed(fields)}

    def get(self, name: str) -> bytes:
        """Return the first value of a field, or ``b""``; ``name`` is lower-case."""
        return self._first.get(name, b"")

    def text(self, name: str) -> str:
        """Return the first value of a field, each byte as one Latin-1 character, or ``""``."""
        return self.get(name).decode("latin-1")

    def parameter(self, name: str, parameter: str) -> Parameter:
        """Return a parameter of a structured field; empty where there is none."""
        return parameters(self.text(name)).get(parameter, Parameter())


def read_fields(
    data: bytes, start: int, end: int, limits: Limits, defects: set[Defect]
) -> tuple[Entity, int]:
    """Return the headers that begin at a position, and where the body begins.

    The headers end with a blank line, or before a line that is neither a field nor the
    continuation of one.  If a well-known field follows such a line, it still belongs to the
    headers: some program broke a long field.

    Parameters
    ----------
    data : bytes
        The mail, lines ended by newlines.
    start, end : int
        Where the entity is in it.
    limits : Limits
        How much to read.
    defects : set of Defect
        The defects found are added to it.

    Returns
    -------
    entity : Entity
        The fields.
    body : int
        Where the body begins.
    """
    fields, position, n_lines = plain_fields(
        data, start, end, limits.header_bytes, limits.header_lines
    )
    while position < end:
        if data[position] == _NEWLINE:
            return Entity(fields), position + 1
        match = _FIELD.match(data, position, end)
        if match is None:
            defects.add(Defect.HEADERS_UNFINISHED)
            line_end = data.find(b"\n", position, end) + 1 or end
            is_broken = bool(fields) or data[position] in b" \t"
            if not (is_broken and _is_mail_field_at(data, line_end, end)):
                break
            if fields and len(fields[-1][1]) < limits.header_bytes:
                last, value = fields[-1]
                fields[-1] = last, (value + b"\n " + data[position:line_end])[: limits.header_bytes]
            position = line_end
            continue
        name, value = match.groups()
        n_lines += 1 + value.count(b"\n")
        room = max(0, limits.header_bytes - (match.start(2) - position))
        if len(value) > room or n_lines > limits.header_lines:
            defects.add(Defect.CUT)
            value = value[:room]
        if n_lines <= limits.header_lines:
            # As Latin-1, every byte is one character and nothing is lost or refused on the way.
            fields.append((name[: limits.header_bytes].decode("latin-1"), value))
        position = match.end()
    return Entity(fields), position


@has_twin
def plain_fields(
    data: bytes, start: int, end: int, header_bytes: int, header_lines: int
) -> tuple[list[tuple[str, bytes]], int, int]:
    """Return the leading fields that are well formed and within the limits.

    Parameters
    ----------
    data : bytes
        The mail.
    start, end : int
        Where the entity is in it.
    header_bytes, header_lines : int
        Of `spamnb.mail.limits.Limits`.

    Returns
    -------
    fields : list of (str, bytes)
        Names and values.
    position : int
        Where the first line begins that was not read.
    n_lines : int
        How many lines the fields take.
    """
    fields: list[tuple[str, bytes]] = []
    position, n_lines = start, 0
    while position < end and (match := _FIELD.match(data, position, end)):
        name, value = match.groups()
        n_more = 1 + value.count(b"\n")
        if match.end(2) - position > header_bytes or n_lines + n_more > header_lines:
            break
        n_lines += n_more
        fields.append((name.decode("latin-1"), value))
        position = match.end()
    return fields, position, n_lines


def _is_mail_field_at(data: bytes, start: int, end: int) -> bool:
    match = _NAME.match(data, start, end)
    return match is not None and is_mail_field(match[1][:100].decode("latin-1"))
