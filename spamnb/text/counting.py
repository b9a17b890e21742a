"""`Message` → its tokens, counted over a list that many messages share."""

from __future__ import annotations

from collections.abc import Callable

from spamnb.mail.message import Message
from spamnb.native.twins import has_twin
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.counted import CountedTokens, TokenCounter

MOST_SHARED = 1 << 18
"""When a shared list is longer than this (25 MB), a new one is begun."""


@has_twin
def make_counter(config: AnalyzerConfig) -> Callable[[Message], CountedTokens]:
    """Return a function that counts the tokens of messages over one shared list.

    Parameters
    ----------
    config : AnalyzerConfig
        How messages become tokens.
    """
    analyze, counter = Analyzer(config).analyze, TokenCounter()
    return lambda message: counter(analyze(message))
