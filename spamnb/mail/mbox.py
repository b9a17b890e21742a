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
_SEPARATOR = re.compile(rb"From +\S+(?: .*\d:\d\d|[ \t]*\r?\n)")
_FIELD = re.compile(rb"[!-9;-~]+[ \t]*:|>?From ")
_QUOTED = re.compile(rb">+From ")
_CONTENT_LENGTH = re.compile(rb"Content-Length:[ \t]*(\d{1,12})[ \t]*\r?\n", re.IGNORECASE)
_BLANK = (b"\n", b"\r\n")


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
        Of a longer mail, at least so many bytes are kept and the rest is passed over.

    Yields
    ------
    bytes
    """
    return _Splitter(stream, limit).mails()


class _Splitter:
    """The state of reading one mbox: the mail so far, and the line that comes next."""

    def __init__(self, stream: BinaryIO, limit: int) -> None:
        self.stream = stream
        self.limit = limit
        self.pieces: list[bytes] = []
        self.size = 0
        self.waiting: list[bytes] = []
        self.is_header = True
        self.body_length = -1

    def mails(self) -> Iterator[bytes]:
        line, previous = self._next(), b"\n"
        while line:
            following = self._next()
            if previous in _BLANK and self.size and _begins_mail(line, following):
                yield self._finish()
            self._keep(line, previous.endswith(b"\n"))
            if self.is_header and previous.endswith(b"\n"):
                following = self._read_header_line(line, following)
            previous, line = line, following
        if self.size:
            yield self._finish()

    def _next(self) -> bytes:
        return self.waiting.pop() if self.waiting else self.stream.readline(self.limit + 1)

    def _keep(self, line: bytes, is_line_start: bool) -> None:
        if self.size <= self.limit:
            is_quoted = is_line_start and not self.is_header and _QUOTED.match(line)
            self.pieces.append(line[1:] if is_quoted else line)
        self.size += len(line)

    def _read_header_line(self, line: bytes, following: bytes) -> bytes:
        """Look at a header line; return the line to go on with."""
        if line not in _BLANK:
            match = _CONTENT_LENGTH.match(line)
            if match:
                self.body_length = int(match[1])
            return following
        self.is_header = False
        length, self.body_length = self.body_length, -1
        if not len(following) < length <= self.limit:
            return following
        body = following + self.stream.read(length - len(following))
        after = self.stream.readline(self.limit + 1)
        if after in _BLANK:
            blank, after = after, self.stream.readline(self.limit + 1)
        else:
            blank = b""
        if len(body) == length and (not after or _SEPARATOR.match(after)):
            self.waiting = [line for line in (after, blank or b"\n") if line]
            self._keep(body, is_line_start=False)
            return self._next()
        # A length that leads nowhere: the lines go the ordinary way.
        lines = (body + blank + after).splitlines(keepends=True)
        self.waiting = lines[::-1]
        return self._next()

    def _finish(self) -> bytes:
        if len(self.pieces) > 1 and self.pieces[-1] in _BLANK:
            self.pieces.pop()
        mail = b"".join(self.pieces)
        self.pieces, self.size = [], 0
        self.is_header, self.body_length = True, -1
        return mail


def _begins_mail(line: bytes, following: bytes) -> bool:
    return bool(_SEPARATOR.match(line) and _FIELD.match(following))
