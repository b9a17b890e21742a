"""A trained filter ↔ plain data: what goes into the manifest, and arrays of numbers.

Both are untrusted, so everything is checked, and nothing is built that is larger than the input by
more than a constant factor.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from datetime import date
from math import isfinite, nan
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from spamnb import __version__
from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.calibrated import CalibratedNB
from spamnb.bayes.calibration import Calibration
from spamnb.bayes.model_selection import AlphaSearch
from spamnb.bayes.refinement import Refinement
from spamnb.errors import ParameterError
from spamnb.features.collector import Forgotten
from spamnb.features.value_vectorizers import ValueVectorizer, from_dict
from spamnb.features.vectorizer import (
    CountVectorizer,
    JoinedVectorizer,
    Vectorizer,
    parts_of,
)
from spamnb.features.vocabulary import Vocabulary
from spamnb.filter.spam_filter import SpamFilter
from spamnb.store.arrays import Arrays
from spamnb.store.forms import (
    AlphaData,
    FileData,
    Manifest,
    OptionsData,
    ReportData,
    SemiData,
    TableData,
    ViewData,
)
from spamnb.store.manifest import FORMAT, FORMAT_VERSION, decision_of
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.training import Training, TrainingOptions
from spamnb.training.semi import SemiReport


def to_manifest(training: Training, arrays: FileData, table: TableData | None) -> Manifest:
    """Return all of a trained filter and of its training but the arrays."""
    model = training.spam_filter.model
    refinement = model.refinement
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "spamnb": __version__,
        "about": training.about,
        "trained": training.trained.isoformat(),
        "labels": list(training.spam_filter.labels),
        "options": _options_data(training.options),
        "alpha": [_alpha_of(part) for part in model.estimator.parts],
        "views": [_view_data(part) for part in parts_of(training.spam_filter.vectorizer)],
        "calibration": {"slope": model.calibration.slope, "bias": list(model.calibration.bias)},
        "refinement": None if refinement is None else {"intercept": refinement.intercept},
        "report": _report_data(training),
        "arrays": arrays,
        "table": table,
    }


def to_arrays(spam_filter: SpamFilter) -> Arrays:
    """Return the arrays of a trained filter."""
    arrays: Arrays = {}
    vocabulary = spam_filter.vectorizer.vocabulary
    if vocabulary is not None:
        packed = vocabulary.packed()
        arrays["tokens"] = packed.text
        arrays["token_lengths"] = _smallest(packed.lengths)
    for name, values in spam_filter.model.estimator.state().items():
        arrays[name] = _smallest(values)
    if spam_filter.model.refinement is not None:
        arrays["refinement"] = spam_filter.model.refinement.weights.astype(np.float32)
    return arrays


def to_training(manifest: Manifest, arrays: Arrays) -> Training:
    """Return what `to_manifest` and `to_arrays` were made of.

    Raises
    ------
    SpamnbError, KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError
        When the data is not that of a trained filter.
    """
    options, report = _options_of(manifest["options"]), manifest["report"]
    forgotten = report["forgotten"]
    return Training(
        spam_filter=_filter_of(manifest, arrays, options),
        options=options,
        mails=report["mails"],
        n_seen=report["n_seen"],
        trained=date.fromisoformat(manifest["trained"]),
        about=manifest["about"],
        alpha_searches={each["classifier"]: _search_of(each) for each in report["alpha_searches"]},
        semi=None if report["semi"] is None else _semi_of(report["semi"]),
        forgotten=None if forgotten is None else Forgotten(**forgotten),
        n_sampled=report["n_sampled"],
    )


def _filter_of(manifest: Manifest, arrays: Arrays, options: TrainingOptions) -> SpamFilter:
    labels = tuple(manifest["labels"])
    parts = [_vectorizer_of(view, arrays) for view in manifest["views"]]
    vectorizer = parts[0] if len(parts) == 1 else JoinedVectorizer(parts)
    widths = [len(part) for part in parts]
    estimator = options.make_estimator(labels, vectorizer.vocabulary or (), widths)
    untrained, alphas = estimator.parts, manifest["alpha"]
    if not len(untrained) == len(alphas) == len(parts):
        raise ParameterError("views", f"{len(untrained)}, as the classifier has", len(parts))
    for part, alpha in zip(untrained, alphas, strict=True):
        if alpha is not None:
            part.set_params(alpha=alpha)
    estimator.set_state(labels, len(vectorizer), arrays)
    refinement = _refinement_of(manifest, arrays, len(vectorizer))
    model = CalibratedNB(estimator, _calibration_of(manifest), refinement)
    return SpamFilter(Analyzer(options.analyzer), vectorizer, model, decision_of(manifest))


# Options and report


def _options_data(options: TrainingOptions) -> OptionsData:
    data = {option.name: getattr(options, option.name) for option in fields(options)}
    return cast("OptionsData", data | {"analyzer": options.analyzer.to_dict()})


def _options_of(data: OptionsData) -> TrainingOptions:
    analyzer = AnalyzerConfig.from_dict(cast("dict[str, Any]", data["analyzer"]))
    return TrainingOptions(**cast("dict[str, Any]", data | {"analyzer": analyzer}))


def _report_data(training: Training) -> ReportData:
    forgotten, semi = training.forgotten, training.semi
    return {
        "mails": training.mails,
        "n_seen": training.n_seen,
        "n_sampled": training.n_sampled,
        "forgotten": None if forgotten is None else cast("Any", forgotten._asdict()),
        "alpha_searches": [
            {
                "classifier": name,
                "alpha": search.alpha,
                "log_loss": [(a, _number(loss)) for a, loss in search.log_loss.items()],
            }
            for name, search in training.alpha_searches.items()
        ],
        "semi": None if semi is None else _semi_data(semi),
    }


def _search_of(data: AlphaData) -> AlphaSearch:
    return AlphaSearch(data["alpha"], {a: _or_nan(loss) for a, loss in data["log_loss"]})


def _semi_data(semi: SemiReport) -> SemiData:
    numbers = {k: _number(v) if isinstance(v, float) else v for k, v in asdict(semi).items()}
    return cast("SemiData", numbers)


def _semi_of(data: SemiData) -> SemiReport:
    return SemiReport(
        method=data["method"],
        n_unlabeled=data["n_unlabeled"],
        n_rounds=data["n_rounds"],
        log_loss=_or_nan(data["log_loss"]),
        log_loss_without=_or_nan(data["log_loss_without"]),
        standard_error=_or_nan(data["standard_error"]),
    )


def _number(value: float) -> float | None:
    """Return what JSON can hold of a number."""
    return value if isfinite(value) else None


def _or_nan(value: float | None) -> float:
    return nan if value is None else value


# The model


def _alpha_of(estimator: NaiveBayes) -> float | None:
    alpha = getattr(estimator, "alpha", None)
    return None if alpha is None else float(alpha)


def _view_data(vectorizer: Vectorizer) -> ViewData:
    if isinstance(vectorizer, ValueVectorizer):
        return cast("ViewData", vectorizer.to_dict())
    return {"kind": "words"}  # the words themselves are an array


def _vectorizer_of(view: ViewData, arrays: Arrays) -> Vectorizer:
    return CountVectorizer(_vocabulary_of(arrays)) if view["kind"] == "words" else from_dict(view)


def _vocabulary_of(arrays: Arrays) -> Vocabulary:
    ends = np.cumsum(arrays["token_lengths"].astype(np.int64)).tolist()
    text = arrays["tokens"].tobytes()
    starts = [0, *ends][:-1]
    vocabulary = Vocabulary(
        text[start:end].decode("utf-8", "surrogatepass")
        for start, end in zip(starts, ends, strict=True)
    )
    if len(vocabulary) != len(ends):
        raise ParameterError("tokens", "each once", "some twice")
    return vocabulary


def _calibration_of(manifest: Manifest) -> Calibration:
    slope, bias = manifest["calibration"]["slope"], manifest["calibration"]["bias"]
    if slope < 0 or len(bias) != len(manifest["labels"]):
        raise ParameterError("calibration", "a slope ≥ 0 and a bias for each label", "others")
    return Calibration(slope, tuple(bias))


def _refinement_of(manifest: Manifest, arrays: Arrays, n_features: int) -> Refinement | None:
    if manifest["refinement"] is None:
        return None
    weights = arrays["refinement"].astype(np.float64)
    if weights.shape != (n_features,) or not np.all(np.isfinite(weights)):
        expected = f"finite numbers of shape {(n_features,)}"
        raise ParameterError("refinement", expected, "others")
    if len(manifest["labels"]) != 2:
        raise ParameterError("refinement", "two labels", len(manifest["labels"]))
    return Refinement(weights, manifest["refinement"]["intercept"])


def _smallest(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values in the smallest unsigned type that holds them exactly, if one does."""
    for dtype in (np.uint8, np.uint16, np.uint32):
        if values.size and values.max() <= np.iinfo(dtype).max and values.min() >= 0:
            small = values.astype(dtype)
            if np.array_equal(small, values):
                return small
    return values
