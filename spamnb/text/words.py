"""Text → words as the textbook has them."""

from __future__ import annotations

import re

from spamnb.text.tokenizers import Tokenizer

_NOT_LETTERS = re.compile(r"[\W\d_]+")


class Splitter:
    """Lower-cases a text, drops punctuation and digits, and splits it.

    Parameters
    ----------
    tokenize : Tokenizer
        Splits what then is letters and spaces.
    stop_words : frozenset of str
        Words to leave out; words of one character are left out too.
    """

    def __init__(self, tokenize: Tokenizer, stop_words: frozenset[str]) -> None:
        self._tokenize = tokenize
        self._stop_words = stop_words

    def __call__(self, text: str) -> list[str]:
        """Return the words of a text, in order."""
        words = self._tokenize(_NOT_LETTERS.sub(" ", text.lower()))
        return [word for word in words if len(word) > 1 and word not in self._stop_words]
