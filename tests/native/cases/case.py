"""What a function that has two forms is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

Form = Callable[..., Any]


def _call(form: Form, *arguments: Any) -> Any:
    return form(*arguments)


class Case(NamedTuple):
    """What both forms of a function are given.

    Attributes
    ----------
    arguments : SearchStrategy of tuple
        Of any kind that it may come across.
    limits : tuple of tuple
        Arguments at the limits that it has, which chance seldom finds.
    call : callable
        Calls a form with the arguments; of what a factory returns it makes use, with them.
    """

    arguments: st.SearchStrategy[tuple[Any, ...]]
    limits: tuple[tuple[Any, ...], ...] = ()
    call: Callable[..., Any] = _call

    def outcome(self, form: Form, arguments: tuple[Any, ...]) -> Any:
        """Return what a form gives, or the type of what it raises."""
        try:
            return plain(self.call(form, *arguments))
        except Exception as error:
            return type(error)


def plain(value: Any) -> Any:
    """Return a value as what ``==`` compares, with its type, to the last digit."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, dict):
        return "dict", [(key, plain(each)) for key, each in value.items()]
    if isinstance(value, list | tuple):
        return type(value).__name__, [plain(each) for each in value]
    return type(value).__name__, value
