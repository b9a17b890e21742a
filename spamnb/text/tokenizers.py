"""Text → words: white space for scripts that have it, jieba or single characters for Chinese."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from spamnb.errors import ParameterError
from spamnb.patterns import lazy_pattern

if TYPE_CHECKING:
    from spamnb.text.segmentation import Segmenter

Tokenizer = Callable[[str], list[str]]

TOKENIZERS = ("auto", "whitespace", "jieba", "chars")
"""The names that `make_tokenizer` and `make_segmenter` know."""

HAN_CHARACTERS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters: basic plane, extension A, compatibility ideographs, planes 2 and 3; for a
class of a regular expression."""

_HAN = lazy_pattern(f"[{HAN_CHARACTERS}]")
_HAN_OR_NOT = lazy_pattern(f"[{HAN_CHARACTERS}]+|[^{HAN_CHARACTERS}]+")

# A character of hostile text takes 6 µs, 2 µs without the hidden Markov model (2026-11).  jieba's
# own code takes quadratic time on a long run of characters that form no words (1.8 s for 20,000).
# A novel's chapter has 5,000 characters.  So chunks longer than people write are cut, and of one
# message at most 40,000 characters are segmented with the model, at most 120,000 in all, and the
# rest is left out.
_LONGEST_CHUNK = 500
_MOST_WITH_MODEL = 40_000
_MOST_CHARACTERS = 120_000


def make_tokenizer(name: str) -> Tokenizer:
    """Return a new tokenizer for the texts of one message.

    Parameters
    ----------
    name : str
        ``whitespace`` splits at white space; ``jieba`` segments all of the text; ``auto``
        splits at white space and segments what then contains a Chinese character; ``chars``
        splits at white space, and Chinese into single characters and pairs of neighbors.

    Raises
    ------
    ParameterError
        For another name.
    """
    _check(name)
    if name == "whitespace":
        return str.split
    return _split_characters if name == "chars" else _Splitting(only_han=name == "auto")


def make_segmenter(name: str) -> Tokenizer:
    """Return a new segmenter for the runs of Chinese characters of one message.

    Parameters
    ----------
    name : str
        ``jieba`` and ``auto`` give words, ``chars`` single characters, ``whitespace`` the run as
        it is.

    Raises
    ------
    ParameterError
        For another name.
    """
    _check(name)
    if name == "whitespace":
        return lambda run: [run]
    return list if name == "chars" else _Segmenting()


def _check(name: str) -> None:
    if name not in TOKENIZERS:
        raise ParameterError("tokenizer", f"one of {', '.join(TOKENIZERS)}", name)


class _Segmenting:
    """Segments as jieba does, at most 120,000 characters of one message."""

    def __init__(self) -> None:
        self._n_characters = 0

    def __call__(self, run: str) -> list[str]:
        words: list[str] = []
        for start in range(0, len(run), _LONGEST_CHUNK):
            piece = run[start : start + _LONGEST_CHUNK]
            self._n_characters += len(piece)
            if self._n_characters > _MOST_CHARACTERS:
                break
            words += _jieba().cut(piece, HMM=self._n_characters <= _MOST_WITH_MODEL)
        return words


class _Splitting:
    """Splits at white space, and segments with jieba.

    Parameters
    ----------
    only_han : bool
        Segment only what contains a Chinese character.
    """

    def __init__(self, only_han: bool) -> None:
        self._only_han = only_han
        self._segment = _Segmenting()

    def __call__(self, text: str) -> list[str]:
        if self._only_han and (text.isascii() or not _HAN.search(text)):
            return text.split()
        words: list[str] = []
        for chunk in text.split():
            if self._only_han and not _HAN.search(chunk):
                words.append(chunk)
            else:
                words += self._segment(chunk)
        return words


def _split_characters(text: str) -> list[str]:
    if text.isascii() or not _HAN.search(text):
        return text.split()
    words: list[str] = []
    for run in (run for chunk in text.split() for run in _HAN_OR_NOT.findall(chunk)):
        if _HAN.match(run):
            words += run
            words += (run[i : i + 2] for i in range(len(run) - 1))
        else:
            words.append(run)
    return words


@cache
def _jieba() -> Segmenter:
    """Load the segmenter, once per process and only for Chinese text."""
    from spamnb.text.segmentation import load_segmenter

    return load_segmenter()
