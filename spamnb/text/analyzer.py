"""The one pipeline from a message to its tokens, and its configuration.

The configuration is stored in the model, so that training and scoring cannot differ.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

from spamnb.errors import ParameterError
from spamnb.mail.limits import Limits
from spamnb.mail.message import Message
from spamnb.text.full import full_tokens
from spamnb.text.groups import BODY, TokenGroups
from spamnb.text.reading import Reading, read
from spamnb.text.tokenizers import make_segmenter, make_tokenizer
from spamnb.text.words import Splitter

PRESETS = ("full", "textbook")
"""The names of the pipelines."""


class AnalyzerConfig(NamedTuple):
    """How a mail is read and analyzed; plain data that goes into the model's manifest.

    Attributes
    ----------
    preset : str
        The pipeline; ``full`` makes tokens of everything in a mail, see `spamnb.text.full`;
        ``textbook`` strips tags, lower-cases, drops punctuation and digits, tokenizes, and keeps
        words that are longer than one character and not stop words.
    tokenizer : str
        ``auto``, ``whitespace``, ``jieba`` or ``chars``.
    stop_words : tuple of str
        The words to leave out.  The words themselves are kept, so that a model outlives a change
        of the lists.
    limits : Limits
        How much of a mail is read.
    with_values : bool
        Also yield numbers and facts (`spamnb.text.statistics`, `spamnb.text.facts`), for the
        classifiers that read them.
    """

    preset: str = "full"
    tokenizer: str = "auto"
    stop_words: tuple[str, ...] = ()
    limits: Limits = Limits()
    with_values: bool = False

    @classmethod
    def textbook(cls) -> AnalyzerConfig:
        """Return the configuration of the textbook, with the stop words that ship with spamnb."""
        from spamnb.text.stop_words import default_stop_words

        return cls(preset="textbook", stop_words=default_stop_words())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**self._asdict(), "limits": self.limits._asdict()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> AnalyzerConfig:
        """Rebuild a configuration from `to_dict`.

        Raises
        ------
        ParameterError
            When the data is not of that form.
        """
        try:
            limits = {name: int(data["limits"][name]) for name in Limits._fields}
            if min(limits.values()) < 0:
                raise ValueError(limits)
            return cls(
                preset=str(data["preset"]),
                tokenizer=str(data["tokenizer"]),
                stop_words=_word_tuple(data["stop_words"]),
                limits=Limits(**limits),
                with_values=bool(data.get("with_values", False)),
            )
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            expected = "a preset, a tokenizer, stop words and limits"
            raise ParameterError("analyzer", expected, data) from None


class Analyzer:
    """Turns messages into lists of tokens.

    Parameters
    ----------
    config : AnalyzerConfig, optional
        How to read and analyze.

    Raises
    ------
    ParameterError
        For an unknown preset or tokenizer.
    """

    def __init__(self, config: AnalyzerConfig | None = None) -> None:
        self.config = config or AnalyzerConfig()
        if self.config.preset not in PRESETS:
            raise ParameterError("preset", f"one of {', '.join(PRESETS)}", self.config.preset)
        make_tokenizer(self.config.tokenizer)  # raises now for an unknown one
        self._stop_words = frozenset(self.config.stop_words)

    def analyze(self, message: Message) -> list[str]:
        """Return the tokens of a message, group by group."""
        return list(chain.from_iterable(self.groups(message).values()))

    def groups(self, message: Message) -> TokenGroups:
        """Return the tokens of each group of a message.

        Returns
        -------
        dict of str to list of str
            With the preset ``textbook`` the words of the subject, then of each text part, in the
            order of the mail, are the only group.  Values are a group of their own.
        """
        reading = read(message)
        groups = self._words(message, reading)
        if self.config.with_values:
            from spamnb.text.facts import fact_tokens
            from spamnb.text.statistics import statistic_tokens

            groups["value"] = [*statistic_tokens(message, reading), *fact_tokens(message)]
        return groups

    def _words(self, message: Message, reading: Reading) -> TokenGroups:
        if self.config.preset == "full":
            segment = make_segmenter(self.config.tokenizer)
            return full_tokens(message, reading, segment, self._stop_words)
        split = Splitter(make_tokenizer(self.config.tokenizer), self._stop_words)
        return {BODY: [word for text in (reading.subject, *reading.texts) for word in split(text)]}


def _word_tuple(data: Any) -> tuple[str, ...]:
    if not isinstance(data, (list, tuple)):
        raise TypeError(data)
    return tuple(map(str, data))
