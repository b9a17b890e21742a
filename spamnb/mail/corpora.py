"""Labeled mail: folders per label, a TREC index, a TSV file."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Protocol

from spamnb.errors import (
    CorpusFormatError,
    InputNotFoundError,
    ParameterError,
    reading,
)
from spamnb.mail.charsets import decode
from spamnb.mail.sources import (
    MOST_BYTES,
    LabeledMail,
    OnSkip,
    RawMail,
    raise_skipped,
    read_mail,
    read_mails,
    read_stream,
    standard_input,
)

_INDEX_FORM = "'label path', such as 'spam mail/17'"
_TSV_FORM = "'label TAB text'"


class Corpus(Protocol):
    """Labeled mail that can be iterated more than once, unless it is standard input.

    Attributes
    ----------
    labels : tuple of str
        The labels that occur, known before the mail is read.
    is_sequence : bool
        True if the order of the mails is meaningful (an index), False if the mails are grouped by
        label.
    """

    labels: tuple[str, ...]
    is_sequence: bool

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabeledMail]:
        """Yield the mails, at most ``limit`` bytes of each; unreadable files go to ``on_skip``."""


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
        When the path does not exist.
    """

    is_sequence = False

    def __init__(self, label: str, path: str) -> None:
        self.label = normal_label(label)
        self.labels: tuple[str, ...] = (self.label,)
        self.path = path
        if path != "-" and not os.path.exists(path):
            raise InputNotFoundError(path)

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabeledMail]:
        """Yield the mails."""
        if self.path == "-":
            mails = read_stream(standard_input(), on_skip=on_skip, limit=limit)
        else:
            mails = read_mails(self.path, on_skip, limit)
        return (LabeledMail(self.label, mail) for mail in mails)


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
                    raise CorpusFormatError(path, number, _INDEX_FORM)
                name = os.path.join(folder, os.fsdecode(file.strip()))
                self._entries.append((_label(label, path, number, _INDEX_FORM), name))
        self.labels = tuple(sorted({label for label, _ in self._entries}))

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabeledMail]:
        """Yield the mails, in the order of the index."""
        for label, path in self._entries:
            for mail in read_mail(path, on_skip, limit):
                yield LabeledMail(label, mail)


class TsvCorpus:
    """A file of short texts: lines of ``label TAB text``, without headers.

    The file is read once for the labels and once for the texts; a pipe is kept in memory.

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
        self._content: bytes | None = None
        if not os.path.isfile(path):
            with _open(path, "TSV file") as pipe:
                self._content = pipe.read()
        self.labels = tuple(sorted({label for _, label, _ in self._lines()}))

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabeledMail]:
        """Yield the texts, in the order of the file; none is ever skipped."""
        for number, label, text in self._lines():
            data = decode(text).text.encode("utf-8", "replace")
            yield LabeledMail(label, RawMail(f"{self._path}#{number}", data, is_text=True))

    def _lines(self) -> Iterator[tuple[int, str, bytes]]:
        if self._content is None:
            opened = _open(self._path, "TSV file")
        else:
            opened = io.BytesIO(self._content)
        with opened as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                label, tab, text = line.rstrip(b"\r\n").partition(b"\t")
                if not tab or not label.strip():
                    raise CorpusFormatError(self._path, number, _TSV_FORM)
                yield number, _label(label, self._path, number, _TSV_FORM), text


class JoinedCorpus:
    """Several corpora, one after the other."""

    def __init__(self, corpora: Sequence[Corpus]) -> None:
        self._corpora = corpora
        self.labels = tuple(sorted({label for corpus in corpora for label in corpus.labels}))
        self.is_sequence = all(corpus.is_sequence for corpus in corpora)

    def mails(
        self, on_skip: OnSkip = raise_skipped, limit: int = MOST_BYTES
    ) -> Iterator[LabeledMail]:
        """Yield the mails of each corpus in turn."""
        for corpus in self._corpora:
            yield from corpus.mails(on_skip, limit)


def _open(path: str, purpose: str) -> BinaryIO:
    if path == "-":
        return standard_input()
    with reading(path, purpose):
        return open(path, "rb")


def normal_label(label: str) -> str:
    """Return a label as it is compared, in lower case: TREC writes ``spam``, others ``Spam``.

    Raises
    ------
    ParameterError
        When it is empty, has unprintable characters, or is the verdict ``unsure``.
    """
    normal = label.strip().lower()
    if not normal or not normal.isprintable() or normal == "unsure":
        raise ParameterError("label", "a printable word other than 'unsure'", repr(label))
    return normal


def _label(raw: bytes, path: str, number: int, form: str) -> str:
    """Return the label from a line of a file."""
    try:
        return normal_label(decode(raw).text)
    except ParameterError:
        raise CorpusFormatError(path, number, form) from None
