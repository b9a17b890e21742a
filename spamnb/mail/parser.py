"""Bytes → `Message`: RFC 5322 and MIME (RFC 2045, 2046), read as far as it goes.

The headers of each entity are parsed by the standard library (compat32, the policy that keeps
what it finds; ``policy=default`` raises on real mail and takes 30 times as long).  The tree of
parts is walked here, with a stack instead of recursion, because nesting is the attacker's choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.parser import HeaderParser
from email.policy import compat32
from typing import NamedTuple

from spamnb.mail.charsets import decode
from spamnb.mail.defects import Defect
from spamnb.mail.foreign import (
    is_verdict_field,
    split_files,
    without_report,
    without_subject_mark,
)
from spamnb.mail.headers import decode_header
from spamnb.mail.message import Message, Part
from spamnb.mail.parameters import Parameter, parameters, token
from spamnb.mail.transfer import decode_transfer

_PARSER = HeaderParser(policy=compat32)

_HEADER_LINE = re.compile(rb"[!-9;-~]+[ \t]*:")
# Old mail has "Subject : text", which the standard library takes for the end of the headers.
_SPACE_BEFORE_COLON = re.compile(rb"^([!-9;-~]+)[ \t]+:", re.MULTILINE)
_ENVELOPE_LINE = re.compile(rb">?From (?![ \t]*:)")
# A text that is piped in can begin like a header ("Note: ..."), so a header block counts as one
# only when it holds a field that mail has.
_MAIL_FIELD = re.compile(
    rb"^(?:from|to|cc|subject|date|received|return-path|message-id|mime-version|content-[a-z-]+"
    rb"|reply-to|sender|delivered-to|x-[a-z0-9-]+)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+")
_MAIL_TYPES = ("message/rfc822", "message/global", "message/news")
# Reports of delivery are written for people too (RFC 3464).
_TEXT_TYPES = ("text/", "message/delivery-status", "message/disposition-notification")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of one mail is read; what is beyond is left unread and recorded as a defect.

    Attributes
    ----------
    raw_bytes : int
        Bytes of the mail as it lies there.
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


class _Span(NamedTuple):
    """An entity that is still to be read: bytes, where in them, and what its parent says."""

    data: bytes
    start: int
    end: int
    depth: int = 0
    default_type: str = "text/plain"


class _Entity(NamedTuple):
    """The headers of an entity, each byte as one Latin-1 character."""

    fields: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str:
        """Return the first value of a field, or ``""``; names in lower case."""
        return next((value for field, value in self.fields if field.lower() == name), "")


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
        Of a mail that SpamAssassin has wrapped into a report, the original.
    """
    return _Reader(limits or Limits()).read(data)


