"""A labeled corpus → its two halves as folders, lists and mailboxes for programs to read."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from spamnb.errors import SpamnbError
from spamnb.filter.verdict import HAM_OR_SPAM
from spamnb.mail.corpora import IndexCorpus

_SEPARATOR = b"From benchmark@localhost Thu Jan  1 00:00:00 1970\n"
_FROM_LINE = re.compile(rb"^(>*From )", re.MULTILINE)
_BLOCK = 1 << 20


class Half(NamedTuple):
    """Half of a corpus, each mail in a file of its own, named by its number.

    Attributes
    ----------
    folder : Path
        Where the files are.
    labels : Path
        Lines of ``label path``, the paths absolute.
    names : dict of str to Path
        A list of paths for each label, and of all under ``"all"``.
    files : list of Path
        All files, in the order of the corpus.
    """

    folder: Path
    labels: Path
    names: dict[str, Path]
    files: list[Path]


def halves(index: str, scratch: Path) -> tuple[Half, Half]:
    """Lay out the first half of a corpus, rounded down, and the rest.

    Parameters
    ----------
    index : str
        A file of lines ``label path``, the path relative to it.
    scratch : Path
        A new folder for both.

    Raises
    ------
    SystemExit
        When the index cannot be used.
    """
    try:
        corpus = IndexCorpus(index)
        mails = [(mail.label, mail.mail.source) for mail in corpus.mails(limit=1)]
    except (SpamnbError, OSError) as error:
        raise SystemExit(f"{index}: {error}") from None
    if {label for label, _ in mails} != set(HAM_OR_SPAM):
        raise SystemExit(f"{index}: a corpus of ham and spam is needed")
    middle = len(mails) // 2
    return _lay_out(mails[:middle], scratch / "first"), _lay_out(mails[middle:], scratch / "second")


def _lay_out(mails: Sequence[tuple[str, str]], folder: Path) -> Half:
    folder.mkdir(parents=True)
    files = [folder / f"{number:06}" for number in range(len(mails))]
    for path, (_, source) in zip(files, mails, strict=True):
        try:
            os.link(os.path.realpath(source), path)
        except OSError:  # on another file system, or somebody else's
            shutil.copyfile(source, path)
    labels = [label for label, _ in mails]
    names = {}
    for wanted in (*HAM_OR_SPAM, "all"):
        names[wanted] = folder.with_name(f"{folder.name}-{wanted}")
        pairs = zip(labels, files, strict=True)
        own = [f"{path}\n" for label, path in pairs if wanted in (label, "all")]
        names[wanted].write_text("".join(own))
    index = folder.with_name(f"{folder.name}.index")
    lines = (f"{label} {path}\n" for label, path in zip(labels, files, strict=True))
    index.write_text("".join(lines))
    return Half(folder, index, names, files)


def mbox_entry(mail: bytes) -> bytes:
    """Return a mail as an mbox has it (mboxrd)."""
    if mail.startswith(b"From "):
        mail = mail.partition(b"\n")[2]
    end = b"\n" if mail.endswith(b"\n") else b"\n\n"
    return _SEPARATOR + _FROM_LINE.sub(rb">\1", mail) + end


def mailbox(half: Half) -> list[bytes]:
    """Return the entries of an mbox of all mails."""
    return [mbox_entry(path.read_bytes()) for path in half.files]


def repeated(entries: Sequence[bytes], n_mails: int) -> Iterator[bytes]:
    """Yield an mbox of a given number of mails, repeated, in pieces of about a megabyte."""
    n_left = n_mails
    while n_left > 0:
        yield from _blocks(entries[:n_left])
        n_left -= len(entries)


def mails_of_size(entries: Sequence[bytes], size: int) -> int:
    """Return how many mails, repeated, make a given number of bytes, rounded up."""
    n_rounds, rest = divmod(size, sum(map(len, entries)))
    n_mails = n_rounds * len(entries)
    for entry in entries:
        if rest <= 0:
            break
        rest -= len(entry)
        n_mails += 1
    return n_mails


def _blocks(entries: Sequence[bytes]) -> Iterator[bytes]:
    block: list[bytes] = []
    size = 0
    for entry in entries:
        block.append(entry)
        size += len(entry)
        if size >= _BLOCK:
            yield b"".join(block)
            block, size = [], 0
    yield b"".join(block)
