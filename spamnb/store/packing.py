"""A linear filter → a `spamnb.filter.table`, from which `spamnb.filter.table_filter` judges."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from spamnb.bayes.discrete import DiscreteNB
from spamnb.features.matrix import Floats, Ints
from spamnb.features.packed import Keys, PackedTokens, fingerprints
from spamnb.features.vectorizer import CountVectorizer
from spamnb.filter.spam_filter import SpamFilter
from spamnb.filter.table import LONGEST_REACH, TableForm, slot_shift
from spamnb.store.forms import Description
from spamnb.text.fingerprints import SPREAD

# With half of the slots empty a token is found in the first 1.5 slots on average (Knuth, 6.4).
_FULLEST = 0.5
_ENTRY = np.dtype([("key", np.uint64), ("weight", np.float64), ("scale", np.float64)])


def to_table(spam_filter: SpamFilter, seed: bytes) -> tuple[Description, bytes] | None:
    """Compile a filter.

    Parameters
    ----------
    spam_filter : SpamFilter
        A trained filter.
    seed : bytes
        As for `pack`.

    Returns
    -------
    description : Description
        What the manifest has to say of the table.
    content : bytes
        The table.

    None for both together where the filter cannot be compiled: its labels are not ham and spam, or
    it is not linear in the tokens.
    """
    estimator, vectorizer = spam_filter.model.estimator, spam_filter.vectorizer
    vocabulary = vectorizer.vocabulary if isinstance(vectorizer, CountVectorizer) else None
    view = estimator.view_name
    weights = spam_filter.spam_weights if spam_filter.is_ham_or_spam else None
    if weights is None or view is None or not vocabulary or not isinstance(estimator, DiscreteNB):
        return None
    scales = estimator.scales
    form, content = pack(vocabulary.packed(), weights[0], scales, seed)
    description: Description = {
        "base": form.base,
        "byte_order": form.byte_order,
        "intercept": weights[1],
        "n_entries": form.n_entries,
        "n_slots": form.n_slots,
        "reach": form.reach,
        "view": view,
    }
    return description, content


def pack(
    tokens: PackedTokens, weights: Floats, scales: Floats, seed: bytes
) -> tuple[TableForm, bytes]:
    """Return the form and the bytes of a table.

    Parameters
    ----------
    tokens : PackedTokens
        Each once, at least one.
    weights, scales : ndarray of shape (n_tokens,)
        Finite numbers.
    seed : bytes
        What the base of the fingerprints is made of.
    """
    n_slots = 1 << int(len(tokens) / _FULLEST - 1).bit_length()
    while True:
        seed = hashlib.sha256(seed).digest()
        base = int.from_bytes(seed[:8], "little") | 1
        keys = fingerprints(tokens.text, tokens.starts, tokens.lengths, base)
        in_order = np.sort(keys)
        if (in_order[1:] == in_order[:-1]).any():
            continue  # never seen; another base separates the two
        slots, reach = _place(keys, n_slots)
        if reach <= LONGEST_REACH:
            break
        n_slots *= 2
    form = TableForm(len(tokens), n_slots, reach, base)
    padding = np.zeros(form.slot_bytes // 4 - len(slots), dtype=np.uint32)
    entries = np.empty(len(tokens), dtype=_ENTRY)
    entries["key"], entries["weight"], entries["scale"] = keys, weights, scales
    return form, b"".join((slots.tobytes(), padding.tobytes(), entries.tobytes()))


def _place(keys: NDArray[np.uint64], n_slots: int) -> tuple[NDArray[np.uint32], int]:
    """Return the slots, and how far from its first slot an entry is at most.

    All entries try their first slot at the same time, then those that found it taken the next.
    """
    first = first_slots(keys, n_slots)
    slots = np.zeros(2 * n_slots, dtype=np.uint32)
    waiting = np.arange(len(keys))
    reach = -1
    while len(waiting):
        reach += 1
        wanted = first[waiting] + reach
        is_free = slots[wanted] == 0
        # Of several that want the same slot the first gets it: the last that is written stays.
        slots[wanted[is_free][::-1]] = waiting[is_free][::-1] + 1
        waiting = waiting[slots[wanted] != waiting + 1]
    return slots[: n_slots + reach], reach


def first_slots(keys: Keys, n_slots: int) -> Ints:
    """Return the slot in which each fingerprint is looked for first."""
    spread = keys * np.uint64(SPREAD)
    return (spread >> np.uint64(slot_shift(n_slots))).astype(np.int64)
