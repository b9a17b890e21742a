"""For each function that has a compiled twin: what both forms are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.native.cases import filters, mail, numbers, text
from tests.native.cases.case import Case

CASES: dict[Callable[..., Any], Case] = mail.CASES | text.CASES | numbers.CASES | filters.CASES
