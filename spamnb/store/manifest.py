"""The manifest of a stored model: what it is, what it was trained on, and which files it has."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from spamnb.errors import ModelFormatError, ModelNotFoundError, SpamnbError, reason_of
from spamnb.filter.verdict import UNSURE_COST, Decision

Loaded = TypeVar("Loaded")

FORMAT = "spamnb-model"
FORMAT_VERSION = 3
NAME = "manifest.json"
DAMAGED = "it is damaged; train it again, or bring back a copy"


class ModelInfo(NamedTuple):
    """What a person may want to know of a model.

    Attributes
    ----------
    about : str
        A note for whoever uses it without having trained it, or ``""``.
    mails : dict of str to int
        How many mails of each label it was trained on.
    classifier : str
        The name of its classifier.
    """

    about: str
    mails: dict[str, int]
    classifier: str

    @classmethod
    def of(cls, manifest: dict[str, Any]) -> ModelInfo:
        """Return what a manifest says."""
        mails = {str(label): int(n) for label, n in manifest["trained_on"].items()}
        return cls(str(manifest.get("about", "")), mails, str(manifest["classifier"]["name"]))


def read_manifest(path: str) -> dict[str, Any]:
    """Read the manifest of the model in a directory.

    Raises
    ------
    ModelNotFoundError
        When there is none.
    ModelFormatError
        When it is damaged, foreign, or of another version of spamnb.
    """
    try:
        with open(os.path.join(path, NAME), encoding="utf-8") as file:
            text = file.read()
    except (FileNotFoundError, NotADirectoryError):
        if os.path.exists(path):
            raise ModelFormatError(path, "there is no spamnb model in it") from None
        raise ModelNotFoundError(path) from None
    except OSError as error:
        raise ModelFormatError(path, reason_of(error)) from None
    except UnicodeDecodeError:
        raise ModelFormatError(path, DAMAGED) from None
    try:
        manifest = json.loads(text)
        is_model = manifest["format"] == FORMAT
        version = int(manifest["version"])
        files = [manifest[part] for part in ("arrays", "table") if manifest.get(part)]
        intact = is_model and "arrays" in manifest and all(map(_is_file_here, files))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise ModelFormatError(path, DAMAGED) from None
    if not intact:
        raise ModelFormatError(path, "its manifest is not one of spamnb; train a model there")
    if version > FORMAT_VERSION:
        by = manifest.get("spamnb", "a newer spamnb")
        raise ModelFormatError(path, f"it was written by spamnb {by}; upgrade spamnb to use it")
    if version < FORMAT_VERSION:
        raise ModelFormatError(path, "it was written by an older spamnb; train it again")
    return dict(manifest)


def open_model(path: str, part: str, load: Callable[[dict[str, Any]], Loaded]) -> Loaded:
    """Return what is loaded from a model by its manifest.

    Parameters
    ----------
    path : str
        The model's directory.
    part : str
        The file that is read, such as "table".
    load : callable
        Gets the manifest and reads the file that it names.

    Raises
    ------
    ModelNotFoundError
        When there is no model.
    ModelFormatError
        When the files are damaged, foreign, or of another version of spamnb.
    """
    for _ in range(3):
        manifest = read_manifest(path)
        try:
            return load(manifest)
        except FileNotFoundError:
            continue  # replaced between the two reads: look again
        except OSError as error:
            raise ModelFormatError(path, reason_of(error)) from None
        except ModelFormatError:
            raise
        except SpamnbError as error:
            raise ModelFormatError(path, f"{error}; do not use it") from None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
            raise ModelFormatError(path, DAMAGED) from None
    raise ModelFormatError(path, f"its {part} is missing; train it again")


def decision_of(manifest: Mapping[str, Any]) -> Decision:
    """Return the decision by the costs that a manifest gives.

    Until 2026-11 no model had a cost of unsure mail: those decide by its default.

    Raises
    ------
    ParameterError, KeyError, TypeError, ValueError
        When it gives none, or one that cannot be.
    """
    return Decision(float(manifest["cost"]), float(manifest.get("unsure_cost", UNSURE_COST)))


def _is_file_here(entry: dict[str, Any]) -> bool:
    """Tell whether an entry names a file of the model's own directory, with its checksum."""
    return os.path.basename(entry["file"]) == entry["file"] and bool(entry["sha256"])
