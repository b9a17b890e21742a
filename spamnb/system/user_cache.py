"""Files that spamnb can make again, in the user's own cache folder and never in a shared one."""

from __future__ import annotations

import contextlib
import mmap
import os
import stat

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def read_cached(name: str) -> mmap.mmap | None:
    """Map a file of the cache folder.

    Parameters
    ----------
    name : str
        The file's name.

    Returns
    -------
    mmap or None
        Its bytes, to be read only; None when there is no such file, when it is empty, or when
        someone other than this user owns it or may write to it.
    """
    # Without O_NONBLOCK a pipe of that name would keep us waiting.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        handle = os.open(os.path.join(_parent(), "spamnb", name), flags)
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or not _is_private(status, _OTHERS_WRITE):
            return None
        return mmap.mmap(handle, 0, prot=mmap.PROT_READ)
    except (OSError, ValueError):
        return None
    finally:
        os.close(handle)


def write_cached(name: str, content: bytes) -> None:
    """Write a file of the cache folder in one step, for this user alone to read.

    Nothing is written, and nothing said, where the folder cannot be written or where others may
    write: a cache saves time, and is no reason to fail.

    Parameters
    ----------
    name : str
        The file's name.
    content : bytes
        All of it.
    """
    from spamnb.system.atomic import replace_file  # its tempfile takes 11 ms to import

    with contextlib.suppress(OSError):
        folder = _make_folder()
        if folder is not None:
            replace_file(os.path.join(folder, name), content, mode=0o600)


def _parent() -> str:
    """Return the user's cache folder; the XDG specification wants relative paths ignored."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    return named if os.path.isabs(named) else os.path.expanduser("~/.cache")


def _make_folder() -> str | None:
    """Return spamnb's folder, made where it is missing, or None where it is not this user's own.

    The parent's group may write where it is the user's own group, as some systems have it; that
    all may write is a sign of a shared folder such as ``/tmp``.
    """
    parent = _parent()
    if not os.path.isabs(parent):  # no home is known
        return None
    folder = os.path.join(parent, "spamnb")
    for path, forbidden in ((parent, stat.S_IWOTH), (folder, _OTHERS_WRITE)):
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)
        if not _is_private(os.stat(path), forbidden):
            return None
    return folder


def _is_private(status: os.stat_result, forbidden: int) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & forbidden