class _Reader:
    """The state of reading one mail."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.text_left = limits.text_bytes
        self.parts: list[Part] = []
        self.defects: set[Defect] = set()
        self.has_verdict = False

    def read(self, data: bytes) -> Message:
        if len(data) > self.limits.raw_bytes:
            self.defects.add(Defect.CUT)
            data = data[: self.limits.raw_bytes]
        data = _unix_lines(data).removeprefix(b"\xef\xbb\xbf").lstrip(b"\n")
        envelope = _ENVELOPE_LINE.match(data)
        start = data.find(b"\n") + 1 if envelope else 0
        root, body = self._headers(data, start, len(data))
        if not _MAIL_FIELD.search(data, start, body):
            self.defects.discard(Defect.HEADERS_UNFINISHED)
            self._add(_Entity(), _Span(data, 0, len(data)))
            return self._message(())
        span = _Span(data, body, len(data))
        self.has_verdict = any(is_verdict_field(name) for name, _ in root.fields)
        others: list[_Span] = []
        if self.has_verdict:
            root, span, others = self._unwrapped(root, span)
        headers = tuple(
            (name, self._value(name, value))
            for name, value in root.fields
            if not is_verdict_field(name)
        )
        self._walk(root, span)
        self._read_all(others)
        return self._message(headers)

    def _message(self, headers: tuple[tuple[str, str], ...]) -> Message:
        return Message(headers, tuple(self.parts), tuple(sorted(self.defects)))

    def _value(self, name: str, raw: str) -> str:
        text, defects = decode_header(raw.encode("latin-1"))
        self.defects.update(defects)
        return without_subject_mark(text) if name.lower() == "subject" else text

    # The tree of parts

    def _walk(self, root: _Entity, span: _Span) -> None:
        """Read the tree of parts, depth first, in the order of the bytes."""
        stack: list[_Span] = []
        self._enter(root, span, stack)
        self._read_all(stack)

    def _read_all(self, stack: list[_Span]) -> None:
        """Read the spans of a stack, the last first, and what they hold."""
        while stack:
            span = stack.pop()
            if span.depth > self.limits.depth or self._is_full():
                self.defects.add(Defect.CUT)
                return
            entity, body = self._headers(span.data, span.start, span.end)
            self._enter(entity, span._replace(start=body), stack)

    def _is_full(self) -> bool:
        full = len(self.parts) >= self.limits.parts
        if full:
            self.defects.add(Defect.CUT)
        return full

    def _enter(self, entity: _Entity, span: _Span, stack: list[_Span]) -> None:
        """Record one entity, and push the entities inside it for reading."""
        part = self._add(entity, span)
        kind = part.content_type
        if not kind.startswith("multipart/") and kind not in _MAIL_TYPES:
            return
        if span.depth >= self.limits.depth:
            self.defects.add(Defect.CUT)
        elif kind.startswith("multipart/"):
            stack.extend(reversed(self._children(entity, span, kind)))
        else:
            stack.append(_inner_mail(part.transfer_encoding, span))

    def _children(self, entity: _Entity, span: _Span, kind: str) -> list[_Span]:
        """Return the spans inside a multipart; without any, its text is read as one part."""
        boundary = _parameter(entity, "content-type", "boundary").value.rstrip()
        room = self.limits.parts - len(self.parts) + 1
        children, is_closed = _split(span, boundary, room)
        if not children:
            self.defects.add(Defect.BOUNDARY_MISSING)
            if not self._is_full():
                # So that nothing hides behind a wrong boundary.
                self._add(_Entity(), span._replace(depth=span.depth + 1))
        elif not is_closed:
            self.defects.add(Defect.MULTIPART_UNFINISHED)
        if kind == "multipart/digest":
            return [child._replace(default_type="message/rfc822") for child in children]
        return children

    def _unwrapped(self, root: _Entity, span: _Span) -> tuple[_Entity, _Span, list[_Span]]:
        """Return the mail that SpamAssassin has wrapped into a report (its ``report_safe``).

        The other parts are returned too, the last first, to be read after it: the report can be
        forged, and nothing must hide there.  For the same reason a wrapper whose subject is not
        that of the mail inside stays what it is.
        """
        boundary = _parameter(root, "content-type", "boundary").value.rstrip()
        children, _ = _split(span, boundary, self.limits.parts)
        if token(root.get("content-type")) != "multipart/mixed" or len(children) < 2:
            return root, span, []
        entity, body = self._headers(*children[1][:3])
        if _parameter(entity, "content-type", "x-spam-type").value != b"original":
            return root, span, []
        encoding = token(entity.get("content-transfer-encoding"))
        inner = _inner_mail(encoding, children.pop(1)._replace(start=body))
        original, body = self._headers(inner.data, inner.start, inner.end)
        subjects = [self._value("subject", mail.get("subject")) for mail in (root, original)]
        if subjects[0] != subjects[1]:
            return root, span, []
        return original, inner._replace(start=body, depth=0), children[::-1]

    # One entity

    def _add(self, entity: _Entity, span: _Span) -> Part:
        """Record the part of an entity whose body is the span."""
        kind = token(entity.get("content-type"))
        if not _TYPE.fullmatch(kind):
            kind = span.default_type
        fields = parameters(entity.get("content-type"))
        charset = fields.get("charset", Parameter()).value.decode("latin-1").strip().lower()
        encoding = token(entity.get("content-transfer-encoding"))
        files: list[tuple[str, str]] = []
        text = ""
        if kind.startswith(_TEXT_TYPES):
            text = self._text(span, charset, encoding)
            if self.has_verdict:
                text = without_report(text)
            if kind == "text/plain":
                text, files = split_files(text)
        part = Part(
            content_type=kind,
            charset=charset,
            transfer_encoding=encoding,
            disposition=token(entity.get("content-disposition")),
            filename=_filename(entity),
            text=text,
            depth=span.depth,
        )
        self.parts.append(part)
        for file_type, name in files:
            if span.depth >= self.limits.depth or self._is_full():
                self.defects.add(Defect.CUT)
                break
            self.parts.append(Part(file_type, filename=name, depth=span.depth + 1))
        return part

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
        # Line ends inside an encoded part are CRLF by the standard; NUL is no text.
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")

    def _headers(self, data: bytes, start: int, end: int) -> tuple[_Entity, int]:
        """Return the headers that begin at a position, and where the body begins.

        The headers end with a blank line, or before a line that is neither a field nor the
        continuation of one.  Such a line with a well-known field after it belongs to the headers
        all the same: some program has broken a long one.
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
                self.defects.add(Defect.HEADERS_UNFINISHED)
                if not (lines and _MAIL_FIELD.match(data, line_end, end)):
                    return _parse_fields(lines), position
                mark, is_folded = b" ", True
            if is_folded and not lines:
                self.defects.add(Defect.HEADERS_UNFINISHED)
                if not _MAIL_FIELD.match(data, line_end, end):
                    return _Entity(), position
            else:
                room = room if is_folded else self.limits.header_bytes
                kept = min(line_end - position, room)
                if kept < line_end - position or len(lines) > self.limits.header_lines:
                    self.defects.add(Defect.CUT)
                if kept and len(lines) <= self.limits.header_lines:
                    line = data[position : position + kept].rstrip(b"\n")
                    lines.append(mark + line + b"\n")
                room -= kept
            position = line_end
        return _parse_fields(lines), end


