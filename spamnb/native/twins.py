"""Functions that have a compiled twin.

The twin of ``P.x.f`` is ``P.native.x.f``: the same name, signature and types, and the same result.
The form in Python says what is meant; the compiled one is there where a C compiler was at hand when
spamnb was installed.  Either all are compiled or none is: a single module that is missing is an
error, not a slower filter that nobody notices.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

from spamnb.errors import IncompleteInstallationError

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Twin:
    """The two forms of a function.

    Parameters
    ----------
    function : callable
        The form in Python.

    Attributes
    ----------
    function : callable
        The same.
    form : callable
        The form that is used: the compiled one where it is there.
    """

    __slots__ = ("form", "function")

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        # The compiled modules import what the Python form is made of, so they come later.
        self.form: Callable[..., Any] = self._first

    @property
    def module(self) -> str:
        """The name of the module that holds the compiled form."""
        package, _, name = self.function.__module__.rpartition(".")
        return f"{package}.native.{name}"

    @property
    def compiled(self) -> Callable[..., Any] | None:
        """The compiled form, None where nothing is compiled.

        Raises
        ------
        IncompleteInstallationError
            When others are compiled, and this one is not.
        """
        try:
            return cast("Callable[..., Any]", vars(import_module(self.module))[self.name])
        except ModuleNotFoundError as error:
            if error.name != self.module:
                raise
            if compiled_files():
                raise IncompleteInstallationError(self.module) from None
            return None
        except KeyError:
            raise IncompleteInstallationError(f"{self.module}.{self.name}") from None

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def use(self, compiled: bool | None = None) -> None:
        """Choose a form; None for the one that the installation and the environment give.

        Raises
        ------
        IncompleteInstallationError
        """
        if compiled is None:
            compiled = is_wanted()
        self.form = (self.compiled if compiled else None) or self.function

    def _first(self, *arguments: Any, **named: Any) -> Any:
        self.use()
        return self.form(*arguments, **named)


def has_twin(function: Function) -> Function:
    """Mark a function that has a compiled twin, which is called in its place where it is there."""
    twin = Twin(function)

    @wraps(function)
    def either(*arguments: Any, **named: Any) -> Any:
        return twin.form(*arguments, **named)

    either.twin = twin  # type: ignore[attr-defined]
    return cast("Function", either)


def twin_of(function: Callable[..., Any]) -> Twin:
    """Return both forms of a function that `has_twin` marks."""
    return cast("Twin", function.twin)  # type: ignore[attr-defined]


def is_wanted() -> bool:
    """Return whether compiled forms are used where they are there: not with ``SPAMNB_NATIVE=0``."""
    return os.environ.get("SPAMNB_NATIVE") != "0"


def compiled_files() -> list[str]:
    """Return the compiled modules that are installed, for this version of Python."""
    from importlib.machinery import EXTENSION_SUFFIXES

    return [
        os.path.join(folder, name)
        for folder, _, names in os.walk(_PACKAGE)
        for name in names
        if "".join(name.partition(".")[1:]) in EXTENSION_SUFFIXES
    ]


def form_in_use() -> str:
    """Return which form of the functions runs here, and why, for a person."""
    if not is_wanted():
        return "Python only: SPAMNB_NATIVE=0"
    compiled = {_without_suffix(path) for path in compiled_files()}
    if not compiled:
        return "Python only: no compiled modules were installed"
    missing = [name for name in _sources() if name not in compiled]
    if missing:
        names = [os.path.relpath(name, os.path.dirname(_PACKAGE)) for name in missing]
        modules = ", ".join(name.replace(os.sep, ".") for name in sorted(names))
        return f"incomplete: install it again, {modules} is missing"
    return "compiled"


def _without_suffix(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, name.partition(".")[0])


def _sources() -> list[str]:
    """Return the paths of the modules in Cython, without their endings."""
    files = ((folder, name) for folder, _, names in os.walk(_PACKAGE) for name in names)
    return [os.path.join(folder, name[:-4]) for folder, name in files if name.endswith(".pyx")]
