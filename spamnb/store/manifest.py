"""The manifest of a stored model: what it is, what it was trained on, and which files it has.

It is JSON of the form of `Manifest`: `read_manifest` reads it, `write_manifest` writes it, and
nobody else; `spamnb.store.content` turns it into a trained filter and back.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from spamnb.errors import ModelFormatError, ModelNotFoundError, SpamnbError, reason_of
from spamnb.filter.verdict import Decision

if TYPE_CHECKING:
    from spamnb.store.forms import Manifest

Loaded = TypeVar("Loaded")

FORMAT = "spamnb-model"
FORMAT_VERSION = 4
NAME = "manifest.json"
DAMAGED = "it is damaged; train it again, or bring back a copy"


class ModelInfo(NamedTuple):
    """What a user may want to know about a model.

    Attributes
    ----------
    about : str
        A note for users who did not train it, or ``""``.
    mails : dict of str to int
        How many mails of each label it was trained on.
    classifier : str
        The name of its classifier.
    trained : str
        The day of training.
    """

    about: str
    mails: dict[str, int]
    classifier: str
    trained: str

    @classmethod
    def of(cls, manifest: Manifest) -> ModelInfo:
        """Return what a manifest says."""
        return cls(
            about=str(manifest["about"]),
            mails={str(label): int(n) for label, n in manifest["report"]["mails"].items()},
            classifier=str(manifest["options"]["classifier"]),
            trained=str(manifest["trained"]),
        )


def decision_of(manifest: Manifest) -> Decision:
    """Return the decision by the costs that a manifest gives.

    Raises
    ------
    ParameterError
        When a cost is invalid.
    """
    options = manifest["options"]
    return Decision(float(options["cost"]), float(options["unsure_cost"]))


def write_manifest(manifest: Manifest) -> bytes:
    """Return the manifest as it is stored, the same bytes for the same manifest."""
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return f"{text}\n".encode("ascii")


def read_manifest(path: str) -> Manifest:
    """Read the manifest of the model in a directory; its values are for who uses them to check.

    Raises
    ------
    ModelNotFoundError
        When there is none.
    ModelFormatError
        When it is damaged, foreign, or of another version of spamnb.
    """
    try:
        with open(os.path.join(path, NAME), encoding="utf-8") as file:
            data = json.load(file)
        is_foreign = data["format"] != FORMAT
        version = int(data["version"])
    except (FileNotFoundError, NotADirectoryError):
        if os.path.exists(path):
            raise ModelFormatError(path, "there is no spamnb model in it") from None
        raise ModelNotFoundError(path) from None
    except OSError as error:
        raise ModelFormatError(path, reason_of(error)) from None
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        raise ModelFormatError(path, DAMAGED) from None
    if is_foreign:
        raise ModelFormatError(path, "its manifest is not one of spamnb; train a model there")
    if version > FORMAT_VERSION:
        by = data.get("spamnb", "a newer spamnb")
        raise ModelFormatError(path, f"it was written by spamnb {by}; upgrade spamnb to use it")
    if version < FORMAT_VERSION:
        raise ModelFormatError(path, "it was written by an older spamnb; train it again")
    try:
        files = [data[part]["file"] for part in ("arrays", "table") if data[part] is not None]
        are_inside = all(os.path.basename(file) == file for file in files)
    except (KeyError, TypeError, AttributeError):
        raise ModelFormatError(path, DAMAGED) from None
    if not are_inside:
        raise ModelFormatError(path, "it names files outside of it; do not use it")
    return cast("Manifest", data)


def open_model(path: str, part: str, load: Callable[[Manifest], Loaded]) -> Loaded:
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
