"""What is asked of ``spamnb classify``, and its arguments parsed before click is loaded.

Whatever is out of the ordinary in the arguments is left to click.  It takes 34 ms to import, as
long as all else together from the start of Python to the verdict (2026-11;
``benchmarks/speed.py``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from spamnb.cli.output.lines import VERDICT_FORMATS

_FLAGS = {
    "-q": "quiet",
    "--quiet": "quiet",
    "-v": "verbose",
    "--verbose": "verbose",
    "--exit-code": "exit_code",
}
_OPTIONS = {"-m": "model", "--model": "model", "--format": "form"}


class Request(NamedTuple):
    """What is asked of ``classify``; see its options."""

    paths: tuple[str, ...] = ()
    model: str | None = None
    form: str | None = None
    exit_code: bool = False
    jobs: int | None = None
    profile: bool = False
    quiet: bool = False
    verbose: bool = False


def parse(arguments: list[str]) -> Request | None:
    """Return what the arguments of a ``classify`` ask for, None for anything out of the ordinary.

    Parameters
    ----------
    arguments : list of str
        What follows the name of the program.
    """
    if arguments[:1] != ["classify"]:
        return None
    values: dict[str, Any] = {}
    paths: list[str] = []
    rest = iter(arguments[1:])
    for argument in rest:
        name, equals, value = argument.partition("=")
        if argument in _FLAGS:
            values[_FLAGS[argument]] = True
        elif name in _OPTIONS and (name.startswith("--") if equals else True):
            values[_OPTIONS[name]] = value if equals else next(rest, "-")
        elif argument.startswith("-") and argument != "-":
            return None
        else:
            paths.append(argument)
    request = Request(paths=tuple(paths), **values)
    is_known = request.form is None or request.form in VERDICT_FORMATS
    return request if is_known and not (request.model or "").startswith("-") else None
