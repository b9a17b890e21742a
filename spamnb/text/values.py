"""Tokens that carry a value: ``stat:NAME=NUMBER`` and ``fact:NAME=VALUE``.

So a mail stays one list of tokens, whatever a model reads: models of words ignore these, those of
numbers and of facts read nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable

STATISTIC = "stat:"
"""The prefix of a number's token."""

FACT = "fact:"
"""The prefix of a fact's token."""


def is_word(token: str) -> bool:
    """Return whether a token is for models of words."""
    return not token.startswith((STATISTIC, FACT))


def values_of(tokens: Iterable[str], beginning: str) -> dict[str, str]:
    """Return the values that tokens carry, by name; of several values, the last.

    Parameters
    ----------
    tokens : iterable of str
    beginning : str
        `STATISTIC` or `FACT`.
    """
    pairs = (
        token[len(beginning) :].partition("=") for token in tokens if token.startswith(beginning)
    )
    return {name: value for name, _, value in pairs}