def _parse_fields(lines: list[bytes]) -> _Entity:
    """Return the fields of header lines, which are all fields or continuations."""
    block = _SPACE_BEFORE_COLON.sub(rb"\1:", b"".join(lines))
    # As Latin-1, every byte is one character and nothing is lost or refused on the way.
    fields = _PARSER.parsestr(block.decode("latin-1")).raw_items()
    return _Entity(tuple((name, str(value)) for name, value in fields))


def _inner_mail(encoding: str, span: _Span) -> _Span:
    """Return the span of the mail that an entity holds, decoded where it is encoded."""
    data, start, end = span.data, span.start, span.end
    if encoding not in {"", "7bit", "8bit", "binary"}:
        data = _unix_lines(decode_transfer(data[start:end], encoding)[0])
        start, end = 0, len(data)
    while start < end and data[start] == 0x0A:
        start += 1
    return _Span(data, start, end, span.depth + 1)


def _split(span: _Span, boundary: bytes, room: int) -> tuple[list[_Span], bool]:
    """Return the spans between boundary lines (RFC 2046, section 5.1.1), and whether they end.

    What follows the closing boundary is no part, unless yet another boundary line comes: mail
    in which an inner multipart has the outer one's boundary would hide its rest so.
    """
    children: list[_Span] = []
    start = -1
    if not boundary:
        return children, False
    for line, end, is_last in _boundary_lines(span, b"--" + boundary):
        if start >= 0:
            stop = max(start, line - 1)
            children.append(_Span(span.data, start, stop, span.depth + 1))
        start = -1 if is_last else end
        if len(children) >= room:
            return children, True
    if start >= 0:
        children.append(_Span(span.data, start, span.end, span.depth + 1))
    return children, start < 0


def _boundary_lines(span: _Span, marker: bytes) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether it closes) of each line that is the marker and white space."""
    data, position, end = span.data, span.start, span.end
    while position < end:
        if position == span.start and data.startswith(marker, position, end):
            found = position
        else:
            found = data.find(b"\n" + marker, max(position - 1, span.start), end) + 1
            if not found:
                return
        line_end = data.find(b"\n", found, end) + 1 or end
        tail = data[found + len(marker) : min(line_end, found + len(marker) + 200)]
        rest = tail.removeprefix(b"--")
        if not rest.strip():
            yield found, line_end, len(rest) < len(tail)
        position = line_end


def _unix_lines(data: bytes) -> bytes:
    if b"\r" not in data:
        return data
    # "\r\r\n" is what a program makes of "\r\n" that takes it for a bare "\n".
    return data.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _parameter(entity: _Entity, header: str, name: str) -> Parameter:
    return parameters(entity.get(header)).get(name, Parameter())


def _filename(entity: _Entity) -> str:
    for header, name in (("content-disposition", "filename"), ("content-type", "name")):
        raw, charset = _parameter(entity, header, name)
        if raw:
            text = decode(raw, charset).text if charset else decode_header(raw)[0]
            return text.replace("\x00", "")
    return ""
