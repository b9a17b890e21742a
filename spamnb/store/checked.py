"""Data from JSON, checked against the expected form."""

from __future__ import annotations

from math import isfinite
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, is_typeddict


def is_of_form(data: object, form: Any) -> bool:
    """Return whether data is of a form.

    Parameters
    ----------
    data : object
        What ``json.loads`` returned, from an untrusted source.
    form : type
        A ``TypedDict``, of which each key has to be there and no other; ``list[X]``,
        ``dict[str, X]``, ``tuple[X, Y]`` for a list of these; ``X | Y``; ``float`` for a finite
        number; ``int``, ``str``, ``bool``, ``None``.
    """
    if form is float:
        return type(data) is int or (type(data) is float and isfinite(data))
    if form in (int, str, bool, NoneType):
        return type(data) is form
    if is_typeddict(form):
        keys = form.__annotations__
        return (
            isinstance(data, dict)
            and data.keys() == keys.keys()
            and all(is_of_form(data[key], own) for key, own in keys.items())
        )
    origin, inner = get_origin(form), get_args(form)
    if origin in (Union, UnionType):
        return any(is_of_form(data, own) for own in inner)
    if origin is dict:
        return isinstance(data, dict) and all(is_of_form(v, inner[1]) for v in data.values())
    if origin is tuple:
        return (
            isinstance(data, list) and len(data) == len(inner) and all(map(is_of_form, data, inner))
        )
    return isinstance(data, list) and all(is_of_form(item, inner[0]) for item in data)
