"""Bytes → `Message`: RFC 5322 and MIME (RFC 2045, 2046), read as far as it goes.

The headers of each entity are parsed by the standard library (compat32, the policy that keeps
what it finds; ``policy=default`` raises on real mail and takes 30 times as long).  The tree of
parts is walked here, with a stack instead of recursion, because nesting is the attacker's choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message as Entity
from email.parser import HeaderParser
from email.policy import compat32
from typing import NamedTuple

from spamnb.mail.charsets import decode
from spamnb.mail.defects import Defect
from spamnb.mail.headers import decode_header
from spamnb.mail.transfer import decode_transfer

_PARSER = HeaderParser(policy=compat32)
_HEADER_LINE = re.compile(rb"[!-9;-~]+[ \t]*:")
# Old mail has "Subject : text", which the standard library takes for the end of the headers.
_SPACE_BEFORE_COLON = re.compile(rb"^([!-9;-~]+)[ \t]+:", re.MULTILINE)
# A text that is piped in can begin like a header ("Note: ..."), so a header block counts as one
# only when it holds a field that mail has.
_MAIL_FIELD = re.compile(
    rb"^(?:from|to|cc|subject|date|received|return-path|message-id|mime-version|content-[a-z-]+"
    rb"|reply-to|sender|delivered-to|x-[a-z0-9-]+)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of one mail is read; what is beyond is left unread and recorded as a defect.

    Attributes
    ----------
    header_bytes : int
        Bytes of one header field.
    text_bytes : int
        Bytes of decoded text, all parts together.
    parts : int
        Entities, multiparts included.
    depth : int
        Levels of nesting.
    """

    header_bytes: int = 1 << 16
    text_bytes: int = 2 << 20
    parts: int = 1_000
    depth: int = 100


