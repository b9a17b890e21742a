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

_LONGEST_CHUNK = 500


def make_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer of a name.

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
    tokenizers: dict[str, Tokenizer] = {"auto": _auto, "whitespace": str.split, "jieba": _jieba}
    if name not in tokenizers:
        raise ParameterError("tokenizer", f"one of {', '.join(TOKENIZERS)}", name)
    return tokenizers[name]


def _auto(text: str) -> list[str]:
    if text.isascii() or not _HAN.search(text):
        return text.split()
    return list(_by_chunk(text))


def _by_chunk(text: str) -> Iterator[str]:
    for chunk in text.split():
        if _HAN.search(chunk):
            yield from _segment(chunk)
        else:
            yield chunk


def _jieba(text: str) -> list[str]:
    return [word for chunk in text.split() for word in _segment(chunk)]


def _segment(chunk: str) -> Iterator[str]:
    """Yield the words of a chunk of text without white space.

    jieba takes quadratic time on a long run of letters that form no words (20,000 of them 1.8 s,
    2026-11), so longer chunks than people write are cut.
    """
    for start in range(0, len(chunk), _LONGEST_CHUNK):
        yield from _segmenter().cut(chunk[start : start + _LONGEST_CHUNK])


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
