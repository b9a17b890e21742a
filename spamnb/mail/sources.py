"""Where mail lies → raw mails, one at a time: files, folders, mbox, Maildir, MH, a stream.

A mailbox of any size, compressed or not, is read in constant memory.  What cannot be read is passed
to the caller's ``on_skip``, and reading goes on.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from spamnb.errors import InputNotFoundError, InputReadError, reason_of
from spamnb.mail.limits import Limits
from spamnb.patterns import lazy_pattern

if TYPE_CHECKING:
    from spamnb.mail.compressed import Decompressed

_LONGEST_MAGIC = 6
# Asking for 32 MB at once would allocate them for each mail.
_PIECE = 1 << 16
_MAGIC = lazy_pattern(rb"\x1f\x8b\x08|BZh[1-9](?:1A|\x17r)|\xfd7zXZ\x00")

# Files that mail programs keep beside mail: removed messages of MH, indexes of Thunderbird,
# Dovecot and Courier.
_NO_MAIL = lazy_pattern(
    r"\.|[,#]\d+$|.*\.msf$|maildirfolder$|courierimap(?:acl|hieracl|keywords|subscribed|uiddb)$"
    r"|dovecot(?:\.index.*|\.list\.index.*|\.mailbox\.log.*|-uidlist|-uidvalidity.*|-keywords)$"
)


class RawMail(NamedTuple):
    """The bytes of one mail and where they came from.

    Attributes
    ----------
    source : str
        The path (`os.fsdecode`), with ``#n`` for the n-th of several mails in one file.
    data : bytes
        The mail; if it is longer than the limit, a little more than the limit.
    is_text : bool
        True for a text in UTF-8 that has no headers and needs no parsing.
    """

    source: str
    data: bytes
    is_text: bool = False


class Skipped(NamedTuple):
    """A file that could not be read, or not to its end, and why."""

    source: str
    reason: str


class LabeledMail(NamedTuple):
    """A mail and its label, such as ``ham`` or ``spam``."""

    label: str
    mail: RawMail


OnSkip = Callable[[Skipped], object]
MOST_BYTES = Limits().raw_bytes
"""How many bytes of one mail are read by default."""


def standard_input() -> BinaryIO:
    """Return standard input as bytes.

    Raises
    ------
    InputReadError
        When it is closed.
    """
    if sys.stdin is None:
        raise InputReadError("standard input", "it is closed")
    return sys.stdin.buffer


def raise_skipped(skipped: Skipped) -> None:
    """Raise an error: the ``on_skip`` for callers that want no file skipped.

    Raises
    ------
    InputReadError
        Always.
    """
    raise InputReadError(skipped.source, skipped.reason)


def read_mails(
    path: str, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
) -> Iterator[RawMail]:
    """Yield the mails at a path.

    Parameters
    ----------
    path : str
        A mail file, an mbox, a Maildir, an MH folder, or a folder with any of these at any
        depth, files compressed with gzip, bzip2 or xz among them.  Of a Maildir only its own
        ``new`` and ``cur`` are read, since its subfolders (``.Junk``) may hold mail of another
        kind.  Hidden files and the indexes of mail programs are skipped.
    on_skip : callable, optional
        Called with each file that cannot be read; by default such a file raises `InputReadError`.
    limit : int
        How many bytes of one mail are read.

    Raises
    ------
    InputNotFoundError
        When the path does not exist.
    """
    if not os.path.lexists(path):
        raise InputNotFoundError(path)
    files = _files(path, on_skip) if os.path.isdir(path) else iter([path])
    for file in files:
        yield from _read_file(file, on_skip, limit)


def read_mail(
    path: str, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
) -> Iterator[RawMail]:
    """Yield the one mail of a file that is known to hold one, ``From `` lines inside or not."""
    try:
        with open(path, "rb") as stream:
            yield read_one(stream, path, on_skip, limit)
    except OSError as error:
        on_skip(Skipped(path, reason_of(error)))


def read_one(
    stream: BinaryIO,
    source: str = "-",
    on_skip: OnSkip = raise_skipped,
    limit: int = MOST_BYTES,
) -> RawMail:
    """Return the one mail that a stream holds, ``From `` lines inside or not; see `read_stream`."""
    head = _read(stream, _LONGEST_MAGIC)
    decompressed = _decompressed(head, stream)
    if decompressed is None:
        return RawMail(source, head + _read(stream, max(limit + 1 - len(head), 0)))
    mail = RawMail(source, _read(io.BufferedReader(decompressed), limit + 1))
    if decompressed.problem:
        on_skip(Skipped(source, f"the compressed data are damaged: {decompressed.problem}"))
    return mail


def read_stream(
    stream: BinaryIO,
    source: str = "-",
    on_skip: OnSkip = raise_skipped,
    limit: int = MOST_BYTES,
) -> Iterator[RawMail]:
    """Yield the mails of a stream: an mbox where it begins with a ``From `` line, else one mail.

    Parameters
    ----------
    stream : binary file object
        Need not be seekable, can be compressed, and stays open.
    source : str
        The name to give the mails.
    on_skip : callable, optional
        Called when compressed data are damaged; what precedes the damage is read.
    limit : int
        How many bytes of one mail are read.
    """
    head = _read(stream, _LONGEST_MAGIC)
    decompressed = _decompressed(head, stream)
    if decompressed is None:
        yield from _read_plain(stream, head, source, limit)
        return
    for mail in _read_plain(io.BufferedReader(decompressed), b"", source, limit):
        if mail.data or not decompressed.problem:
            yield mail
    if decompressed.problem:
        on_skip(Skipped(source, f"the compressed data are damaged: {decompressed.problem}"))


def _decompressed(head: bytes, stream: BinaryIO) -> Decompressed | None:
    """Return the decompressed stream, None if the stream is not compressed."""
    if not _MAGIC.match(head):
        return None
    from spamnb.mail.compressed import Decompressed

    return Decompressed(_pushed(head, stream), head)


def _read_plain(stream: BinaryIO, head: bytes, source: str, limit: int) -> Iterator[RawMail]:
    head = head or _read(stream, _LONGEST_MAGIC)
    if not head.startswith(b"From "):
        yield RawMail(source, head + _read(stream, max(limit + 1 - len(head), 0)))
        return
    from spamnb.mail.mbox import single_mail, split_mbox

    head += _read(stream, _PIECE)
    single = single_mail(head, limit) if len(head) <= _PIECE else None
    if single is not None:  # as in a folder with one file per mail
        yield RawMail(source, single)
        return
    number = 0
    waiting = b""
    for number, mail in enumerate(split_mbox(_pushed(head, stream), limit), 1):
        if number > 1:
            yield RawMail(f"{source}#{number - 1}", waiting)
        waiting = mail
    yield RawMail(source if number < 2 else f"{source}#{number}", waiting)


def _read(stream: BinaryIO, size: int) -> bytes:
    """Read ``size`` bytes, or to the end; a pipe can return fewer at a time."""
    pieces = []
    while size > 0 and (piece := stream.read(min(size, _PIECE))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _pushed(head: bytes, stream: BinaryIO) -> BinaryIO:
    """Return a stream with the bytes already read from it pushed back."""
    return io.BufferedReader(_Pushed(head, stream))


class _Pushed(io.RawIOBase):
    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = head
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            data, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _read_file(path: str, on_skip: OnSkip, limit: int) -> Iterator[RawMail]:
    try:
        with _open(path) as stream:
            if path.endswith(".emlx"):
                with io.BufferedReader(stream) as lines:
                    yield _read_emlx(lines, path, limit)
            else:
                yield from read_stream(stream, path, on_skip, limit)
    except OSError as error:
        on_skip(Skipped(path, reason_of(error)))


def _open(path: str) -> io.FileIO:
    """Open a file; one of a Maildir also under a name with changed flags."""
    try:
        return _unbuffered(path)
    except FileNotFoundError:
        folder, name = os.path.split(path)
        maildir, box = os.path.split(folder)
        if box in {"cur", "new"}:
            unique = name.partition(":")[0]
            for place in (os.path.join(maildir, "cur"), folder):
                for other in os.listdir(place) if os.path.isdir(place) else ():
                    if other.partition(":")[0] == unique:
                        return _unbuffered(os.path.join(place, other))
        raise


def _unbuffered(path: str) -> io.FileIO:
    """Open a file without a buffer, since it is read in large pieces."""
    return open(path, "rb", buffering=0)


def _read_emlx(stream: BinaryIO, path: str, limit: int) -> RawMail:
    """Read Apple Mail's form: the length of the mail on a line, the mail, a property list."""
    first = stream.readline(64)
    if not first.strip().isdigit():
        return RawMail(path, first + stream.read(limit + 1))
    return RawMail(path, stream.read(min(int(first), limit + 1)))


