"""Every function of the package that is marked as having a compiled twin."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import spamnb
from spamnb.native.twins import Twin, twin_of


def marked_functions() -> list[Callable[..., Any]]:
    """Return them, found in all modules that are not compiled."""
    names = [found.name for found in walk_packages(spamnb.__path__, "spamnb.")]
    modules = [import_module(name) for name in names if not _is_left_out(name)]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(getattr(value, "twin", None), Twin) and value.__module__ == module.__name__
    ]


def _is_left_out(name: str) -> bool:
    return "native" in name.split(".")[2:-1] or name.endswith(".__main__")


def use(compiled: bool | None) -> None:
    """Choose a form for all of them; None for the one that the installation gives."""
    for function in marked_functions():
        twin_of(function).use(compiled)
