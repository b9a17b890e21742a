"""The groups of tokens: each carries its own as a prefix, such as ``subject:`` or ``url:``."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from spamnb.features.matrix import Ints
from spamnb.features.packed import PackedTokens
from spamnb.features.vocabulary import Vocabulary

BODY = ""
"""The group of tokens without a prefix."""

GROUPS = (
    *(BODY, "subject", "pair", "char", "end", "shape"),
    *("word", "url", "html", "mime", "meta", "from", "header", "name"),
)
"""The groups; the number of a group is its place here, so new ones come last."""

TEXT_GROUPS = frozenset({BODY, "subject", "pair", "char", "end", "shape"})
"""The groups that hold what people write; the others hold what programs write."""

_NUMBER = {name: number for number, name in enumerate(GROUPS)}
# Two groups of few tokens weigh as much together as one of many: 5-fold cross-validation on the
# first half of the SpamAssassin corpus, log loss .0212 with groups of their own, .0206 as one with
# ``mime``; the other corpora are as they were (2026-11).
_NUMBER["meta"] = _NUMBER["word"] = _NUMBER["mime"]
_PREFIX = re.compile(r"([a-z]+):.")


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


def group_numbers(tokens: Iterable[str]) -> Ints:
    """Return the number of each token's group; that of the body for a prefix which is none.

    Parameters
    ----------
    tokens : iterable of str, or Vocabulary

    Returns
    -------
    ndarray of shape (n_tokens,)
        Places in `GROUPS`; ``meta`` and ``word`` are one group with ``mime``.
    """
    packed = tokens.packed() if isinstance(tokens, Vocabulary) else PackedTokens(list(tokens))
    numbers = np.zeros(len(packed.lengths), dtype=np.int64)
    for name, number in _NUMBER.items():
        if name != BODY:
            found = packed.starting_with(name + ":")
            place = len(name) + 1
            found = found[packed.lengths[found] > place]
            numbers[found[packed.text[packed.starts[found] + place] != ord("\n")]] = number
    return numbers
