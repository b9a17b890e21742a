"""Compiled twins of the functions that take most of the time.

They are there where a C compiler was at hand when spamnb was installed.  Each has the same result
as its twin in Python, which says what is meant, and a property test holds the two equal.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any


@cache
def compiled_twin(name: str) -> Any:
    """Return a function or class that is compiled, None where it is not there.

    Parameters
    ----------
    name : str
        Its module and its own name, such as ``spamnb.text.native.html.read_html``.  With
        ``SPAMNB_NATIVE=0`` in the environment none is there.
    """
    module, _, attribute = name.rpartition(".")
    if os.environ.get("SPAMNB_NATIVE") == "0":
        return None
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError:
        return None
