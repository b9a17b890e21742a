"""Where the files are that ship with spamnb: ``data/`` and ``models/``."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def resource(*names: str) -> str:
    """Return the path of a shipped file or folder.

    The wheel carries ``data/`` and ``models/`` inside the package; a source tree (and an
    editable install) has them beside it.

    Parameters
    ----------
    *names : str
        The path's parts, such as ``"data", "stop_words", "en.txt"``.
    """
    inside = os.path.join(_PACKAGE, *names)
    return inside if os.path.exists(inside) else os.path.join(os.path.dirname(_PACKAGE), *names)
