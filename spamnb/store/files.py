"""The files of a stored model.

``manifest.json`` says what the model is; ``arrays-*.joblib`` holds its arrays, and ``table-*.bin``,
where the model is linear, the weights that follow from them (`spamnb.filter.table`); the names are
checksums.  The manifest is replaced last and atomically, so that a reader finds the old model or
the new one.  No order of mails and no clock but the day goes into the files: on one day, or with
the same ``SOURCE_DATE_EPOCH``, the same mail and options give the same bytes.

A model file is untrusted, so loading builds nothing but arrays of numbers
(`spamnb.store.arrays`).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from spamnb.errors import ModelFormatError, OutputWriteError, reason_of
from spamnb.store.arrays import HostileFileError, dump_arrays, load_arrays
from spamnb.store.checked import is_of_form
from spamnb.store.content import to_arrays, to_manifest, to_training
from spamnb.store.forms import FileData, Manifest, TableData
from spamnb.store.manifest import DAMAGED, NAME, ModelInfo, open_model, write_manifest
from spamnb.store.packing import to_table
from spamnb.system.atomic import replace_file
from spamnb.training import Training


def save_model(path: str, training: Training) -> None:
    """Write a trained filter to a directory, in place of the model that may be there.

    Parameters
    ----------
    path : str
        The directory; made where it is missing.
    training : Training
        The filter and how it was trained, as `spamnb.train` or `load_model` gives it.

    Raises
    ------
    OutputWriteError
        When it cannot be written, or the directory holds something else.

    Examples
    --------
    >>> import spamnb, tempfile
    >>> training = spamnb.train([("ham", b"Subject: lunch"), ("spam", b"Subject: pills")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     spamnb.save_model(folder, training)
    ...     spamnb.load_model(folder).mails
    {'ham': 1, 'spam': 1}
    """
    check_destination(path)
    folder = Path(path)
    content = dump_arrays(to_arrays(training.spam_filter))
    arrays = _file_data("arrays", content, "joblib")
    files = {arrays["file"]: content}
    table: TableData | None = None
    compiled = to_table(training.spam_filter, arrays["sha256"].encode("ascii"))
    if compiled is not None:
        description, packed = compiled
        table = {**_file_data("table", packed, "bin"), **description}
        files[table["file"]] = packed
    manifest = write_manifest(to_manifest(training, arrays, table))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            replace_file(folder / name, data)
        replace_file(folder / NAME, manifest)
        for old in (*folder.glob("arrays-*.joblib"), *folder.glob("table-*.bin")):
            if old.name not in files:
                old.unlink(missing_ok=True)
    except OSError as error:
        raise OutputWriteError(path, reason_of(error)) from None


def _file_data(part: str, content: bytes, ending: str) -> FileData:
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
        if folder.is_dir() and any(folder.iterdir()) and not (folder / NAME).exists():
            raise OutputWriteError(path, "the folder holds other files; choose an empty or new one")
    except OSError as error:
        raise OutputWriteError(path, reason_of(error)) from None


def load_model(path: str) -> Training:
    """Read a model: all that `save_model` wrote, so that saving it again writes the same bytes.

    To give verdicts, `spamnb.open_filter` is quicker.

    Parameters
    ----------
    path : str
        Its directory.

    Raises
    ------
    ModelNotFoundError
        When there is none.
    ModelFormatError
        When the files are damaged, foreign, or of another version of spamnb.

    Examples
    --------
    >>> import spamnb
    >>> training = spamnb.load_model("models/starter")
    >>> training.options.min_df, training.spam_filter.labels
    (5, ('ham', 'spam'))
    """
    return open_model(path, "arrays file", lambda manifest: _load(path, manifest))


def info_of(training: Training) -> ModelInfo:
    """Return what a user may want to know about a loaded model."""
    return ModelInfo(
        training.about, training.mails, training.classifier, training.trained.isoformat()
    )


def _load(path: str, manifest: Manifest) -> Training:
    if not is_of_form(manifest, Manifest):
        raise ModelFormatError(path, DAMAGED)
    content = (Path(path) / manifest["arrays"]["file"]).read_bytes()
    if hashlib.sha256(content).hexdigest() != manifest["arrays"]["sha256"]:
        raise ModelFormatError(path, "its checksum is wrong: " + DAMAGED)
    try:
        arrays = load_arrays(content)
    except HostileFileError as error:
        raise ModelFormatError(path, f"{error}; do not use it") from None
    return to_training(manifest, arrays)
