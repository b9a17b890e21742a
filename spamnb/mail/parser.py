"""Bytes → `Message`: RFC 5322 and MIME (RFC 2045, 2046), read as far as possible.

The tree of parts is walked with a stack instead of recursion, because nesting is the attacker's
choice.
"""

from __future__ import annotations

from spamnb.mail.charsets import decode
from spamnb.mail.defects import Defect
from spamnb.mail.fields import Entity, is_mail_field, read_fields
from spamnb.mail.foreign import (
    split_files,
    without_report,
    without_subject_mark,
    without_verdicts,
)
from spamnb.mail.headers import decode_header, decoded_headers
from spamnb.mail.limits import Limits
from spamnb.mail.message import TEXT_TYPES, Headers, Message, Part
from spamnb.mail.multipart import Span, split_multipart
from spamnb.mail.parameters import token
from spamnb.mail.transfer import decode_transfer, decoded_size
from spamnb.patterns import lazy_pattern

_ENVELOPE_LINE = lazy_pattern(rb">?From (?![ \t]*:)")
_TYPE = lazy_pattern(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+")
_SUBJECT_LENGTH = len("subject")
_MAIL_TYPES = ("message/rfc822", "message/global", "message/news")


def parse(data: bytes, limits: Limits | None = None) -> Message:
    """Parse the bytes of one mail, or of a plain text.  Never raises, whatever the bytes.

    Parameters
    ----------
    data : bytes
        The mail.  A leading mbox ``From `` line is skipped.  Without a block of headers that looks
        like that of a mail, everything is the body.
    limits : Limits, optional
        How much of it to read.

    Returns
    -------
    Message
        Of a mail that SpamAssassin wrapped in a report, the original.
    """
    return _Reader(limits or Limits()).read(data)


class _Reader:
    """The state while one mail is read."""

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
        start = 0
        while _ENVELOPE_LINE.match(data, start):
            line_end = data.find(b"\n", start) + 1
            if not line_end:
                break
            start = line_end
        root, body = self._fields(data, start, len(data))
        # Piped text can begin like a header ("Note: ...").
        if not any(is_mail_field(name) for name, _ in root.fields):
            self.defects.discard(Defect.HEADERS_UNFINISHED)
            self._add(Entity([]), Span(data, 0, len(data)))
            return self._message(())
        span = Span(data, body, len(data))
        fields = without_verdicts(root.fields)
        self.has_verdict = len(fields) < len(root.fields)
        others: list[Span] = []
        if self.has_verdict:
            root, span, others = self._unwrapped(root, span)
            fields = without_verdicts(root.fields)
        headers = decoded_headers(fields, self._value)
        self._walk(root, span)
        self._read_all(others)
        return self._message(headers)

    def _fields(self, data: bytes, start: int, end: int) -> tuple[Entity, int]:
        return read_fields(data, start, end, self.limits, self.defects)

    def _message(self, headers: Headers) -> Message:
        return Message(headers, tuple(self.parts), tuple(sorted(self.defects)))

    def _value(self, name: str, raw: bytes) -> str:
        text, defects = decode_header(raw)
        if defects:
            self.defects.update(defects)
        is_subject = len(name) == _SUBJECT_LENGTH and name.lower() == "subject"
        return without_subject_mark(text) if is_subject else text

    # The tree of parts

    def _walk(self, root: Entity, span: Span) -> None:
        """Read the tree of parts, depth first, in the order of the bytes."""
        stack: list[Span] = []
        self._enter(root, span, stack)
        self._read_all(stack)

    def _read_all(self, stack: list[Span]) -> None:
        """Read the spans of a stack, the last first, and what they hold."""
        while stack:
            span = stack.pop()
            if span.depth > self.limits.depth or self._is_full():
                self.defects.add(Defect.CUT)
                continue
            entity, body = self._fields(span.data, span.start, span.end)
            self._enter(entity, span._replace(start=body), stack)

    def _is_full(self) -> bool:
        full = len(self.parts) >= self.limits.parts
        if full:
            self.defects.add(Defect.CUT)
        return full

    def _enter(self, entity: Entity, span: Span, stack: list[Span]) -> None:
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

    def _children(self, entity: Entity, span: Span, kind: str) -> list[Span]:
        """Return the spans inside a multipart; if it has none, read its text as one part."""
        boundary = entity.parameter("content-type", "boundary").value.rstrip()
        room = self.limits.parts - len(self.parts) + 1
        children, is_closed = split_multipart(span, boundary, room)
        if not children:
            self.defects.add(Defect.BOUNDARY_MISSING)
            if not self._is_full():
                # So that nothing can hide behind a wrong boundary.
                self._add(Entity([]), span._replace(depth=span.depth + 1))
        elif not is_closed:
            self.defects.add(Defect.MULTIPART_UNFINISHED)
        if kind == "multipart/digest":
            return [child._replace(default_type="message/rfc822") for child in children]
        return children

    def _unwrapped(self, root: Entity, span: Span) -> tuple[Entity, Span, list[Span]]:
        """Return the mail that SpamAssassin wrapped in a report (its ``report_safe``).

        The other parts are returned too, the last first, to be read after it: the report can be
        forged, and nothing must hide there.  For the same reason a wrapper whose subject differs
        from that of the mail inside is not unwrapped.
        """
        boundary = root.parameter("content-type", "boundary").value.rstrip()
        children, _ = split_multipart(span, boundary, self.limits.parts)
        if token(root.text("content-type")) != "multipart/mixed" or len(children) < 2:
            return root, span, []
        entity, body = self._fields(*children[1][:3])
        if entity.parameter("content-type", "x-spam-type").value != b"original":
            return root, span, []
        encoding = token(entity.text("content-transfer-encoding"))
        inner = _inner_mail(encoding, children.pop(1)._replace(start=body))
        original, body = self._fields(inner.data, inner.start, inner.end)
        subjects = [self._value("subject", mail.get("subject")) for mail in (root, original)]
        if subjects[0] != subjects[1]:
            return root, span, []
        return original, inner._replace(start=body, depth=0), children[::-1]

    # One entity

    def _add(self, entity: Entity, span: Span) -> Part:
        """Record the part of an entity whose body is the span."""
        kind = token(entity.text("content-type"))
        if not _TYPE.fullmatch(kind):
            kind = span.default_type
        charset = entity.parameter("content-type", "charset").value
        encoding = token(entity.text("content-transfer-encoding"))
        files: list[tuple[str, str]] = []
        text = self._inner_subject(encoding, span) if kind in _MAIL_TYPES else ""
        read_as = ""
        if kind.startswith(TEXT_TYPES):
            text, read_as = self._text(span, charset.decode("latin-1"), encoding)
            if self.has_verdict:
                text = without_report(text)
            if kind == "text/plain":
                text, files = split_files(text)
        part = Part(
            content_type=kind,
            charset=charset.decode("latin-1").strip().lower(),
            transfer_encoding=encoding,
            disposition=token(entity.text("content-disposition")),
            filename=_filename(entity),
            text=text,
            depth=span.depth,
            read_as=read_as,
            size=decoded_size(span.data, span.start, span.end, encoding),
        )
        self.parts.append(part)
        for file_type, name in files:
            if span.depth >= self.limits.depth or self._is_full():
                self.defects.add(Defect.CUT)
                break
            self.parts.append(Part(file_type, filename=name, depth=span.depth + 1))
        return part

    def _inner_subject(self, encoding: str, span: Span) -> str:
        """Return the subject of the mail that an entity holds; a reader sees it with the rest."""
        if span.depth >= self.limits.depth:
            return ""
        inner = _inner_mail(encoding, span)
        head = inner._replace(end=min(inner.end, inner.start + self.limits.header_bytes))
        entity, _ = read_fields(head.data, head.start, head.end, self.limits, set())
        subject = self._value("subject", entity.get("subject"))[: self.text_left]
        self.text_left -= len(subject)
        return subject

    def _text(self, span: Span, charset: str, encoding: str) -> tuple[str, str]:
        """Return the text of an entity, and the codec that it was decoded with."""
        body = span.data[span.start : span.end]
        # No encoding is shorter than a third of its text's size ("=3D"), so more cannot matter.
        body = body[: 3 * self.text_left]
        decoded, defect = decode_transfer(body, encoding)
        if len(decoded) > self.text_left or span.end - span.start > len(body):
            self.defects.add(Defect.CUT)
            decoded = decoded[: self.text_left]
        self.text_left -= len(decoded)
        text, read_as, wrong = decode(decoded, charset)
        self.defects.update(found for found in (defect, wrong) if found)
        # Line ends inside an encoded part are CRLF by the standard; NUL is not text.
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text.replace("\x00", ""), read_as


def _inner_mail(encoding: str, span: Span) -> Span:
    """Return the span of the mail that an entity holds, decoded where it is encoded."""
    data, start, end = span.data, span.start, span.end
    if encoding not in {"", "7bit", "8bit", "binary"}:
        data = _unix_lines(decode_transfer(data[start:end], encoding)[0])
        start, end = 0, len(data)
    while start < end and data[start] == 0x0A:
        start += 1
    return Span(data, start, end, span.depth + 1)


def _unix_lines(data: bytes) -> bytes:
    if b"\r" not in data:
        return data
    # A program that takes "\r\n" for a bare "\n" turns it into "\r\r\n".
    return data.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _filename(entity: Entity) -> str:
    for header, name in (("content-disposition", "filename"), ("content-type", "name")):
        raw, charset = entity.parameter(header, name)
        if raw:
            text = decode(raw, charset).text if charset else decode_header(raw)[0]
            return text.replace("\x00", "")
    return ""
