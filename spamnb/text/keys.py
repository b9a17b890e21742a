"""`Message` → fingerprints of its tokens, or counts, in compiled code.

Twins of `spamnb.text.analyzer.Analyzer`, for configurations that have one.
"""

from __future__ import annotations

from spamnb.mail.message import Message
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.text.counted import CountedTokens
from spamnb.text.full import other_tokens
from spamnb.text.groups import TokenGroups
from spamnb.text.native.counting import NativeCounter
from spamnb.text.native.fingerprints import Base
from spamnb.text.native.full import TextKeys, text_keys
from spamnb.text.native.words import Splitter
from spamnb.text.reading import Reading, read
from spamnb.text.tokenizers import Tokenizer, make_segmenter

# Of words whose fingerprints nobody asks for.
_BASE = Base(1)


class KeyAnalyzer:
    """Turns messages into fingerprints, where there are many, and tokens, where there are few.

    Parameters
    ----------
    config : AnalyzerConfig
        What to do.
    base : int
        Of the fingerprints; see `spamnb.filter.table`.
    """

    def __init__(self, config: AnalyzerConfig, base: int) -> None:
        self._base = Base(base)
        self._tokenizer = config.tokenizer
        self._stop_words = frozenset(config.stop_words)

    def __call__(self, message: Message) -> tuple[TextKeys, TokenGroups]:
        """Return the fingerprints of the words of a message, and its other tokens by group."""
        reading, segment, others = _read(message, self._tokenizer, self._stop_words)
        return text_keys(reading, self._base, segment, self._stop_words), others


class CountingAnalyzer:
    """Counts the tokens of messages over one list.

    Parameters
    ----------
    config : AnalyzerConfig
        What to do.
    """

    def __init__(self, config: AnalyzerConfig) -> None:
        self._tokenizer = config.tokenizer
        self._stop_words = frozenset(config.stop_words)
        self._counter = NativeCounter()

    def __call__(self, message: Message) -> CountedTokens:
        """Count the tokens of a message."""
        reading, segment, others = _read(message, self._tokenizer, self._stop_words)
        return self._counter.count(reading, segment, self._stop_words, others)


def _read(
    message: Message, tokenizer: str, stop_words: frozenset[str]
) -> tuple[Reading, Tokenizer, TokenGroups]:
    """Return what there is to read, what splits its Chinese, and the tokens of all but text."""
    reading = read(message)
    segment = make_segmenter(tokenizer)
    split = Splitter(_BASE, segment, stop_words).words
    return reading, segment, other_tokens(message, reading, split)
