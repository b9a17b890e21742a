"""Checks of parameters and matrices; errors say what was expected and what was passed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.errors import MatrixError, ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints


def check_finite(matrix: CountMatrix, values: str = "numbers") -> CountMatrix:
    """Return the matrix, or raise a `MatrixError` when it holds NaN or infinity."""
    if not np.all(np.isfinite(matrix.data)):
        raise MatrixError(f"finite {values}", "NaN or infinity in X")
    return matrix


def check_not_negative(
    matrix: CountMatrix, estimator: object, values: str = "counts"
) -> CountMatrix:
    """Return the matrix, or raise a `MatrixError` when it holds a negative value."""
    if np.any(matrix.data < 0):
        name = type(estimator).__name__
        raise MatrixError(f"{values} ≥ 0", f"Negative values in data passed to {name} (input X)")
    return matrix


def check_alpha(alpha: ArrayLike, n_features: int) -> None:
    """Raise a `ParameterError` unless alpha is a number ≥ 0, or one for each feature."""
    array = numbers("alpha", alpha)
    if array.ndim and array.shape != (n_features,):
        expected = f"one number or {n_features} of them"
        raise ParameterError("alpha", expected, f"shape {array.shape}")


def numbers(name: str, value: ArrayLike, expected: str = "a finite number ≥ 0") -> Floats:
    """Return a parameter as an array of finite numbers ≥ 0.

    Raises
    ------
    ParameterError
        When it is anything else.
    """
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if not np.all(np.isfinite(array)) or np.any(array < 0):
        raise ParameterError(name, expected, value)
    return array


def unique_labels(name: str, labels: ArrayLike) -> NDArray[Any]:
    """Return the distinct labels, sorted; raise a `ParameterError` when they have no order."""
    try:
        return np.unique(np.asarray(labels))
    except TypeError:
        raise ParameterError(name, "labels that can be sorted", labels) from None


def generator(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """Return a random generator, or raise a `ParameterError` for an invalid seed."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        expected = "a whole number ≥ 0, a numpy.random.Generator or None"
        raise ParameterError("random_state", expected, random_state) from None


def stored(
    state: Mapping[str, NDArray[Any]],
    name: str,
    shape: tuple[int, ...],
    *,
    is_signed: bool = False,
) -> Floats:
    """Return stored numbers, such as counts, after a look at their shape and values.

    Raises
    ------
    KeyError
        When they are missing.
    ParameterError
        When they are of another shape, not finite, or negative though not ``is_signed``.
    """
    expected = f"finite numbers{'' if is_signed else ' ≥ 0'} of shape {shape}"
    values = state[name]
    if values.shape != shape:
        raise ParameterError(f"stored counts {name}", expected, values.shape)
    numbers = values.astype(np.float64)
    # Squares of larger numbers would not be finite.
    if not np.all(np.abs(numbers) < 1e100) or (not is_signed and np.any(numbers < 0)):
        raise ParameterError(f"stored counts {name}", expected, "others")
    return numbers


def stored_whole(
    state: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...], below: int = 1 << 53
) -> Ints:
    """Return stored whole numbers from 0, each less than ``below``; else see `stored`."""
    values = stored(state, name, shape)
    if np.any(values % 1) or np.any(values >= below):
        raise ParameterError(f"stored counts {name}", f"whole numbers below {below}", "others")
    return values.astype(np.int64)
