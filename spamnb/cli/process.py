"""What every command needs of its process: streams that take any name, and a word on failures.

Nothing here needs click, so that one mail can be classified without it.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from spamnb.cli import exit_status
from spamnb.cli.terminal import printable
from spamnb.errors import SpamnbError


def set_encodings() -> None:
    """Make every name and text printable.

    On a pipe the output is UTF-8 with undecodable bytes of file names as they were; a terminal
    keeps its own encoding, with escapes for what it cannot show.
    """
    # A closed stream's number would go to the next file that is opened.
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        else:
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]


def failure(error: Exception) -> int:
    """Say what went wrong, in a sentence; return the exit status for it."""
    if os.environ.get("SPAMNB_DEBUG"):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, SpamnbError):
        message = str(error)
    elif isinstance(error, OSError):
        message = f"{error.filename or 'input or output'}: {error.strerror or error}"
    elif isinstance(error, MemoryError):
        message = "there is not enough memory: try again later, or give it less mail at a time"
    else:
        kind = type(error).__name__
        message = f"internal error, {kind}: {error}; SPAMNB_DEBUG=1 shows where, please report it"
    say(" ".join(message.split()))
    return exit_status.status_of(error)


def leave(status: int) -> NoReturn:
    """End the process at once, when all is written and no file is open.

    Raises
    ------
    OSError
        When what was printed cannot be written.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def closed_pipe() -> int:
    """Return the exit status where whoever read our output has seen enough.

    That is no error, and no verdict either.
    """
    # Without this, the interpreter would complain when it flushes standard output at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return exit_status.CLOSED_PIPE if "--exit-code" in sys.argv else exit_status.OK


def say(text: str) -> None:
    """Write a line to standard error, with nothing in it that a terminal would obey."""
    print(f"spamnb: {printable(text)}", file=sys.stderr, flush=True)
