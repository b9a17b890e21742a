"""Many options as one argument of a command."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def gathered(name: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Return a decorator that adds options and hands them on as one argument.

    The command gets ``name``: ``make`` with the options' values filled in, to be called when the
    command is ready for what that imports and raises.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def gather(**values: Any) -> Any:
            own = {key: values.pop(key) for key in parameters}
            return function(**{name: partial(make, **own)}, **values)

        already = len(getattr(gather, "__click_params__", ()))
        for option in reversed(options):
            option(gather)
        parameters = [parameter.name for parameter in gather.__click_params__[already:]]  # type: ignore[attr-defined]
        return gather

    return decorate
