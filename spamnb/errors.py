"""Every error that spamnb raises on purpose: one hierarchy, each error with its data.

``__str__`` is one sentence for the user: what was wrong, where, and what to do.  The command
line turns the class into an exit status (`spamnb.cli.exit_status`); a library user catches
`SpamnbError` or one of its children.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class SpamnbError(Exception):
    """The base of all errors of spamnb."""


class ParameterError(SpamnbError, ValueError):
    """A parameter has an invalid value.

    Parameters
    ----------
    name : str
        The parameter, as the caller spells it.
    expected : str
        What was expected.
    got : object
        What was passed.
    """

    def __init__(self, name: str, expected: str, got: object) -> None:
        super().__init__(name, expected, got)
        self.name = name
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return f"{self.name} must be {self.expected}, got {self.got}"


class UsageError(SpamnbError):
    """The command line asks for things that contradict each other.

    Parameters
    ----------
    problem : str
        What is wrong, and what to do.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return self.problem


class MatrixError(SpamnbError, ValueError):
    """A matrix that cannot be learned from or scored.

    Parameters
    ----------
    expected : str
        What was expected.
    got : str
        What was passed.
    """

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return f"expected {self.expected}, got {self.got}"


class NotFittedError(SpamnbError, ValueError, AttributeError):
    """An estimator was used before it was fitted.

    Parameters
    ----------
    estimator : str
        The name of its class.
    """

    def __init__(self, estimator: str) -> None:
        super().__init__(estimator)
        self.estimator = estimator

    def __str__(self) -> str:
        return f"this {self.estimator} has not been trained yet: call fit or partial_fit first"


class InputNotFoundError(SpamnbError):
    """A file or folder that does not exist.

    Parameters
    ----------
    path : str
        The path, undecodable bytes as surrogates (`os.fsdecode`).
    purpose : str
        What it was wanted as, such as "mail" or "index".
    """

    def __init__(self, path: str, purpose: str = "mail") -> None:
        super().__init__(path, purpose)
        self.path = path
        self.purpose = purpose

    def __str__(self) -> str:
        return f"{self.purpose} {self.path} is not there: check the path"


class _FileError(SpamnbError):
    """A file that cannot be read or written.

    Parameters
    ----------
    path : str
        The path.
    reason : str
        The operating system's message.
    """

    doing: ClassVar[str]

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"cannot {self.doing} {self.path}: {self.reason}"


class InputReadError(_FileError):
    """A file that exists and cannot be read."""

    doing = "read"


class OutputWriteError(_FileError):
    """A file that cannot be written."""

    doing = "write"


def reason_of(error: OSError) -> str:
    """Return the operating system's message."""
    return error.strerror or str(error)


@contextmanager
def reading(path: str, purpose: str) -> Iterator[None]:
    """Turn operating system errors on reading a file into spamnb's own.

    Parameters
    ----------
    path : str
        The file.
    purpose : str
        What it was wanted as, such as "index".

    Raises
    ------
    InputNotFoundError, InputReadError
    """
    try:
        yield
    except FileNotFoundError:
        raise InputNotFoundError(path, purpose) from None
    except OSError as error:
        raise InputReadError(path, reason_of(error)) from None


class CorpusFormatError(SpamnbError):
    """A line of an index, TSV or word file that does not have the form of such a line.

    Parameters
    ----------
    path : str
        The file.
    line : int
        The line's number, from 1.
    expected : str
        The form that was expected.
    """

    def __init__(self, path: str, line: int, expected: str) -> None:
        super().__init__(path, line, expected)
        self.path = path
        self.line = line
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}: expected {self.expected}"


class TrainingDataError(SpamnbError):
    """Mail that no model can be trained on.

    Parameters
    ----------
    problem : str
        What is wrong with it.
    remedy : str
        What to do.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem, remedy)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem}: {self.remedy}"


class ModelNotFoundError(SpamnbError):
    """A model that was not found.

    Parameters
    ----------
    path : str
        The model's directory.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"there is no model at {self.path}: train one with 'spamnb train -m {self.path}'"


class ModelFormatError(SpamnbError):
    """A directory that is not a model, or is a damaged one or one of another version.

    Parameters
    ----------
    path : str
        The model's directory.
    problem : str
        What is wrong with it, and what to do.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"cannot use the model at {self.path}: {self.problem}"


class WorkerError(SpamnbError):
    """A worker process ended before its work was done."""

    def __str__(self) -> str:
        return "a worker process was ended, possibly for lack of memory: try again with --jobs 1"


class IncompleteInstallationError(SpamnbError):
    """Some compiled modules are installed, but one is missing.

    Parameters
    ----------
    name : str
        What is missing.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return (
            f"the compiled {self.name} is missing, though others are there: install spamnb again, "
            "or set SPAMNB_NATIVE=0 to run without compiled code"
        )
