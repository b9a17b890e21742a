"""Files that are written atomically, so that nobody reads half of one."""

from __future__ import annotations

import contextlib
import os
import tempfile


def replace_file(path: str | os.PathLike[str], content: bytes, mode: int | None = None) -> None:
    """Write a file next to its destination and move it into place.

    Parameters
    ----------
    path : str or path
        Where it goes; what is there is replaced when the new one is complete.
    content : bytes
        All of it.
    mode : int, optional
        The permission bits; None for 0o666 less the umask.

    Raises
    ------
    OSError
        When it cannot be written; nothing is changed then.
    """
    folder = os.path.dirname(path) or "."
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask() if mode is None else mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
