"""Opening the table of a stored model, without what it takes to load the model itself."""

from __future__ import annotations

import os
import sys
from math import isfinite
from typing import Any, NamedTuple

from spamnb.filter.table import LAYOUT, TableForm, WeightTable
from spamnb.filter.table_filter import VIEWS, CompiledFilter
from spamnb.store.manifest import ModelInfo, decision_of, open_model
from spamnb.text.analyzer import Analyzer, AnalyzerConfig


class Opened(NamedTuple):
    """A compiled filter, and what its manifest says."""

    filter: CompiledFilter
    info: ModelInfo


def open_compiled(path: str) -> Opened | None:
    """Open the compiled filter of a model.

    The checksum of the table is not looked at, since that would mean to read all of it.

    Parameters
    ----------
    path : str
        The model's directory.

    Returns
    -------
    Opened or None
        None where the model has no table: it is not linear, its labels are not ham and spam, or
        the table is of a machine with another byte order, or of an earlier layout.

    Raises
    ------
    ModelNotFoundError, ModelFormatError
        As for `spamnb.store.files.load_model`.
    """
    return open_model(path, "table", lambda manifest: _open(path, manifest))


def _open(path: str, manifest: dict[str, Any]) -> Opened | None:
    entry = manifest.get("table")
    if not entry:
        return None
    form = TableForm(
        n_entries=int(entry["n_entries"]),
        n_slots=int(entry["n_slots"]),
        reach=int(entry["reach"]),
        base=int(entry["base"]),
        byte_order=str(entry["byte_order"]),
    )
    if form.byte_order != sys.byteorder or entry.get("layout") != LAYOUT:
        return None
    view, intercept = str(entry["view"]), float(entry["intercept"])
    if view not in VIEWS or not isfinite(intercept):
        raise ValueError(view, intercept)
    table = WeightTable(os.path.join(path, entry["file"]), form)
    analyzer = Analyzer(AnalyzerConfig.from_dict(manifest["analyzer"]))
    scaled_groups = frozenset(map(int, entry["scaled_groups"]))
    compiled = CompiledFilter(
        analyzer, table, view, intercept, decision_of(manifest), scaled_groups
    )
    return Opened(compiled, ModelInfo.of(manifest))
