"""`Message` → fingerprints of its tokens, in compiled code; twin of `spamnb.text.analyzer`."""

from __future__ import annotations

from spamnb.features.groups import TokenGroups
from spamnb.mail.message import Message
from spamnb.native_keys import Base
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.text.full import other_tokens
from spamnb.text.native.full import TextKeys, text_keys
from spamnb.text.reading import read
from spamnb.text.tokenizers import make_segmenter
from spamnb.text.words import FullSplitter


class KeyAnalyzer:
    """Turns messages into fingerprints, where there are many, and tokens, where there are few.

    Parameters
    ----------
    config : AnalyzerConfig
        What to do; of the preset ``full`` without values.
    base : int
        Of the fingerprints; see `spamnb.table`.
    """

    def __init__(self, config: AnalyzerConfig, base: int) -> None:
        assert config.preset == "full", config
        assert not config.with_values, config
        self._base = Base(base)
        self._tokenizer = config.tokenizer
        self._stop_words = frozenset(config.stop_words)

    def __call__(self, message: Message) -> tuple[TextKeys, TokenGroups]:
        """Return the fingerprints of the words of a message, and its other tokens by group."""
        reading = read(message)
        segment = make_segmenter(self._tokenizer)
        others = other_tokens(message, reading, FullSplitter(segment, self._stop_words))
        return text_keys(reading, self._base, segment, self._stop_words), others
