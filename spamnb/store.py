"""The model store: a trained filter ↔ a directory of plain data.

``manifest.json`` says what the model is; ``arrays-*.joblib`` holds its arrays, and its name is
its checksum.  The manifest is replaced last and atomically, so that a reader finds the old model
or the new one.  No clock and no order of mails goes into the files: the same mail and options
give the same bytes.

A model file may come from anybody, so loading builds nothing but arrays of numbers
(`spamnb.arrays`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spamnb import __version__
from spamnb.arrays import Arrays, HostileFileError, dump_arrays, load_arrays
from spamnb.bayes.calibrated import CalibratedNB
from spamnb.bayes.calibration import Calibration
from spamnb.bayes.grouped import GroupedNB
from spamnb.bayes.refinement import Refinement
from spamnb.errors import (
    ModelFormatError,
    ModelNotFoundError,
    OutputWriteError,
    ParameterError,
    SpamnbError,
)
from spamnb.features.vocabulary import Vocabulary
from spamnb.spam_filter import Decision, SpamFilter
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.training import Training, TrainingOptions

FORMAT = "spamnb-model"
FORMAT_VERSION = 2
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
    content = dump_arrays(_to_arrays(training.spam_filter))
    checksum = hashlib.sha256(content).hexdigest()
    arrays_name = f"arrays-{checksum[:16]}.joblib"
    manifest = _to_manifest(training, options, about)
    manifest["arrays"] = {"file": arrays_name, "sha256": checksum}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder / arrays_name, content)
        text = json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=True) + "\n"
        _replace(folder / _MANIFEST, text.encode("ascii"))
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
        spam_filter = _from_stored(manifest, load_arrays(content))
        return StoredModel(spam_filter, manifest)
    except (HostileFileError, SpamnbError) as error:
        raise ModelFormatError(path, f"{error}; do not use it") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        raise ModelFormatError(path, _DAMAGED) from None


def _replace(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there, so that nobody reads half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _to_manifest(training: Training, options: TrainingOptions, about: str) -> dict[str, Any]:
    model = training.spam_filter.model
    search = training.alpha_search
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "spamnb": __version__,
        "about": about,
        "labels": list(training.spam_filter.labels),
        "classifier": {
            "name": options.classifier,
            "alpha": float(model.estimator.alpha),  # type: ignore[arg-type]
            "prior": options.prior,
            "counts": options.counts,
        },
        "calibration": {"slope": model.calibration.slope, "bias": list(model.calibration.bias)},
        "refinement": (
            None if model.refinement is None else {"intercept": model.refinement.intercept}
        ),
        "cost": options.cost,
        "alpha_search": (
            None if search is None else [[a, loss] for a, loss in search.log_loss.items()]
        ),
        "analyzer": options.analyzer.to_dict(),
        "min_df": options.min_df,
        "max_features": options.max_features,
        "trained_on": training.mails,
        "vocabulary": training.n_features,
    }


def _to_arrays(spam_filter: SpamFilter) -> Arrays:
    tokens = [t.encode("utf-8", "surrogatepass") for t in spam_filter.vectorizer.vocabulary]
    estimator, refinement = spam_filter.model.estimator, spam_filter.model.refinement
    arrays = {
        "tokens": np.frombuffer(b"".join(tokens), dtype=np.uint8),
        "token_lengths": _smallest(np.array([len(token) for token in tokens], dtype=np.int64)),
        "class_count": _smallest(estimator.class_count_),
        "feature_count": _smallest(estimator.feature_count_ / estimator.count_unit),
    }
    if isinstance(estimator, GroupedNB):
        arrays["document_frequency"] = _smallest(estimator.document_frequency_)
        arrays["n_documents"] = _smallest(np.array([estimator.n_documents_]))
    if refinement is not None:
        arrays["refinement"] = refinement.weights.astype(np.float32)
    return arrays


def _smallest(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values in the smallest unsigned type that holds them exactly, if one does."""
    for dtype in (np.uint8, np.uint16, np.uint32):
        if values.size and values.max() <= np.iinfo(dtype).max:
            small = values.astype(dtype)
            if np.array_equal(small, values):
                return small
    return values


def _from_stored(manifest: dict[str, Any], arrays: Arrays) -> SpamFilter:
    labels = tuple(map(str, manifest["labels"]))
    classifier = manifest["classifier"]
    prior = classifier["prior"]
    options = TrainingOptions(
        classifier=str(classifier["name"]),
        alpha=float(classifier["alpha"]),
        counts=str(classifier["counts"]),
        prior=prior if isinstance(prior, str) else {str(k): float(v) for k, v in prior.items()},
        cost=float(manifest["cost"]),
        analyzer=AnalyzerConfig.from_dict(manifest["analyzer"]),
    )
    vocabulary = _to_vocabulary(arrays)
    class_count = arrays["class_count"].astype(np.float64)
    feature_count = arrays["feature_count"].astype(np.float64)
    shape = (len(labels), len(vocabulary))
    if feature_count.shape != shape or class_count.shape != shape[:1]:
        raise ParameterError("arrays", f"of shape {shape}", feature_count.shape)
    for counts in (class_count, feature_count):
        if not np.all(np.isfinite(counts)) or np.any(counts < 0):
            raise ParameterError("counts", "finite numbers ≥ 0", "others")
    estimator = options.make_estimator(labels, vocabulary)
    if isinstance(estimator, GroupedNB):
        estimator.document_frequency_ = _whole(arrays["document_frequency"], shape[1])
        estimator.n_documents_ = int(_whole(arrays["n_documents"], 1)[0])
    estimator.set_counts(labels, class_count, feature_count * estimator.count_unit)
    model = CalibratedNB(estimator, _to_calibration(manifest), _to_refinement(manifest, arrays))
    decision = Decision(float(manifest["cost"]))
    return SpamFilter(Analyzer(options.analyzer), vocabulary, model, decision)


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


def _whole(values: NDArray[Any], n: int) -> NDArray[np.int64]:
    whole = np.where(np.isfinite(values), values, -1).astype(np.int64)
    if whole.shape != (n,) or np.any(whole < 0) or np.any(whole != values):
        raise ParameterError("frequencies", f"{n} whole numbers ≥ 0", "others")
    return whole


def _to_calibration(manifest: dict[str, Any]) -> Calibration:
    slope = float(manifest["calibration"]["slope"])
    bias = tuple(map(float, manifest["calibration"]["bias"]))
    if not np.all(np.isfinite([slope, *bias])) or slope < 0 or len(bias) != len(manifest["labels"]):
        raise ParameterError("calibration", "a slope ≥ 0 and a bias for each label", "others")
    return Calibration(slope, bias)


def _to_refinement(manifest: dict[str, Any], arrays: Arrays) -> Refinement | None:
    if manifest["refinement"] is None:
        return None
    intercept = float(manifest["refinement"]["intercept"])
    weights = arrays["refinement"].astype(np.float64)
    expected = arrays["token_lengths"].shape
    if weights.shape != expected or not np.all(np.isfinite([*weights, intercept])):
        raise ParameterError("refinement", f"finite numbers of shape {expected}", "others")
    if len(manifest["labels"]) != 2:
        raise ParameterError("refinement", "two labels", len(manifest["labels"]))
    return Refinement(weights, intercept)


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
