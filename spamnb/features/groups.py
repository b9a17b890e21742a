"""The groups of tokens: each carries its own as a prefix, such as ``subject:`` or ``url:``."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from spamnb.features.matrix import Ints

BODY = ""
"""The group of tokens without a prefix."""

TEXT_GROUPS = frozenset({BODY, "subject", "pair", "char", "end", "shape"})
"""The groups that hold what people write; the others hold what programs write."""

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


def number_groups(tokens: Iterable[str]) -> tuple[Ints, tuple[str, ...]]:
    """Return the number of each token's group, and the groups' names in the order of the numbers.

    Parameters
    ----------
    tokens : iterable of str

    Returns
    -------
    numbers : ndarray of shape (n_tokens,)
        From 0 to n_groups - 1.
    names : tuple of str
        Sorted.
    """
    found = [group_of(token) for token in tokens]
    names = tuple(sorted(set(found)))
    number = {name: i for i, name in enumerate(names)}
    return np.array([number[name] for name in found], dtype=np.int64), names
