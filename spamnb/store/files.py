"""The files of a stored model.

``manifest.json`` says what the model is; ``arrays-*.joblib`` holds its arrays, and ``table-*.bin``,
where the model is linear, the weights that follow from them (`spamnb.filter.table`); the names are
checksums.  The manifest is replaced last and atomically, so that a reader finds the old model or
the new one.  No clock and no order of mails goes into the files: the same mail and options
give the same bytes.

A model file may come from anybody, so loading builds nothing but arrays of numbers
(`spamnb.store.arrays`).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from spamnb import __version__
from spamnb.errors import ModelFormatError, OutputWriteError, reason_of
from spamnb.filter.spam_filter import SpamFilter
from spamnb.store import manifest as manifest_file
from spamnb.store.arrays import HostileFileError, dump_arrays, load_arrays
from spamnb.store.content import to_arrays, to_filter, to_manifest
from spamnb.store.manifest import ModelInfo
from spamnb.store.packing import to_table
from spamnb.system.atomic import replace_file
from spamnb.training import Training, TrainingOptions


def save_model(path: str, training: Training, options: TrainingOptions, about: str = "") -> None:
    """Write a trained filter to a directory, in place of the model that may be there.

    Parameters
    ----------
    path : str
        The directory; made where it is missing.
    training : Training
        The filter and what it was trained on.
    options : TrainingOptions
        How it was trained.
    about : str
        A sentence for whoever uses the model without having trained it.

    Raises
    ------
    OutputWriteError
        When it cannot be written, or the directory holds something else.
    """
    check_destination(path)
    folder = Path(path)
    content = dump_arrays(to_arrays(training.spam_filter))
    arrays = _file_entry("arrays", content, "joblib")
    compiled = to_table(training.spam_filter, arrays["sha256"].encode("ascii"))
    files = {arrays["file"]: content}
    table = None
    if compiled is not None:
        description, packed = compiled
        table = {**_file_entry("table", packed, "bin"), **description}
        files[table["file"]] = packed
    manifest = {
        "format": manifest_file.FORMAT,
        "version": manifest_file.FORMAT_VERSION,
        "spamnb": __version__,
        "about": about,
        **to_manifest(training, options),
        "arrays": arrays,
        "table": table,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            replace_file(folder / name, data)
        text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=True) + "\n"
        replace_file(folder / manifest_file.NAME, text.encode("ascii"))
        for old in (*folder.glob("arrays-*.joblib"), *folder.glob("table-*.bin")):
            if old.name not in files:
                old.unlink(missing_ok=True)
    except OSError as error:
        raise OutputWriteError(path, reason_of(error)) from None


def _file_entry(part: str, content: bytes, ending: str) -> dict[str, str]:
    """Return what the manifest says of a file: its name and its checksum."""
    checksum = hashlib.sha256(content).hexdigest()
    return {"file": f"{part}-{checksum[:16]}.{ending}", "sha256": checksum}


def check_destination(path: str) -> None:
    """Check that a model can be written to a directory, before the work of training one.

    Raises
    ------
    OutputWriteError
        When it holds something else, or is no directory.
    """
    folder = Path(path)
    try:
        if folder.exists() and not folder.is_dir():
            raise OutputWriteError(path, "it is a file; choose a folder")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / manifest_file.NAME).exists():
            raise OutputWriteError(path, "the folder holds other files; choose an empty or new one")
    except OSError as error:
        raise OutputWriteError(path, reason_of(error)) from None


class StoredModel(NamedTuple):
    """A model as it was stored, and what its manifest says."""

    spam_filter: SpamFilter
    info: ModelInfo


def load_model(path: str) -> StoredModel:
    """Read a model.

    Parameters
    ----------
    path : str
        Its directory.

    Returns
    -------
    StoredModel

    Raises
    ------
    ModelNotFoundError
        When there is none.
    ModelFormatError
        When the files are damaged, foreign, or of a newer version of spamnb.
    """
    return manifest_file.open_model(path, "arrays file", lambda manifest: _load(path, manifest))


def _load(path: str, manifest: dict[str, Any]) -> StoredModel:
    content = (Path(path) / manifest["arrays"]["file"]).read_bytes()
    if hashlib.sha256(content).hexdigest() != manifest["arrays"]["sha256"]:
        raise ModelFormatError(path, "its checksum is wrong: " + manifest_file.DAMAGED)
    try:
        arrays = load_arrays(content)
    except HostileFileError as error:
        raise ModelFormatError(path, f"{error}; do not use it") from None
    return StoredModel(to_filter(manifest, arrays), ModelInfo.of(manifest))
