"""The form of a manifest, as `spamnb.store.checked` checks it before a model is loaded.

One mail is classified without it: 18 classes take .8 ms to make (2026-12).
"""

# No "from __future__ import annotations": `is_of_form` looks at the types themselves.

from typing import TypedDict


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
