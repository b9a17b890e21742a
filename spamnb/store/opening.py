"""Opening the filter of a stored model, with only what is needed for verdicts."""

from __future__ import annotations

import os
import sys
from math import isfinite
from typing import TYPE_CHECKING

from spamnb.filter.table import TableForm, WeightTable
from spamnb.filter.table_filter import VIEWS, make_table_filter
from spamnb.store.manifest import ModelInfo, decision_of, open_model
from spamnb.text.analyzer import AnalyzerConfig

if TYPE_CHECKING:
    from spamnb.filter.protocols import Filter
    from spamnb.store.forms import Manifest


def open_filter(path: str) -> Filter:
    """Open the filter of a model, to give verdicts.

    Parameters
    ----------
    path : str
        The model's directory.

    Returns
    -------
    Filter
        One that looks its weights up in the model's table, which processes share; where the model
        has none (it is not linear, its labels are not ham and spam, or the table is of a machine
        with another byte order), the filter that judges from its counts.

    Raises
    ------
    ModelNotFoundError, ModelFormatError
        As for `spamnb.load_model`.
    """
    return open_with_info(path)[0]


def open_with_info(path: str) -> tuple[Filter, ModelInfo]:
    """Open the filter of a model, with its description; see `open_filter`.

    The checksum of a table is not verified, since that would mean reading all of it.
    """
    opened = open_model(path, "table", lambda manifest: _open_table(path, manifest))
    if opened is None:
        from spamnb.store.files import info_of, load_model  # loads numpy

        model = load_model(path)
        opened = model.spam_filter, info_of(model)
    return opened


def _open_table(path: str, manifest: Manifest) -> tuple[Filter, ModelInfo] | None:
    entry = manifest["table"]
    if entry is None or entry["byte_order"] != sys.byteorder:
        return None
    form = TableForm(
        n_entries=int(entry["n_entries"]),
        n_slots=int(entry["n_slots"]),
        reach=int(entry["reach"]),
        base=int(entry["base"]),
    )
    view, intercept = entry["view"], float(entry["intercept"])
    if view not in VIEWS or not isfinite(intercept):
        raise ValueError(view, intercept)
    table = WeightTable(os.path.join(path, entry["file"]), form)
    config = AnalyzerConfig.from_dict(dict(manifest["options"]["analyzer"]))
    found = make_table_filter(config, table, view, intercept, decision_of(manifest))
    return found, ModelInfo.of(manifest)