@dataclass(frozen=True, slots=True)
class Part:
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
        The decoded text of a ``text/*`` part, ``""`` for others.
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


@dataclass(frozen=True, slots=True)
class Message:
    """A mail as the rest of spamnb sees it; every attribute is total.

    Attributes
    ----------
    headers : tuple of (str, str)
        Names as they stand in the mail and decoded values, in order, of the mail itself.
    parts : tuple of Part
        All entities, the mail itself first, in the order in which they stand.
    defects : tuple of Defect
        What was wrong, each kind once, sorted.
    """

    headers: tuple[tuple[str, str], ...] = ()
    parts: tuple[Part, ...] = ()
    defects: tuple[Defect, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> Message:
        """Make a message of a text without headers, such as an SMS."""
        return cls(parts=(Part("text/plain", text=text),))

    @property
    def subject(self) -> str:
        """The first Subject, or ``""``."""
        return next(iter(self.header_values("subject")), "")

    def header_values(self, name: str) -> Iterator[str]:
        """Yield the values of all fields of a name, in any case, in order."""
        wanted = name.lower()
        return (value for field, value in self.headers if field.lower() == wanted)


class _Span(NamedTuple):
    """An entity that is still to be read: bytes, where in them, and what its parent says."""

    data: bytes
    start: int
    end: int
    depth: int = 0
    default_type: str = "text/plain"


def parse(data: bytes, limits: Limits | None = None) -> Message:
    """Parse the bytes of one mail, or of a plain text.  Never raises, whatever the bytes.

    Parameters
    ----------
    data : bytes
        The mail.  A leading mbox ``From `` line is passed over.  Without a block of headers that
        looks like a mail's, everything is the body.
    limits : Limits, optional
        How much of it to read.

    Returns
    -------
    Message
    """
    return _Reader(limits or Limits()).read(data)


class _Reader:
    """The state of reading one mail."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.text_left = limits.text_bytes
        self.parts: list[Part] = []
        self.defects: set[Defect] = set()

    def read(self, data: bytes) -> Message:
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\n")
        start = data.find(b"\n") + 1 if data.startswith((b"From ", b">From ")) else 0
        body = self._end_of_headers(data, start, len(data))
        if not _MAIL_FIELD.search(data, start, body):
            self.defects.discard(Defect.HEADERS_UNFINISHED)
            self.parts.append(self._part(Entity(compat32), _Span(data, 0, len(data))))
            return self._message(())
        root = self._headers(data, start, body)
        headers = tuple((name, self._value(value)) for name, value in root.raw_items())
        self._walk(root, _Span(data, body, len(data)))
        return self._message(headers)

    def _message(self, headers: tuple[tuple[str, str], ...]) -> Message:
        return Message(headers, tuple(self.parts), tuple(sorted(self.defects)))

    def _walk(self, root: Entity, span: _Span) -> None:
        """Read the tree of parts, depth first, in the order of the bytes."""
        stack: list[_Span] = []
        self._enter(root, span, stack)
        while stack:
            span = stack.pop()
            if len(self.parts) >= self.limits.parts:
                self.defects.add(Defect.CUT)
                return
            body = self._end_of_headers(span.data, span.start, span.end)
            entity = self._headers(span.data, span.start, body)
            self._enter(entity, span._replace(start=body), stack)

    def _enter(self, entity: Entity, span: _Span, stack: list[_Span]) -> None:
        """Record one entity, and push the entities inside it for reading."""
        part = self._part(entity, span)
        self.parts.append(part)
        kind = part.content_type
        if not kind.startswith(("multipart/", "message/rfc822")):
            return
        if span.depth >= self.limits.depth:
            self.defects.add(Defect.CUT)
        elif kind.startswith("multipart/"):
            inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            children = self._split(entity, span, inner)
            stack.extend(reversed(children))
        else:
            data = span.data[span.start : span.end].lstrip(b"\n")
            if part.transfer_encoding:
                data, _ = decode_transfer(data, part.transfer_encoding)
            stack.append(_Span(data, 0, len(data), span.depth + 1))

    def _split(self, entity: Entity, span: _Span, inner: str) -> list[_Span]:
        """Return the spans between the boundary lines of a multipart (RFC 2046, section 5.1.1)."""
        boundary = _parameter(entity, "content-type", "boundary")[0].rstrip()
        marker = b"--" + boundary
        children: list[_Span] = []
        start = -1
        room = self.limits.parts - len(self.parts) + 1
        for line, end in _boundary_lines(span, marker) if boundary else ():
            if start >= 0:
                stop = max(start, line - 1)
                children.append(_Span(span.data, start, stop, span.depth + 1, inner))
            start = end
            if len(children) >= room:
                return children
            if span.data[line + len(marker) : line + len(marker) + 2] == b"--":
                return children
        if start < 0:
            self.defects.add(Defect.BOUNDARY_MISSING)
            # What is there is read as text, so that nothing hides behind a wrong boundary.
            plain = self._part(Entity(compat32), span._replace(depth=span.depth + 1))
            self.parts.append(plain)
            return children
        self.defects.add(Defect.MULTIPART_UNFINISHED)
        children.append(_Span(span.data, start, span.end, span.depth + 1, inner))
        return children

    def _end_of_headers(self, data: bytes, start: int, end: int) -> int:
        """Return where the body begins: after the blank line, or at the first line of no header."""
        position = start
        while position < end:
            if data[position] == 0x0A:
                return position + 1
            is_field = _HEADER_LINE.match(data, position, end)
            if not is_field and (data[position] not in b" \t" or position == start):
                self.defects.add(Defect.HEADERS_UNFINISHED)
                return position
            line = data.find(b"\n", position, end) + 1
            if not line:
                break
            position = line
        return end

    def _headers(self, data: bytes, start: int, end: int) -> Entity:
        block = data[start:end]
        if len(block) > self.limits.header_bytes:
            block = self._cut_headers(block)
        # As Latin-1, every byte is one character and nothing is lost or refused on the way.
        return _PARSER.parsestr(_SPACE_BEFORE_COLON.sub(rb"\1:", block).decode("latin-1"))

    def _cut_headers(self, block: bytes) -> bytes:
        """Cut each header field to the limit: some of what reads it takes quadratic time."""
        fields = re.split(rb"\n(?![ \t])", block)
        limit = self.limits.header_bytes
        if any(len(field) > limit for field in fields):
            self.defects.add(Defect.CUT)
        return b"\n".join(field[:limit] for field in fields)

    def _value(self, raw: str) -> str:
        text, defects = decode_header(raw.encode("latin-1"))
        self.defects.update(defects)
        return text

    def _part(self, entity: Entity, span: _Span) -> Part:
        kind = _token(entity, "content-type")
        if not _TYPE.fullmatch(kind):
            kind = span.default_type
        charset = _parameter(entity, "content-type", "charset")[0].decode("latin-1").strip().lower()
        encoding = _token(entity, "content-transfer-encoding")
        disposition = _token(entity, "content-disposition")
        text = self._text(span, charset, encoding) if kind.startswith("text/") else ""
        return Part(kind, charset, encoding, disposition, _filename(entity), text, span.depth)

    def _text(self, span: _Span, charset: str, encoding: str) -> str:
        body = span.data[span.start : span.end]
        # No encoding is shorter than a third of its text's size ("=3D"), so more cannot matter.
        body = body[: 3 * self.text_left]
        decoded, defect = decode_transfer(body, encoding)
        if len(decoded) > self.text_left or span.end - span.start > len(body):
            self.defects.add(Defect.CUT)
            decoded = decoded[: self.text_left]
        self.text_left -= len(decoded)
        text, _, wrong = decode(decoded, charset)
        self.defects.update(found for found in (defect, wrong) if found)
        return text


def _token(entity: Entity, header: str) -> str:
    """Return the first word of a structured field, before any parameter."""
    return str(entity.get(header) or "").partition(";")[0].strip().lower()


def _parameter(entity: Entity, header: str, name: str) -> tuple[bytes, str]:
    """Return the bytes of a parameter and, where RFC 2231 declares one, their charset."""
    try:
        value = entity.get_param(name, "", header)
    except (ValueError, LookupError, TypeError):
        return b"", ""  # the standard library trips over some continuations of RFC 2231
    charset, _, text = value if isinstance(value, tuple) else ("", "", value or "")
    return text.encode("latin-1", "replace"), charset or ""


def _filename(entity: Entity) -> str:
    for header, parameter in (("content-disposition", "filename"), ("content-type", "name")):
        raw, charset = _parameter(entity, header, parameter)
        if raw:
            return decode(raw, charset).text if charset else decode_header(raw)[0]
    return ""


def _boundary_lines(span: _Span, marker: bytes) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each line that is the marker, ``--`` and white space allowed after."""
    data, position, end = span.data, span.start, span.end
    while True:
        if position == span.start and data.startswith(marker, position):
            found = position
        else:
            found = data.find(b"\n" + marker, max(position - 1, span.start), end) + 1
            if not found:
                return
        line_end = data.find(b"\n", found, end)
        line_end = end if line_end < 0 else line_end + 1
        tail = data[found + len(marker) : min(line_end, found + len(marker) + 200)]
        if not tail.removeprefix(b"--").strip():
            yield found, line_end
        position = line_end if line_end > found else found + 1
        if position >= end:
            return
