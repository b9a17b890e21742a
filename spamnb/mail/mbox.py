"""A stream in mbox form → the bytes of its mails, in constant memory.

The dialects differ in how a ``From `` line inside a mail is kept apart from the one that begins
the next mail (https://www.loc.gov/preservation/digital/formats/fdd/fdd000383.shtml): mboxo and
mboxrd write ``>From ``, mboxcl counts the bytes in Content-Length, and some programs do neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from spamnb.patterns import lazy_pattern

# A sender, then a time somewhere or nothing at all.  Thunderbird writes "-" and Eudora "???@???"
# for the sender; the rest of the line differs by system.
_SEPARATOR = lazy_pattern(rb"From +\S+(?:[ \t].*\d:\d\d|[ \t]*\r?\n)")
_FIELD = lazy_pattern(rb"[!-9;-~]+[ \t]*:|>?From ")
_QUOTED = lazy_pattern(rb">+From ")
_CONTENT_LENGTH = lazy_pattern(rb"Content-Length:[ \t]*(\d{1,12})[ \t]*\r?\n", re.IGNORECASE)
_BLANK = (b"\n", b"\r\n")
# A longer line comes in pieces.
_LINE = 1 << 16
_QUOTE, _NEWLINE = b">\n"
# A longer Content-Length is not trusted, and the lines are looked at all the same: if the length is
# wrong, as many bytes must be read again.
_LONGEST_BODY = 1 << 20


def split_mbox(stream: BinaryIO, limit: int) -> Iterator[bytes]:
    """Yield the mails of an mbox, each with its ``From `` line.

    A mail begins at a ``From `` line after a blank line and before a header field, since bodies
    hold unquoted ``From `` lines.  Where a Content-Length leads to such a place or to the end, no
    line before it begins a mail.  One ``>`` is taken from each quoted ``From `` line, and the
    blank line between two mails belongs to neither.

    Parameters
    ----------
    stream : binary file object
        Need not be seekable.
    limit : int
        Of a longer mail, ``limit`` + 1 bytes are kept and the rest is skipped.
    """
    return _Splitter(stream, limit).mails()


def single_mail(content: bytes, limit: int) -> bytes | None:
    """Return the only mail of a whole mbox, as `split_mbox` does, if a quick look suffices.

    Parameters
    ----------
    content : bytes
        All of the mbox.
    limit : int
        As of `split_mbox`.

    Returns
    -------
    bytes or None
        None where there may be more mails, quoted lines, or a length to follow.
    """
    found = content.find(b"From ", 1)
    while found >= 0:
        if content[found - 1] in b">\n":
            return None
        found = content.find(b"From ", found + 1)
    header = content[: content.find(b"\n\n") + 1 or len(content)]
    if len(content) > limit or b"content-length" in header.lower():
        return None
    for blank in (b"\r\n", b"\n"):
        if content.endswith(b"\n" + blank):
            return content[: len(content) - len(blank)]
    return content


class _Lines:
    """The lines of a stream, with a lookahead that copies nothing."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._data = b""
        self._position = 0
        self._is_end = False

    def next(self) -> bytes:
        """Return the next line, or a piece of a long one; nothing at the end."""
        line = self.peek(0)
        self._position += len(line)
        return line

    def plain(self) -> bytes:
        """Return the lines before the next one that can begin a mail or is quoted, if any.

        Only whole lines that are in the buffer; nothing if the next line is such a line.
        """
        self._fill(_LINE)
        end = self._next_from()
        if end < 0:
            end = len(self._data) if self._is_end else self._data.rfind(b"\n") + 1
        return self.take(max(end - self._position, 0))

    def _next_from(self) -> int:
        """Return where the next line begins that is ``From `` after any number of ``>``, or -1."""
        data, found = self._data, self._position
        while (found := data.find(b"From ", found)) >= 0:
            start = found
            while start > self._position and data[start - 1] == _QUOTE:
                start -= 1
            if start == self._position or data[start - 1] == _NEWLINE:
                return start
            found += 1
        return -1

    def peek(self, offset: int) -> bytes:
        """Return the line that begins ``offset`` bytes ahead."""
        self._fill(offset + _LINE)
        start = self._position + offset
        end = self._data.find(b"\n", start, start + _LINE) + 1
        return self._data[start : end or start + _LINE]

    def ends_line(self, offset: int) -> bool:
        """Return whether a line ends ``offset`` bytes ahead."""
        self._fill(offset)
        end = self._position + offset
        return self._data[end - 1 : end] == b"\n"

    def take(self, size: int) -> bytes:
        """Return and consume ``size`` bytes, which are in the buffer."""
        data = self._data[self._position : self._position + size]
        self._position += size
        return data

    def _fill(self, size: int) -> None:
        """Buffer at least ``size`` bytes, if the stream has them; read more, to copy seldom."""
        missing = size - (len(self._data) - self._position)
        if missing <= 0 or self._is_end:
            return
        pieces = [self._data[self._position :]]
        missing += _LONGEST_BODY
        while missing > 0 and (piece := self._stream.read(missing)):
            pieces.append(piece)
            missing -= len(piece)
        self._is_end = missing > 0
        self._data, self._position = b"".join(pieces), 0


