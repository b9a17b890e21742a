"""The one pipeline from a message to its tokens, and its configuration.

The configuration is stored in the model, so that training and scoring cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from spamnb.errors import ParameterError
from spamnb.mail.message import Message
from spamnb.text.html import strip_tags
from spamnb.text.stop_words import default_stop_words
from spamnb.text.tokenizers import make_tokenizer

PRESETS = ("textbook",)
"""The names of the pipelines."""

_NOT_LETTERS = re.compile(r"[\W\d_]+")


@dataclass(frozen=True, slots=True)
class AnalyzerConfig:
    """What an `Analyzer` does; plain data that goes into the model's manifest.

    Attributes
    ----------
    preset : str
        The pipeline; ``textbook`` strips tags, lower-cases, drops punctuation and digits,
        tokenizes, and keeps words that are longer than one character and no stop words.
    tokenizer : str
        ``auto``, ``whitespace`` or ``jieba``.
    stop_words : tuple of str
        The words to leave out, by default the lists that ship with spamnb.  The words
        themselves are kept, so that a model outlives a change of the lists.
    """

    preset: str = "textbook"
    tokenizer: str = "auto"
    stop_words: tuple[str, ...] = field(default_factory=default_stop_words)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> AnalyzerConfig:
        """Rebuild a configuration from `to_dict`.

        Raises
        ------
        ParameterError
            When the data is not of that form.
        """
        try:
            return cls(
                preset=str(data["preset"]),
                tokenizer=str(data["tokenizer"]),
                stop_words=_words(data["stop_words"]),
            )
        except (KeyError, TypeError):
            raise ParameterError("analyzer", "a preset, a tokenizer and stop words", data) from None


def _words(data: Any) -> tuple[str, ...]:
    if not isinstance(data, (list, tuple)):
        raise TypeError(data)
    return tuple(map(str, data))


class Analyzer:
    """Turns messages into lists of tokens.

    Parameters
    ----------
    config : AnalyzerConfig, optional
        What to do.

    Raises
    ------
    ParameterError
        For an unknown preset or tokenizer.
    """

    def __init__(self, config: AnalyzerConfig | None = None) -> None:
        self.config = config or AnalyzerConfig()
        if self.config.preset not in PRESETS:
            raise ParameterError("preset", f"one of {', '.join(PRESETS)}", self.config.preset)
        self._tokenize: Callable[[str], list[str]] = make_tokenizer(self.config.tokenizer)
        self._stop_words = frozenset(self.config.stop_words)

    def analyze(self, message: Message) -> list[str]:
        """Return the tokens of a message, in the order in which they stand.

        Parameters
        ----------
        message : Message

        Returns
        -------
        list of str
            Words of the subject, then of each text part.
        """
        words = (word for text in _texts(message) for word in self._words(text))
        return [word for word in words if len(word) > 1 and word not in self._stop_words]

    def _words(self, text: str) -> list[str]:
        return self._tokenize(_NOT_LETTERS.sub(" ", text.lower()))


def _texts(message: Message) -> Iterator[str]:
    yield message.subject
    for part in message.parts:
        if part.content_type == "text/html":
            yield strip_tags(part.text)
        elif part.text:
            yield part.text
