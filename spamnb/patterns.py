"""Regular expressions that are compiled when they are first used.

The patterns of this package take 22 ms to compile, and one mail needs a third of them; a process
that is started for one mail would wait twice as long as it works (2026-11).
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Pattern:
    """Becomes the compiled pattern, one method after the other."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # Only for what is not there yet; after this, `name` is an attribute like any other.
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)
        return value


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a stand-in for the compiled pattern.

    Parameters
    ----------
    pattern : str or bytes
        The regular expression, as for `re.compile`.
    flags : int
        Of the module `re`.
    """
    return cast("re.Pattern[AnyStr]", _Pattern(pattern, flags))
