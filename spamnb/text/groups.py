"""The groups of tokens; a token's prefix is its group, such as ``subject:`` or ``url:``."""

from __future__ import annotations

from collections.abc import Iterable

from spamnb.patterns import lazy_pattern

TokenGroups = dict[str, list[str]]
"""The tokens of a mail, by group."""

BODY = ""
"""The group of tokens without a prefix."""

GROUPS = (
    *(BODY, "subject", "pair", "char", "end", "shape"),
    *("word", "url", "html", "mime", "meta", "from", "header", "name"),
)
"""The groups; the number of a group is its place here, so new ones come last."""

TEXT_GROUPS = frozenset({BODY, "subject", "pair", "char", "end", "shape"})
"""The groups that hold what people write; the others hold what programs write."""

WEIGHT_UNIT = 2.0**-20
"""Every weight of a token in its group (length 1) is a multiple of this, so that sums are exact."""

_NUMBER = {name: number for number, name in enumerate(GROUPS)}
# Two groups of few tokens weigh as much together as one of many: 5-fold cross-validation on the
# first half of the SpamAssassin corpus, log loss .0212 with groups of their own, .0206 as one with
# ``mime``; the other corpora are as they were (2026-11).
_NUMBER["meta"] = _NUMBER["word"] = _NUMBER["mime"]
_PREFIX = lazy_pattern(r"([a-z]+):.")


def group_of(token: str) -> str:
    """Return the group of a token.

    Parameters
    ----------
    token : str
        Such as ``"hello"``, ``"subject:hello"``, ``"url:host:example.com"``.

    Returns
    -------
    str
        ``""``, ``"subject"``, ``"url"``.
    """
    prefix = _PREFIX.match(token)
    return prefix[1] if prefix else BODY


def body_words(tokens: Iterable[str]) -> set[str]:
    """Return the distinct words of a mail's body: its tokens without a colon.

    Tokens of other groups have one after their prefix, and a run of punctuation such as ``:-)`` is
    not a word.  Most pairs of words and most addresses of any mail are unknown to a model, so only
    the words of the body tell how much of a mail it knows (`Decision.too_little_known`).

    Parameters
    ----------
    tokens : iterable of str
        The tokens of the body, or of all groups.
    """
    return {token for token in tokens if ":" not in token}


def group_number(group: str) -> int:
    """Return the number of a group, that of the body if it is not a group."""
    return _NUMBER.get(group, 0)
