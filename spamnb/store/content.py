"""A trained filter ↔ plain data: what goes into the manifest, and arrays of numbers.

Both may come from anybody, so everything is checked, and nothing is made that is larger than what
came by more than a constant factor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.calibrated import CalibratedNB
from spamnb.bayes.calibration import Calibration
from spamnb.bayes.refinement import Refinement
from spamnb.errors import ParameterError
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
from spamnb.store.manifest import decision_of
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.training import Training, TrainingOptions


def to_manifest(training: Training, options: TrainingOptions) -> dict[str, Any]:
    """Return what JSON can say of a trained filter and how it was trained."""
    model = training.spam_filter.model
    refinement, semi, forgotten = model.refinement, training.semi, training.forgotten
    return {
        "labels": list(training.spam_filter.labels),
        "classifier": {
            "name": options.classifier,
            "alpha": [_alpha_of(part) for part in model.estimator.parts],
            "prior": options.prior,
            "counts": options.counts,
            "features": options.features,
            "discretize": options.discretize,
            # Only where they were given, which leaves the files of all other models as they were.
            **({} if options.parents is None else {"parents": options.parents}),
        },
        "views": [_view_to_dict(part) for part in parts_of(training.spam_filter.vectorizer)],
        "calibration": {"slope": model.calibration.slope, "bias": list(model.calibration.bias)},
        "refinement": None if refinement is None else {"intercept": refinement.intercept},
        "cost": options.cost,
        "unsure_cost": options.unsure_cost,
        "alpha_search": {
            name: [[a, loss] for a, loss in search.log_loss.items()]
            for name, search in training.alpha_searches.items()
        },
        "semi": None
        if semi is None
        else {"method": semi.method, "mails": semi.n_unlabelled, "rounds": semi.n_rounds},
        "analyzer": options.analyzer.to_dict(),
        "min_df": options.min_df,
        "max_features": options.max_features,
        "trained_on": training.mails,
        "vocabulary": training.n_features,
        "forgotten": None if forgotten is None else forgotten._asdict(),
        "calibrated_on": training.n_sampled,
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


def to_filter(manifest: Mapping[str, Any], arrays: Arrays) -> SpamFilter:
    """Rebuild a trained filter.

    Raises
    ------
    SpamnbError, KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError
        When the data is not that of a filter.
    """
    labels = tuple(map(str, manifest["labels"]))
    options = _to_options(manifest)
    parts = [_to_vectorizer(view, arrays) for view in manifest["views"]]
    vectorizer = parts[0] if len(parts) == 1 else JoinedVectorizer(parts)
    widths = [len(part) for part in parts]
    estimator = options.make_estimator(labels, vectorizer.vocabulary or (), widths)
    untrained, alphas = estimator.parts, manifest["classifier"]["alpha"]
    if not len(untrained) == len(alphas) == len(parts):
        raise ParameterError("views", f"{len(untrained)}, as the classifier has", len(parts))
    for part, alpha in zip(untrained, alphas, strict=True):
        if alpha is not None:
            part.alpha = float(alpha)  # type: ignore[attr-defined]
    estimator.set_state(labels, len(vectorizer), arrays)
    refinement = _to_refinement(manifest, arrays, len(vectorizer))
    model = CalibratedNB(estimator, _to_calibration(manifest), refinement)
    return SpamFilter(Analyzer(options.analyzer), vectorizer, model, decision_of(manifest))


def _alpha_of(estimator: NaiveBayes) -> float | None:
    alpha = getattr(estimator, "alpha", None)
    return None if alpha is None else float(alpha)


def _view_to_dict(vectorizer: Vectorizer) -> dict[str, Any]:
    if isinstance(vectorizer, ValueVectorizer):
        return vectorizer.to_dict()
    return {"kind": "words"}  # the words themselves are an array


def _smallest(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values in the smallest unsigned type that holds them exactly, if one does."""
    for dtype in (np.uint8, np.uint16, np.uint32):
        if values.size and values.max() <= np.iinfo(dtype).max and values.min() >= 0:
            small = values.astype(dtype)
            if np.array_equal(small, values):
                return small
    return values


def _to_options(manifest: Mapping[str, Any]) -> TrainingOptions:
    classifier = manifest["classifier"]
    prior, features = classifier["prior"], classifier["features"]
    parents = classifier.get("parents")
    return TrainingOptions(
        classifier=str(classifier["name"]),
        counts=str(classifier["counts"]),
        features=None if features is None else int(features),
        parents=None if parents is None else {str(k): str(v) for k, v in parents.items()},
        discretize=bool(classifier["discretize"]),
        prior=prior if isinstance(prior, str) else {str(k): float(v) for k, v in prior.items()},
        analyzer=AnalyzerConfig.from_dict(manifest["analyzer"]),
    )


def _to_vectorizer(view: Mapping[str, Any], arrays: Arrays) -> Vectorizer:
    return CountVectorizer(_to_vocabulary(arrays)) if view["kind"] == "words" else from_dict(view)


def _to_vocabulary(arrays: Arrays) -> Vocabulary:
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


def _to_calibration(manifest: Mapping[str, Any]) -> Calibration:
    slope = float(manifest["calibration"]["slope"])
    bias = tuple(map(float, manifest["calibration"]["bias"]))
    if not np.all(np.isfinite([slope, *bias])) or slope < 0 or len(bias) != len(manifest["labels"]):
        raise ParameterError("calibration", "a slope ≥ 0 and a bias for each label", "others")
    return Calibration(slope, bias)


def _to_refinement(
    manifest: Mapping[str, Any], arrays: Arrays, n_features: int
) -> Refinement | None:
    if manifest["refinement"] is None:
        return None
    intercept = float(manifest["refinement"]["intercept"])
    weights = arrays["refinement"].astype(np.float64)
    if weights.shape != (n_features,) or not np.all(np.isfinite([*weights, intercept])):
        expected = f"finite numbers of shape {(n_features,)}"
        raise ParameterError("refinement", expected, "others")
    if len(manifest["labels"]) != 2:
        raise ParameterError("refinement", "two labels", len(manifest["labels"]))
    return Refinement(weights, intercept)
