"""jieba's dictionary and character model as one table, which a process maps instead of reading.

The table is the dictionary's own lines, grouped by the first two characters of the word, with an
index over the groups; and the probabilities of the hidden Markov model.  The line of a single
character has the characters that follow it in longer words in place of its part of speech.  The
table is made once from the data files of the installed jieba, and kept in the user's cache folder.
If you change its contents, raise ``_FORMAT``.

| bytes | what |
|---|---|
| 256 | ASCII: format, byte order, sizes and times of the data files, checksum of what follows |
| 8 · 13 | sum of all frequencies; log probabilities of the first state and of the transitions |
| 8 · 4 · 20,950 | log probabilities of each character from U+4E00 on in the states B, E, M, S |
| 4 · (2¹⁷ + 1) | where each group begins in the lines, and the end of the last |
| the rest | the lines, each after a line feed |
"""

from __future__ import annotations

import os
import sys
from zlib import crc32

from spamnb.system.user_cache import read_cached, write_cached

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes 4 ms to import
    from collections.abc import Iterator
    from mmap import mmap
    from typing import Any

_FORMAT = 1
_DATA_FILES = (
    "dict.txt",
    os.path.join("finalseg", "prob_start.py"),
    os.path.join("finalseg", "prob_trans.py"),
    os.path.join("finalseg", "prob_emit.py"),
)

FIRST_CHARACTER = "\u4e00"
"""The first character that the hidden Markov model knows."""
LAST_CHARACTER = "\u9fd5"
"""The last character that the hidden Markov model knows."""
STATES = "BEMS"
"""The states of a character: begins a word, ends it, is in its middle, is a word by itself."""
TRANSITIONS = ("BE", "BM", "EB", "ES", "ME", "MM", "SB", "SS")
"""The pairs of states that may follow each other, as the table has them."""

# What jieba takes for the logarithm of 0 in its character model.
_NEVER = -3.14e100

_HEADER = 256
_N_FIRST = 1 + len(STATES) + len(TRANSITIONS)
_N_EMISSIONS = len(STATES) * (ord(LAST_CHARACTER) - ord(FIRST_CHARACTER) + 1)
# 178,000 pairs of characters begin the dictionary's 349,000 words: one to two in a group.
N_GROUPS = 1 << 17
"""How many groups the words are in."""
_INDEX = _HEADER + 8 * (_N_FIRST + _N_EMISSIONS)
_LINES = _INDEX + 4 * (N_GROUPS + 1)


class Dictionary:
    """The frequencies of words, and the probabilities of characters.

    Parameters
    ----------
    content : bytes or mmap
        A table; see the module.

    Attributes
    ----------
    total : int
        The sum of all frequencies.
    probabilities : memoryview of float, shape (12,)
        Log probabilities: of the `STATES` of a first character, then of the `TRANSITIONS`.
    emissions : memoryview of float, shape (83800,)
        Log probabilities of characters: those of ``FIRST_CHARACTER`` in the four states, then those
        of the next character, and so on.
    starts : memoryview of int, shape (131073,)
        Where each group begins in the lines, and the end of the last.
    lines : memoryview of bytes
        The lines.
    """

    def __init__(self, content: bytes | mmap) -> None:
        view = memoryview(content)
        numbers = view[_HEADER:_INDEX].cast("d")
        self.total = int(numbers[0])
        self.probabilities = numbers[1:_N_FIRST]
        self.emissions = numbers[_N_FIRST:]
        self.starts = view[_INDEX:_LINES].cast("I")
        self.lines = view[_LINES:]

    def look_up(self, fragment: str) -> tuple[int, str]:
        """Return how often a word occurs, and what follows it in longer words.

        Parameters
        ----------
        fragment : str
            One or more characters, without white space or surrogates.

        Returns
        -------
        frequency : int
            0 if it is not a word.
        following : str
            The characters that come next in longer words.
        """
        if len(fragment) == 1:
            _, found, rest = self._group_lines(fragment + " ").partition(f"\n{fragment} ")
            frequency, _, following = rest.partition("\n")[0].partition(" ")
            return (int(frequency), following) if found else (0, "")
        rests = self._group_lines(fragment[:2]).split("\n" + fragment)[1:]
        # If a word has two lines, jieba takes the last.
        numbers = [rest.split(None, 1)[0] for rest in rests if rest[0] == " "]
        characters = {rest[0] for rest in rests} - {" "}
        return int(numbers[-1]) if numbers else 0, "".join(characters)

    def _group_lines(self, key: str) -> str:
        """Return the lines of a group; ``key`` is two characters, or one and a blank."""
        group = _group(key)
        return str(self.lines[self.starts[group] : self.starts[group + 1]], "utf-8")


def _group(key: str) -> int:
    return crc32(key.encode()) & (N_GROUPS - 1)


