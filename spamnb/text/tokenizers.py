"""Text → words: white space for scripts that have it, jieba for Chinese."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from spamnb.errors import ParameterError

if TYPE_CHECKING:
    import jieba

Tokenizer = Callable[[str], list[str]]

TOKENIZERS = ("auto", "whitespace", "jieba")
"""The names that `make_tokenizer` knows."""

# Basic plane, extension A, compatibility ideographs, and the planes 2 and 3.
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")

# jieba takes quadratic time on a long run of letters that form no words (20,000 of them 1.8 s),
# and 9 µs for a letter of hostile text, 3 µs without its hidden Markov model (2026-11); a novel's
# chapter has 5,000 letters.  So longer chunks than people write are cut, and of one message so
# many letters are segmented with the model, so many without, and the rest is left out.
_LONGEST_CHUNK = 500
_MOST_WITH_MODEL = 40_000
_MOST_LETTERS = 120_000


def make_tokenizer(name: str) -> Tokenizer:
    """Return a new tokenizer for the texts of one message.

    Parameters
    ----------
    name : str
        ``whitespace`` splits at white space; ``jieba`` segments all of the text; ``auto``
        splits at white space and segments what then contains a Chinese character.

    Raises
    ------
    ParameterError
        For another name.
    """
    if name not in TOKENIZERS:
        raise ParameterError("tokenizer", f"one of {', '.join(TOKENIZERS)}", name)
    return str.split if name == "whitespace" else _Segmenting(only_han=name == "auto")


class _Segmenting:
    """Splits at white space, and segments with jieba.

    Parameters
    ----------
    only_han : bool
        Segment only what contains a Chinese character.
    """

    def __init__(self, only_han: bool) -> None:
        self._only_han = only_han
        self._n_letters = 0

    def __call__(self, text: str) -> list[str]:
        if self._only_han and (text.isascii() or not _HAN.search(text)):
            return text.split()
        return [word for chunk in text.split() for word in self._words(chunk)]

    def _words(self, chunk: str) -> Iterator[str]:
        if self._only_han and not _HAN.search(chunk):
            yield chunk
            return
        for start in range(0, len(chunk), _LONGEST_CHUNK):
            piece = chunk[start : start + _LONGEST_CHUNK]
            self._n_letters += len(piece)
            if self._n_letters > _MOST_LETTERS:
                return
            yield from _segmenter().cut(piece, HMM=self._n_letters <= _MOST_WITH_MODEL)


@cache
def _segmenter() -> jieba.Tokenizer:
    """Load jieba and its dictionary, once in a process and only when Chinese text has come.

    jieba would keep its dictionary as marshalled code in the shared temporary directory, where
    any local user can plant it; so the dictionary is read from its text instead (0.6 s, not
    0.45 s), and nothing is printed.
    """
    with warnings.catch_warnings():
        # jieba 0.42.1 asks for pkg_resources, which warns, and has invalid escapes in its source.
        warnings.simplefilter("ignore")
        import jieba
    segmenter = jieba.Tokenizer()
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter
