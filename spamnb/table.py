"""The weights of a linear model as a file that a process maps and probes, without reading it.

The file holds, one after the other in the machine's byte order:

========  ===================  ===========================================================
slots     n_slots + reach, u4  number of an entry plus 1, 0 for an empty slot
          (padded to 8 bytes)
keys      n_entries, u8        fingerprint of the entry's token
weights   n_entries, f8        what it adds to the log-odds, in nats
scales    n_entries, f8        what its count is multiplied by first
========  ===================  ===========================================================

A token's fingerprint is its UTF-8 code, as one little-endian number, times a constant, modulo the
table's modulus (Karp and Rabin, IBM Journal of Research and Development 31, 1987).  Its entry is in
the slot that the fingerprint names, modulo the number of slots, or in one of the next (linear
probing; Knuth, The Art of Computer Programming 3, 6.4), at most ``reach`` further on.  No two
tokens of a table have the same fingerprint; one that is not in it has the fingerprint of one that
is with a probability of 2⁻⁴⁴ (200,000 tokens).  The modulus depends on what the model has learned,
so that nobody who does not know it can write tokens whose fingerprints fall together.
"""

from __future__ import annotations

import mmap
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from spamnb.errors import ModelFormatError

Entry = tuple[float, float]

_LONGEST_REACH = 1 << 12
# So that short tokens too, whose codes are less than the modulus, fall anywhere.
_SPREAD = 0x9E3779B97F4A7C15


class TableForm(NamedTuple):
    """What must be known of a table to read it.

    Attributes
    ----------
    n_entries : int
        How many tokens it has.
    n_slots : int
        How many slots, a power of two.
    reach : int
        How many slots to look further at most.
    modulus : int
        Of the fingerprints; less than 2⁶³.
    byte_order : str
        ``little`` or ``big``.
    """

    n_entries: int
    n_slots: int
    reach: int
    modulus: int
    byte_order: str = sys.byteorder

    @property
    def slot_bytes(self) -> int:
        """How many bytes the slots take."""
        return (4 * (self.n_slots + self.reach) + 7) // 8 * 8

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return self.slot_bytes + 24 * self.n_entries


def fingerprint(token: str, modulus: int) -> int:
    """Return the number that stands for a token in a table of some modulus."""
    number = int.from_bytes(token.encode("utf-8", "surrogatepass"), "little")
    return number * _SPREAD % modulus


class WeightTable:
    """A table file, mapped.

    Parameters
    ----------
    path : str
        The file.
    form : TableForm
        What the model's manifest says of it.

    Raises
    ------
    ModelFormatError
        When the file is not of that form.
    OSError
        When it cannot be read.
    """

    def __init__(self, path: str, form: TableForm) -> None:
        self._path = path
        self._form = form
        is_possible = (
            form.n_entries > 0
            and form.n_slots > 0
            and form.n_slots & (form.n_slots - 1) == 0
            and 0 <= form.reach <= _LONGEST_REACH
            and form.modulus > 0
        )
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            if not is_possible or size != form.size:
                raise self.damaged()
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        ends = [form.slot_bytes + 8 * form.n_entries * part for part in range(4)]
        self._find = self._finder(mapped[: ends[0]].cast("I"), mapped[ends[0] : ends[1]].cast("Q"))
        self._weights = mapped[ends[1] : ends[2]].cast("d")
        self._scales = mapped[ends[2] : ends[3]].cast("d")

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as the name of the file, to be mapped there."""
        return WeightTable, (self._path, self._form)

    def weight(self, token: str) -> float | None:
        """Return the weight of a token, None for one that is not in the table.

        Raises
        ------
        ModelFormatError
            When the table names an entry that it does not have.
        """
        number = self._find(token)
        return None if number is None else self._weights[number]

    def entry(self, token: str) -> Entry | None:
        """Return the weight and the scale of a token; see `weight`."""
        number = self._find(token)
        return None if number is None else (self._weights[number], self._scales[number])

    def _finder(self, slots: memoryview[int], keys: memoryview[int]) -> Callable[[str], int | None]:
        """Return a function that finds the number of a token's entry.

        Of a mail of 700 tokens 200 have not come before, so what it needs is at hand.
        """
        modulus, mask, reach = self._form.modulus, self._form.n_slots - 1, self._form.reach
        number_of = int.from_bytes

        def find(token: str) -> int | None:
            # What `fingerprint` returns, without the call.
            key = number_of(token.encode("utf-8", "surrogatepass"), "little") * _SPREAD % modulus
            first = slot = key & mask
            try:
                while number := slots[slot]:
                    if keys[number - 1] == key:
                        return number - 1
                    slot += 1
                    if slot - first > reach:
                        return None
            except IndexError:
                raise self.damaged() from None
            return None

        return find

    def damaged(self) -> ModelFormatError:
        """Return the error to raise where the numbers of the table cannot be."""
        return ModelFormatError(self._path, "its table is damaged; train it again")
