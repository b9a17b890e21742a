"""Parents of words that a user gives: the file format, and the words that have no effect."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from spamnb.errors import CorpusFormatError, reading
from spamnb.filter.spam_filter import SpamFilter

_FORM = "'word TAB parent' in UTF-8"


class IdleWords(NamedTuple):
    """Words of a map of parents that have no effect in a filter.

    Attributes
    ----------
    unknown : list of str
        Those in no mail that it has learned from.
    not_chosen : list of str
        Those that it knows, but that were not selected as features.
    """

    unknown: list[str]
    not_chosen: list[str]


def read_parents(path: str) -> dict[str, str]:
    """Read a file of lines ``word TAB parent``, the words spelled as ``explain`` shows them.

    Raises
    ------
    InputNotFoundError, InputReadError
    CorpusFormatError
        When a line is not of this form, a word has two parents, or one depends on itself.
    """
    parents: dict[str, str] = {}
    line_of: dict[str, int] = {}
    for number, line in enumerate(_read(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            word, parent = (part.strip() for part in line.decode("utf-8-sig").split("\t"))
        except ValueError:  # another number of words, or not UTF-8
            word = parent = ""
        if not word or not parent:
            raise CorpusFormatError(path, number, _FORM)
        if word in parents:
            expected = f"one parent of '{word}', which has one since line {line_of[word]}"
            raise CorpusFormatError(path, number, expected)
        parents[word], line_of[word] = parent, number
    try:
        TopologicalSorter({word: [parent] for word, parent in parents.items()}).prepare()
    except CycleError as error:
        last = max(error.args[1], key=line_of.__getitem__)
        expected = f"a parent that does not itself depend on '{last}'"
        raise CorpusFormatError(path, line_of[last], expected) from None
    return parents


def _read(path: str) -> bytes:
    with reading(path, "file of parents"), open(path, "rb") as file:
        return file.read()


def find_idle_words(parents: Mapping[str, str], spam_filter: SpamFilter) -> IdleWords:
    """Return the words of a map of parents that have no effect in the filter trained with it."""
    vocabulary = list(spam_filter.vectorizer.vocabulary or ())
    chosen = {
        vocabulary[j]
        for part in spam_filter.model.estimator.parts
        if "parents" in part.options
        for j in part.selected_features_.tolist()
    }
    known, words = set(vocabulary), {*parents, *parents.values()}
    return IdleWords(sorted(words - known), sorted(words & known - chosen))
