"""Arrays of numbers ↔ the bytes of a joblib file, without the risks of unpickling.

A pickle is a program: it names callables and calls them.  The unpickler here knows three names,
those that a joblib file of a dictionary of arrays needs, and builds nothing that is not an array of
numbers, no larger than its file.
"""

from __future__ import annotations

import io
import pickle
from typing import Any, ClassVar

import joblib
import numpy as np
from joblib.numpy_pickle import NumpyArrayWrapper, NumpyUnpickler
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


def dump_arrays(arrays: Arrays) -> bytes:
    """Return a joblib file of some arrays of numbers, the same bytes for the same arrays."""
    stream = io.BytesIO()
    joblib.dump(arrays, stream, protocol=4)
    return stream.getvalue()


class HostileFileError(Exception):
    """A file that contains more than arrays of numbers."""

    def __str__(self) -> str:
        return "its arrays file asks for code to be run or for objects that no model has"


class _Inert:
    """An inert stand-in for classes that the file may name."""


class _ArrayUnpickler(NumpyUnpickler):  # type: ignore[misc]
    """joblib's unpickler, without the means to call or build anything but arrays of numbers.

    ``ndarray`` is named in the file and never called, so it gets a stand-in.
    """

    _NAMES: ClassVar[dict[tuple[str, str], Any]] = {
        ("joblib.numpy_pickle", "NumpyArrayWrapper"): NumpyArrayWrapper,
        ("numpy", "ndarray"): _Inert,
        ("numpy", "dtype"): np.dtype,
    }
    dispatch = NumpyUnpickler.dispatch.copy()

    def __init__(self, content: bytes) -> None:
        super().__init__("", io.BytesIO(content), ensure_native_byte_order=True)
        self._size = len(content)

    def find_class(self, module: str, name: str) -> Any:
        try:
            return self._NAMES[module, name]
        except KeyError:
            raise HostileFileError from None

    def load_build(self) -> None:
        state, target = self.stack[-1], self.stack[-2]
        if isinstance(target, NumpyArrayWrapper):
            self.stack[-1] = self._checked(state)
        elif not isinstance(target, np.dtype):
            raise HostileFileError
        super().load_build()

    dispatch[pickle.BUILD[0]] = load_build

    def _checked(self, state: Any) -> dict[str, Any]:
        """Return the description of an array, checked to be numeric and to fit into the file."""
        dtype, shape, order = state["dtype"], state["shape"], state["order"]
        if not isinstance(dtype, np.dtype) or dtype.kind not in "uif" or order not in ("C", "F"):
            raise HostileFileError
        if not isinstance(shape, tuple) or not all(type(n) is int and n >= 0 for n in shape):
            raise HostileFileError
        size = dtype.itemsize
        for n in shape:
            size *= n
        if size > self._size or len(shape) > 2:
            raise HostileFileError
        return {
            "subclass": np.ndarray,
            "shape": shape,
            "order": order,
            "dtype": dtype,
            "allow_mmap": False,
            "numpy_array_alignment_bytes": int(state["numpy_array_alignment_bytes"]),
        }


def load_arrays(content: bytes) -> Arrays:
    """Return the arrays of a joblib file, and nothing else, whatever the file says.

    Parameters
    ----------
    content : bytes
        The file.

    Raises
    ------
    HostileFileError
        When it asks for more than arrays of numbers that fit into it.
    ValueError
        When it is damaged.
    """
    try:
        arrays = _ArrayUnpickler(content).load()
    except HostileFileError:
        raise
    except Exception as error:  # the unpickler raises whatever a broken stream leads it to
        raise ValueError(str(error)) from None
    if not isinstance(arrays, dict) or not all(isinstance(a, np.ndarray) for a in arrays.values()):
        raise HostileFileError
    return arrays
