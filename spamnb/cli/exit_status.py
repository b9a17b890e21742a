"""Exit statuses: sysexits.h, which mail programs know, for whatever went wrong.

1 and 2 are never a failure: with ``--exit-code`` they are verdicts, and a mail program that takes
a failure for "ham" or "spam" would lose mail.
"""

from __future__ import annotations

from spamnb import errors

OK = 0
USAGE = 64
DATA = 65
NO_INPUT = 66
INTERNAL = 70
IO = 74
TEMPORARY = 75
INTERRUPTED = 130
CLOSED_PIPE = 141
"""What a shell reports for a program that SIGPIPE has ended."""

VERDICTS = {"spam": 0, "ham": 1, "unsure": 2}
"""The statuses of ``classify --exit-code``."""

_STATUSES: dict[type[Exception], int] = {
    errors.ParameterError: USAGE,
    errors.UsageError: USAGE,
    errors.CorpusFormatError: DATA,
    errors.TrainingDataError: DATA,
    errors.MatrixError: DATA,
    errors.ModelFormatError: DATA,
    errors.InputNotFoundError: NO_INPUT,
    errors.ModelNotFoundError: NO_INPUT,
    errors.InputReadError: IO,
    errors.OutputWriteError: IO,
    errors.WorkerError: TEMPORARY,
    MemoryError: TEMPORARY,
    OSError: IO,
}


def status_of(error: BaseException) -> int:
    """Return the exit status for an error."""
    for kind in type(error).__mro__:
        if kind in _STATUSES:
            return _STATUSES[kind]
    return INTERNAL
