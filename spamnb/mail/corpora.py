"""Labelled mail: folders per label, a TREC index, a TSV file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple, Protocol

from spamnb.errors import CorpusFormatError, InputNotFoundError, InputReadError
from spamnb.mail.charsets import decode
from spamnb.mail.sources import (
    MOST_BYTES,
    OnSkip,
    RawMail,
    raise_skipped,
    read_mail,
    read_mails,
    read_stream,
)


class LabelledMail(NamedTuple):
    """A mail and its label, such as ``ham`` or ``spam``."""

    label: str
    mail: RawMail


class Corpus(Protocol):
    """Labelled mail that can be iterated more than once, unless it is standard input.

    Attributes
    ----------
    labels : tuple of str
        The labels that occur, known before the mail is read.
    is_sequence : bool
        True where the order of the mails means something (an index), False where the mails of
        one label come first and then those of the next.
    """

    labels: tuple[str, ...]
    is_sequence: bool

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabelledMail]:
        """Yield the mails, so many bytes of each; what cannot be read goes to ``on_skip``."""


@dataclass
class PathCorpus:
    """Mail files, folders and mailboxes, each with one label for all its mails.

    Parameters
    ----------
    label : str
        The label.
    path : str
        As for `spamnb.mail.sources.read_mails`, or ``-`` for standard input.

    Raises
    ------
    InputNotFoundError
        When nothing is at the path.
    """

    label: str
    path: str
    labels: tuple[str, ...] = field(init=False)
    is_sequence: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.labels = (self.label,)
        if self.path != "-" and not os.path.exists(self.path):
            raise InputNotFoundError(self.path)

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabelledMail]:
        """Yield the mails."""
        if self.path == "-":
            mails = read_stream(sys.stdin.buffer, on_skip=on_skip, limit=limit)
        else:
            mails = read_mails(self.path, on_skip, limit)
        return (LabelledMail(self.label, mail) for mail in mails)


class IndexCorpus:
    """A TREC index: lines of ``label path``, the path relative to the index.

    Parameters
    ----------
    path : str
        The index.

    Raises
    ------
    InputNotFoundError, InputReadError, CorpusFormatError
    """

    is_sequence = True

    def __init__(self, path: str) -> None:
        self._entries: list[tuple[str, str]] = []
        folder = os.path.dirname(path)
        with _open(path, "index") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                label, _, file = line.strip(b"\r\n").partition(b" ")
                if not label or not file.strip():
                    raise CorpusFormatError(path, number, "'label path', such as 'spam mail/17'")
                name = os.path.join(folder, os.fsdecode(file.strip()))
                self._entries.append((_label(label), name))
        self.labels = tuple(sorted({label for label, _ in self._entries}))

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabelledMail]:
        """Yield the mails, in the order of the index."""
        for label, path in self._entries:
            for mail in read_mail(path, on_skip, limit):
                yield LabelledMail(label, mail)


class TsvCorpus:
    """A file of short texts: lines of ``label TAB text``, without headers.

    The file is read once for the labels and once for the texts, so it cannot be a pipe.

    Parameters
    ----------
    path : str
        The file.

    Raises
    ------
    InputNotFoundError, InputReadError, CorpusFormatError
    """

    is_sequence = True

    def __init__(self, path: str) -> None:
        self._path = path
        self.labels = tuple(sorted({label for _, label, _ in self._lines()}))

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabelledMail]:
        """Yield the texts, in the order of the file; none is ever skipped."""
        for number, label, text in self._lines():
            data = decode(text).text.encode("utf-8", "replace")
            yield LabelledMail(label, RawMail(f"{self._path}#{number}", data, is_text=True))

    def _lines(self) -> Iterator[tuple[int, str, bytes]]:
        with _open(self._path, "TSV file") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                label, tab, text = line.rstrip(b"\r\n").partition(b"\t")
                if not tab or not label.strip():
                    raise CorpusFormatError(self._path, number, "'label TAB text'")
                yield number, _label(label), text


class JoinedCorpus:
    """Several corpora, one after the other.

    Parameters
    ----------
    corpora : sequence of Corpus
    """

    def __init__(self, corpora: Sequence[Corpus]) -> None:
        self._corpora = corpora
        self.labels = tuple(sorted({label for corpus in corpora for label in corpus.labels}))
        self.is_sequence = all(corpus.is_sequence for corpus in corpora)

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabelledMail]:
        """Yield the mails of each corpus in turn."""
        for corpus in self._corpora:
            yield from corpus.mails(on_skip, limit)


def _open(path: str, purpose: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise InputNotFoundError(path, purpose) from None
    except OSError as error:
        raise InputReadError(path, error.strerror or str(error)) from None


def _label(raw: bytes) -> str:
    """Labels are compared in lower case: TREC writes ``spam``, others ``Spam``."""
    return decode(raw).text.strip().lower()