def _files(folder: str, on_skip: OnSkip) -> Iterator[str]:
    """Yield the files under a folder, each folder's files before its subfolders, sorted."""
    seen: set[tuple[int, int]] = set()
    stack = [folder]
    while stack:
        here = stack.pop()
        try:
            status = os.stat(here)
            if (status.st_dev, status.st_ino) in seen:
                continue  # a symbolic link back up
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(here) as entries:
                by_name = {entry.name: entry for entry in entries}
        except OSError as error:
            on_skip(Skipped(here, reason_of(error)))
            continue
        if "cur" in by_name and "new" in by_name and by_name["cur"].is_dir():
            yield from _maildir_files(here, on_skip)
            continue
        folders = []
        for name in sorted(by_name, key=_natural):
            if _NO_MAIL.match(name):
                continue
            entry = by_name[name]
            kind = _kind(entry, on_skip)
            if kind == "folder":
                folders.append(entry.path)
            elif kind == "file":
                yield entry.path
        stack += reversed(folders)


def _maildir_files(maildir: str, on_skip: OnSkip) -> Iterator[str]:
    """Yield the files of a Maildir; both of its boxes are listed before any is read.

    A mail can move from ``new`` to ``cur``, and get other flags in its name, at any time.
    """
    found: dict[str, str] = {}
    for box in ("cur", "new"):
        folder = os.path.join(maildir, box)
        try:
            names = sorted(os.listdir(folder), key=_natural)
        except OSError as error:
            on_skip(Skipped(folder, reason_of(error)))
            continue
        for name in names:
            if not name.startswith("."):
                found.setdefault(name.partition(":")[0], os.path.join(folder, name))
    yield from found.values()


def _kind(entry: os.DirEntry[str], on_skip: OnSkip) -> str:
    """Return ``"file"``, ``"folder"``, or ``""`` for anything else."""
    try:
        if entry.is_file():
            return "file"
        if entry.is_dir():
            return "folder"
        entry.stat()  # raises the reason for a broken link
    except OSError as error:
        on_skip(Skipped(entry.path, reason_of(error)))
        return ""
    on_skip(Skipped(entry.path, "not a file"))
    return ""


def _natural(name: str) -> tuple[bool, int, str]:
    """Return a sort key: MH's numbered files by number, then others by name."""
    number = int(name) if name.isascii() and name.isdigit() and len(name) < 19 else None
    return (number is None, number or 0, name)
