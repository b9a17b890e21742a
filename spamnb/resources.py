"""Where the files are that ship with spamnb: ``data/`` and ``models/``."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(*names: str) -> Path:
    """Return the path of a shipped file or folder.

    The wheel carries ``data/`` and ``models/`` inside the package; a source tree (and an
    editable install) has them beside it.

    Parameters
    ----------
    *names : str
        The path's parts, such as ``"data", "stop_words", "en.txt"``.
    """
    inside = _PACKAGE.joinpath(*names)
    return inside if inside.exists() else _PACKAGE.parent.joinpath(*names)
