"""Blocks of packed rows, in memory or, beyond a limit, in a temporary file without a name."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from typing import IO, NamedTuple, overload

import numpy as np

from spamnb.errors import OutputWriteError, reason_of
from spamnb.features.matrix import Ints
from spamnb.features.packed_rows import PackedRows


class _Place(NamedTuple):
    """Where a block stands in the file: its counts, then their columns."""

    offset: int
    n_stored: int
    lengths: Ints


class BlockStore(Sequence[PackedRows]):
    """Blocks of rows, of which at most ``most_bytes`` bytes are in memory.

    The file has no name, so that it is gone when the process ends, however it ends.  It is in
    `tempfile.gettempdir`, which ``TMPDIR`` chooses.

    Parameters
    ----------
    blocks : iterable of PackedRows
        The first ones.
    most_bytes : int, optional
        How many bytes of counts may be in memory; all by default.
    """

    def __init__(self, blocks: Iterable[PackedRows] = (), most_bytes: int | None = None) -> None:
        self._blocks: list[PackedRows | _Place] = []
        self._most = most_bytes
        self._n_bytes = self._end = 0
        self._file: IO[bytes] | None = None
        for block in blocks:
            self.append(block)

    @property
    def is_spilled(self) -> bool:
        """Whether some of the blocks are in a file."""
        return self._file is not None

    def __len__(self) -> int:
        return len(self._blocks)

    @overload
    def __getitem__(self, number: int) -> PackedRows: ...
    @overload
    def __getitem__(self, number: slice) -> list[PackedRows]: ...
    def __getitem__(self, number: int | slice) -> PackedRows | list[PackedRows]:
        """Return a block, reading it from the file if it was spilled; thread-safe."""
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        block = self._blocks[number]
        return block if isinstance(block, PackedRows) else self._read(block)

    def lengths(self) -> list[Ints]:
        """Return the lengths of the rows of each block, which are always in memory."""
        return [block.lengths for block in self._blocks]

    def append(self, block: PackedRows) -> None:
        """Add a block.

        Raises
        ------
        OutputWriteError
            When it cannot be written.
        """
        self._n_bytes += block.n_bytes
        if self._most is None or self._n_bytes <= self._most:
            self._blocks.append(block)
            return
        self._blocks.append(self._write(block, self._end))
        self._end += block.n_bytes

    def replace(self, number: int, block: PackedRows) -> None:
        """Put a block that is no larger in the place of another."""
        old = self._blocks[number]
        if isinstance(old, _Place):
            self._blocks[number] = self._write(block, old.offset)
        else:
            self._blocks[number] = block

    def _write(self, block: PackedRows, offset: int) -> _Place:
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115
                weakref.finalize(self, self._file.close)
            self._file.seek(offset)
            self._file.write(block.data.tobytes() + block.indices.tobytes())
            self._file.flush()
        except OSError as error:
            raise OutputWriteError(tempfile.gettempdir(), reason_of(error)) from None
        return _Place(offset, len(block.data), block.lengths)

    def _read(self, place: _Place) -> PackedRows:
        assert self._file is not None
        n_bytes = place.n_stored * PackedRows.BYTES
        content = os.pread(self._file.fileno(), n_bytes, place.offset)
        data = np.frombuffer(content, np.uint16, place.n_stored)
        indices = np.frombuffer(content, np.uint32, place.n_stored, data.nbytes)
        return PackedRows(data, indices, place.lengths)
