"""The manifest of a stored model: what it is, what it was trained on, and which files it has.

It is JSON of the form of `Manifest`: `read_manifest` reads it, `write_manifest` writes it, and
nobody else; `spamnb.store.content` turns it into a trained filter and back.
"""

# No "from __future__ import annotations": `spamnb.store.checked` looks at the types themselves.

import json
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict, TypeVar

from spamnb.errors import ModelFormatError, ModelNotFoundError, SpamnbError, reason_of
from spamnb.filter.verdict import Decision
from spamnb.store.checked import is_of_form

Loaded = TypeVar("Loaded")

FORMAT = "spamnb-model"
FORMAT_VERSION = 4
NAME = "manifest.json"
DAMAGED = "it is damaged; train it again, or bring back a copy"


class AnalyzerData(TypedDict):
    """A `spamnb.text.analyzer.AnalyzerConfig`."""

    preset: str
    tokenizer: str
    stop_words: list[str]
    limits: dict[str, int]
    with_values: bool


class OptionsData(TypedDict):
    """A `spamnb.training.TrainingOptions`: the same names."""

    classifier: str
    alpha: float | str | None
    prior: str | dict[str, float]
    counts: str
    calibrate: bool
    refine: str
    features: int | None
    parents: dict[str, str] | None
    discretize: bool
    semi: str | None
    unlabeled_weight: float
    min_df: int
    max_features: int | None
    max_memory: int
    cost: float
    unsure_cost: float
    analyzer: AnalyzerData


class WordsData(TypedDict):
    """A view of the words, which are an array."""

    kind: str


class NumbersData(TypedDict):
    """A view of numbers, of these names."""

    kind: str
    names: list[str]


class BinsData(TypedDict):
    """A view of numbers by the intervals that they lie in."""

    kind: str
    edges: list[tuple[str, list[float]]]


class FactsData(TypedDict):
    """A view of facts, with the values that were seen."""

    kind: str
    values: list[tuple[str, list[str]]]


ViewData = WordsData | NumbersData | BinsData | FactsData


class CalibrationData(TypedDict):
    """A `spamnb.bayes.calibration.Calibration`."""

    slope: float
    bias: list[float]


class RefinementData(TypedDict):
    """What of a `spamnb.bayes.refinement.Refinement` is no array."""

    intercept: float


class ForgottenData(TypedDict):
    """A `spamnb.features.collector.Forgotten`."""

    times: int
    tokens: int
    threshold: int


class AlphaData(TypedDict):
    """How alpha was chosen for a classifier; None for a loss that is no finite number."""

    classifier: str
    alpha: float
    log_loss: list[tuple[float, float | None]]


class SemiData(TypedDict):
    """A `spamnb.training.semi.SemiReport`; None for what is no number."""

    method: str
    n_unlabeled: int
    n_rounds: int
    log_loss: float | None
    log_loss_without: float | None
    standard_error: float | None


class ReportData(TypedDict):
    """A report on the training."""

    mails: dict[str, int]
    n_seen: int
    n_sampled: int | None
    forgotten: ForgottenData | None
    alpha_searches: list[AlphaData]
    semi: SemiData | None


class FileData(TypedDict):
    """A file of the model, and its checksum."""

    file: str
    sha256: str


class Description(TypedDict):
    """A `spamnb.filter.table.TableForm`, and what else a filter needs that looks into a table."""

    base: int
    byte_order: str
    intercept: float
    n_entries: int
    n_slots: int
    reach: int
    view: str


class TableData(FileData, Description):
    """The file of a table, and how to read it."""


class Manifest(TypedDict):
    """All that a model is but its arrays and its table.

    ``trained`` is the day, and ``alpha`` that of the classifier of each view, as given or chosen.
    """

    format: str
    version: int
    spamnb: str
    about: str
    trained: str
    labels: list[str]
    options: OptionsData
    alpha: list[float | None]
    views: list[ViewData]
    calibration: CalibrationData
    refinement: RefinementData | None
    report: ReportData
    arrays: FileData
    table: TableData | None


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
    def of(cls, manifest: Manifest) -> "ModelInfo":
        """Return what a manifest says."""
        return cls(
            about=manifest["about"],
            mails=manifest["report"]["mails"],
            classifier=manifest["options"]["classifier"],
            trained=manifest["trained"],
        )


def decision_of(manifest: Manifest) -> Decision:
    """Return the decision by the costs that a manifest gives.

    Raises
    ------
    ParameterError
        When a cost is invalid.
    """
    return Decision(manifest["options"]["cost"], manifest["options"]["unsure_cost"])


def write_manifest(manifest: Manifest) -> bytes:
    """Return the manifest as it is stored, the same bytes for the same manifest."""
    text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return f"{text}\n".encode("ascii")


def read_manifest(path: str) -> Manifest:
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
    return _checked(path, data)


def _checked(path: str, data: Any) -> Manifest:
    """Return a manifest of which it is sure that it has the form of one."""
    if not is_of_form(data, Manifest):
        raise ModelFormatError(path, DAMAGED)
    manifest: Manifest = data
    for entry in (manifest["arrays"], manifest["table"]):
        if entry is not None and os.path.basename(entry["file"]) != entry["file"]:
            raise ModelFormatError(path, "it names files outside of it; do not use it")
    return manifest


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