def load_dictionary() -> Dictionary:
    """Return the dictionary of the installed jieba.

    It is mapped from the user's cache folder.  If that has no table, or a damaged one, the table
    is made from jieba's files, which takes 0.6 s, and written there.

    Raises
    ------
    ModuleNotFoundError
        When jieba is not installed.
    """
    folder = _jieba_folder()
    identity = _identity(folder)
    name = f"words-{_FORMAT}-{crc32(identity):08x}"
    cached = read_cached(name)
    if cached is not None and _is_whole(cached, identity):
        return Dictionary(cached)
    content = make_table(folder)
    write_cached(name, content)
    return Dictionary(content)


def _jieba_folder() -> str:
    """Return where jieba is, without running any of its code.

    jieba 0.42.1 imports pkg_resources, logging and tempfile (120 ms), sets up a logger, and has
    invalid escapes in its source, which make Python warn.
    """
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("jieba")
    if spec is None:  # an editable install, perhaps; importlib.util takes 4 ms to import
        from importlib.util import find_spec

        spec = find_spec("jieba")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("No module named 'jieba'", name="jieba")
    return os.path.dirname(spec.origin)


def _identity(folder: str) -> bytes:
    """Return what the header of a table begins with."""
    status = [os.stat(os.path.join(folder, name)) for name in _DATA_FILES]
    files = ",".join(f"{file.st_size}.{file.st_mtime_ns}" for file in status)
    return f"spamnb words {_FORMAT} {sys.byteorder} {files} ".encode()


def _is_whole(content: mmap, identity: bytes) -> bool:
    """Return whether a file is an intact table of that identity (1.5 ms)."""
    header = content[:_HEADER]
    if not header.startswith(identity):
        return False
    return header == _header(identity, memoryview(content)[_HEADER:])


def _header(identity: bytes, content: bytes | memoryview) -> bytes:
    return (b"%b%08x\n" % (identity, crc32(content))).ljust(_HEADER)


def make_table(folder: str) -> bytes:
    """Return the table of the data files in jieba's folder.

    Raises
    ------
    OSError
        When a file cannot be read.
    ValueError
        If a line of the dictionary is not a word, a blank and a frequency, as in jieba.
    """
    from array import array

    identity = _identity(folder)
    words, start, transition, emission = (os.path.join(folder, name) for name in _DATA_FILES)
    lines, total = _grouped_lines(words)
    numbers = array("d", [total])
    numbers.extend(_probabilities(_constant(start), _constant(transition)))
    numbers.extend(_emissions(_constant(emission)))
    starts = array("I", [0])
    for group in lines:
        starts.append(starts[-1] + len(group))
    content = b"".join((numbers.tobytes(), starts.tobytes(), *lines))
    return _header(identity, content) + content


def _grouped_lines(path: str) -> tuple[list[bytes], int]:
    """Return the lines of each group, and the sum of all frequencies.

    A line is a word, its frequency and its part of speech, separated by blanks.  That of a single
    character has the characters that follow it in place of the last, and exists for every first
    character.
    """
    with open(path, "rb") as stream:
        text = b"\n".join(map(bytes.strip, stream)).decode()
    total = 0
    by_start: dict[str, list[str]] = {}
    for line in text.split("\n"):
        _, frequency = line.split(" ", 2)[:2]
        total += int(frequency)
        by_start.setdefault(line[:2], []).append(line)
    following: dict[str, str] = {}
    for character, second in map(tuple, by_start):
        following[character] = following.get(character, "") + second.strip()
    for character, characters in following.items():
        last = by_start.get(character + " ", [f"{character} 0"])[-1]
        by_start[character + " "] = [f"{character} {last.split()[1]} {characters}"]
    groups = [b""] * N_GROUPS
    for start, members in by_start.items():
        groups[_group(start)] += "\n".join(["", *members]).encode()
    return groups, total


def _constant(path: str) -> dict[str, Any]:
    """Return the constant P of one of jieba's modules, without importing jieba."""
    from importlib.machinery import SourceFileLoader

    namespace: dict[str, Any] = {}
    code = SourceFileLoader("P", path).get_code("P")
    assert code is not None
    exec(code, namespace)
    constant: dict[str, Any] = namespace["P"]
    return constant


def _probabilities(
    start: dict[str, float], transition: dict[str, dict[str, float]]
) -> Iterator[float]:
    yield from (start[state] for state in STATES)
    yield from (transition[pair[0]][pair[1]] for pair in TRANSITIONS)


def _emissions(emission: dict[str, dict[str, float]]) -> Iterator[float]:
    states = [emission[state] for state in STATES]
    for character in map(chr, range(ord(FIRST_CHARACTER), ord(LAST_CHARACTER) + 1)):
        yield from (state.get(character, _NEVER) for state in states)
