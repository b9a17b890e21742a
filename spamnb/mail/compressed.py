"""Compressed mailboxes: gzip, bzip2 and xz, each as a stream that ends where it is damaged."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

_OPENERS: dict[bytes, Callable[[BinaryIO], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZ": lambda file: bz2.BZ2File(file),
    b"\xfd7": lambda file: lzma.LZMAFile(file),  # noqa: SIM115
}
_DAMAGED = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, OSError, ValueError)


class Decompressed(io.RawIOBase):
    """A decompressed stream that ends where the data are damaged, and keeps the reason.

    Parameters
    ----------
    stream : binary file object
        The compressed data.
    head : bytes
        The first bytes of the data: the magic number of gzip, bzip2 or xz.

    Attributes
    ----------
    problem : str
        What is wrong with the data, ``""`` while no damage has been found.
    """

    def __init__(self, stream: BinaryIO, head: bytes) -> None:
        self._stream = _OPENERS[head[:2]](stream)
        self.problem = ""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, see `io.RawIOBase`."""
        if self.problem:
            return 0
        try:
            # One small read, so that what precedes the damage is not lost with it.
            data = self._stream.read1(min(len(buffer), 4096))
        except _DAMAGED as error:
            self.problem = str(error) or type(error).__name__
            return 0
        buffer[: len(data)] = data
        return len(data)