class _Splitter:
    """The state while one mbox is read: the mail so far."""

    def __init__(self, stream: BinaryIO, limit: int) -> None:
        self.lines = _Lines(stream)
        self.limit = limit
        self.mail = bytearray()
        self.last = b""
        self.is_header = True
        self.body_length = -1

    def mails(self) -> Iterator[bytes]:
        line, previous = self.lines.next(), b"\n"
        while line:
            if self.mail and previous in _BLANK and self._begins_mail(line):
                yield self._finish()
            is_line_start = previous.endswith(b"\n")
            self._keep(line, is_line_start)
            previous = line
            if not self.is_header and previous.endswith(b"\n"):
                plain = self.lines.plain()  # most of a mail
                if plain:
                    last = plain[plain.rfind(b"\n", 0, -1) + 1 :]
                    self._keep(plain, is_line_start=False)
                    self.last = previous = last
            if self.is_header and is_line_start:
                previous = self._read_header_line(line)
            line = self.lines.next()
        if self.mail:
            yield self._finish()

    def _begins_mail(self, line: bytes) -> bool:
        if not _SEPARATOR.match(line):
            return False
        return bool(_FIELD.match(self.lines.peek(0)))

    def _keep(self, line: bytes, is_line_start: bool) -> None:
        self.last = line
        room = self.limit + 1 - len(self.mail)
        if room > 0:
            is_quoted = is_line_start and not self.is_header and _QUOTED.match(line)
            self.mail += (line[1:] if is_quoted else line)[:room]

    def _read_header_line(self, line: bytes) -> bytes:
        """Look at a header line; return the last line that was read."""
        if line not in _BLANK:
            match = _CONTENT_LENGTH.match(line)
            if match:
                self.body_length = int(match[1])
            return line
        self.is_header = False
        if not 0 < self.body_length <= min(self.limit, _LONGEST_BODY):
            return line
        length = self.body_length
        if not self.lines.ends_line(length):
            return line
        after = self.lines.peek(length)
        blank = after if after in _BLANK else b""
        if blank:
            after = self.lines.peek(length + len(blank))
        following = self.lines.peek(length + len(blank) + len(after))
        if after and not (_SEPARATOR.match(after) and _FIELD.match(following)):
            return line  # a length that leads nowhere
        self._keep(self.lines.take(length), is_line_start=False)
        self.lines.take(len(blank))
        return b"\n"

    def _finish(self) -> bytes:
        """Return the mail, without the blank line that separates it from the next."""
        mail = bytes(self.mail)
        if self.last in _BLANK and len(mail) <= self.limit and mail.endswith(self.last):
            mail = mail[: len(mail) - len(self.last)]
        self.mail = bytearray()
        self.last = b""
        self.is_header, self.body_length = True, -1
        return mail
