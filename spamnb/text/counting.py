"""`Message` → its tokens, counted over a list that many messages share."""

from __future__ import annotations

from collections.abc import Callable

from spamnb.mail.message import Message
from spamnb.native.twins import has_twin
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.counted import CountedTokens, TokenCounter

MOST_SHARED = 1 << 18
"""Longer lists of tokens are not counted over any more, but a new one: 25 MB."""


@has_twin
def make_counter(config: AnalyzerConfig) -> Callable[[Message], CountedTokens]:
    """Return what counts the tokens of messages over one list.

    Parameters
    ----------
    config : AnalyzerConfig
        How messages become tokens.
    """
    analyze, counter = Analyzer(config).analyze, TokenCounter()
    return lambda message: counter(analyze(message))
