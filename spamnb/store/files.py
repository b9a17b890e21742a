"""The files of a stored model.

``manifest.json`` says what the model is; ``arrays-*.joblib`` holds its arrays, and its name is
its checksum.  The manifest is replaced last and atomically, so that a reader finds the old model
or the new one.  No clock and no order of mails goes into the files: the same mail and options
give the same bytes.

A model file may come from anybody, so loading builds nothing but arrays of numbers
(`spamnb.arrays`).
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from spamnb import __version__
from spamnb.arrays import HostileFileError, dump_arrays, load_arrays
from spamnb.atomic import replace_file
from spamnb.errors import ModelFormatError, ModelNotFoundError, OutputWriteError, SpamnbError
from spamnb.spam_filter import SpamFilter
from spamnb.store.content import to_arrays, to_filter, to_manifest
from spamnb.training import Training, TrainingOptions

FORMAT = "spamnb-model"
FORMAT_VERSION = 3
_MANIFEST = "manifest.json"
_DAMAGED = "it is damaged; train it again, or bring back a copy"


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
    checksum = hashlib.sha256(content).hexdigest()
    arrays_name = f"arrays-{checksum[:16]}.joblib"
    manifest = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "spamnb": __version__,
        "about": about,
        **to_manifest(training, options),
        "arrays": {"file": arrays_name, "sha256": checksum},
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / arrays_name, content)
        text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=True) + "\n"
        replace_file(folder / _MANIFEST, text.encode("ascii"))
        for old in folder.glob("arrays-*.joblib"):
            if old.name != arrays_name:
                old.unlink(missing_ok=True)
    except OSError as error:
        raise OutputWriteError(path, error.strerror or str(error)) from None


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
        if folder.is_dir() and any(folder.iterdir()) and not (folder / _MANIFEST).exists():
            raise OutputWriteError(path, "the folder holds other files; choose an empty or new one")
    except OSError as error:
        raise OutputWriteError(path, error.strerror or str(error)) from None


class StoredModel:
    """A model as it was stored.

    Parameters
    ----------
    spam_filter : SpamFilter
        The filter.
    manifest : dict
        What the manifest says of it.
    """

    def __init__(self, spam_filter: SpamFilter, manifest: dict[str, Any]) -> None:
        self.spam_filter = spam_filter
        self.about = str(manifest.get("about", ""))
        self.mails = {str(label): int(n) for label, n in manifest["trained_on"].items()}
        self.classifier = str(manifest["classifier"]["name"])


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
    for _ in range(3):
        manifest = _read_manifest(path)
        try:
            content = (Path(path) / manifest["arrays"]["file"]).read_bytes()
            break
        except FileNotFoundError:
            continue  # replaced between the two reads: look again
        except OSError as error:
            raise ModelFormatError(path, error.strerror or str(error)) from None
    else:
        raise ModelFormatError(path, "its arrays file is missing; train it again")
    if hashlib.sha256(content).hexdigest() != manifest["arrays"]["sha256"]:
        raise ModelFormatError(path, "its checksum is wrong: " + _DAMAGED)
    try:
        spam_filter = to_filter(manifest, load_arrays(content))
        return StoredModel(spam_filter, manifest)
    except (HostileFileError, SpamnbError) as error:
        raise ModelFormatError(path, f"{error}; do not use it") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        raise ModelFormatError(path, _DAMAGED) from None


def _read_manifest(path: str) -> dict[str, Any]:
    try:
        text = (Path(path) / _MANIFEST).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        if os.path.exists(path):
            raise ModelFormatError(path, "there is no spamnb model in it") from None
        raise ModelNotFoundError(path) from None
    except OSError as error:
        raise ModelFormatError(path, error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise ModelFormatError(path, _DAMAGED) from None
    try:
        manifest = json.loads(text)
        is_model = manifest["format"] == FORMAT
        version = int(manifest["version"])
        file = manifest["arrays"]["file"]
        intact = is_model and os.path.basename(file) == file and bool(manifest["arrays"]["sha256"])
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        raise ModelFormatError(path, _DAMAGED) from None
    if not intact:
        raise ModelFormatError(path, "its manifest is not one of spamnb; train a model there")
    if version > FORMAT_VERSION:
        by = manifest.get("spamnb", "a newer spamnb")
        raise ModelFormatError(path, f"it was written by spamnb {by}; upgrade spamnb to use it")
    if version < FORMAT_VERSION:
        raise ModelFormatError(path, "it was written by an older spamnb; train it again")
    return dict(manifest)
