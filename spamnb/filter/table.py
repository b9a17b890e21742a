"""The weights of a linear model as a file that a process maps and probes, without reading it.

The file holds, one after the other in the machine's byte order:

========  ===================  ===========================================================
slots     n_slots + reach, u4  number of an entry plus 1, 0 for an empty slot
          (padded to 8 bytes)
entries   n_entries:
          key, u8              fingerprint of the entry's token
          weight, f8           what it adds to the log-odds, in nats
          scale, f8            what its count is multiplied by first
========  ===================  ===========================================================

The fields of an entry are adjacent, so that they share one or two cache lines.

A token's entry is in the slot that the first bits of its fingerprint (`spamnb.text.fingerprints`)
times a constant name (Knuth, The Art of Computer Programming 3, 6.4), or in one of the next, at
most ``reach`` further on.  No two tokens of a table have the same fingerprint; one that is not in
it has the fingerprint of one that is with a probability of 2⁻⁴⁶ (200,000 tokens).  The base depends
on what the model has learned, so that nobody who does not know it can construct tokens
whose fingerprints collide.
"""

from __future__ import annotations

import mmap
import sys
from typing import Any, NamedTuple

from spamnb.errors import ModelFormatError
from spamnb.text.fingerprints import SPREAD, WORD, fingerprint

Entry = tuple[float, float]

LONGEST_REACH = 1 << 10
"""The maximum reach of a table; one that would need more gets more slots."""


class TableForm(NamedTuple):
    """What must be known of a table to read it.

    Attributes
    ----------
    n_entries : int
        How many tokens it has.
    n_slots : int
        How many slots, a power of two.
    reach : int
        How many slots to probe further at most.
    base : int
        Of the fingerprints; odd, less than 2⁶⁴.
    byte_order : str
        ``little`` or ``big``.
    """

    n_entries: int
    n_slots: int
    reach: int
    base: int
    byte_order: str = sys.byteorder

    @property
    def slot_bytes(self) -> int:
        """How many bytes the slots take."""
        return (4 * (self.n_slots + self.reach) + 7) // 8 * 8

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return self.slot_bytes + 24 * self.n_entries


def slot_shift(n_slots: int) -> int:
    """Return how many bits of a word are more than the number of a slot has."""
    return 65 - n_slots.bit_length()


class WeightTable:
    """A table file, mapped.

    Parameters
    ----------
    path : str
        The file.
    form : TableForm
        What the model's manifest says of it.

    Attributes
    ----------
    form : TableForm
        What it was opened with.
    slots, keys, weights, scales : memoryview
        The parts of the file.

    Raises
    ------
    ModelFormatError
        When the file is not of that form.
    OSError
        When it cannot be read.
    """

    def __init__(self, path: str, form: TableForm) -> None:
        self._path = path
        self.form = form
        self._shift = slot_shift(form.n_slots)
        is_possible = (
            form.n_entries > 0
            and form.n_slots > 0
            and form.n_slots & (form.n_slots - 1) == 0
            and 0 <= form.reach <= LONGEST_REACH
            and 0 < form.base <= WORD
        )
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            if not is_possible or size != form.size:
                raise self.damaged()
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        entries = mapped[form.slot_bytes :]
        self.slots = mapped[: form.slot_bytes].cast("I")
        self.keys = entries.cast("Q")[::3]
        self.weights = entries.cast("d")[1::3]
        self.scales = entries.cast("d")[2::3]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the path of the file, which the other process maps again."""
        return WeightTable, (self._path, self.form)

    def entry(self, token: str) -> Entry | None:
        """Return the weight and the scale of a token, None for one that is not in the table.

        Raises
        ------
        ModelFormatError
            When the table names an entry that it does not have.
        """
        number = self._find(token)
        return None if number is None else (self.weights[number], self.scales[number])

    def _find(self, token: str) -> int | None:
        """Return the number of a token's entry."""
        key = fingerprint(token, self.form.base)
        first = slot = (key * SPREAD & WORD) >> self._shift
        try:
            while number := self.slots[slot]:
                if self.keys[number - 1] == key:
                    return number - 1
                slot += 1
                if slot - first > self.form.reach:
                    return None
        except IndexError:
            raise self.damaged() from None
        return None

    def damaged(self) -> ModelFormatError:
        """Return the error to raise where the numbers of the table cannot be."""
        return ModelFormatError(self._path, "its table is damaged; train it again")
