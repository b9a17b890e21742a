"""Stop words: the lists that ship with spamnb, or the user's own file."""

from __future__ import annotations

import os
from functools import cache

from spamnb.errors import InputReadError, reading
from spamnb.system.resources import resource


@cache
def default_stop_words() -> tuple[str, ...]:
    """Return the English and Chinese function words of ``data/stop_words``, sorted."""
    folder = resource("data", "stop_words")
    files = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".txt")]
    return tuple(sorted({word for path in files for word in read_stop_words(path)}))


def read_stop_words(path: str) -> tuple[str, ...]:
    """Read a file of words in UTF-8, one per line, with ``#`` comments; return them lower-cased.

    Raises
    ------
    InputNotFoundError
        When the file does not exist.
    InputReadError
        When it cannot be read, or is not UTF-8.
    """
    try:
        with reading(path, "stop word file"), open(path, encoding="utf-8-sig") as lines:
            words = (line.strip().lower() for line in lines)
            return tuple(sorted({word for word in words if word and not word.startswith("#")}))
    except UnicodeDecodeError:
        raise InputReadError(path, "it is not UTF-8 text") from None
