"""Names of a package that are imported on first access (PEP 562)."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # what mypy takes as True; typing itself takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_names(
    package: str, places: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    places : mapping of str to str
        Where each name is, as ``module:name``.
    """

    def find(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module  # not for a process that asks for none

        module, _, attribute = places[name].partition(":")
        found: object = getattr(import_module(module), attribute)
        setattr(sys.modules[package], name, found)  # so that the next one finds it at once
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places})

    return find, names
