"""The groups of many tokens at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from spamnb.features.matrix import Ints
from spamnb.features.packed import PackedTokens
from spamnb.features.vocabulary import Vocabulary
from spamnb.text.groups import BODY, GROUPS, group_number


def group_numbers(tokens: Iterable[str]) -> Ints:
    """Return the number of each token's group; that of the body for a prefix which is none.

    Returns
    -------
    ndarray of shape (n_tokens,)
        Places in `GROUPS`; ``meta`` and ``word`` are one group with ``mime``.
    """
    packed = tokens.packed() if isinstance(tokens, Vocabulary) else PackedTokens(list(tokens))
    numbers = np.zeros(len(packed.lengths), dtype=np.int64)
    for name in GROUPS:
        if name == BODY:
            continue
        found = packed.starting_with(name + ":")
        place = len(name) + 1
        found = found[packed.lengths[found] > place]
        found = found[packed.text[packed.starts[found] + place] != ord("\n")]
        numbers[found] = group_number(name)
    return numbers
