"""A stream in mbox form → the bytes of its mails, in constant memory.

The dialects differ in how a ``From `` line inside a mail is kept apart from the one that begins
the next mail (https://www.loc.gov/preservation/digital/formats/fdd/fdd000383.shtml): mboxo and
mboxrd write ``>From ``, mboxcl counts the bytes in Content-Length, and some programs do neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

# A sender, then a time somewhere or nothing at all.  Thunderbird writes "-" and Eudora "???@???"
# for the sender; the rest of the line differs by system.
_SEPARATOR = re.compile(rb"From +\S+(?:[ \t].*\d:\d\d|[ \t]*\r?\n)")
_FIELD = re.compile(rb"[!-9;-~]+[ \t]*:|>?From ")
_QUOTED = re.compile(rb">+From ")
_CONTENT_LENGTH = re.compile(rb"Content-Length:[ \t]*(\d{1,12})[ \t]*\r?\n", re.IGNORECASE)
_BLANK = (b"\n", b"\r\n")
# A longer line comes in pieces.
_LINE = 1 << 16
# Of a mail that says to be longer, the lines are looked at all the same: where the length is
# wrong, so much must be read again.
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
        Of a longer mail, one byte more than this is kept and the rest is passed over.

    Yields
    ------
    bytes
    """
    return _Splitter(stream, limit).mails()


class _Lines:
    """The lines of a stream, with what was read too far pushed back."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._pushed = b""
        self._position = 0

    def next(self) -> bytes:
        """Return the next line, or a piece of a long one; nothing at the end."""
        if self._position >= len(self._pushed):
            return self._stream.readline(_LINE)
        end = self._pushed.find(b"\n", self._position) + 1
        if end:
            line = self._pushed[self._position : min(end, self._position + _LINE)]
            self._position += len(line)
            return line
        rest = self._pushed[self._position :]
        self._pushed, self._position = b"", 0
        return rest if len(rest) >= _LINE else rest + self._stream.readline(_LINE)

    def read(self, size: int) -> bytes:
        """Return so many bytes, or fewer at the end."""
        head = self._pushed[self._position : self._position + size]
        self._position += len(head)
        return head + self._stream.read(size - len(head)) if len(head) < size else head

    def unread(self, data: bytes) -> None:
        """Let the data come again."""
        self._pushed = data + self._pushed[self._position :]
        self._position = 0


class _Splitter:
    """The state of reading one mbox: the mail so far."""

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
            if self.is_header and is_line_start:
                previous = self._read_header_line(line)
            line = self.lines.next()
        if self.mail:
            yield self._finish()

    def _begins_mail(self, line: bytes) -> bool:
        if not _SEPARATOR.match(line):
            return False
        following = self.lines.next()
        self.lines.unread(following)
        return bool(_FIELD.match(following))

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
        body = self.lines.read(self.body_length)
        after = self.lines.next()
        blank = after if after in _BLANK else b""
        if blank:
            after = self.lines.next()
        leads_somewhere = not after or self._begins_mail(after)
        if len(body) < self.body_length or not body.endswith(b"\n") or not leads_somewhere:
            self.lines.unread(body + blank + after)
            return line
        self.lines.unread(after)
        self._keep(body, is_line_start=False)
        return b"\n"

    def _finish(self) -> bytes:
        """Return the mail, without the blank line that parts it from the next."""
        mail = bytes(self.mail)
        if self.last in _BLANK and len(mail) <= self.limit and mail.endswith(self.last):
            mail = mail[: len(mail) - len(self.last)]
        self.mail = bytearray()
        self.last = b""
        self.is_header, self.body_length = True, -1
        return mail
