"""Where mail lies → raw mails, one at a time: files, folders, mbox, Maildir, MH, a stream.

An mbox of any size is read in constant memory.  What cannot be read is told to the caller's
``on_skip`` and the rest goes on.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from typing import BinaryIO, cast

from spamnb.errors import InputNotFoundError, InputReadError

RAW_BYTES = 32 << 20
"""How much of one raw mail is read."""

_MBOX_LINE = re.compile(rb"From \S.*\d:\d\d")
_FIELD = re.compile(rb"[!-9;-~]+[ \t]*:|>From ")
_QUOTED_FROM = re.compile(rb">+From ")
_MH_REMOVED = re.compile(r"[,#]\d+$")


@dataclass(frozen=True, slots=True)
class RawMail:
    """The bytes of one mail and where they came from.

    Attributes
    ----------
    source : str
        The path (`os.fsdecode`), with ``#n`` for the n-th of several mails in one file.
    data : bytes
        The mail.
    is_text : bool
        True for a text in UTF-8 that has no headers and needs no parsing.
    """

    source: str
    data: bytes
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that could not be read, and why."""

    source: str
    reason: str


OnSkip = Callable[[Skipped], object]


def raise_skipped(skipped: Skipped) -> None:
    """Be the ``on_skip`` of a caller who wants no file skipped.

    Raises
    ------
    InputReadError
        Always.
    """
    raise InputReadError(skipped.source, skipped.reason)


def read_mails(path: str, on_skip: OnSkip = raise_skipped) -> Iterator[RawMail]:
    """Yield the mails at a path.

    Parameters
    ----------
    path : str
        A mail file, an mbox, a Maildir, an MH folder, or a folder with any of these at any
        depth.  Of a Maildir only its own ``new`` and ``cur`` are read, since its subfolders
        (``.Junk``) may hold mail of another kind.  Hidden files are passed over.
    on_skip : callable, optional
        Is told each file that cannot be read; without it such a file raises `InputReadError`.

    Yields
    ------
    RawMail

    Raises
    ------
    InputNotFoundError
        When nothing is at the path.
    """
    if not os.path.lexists(path):
        raise InputNotFoundError(path)
    if not os.path.isdir(path):
        yield from _read_file(path, on_skip)
        return
    for file in _files(path, on_skip):
        yield from _read_file(file, on_skip)


def read_mail(path: str, on_skip: OnSkip = raise_skipped) -> Iterator[RawMail]:
    """Yield the one mail of a file that is known to hold one, ``From `` lines inside or not."""
    try:
        with open(path, "rb") as stream:
            mail = RawMail(path, stream.read(RAW_BYTES))
    except OSError as error:
        on_skip(Skipped(path, _reason(error)))
        return
    yield mail


def read_stream(stream: BinaryIO, source: str = "-") -> Iterator[RawMail]:
    """Yield the mails of a stream: an mbox where it begins with a ``From `` line, else one mail.

    Parameters
    ----------
    stream : binary file object
        Need not be seekable.
    source : str
        The name to give the mails.
    """
    if isinstance(stream, BufferedReader):
        reader = stream
    else:  # a BytesIO has no peek
        reader = BufferedReader(cast("RawIOBase", stream))
    if reader.peek(5)[:5] == b"From ":
        yield from _mbox(reader, source)
    else:
        yield RawMail(source, reader.read(RAW_BYTES))


def _read_file(path: str, on_skip: OnSkip) -> Iterator[RawMail]:
    try:
        with open(path, "rb") as stream:
            yield from read_stream(stream, path)
    except OSError as error:
        on_skip(Skipped(path, _reason(error)))


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


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
            names = sorted(os.listdir(here), key=_natural)
        except OSError as error:
            on_skip(Skipped(here, _reason(error)))
            continue
        if {"cur", "new"} <= set(names) and os.path.isdir(os.path.join(here, "cur")):
            stack += [os.path.join(here, "cur"), os.path.join(here, "new")]
            continue
        folders = []
        for name in names:
            if name.startswith(".") or _MH_REMOVED.match(name):
                continue
            path = os.path.join(here, name)
            try:
                mode = os.stat(path).st_mode
            except OSError as error:
                on_skip(Skipped(path, _reason(error)))
                continue
            if stat.S_ISDIR(mode):
                folders.append(path)
            elif stat.S_ISREG(mode):
                yield path
            else:
                on_skip(Skipped(path, "not a file"))
        stack += reversed(folders)


def _natural(name: str) -> tuple[bool, int, str]:
    """Order MH's numbered files by number, others by name."""
    number = int(name) if name.isascii() and name.isdigit() and len(name) < 19 else None
    return (number is None, number or 0, name)


def _mbox(stream: BufferedReader, source: str) -> Iterator[RawMail]:
    """Yield the mails of an mbox.

    A mail begins at a ``From `` line with a time in it, after a blank line and before a header
    field: bodies hold unquoted ``From `` lines, and a single mail that a delivery agent has
    stored with its ``From `` line must stay one.
    """
    number = 0
    lines: list[bytes] = []
    size = 0
    blank = False
    line = stream.readline(RAW_BYTES)
    while line:
        following = stream.readline(RAW_BYTES)
        if blank and line.startswith(b"From ") and _begins_mail(line, following):
            number += 1
            yield RawMail(f"{source}#{number}", b"".join(lines))
            lines, size = [], 0
        blank = line in {b"\n", b"\r\n"}
        if size < RAW_BYTES:
            lines.append(line[1:] if _QUOTED_FROM.match(line) else line)
            size += len(line)
        line = following
    name = f"{source}#{number + 1}" if number else source
    yield RawMail(name, b"".join(lines))


def _begins_mail(line: bytes, following: bytes) -> bool:
    return bool(_MBOX_LINE.match(line) and _FIELD.match(following))
