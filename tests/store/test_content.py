"""Models of every classifier in the store: they come back, and hostile ones are refused."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path

import joblib
import numpy as np
import pytest

from spamnb.bayes.classifiers import CLASSIFIERS
from spamnb.errors import ModelFormatError
from spamnb.store.files import load_model, save_model
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.training import UNLABELED, TrainingOptions, train_on_tokens
from tests.training.mails import made_up

MAILS = made_up(60)
LABELS = ("ham", "spam")
CONFIG = AnalyzerConfig(with_values=True)
OPTIONS = [
    *(TrainingOptions(name, analyzer=CONFIG) for name in CLASSIFIERS),
    TrainingOptions("gaussian", discretize=True, analyzer=CONFIG),
    TrainingOptions("aode", features=5, prior={"ham": 0.4, "spam": 0.6}),
    TrainingOptions("tan", alpha="auto", features=7),
    TrainingOptions("multinomial+gaussian+categorical", alpha="auto", prior="uniform"),
    TrainingOptions("grouped+gaussian+categorical", discretize=True),
    TrainingOptions("categorical+tan"),
    TrainingOptions("ode", parents={"w9": "w10", "w11": "w10", "w10": "never"}, features=30),
    TrainingOptions("gaussian+ode", parents={"w9": "w10", "\udcff": "w11"}),
]
NAMES = [f"{o.classifier}{'-bins' * o.discretize}-{o.alpha}-{o.features}" for o in OPTIONS]


def stored(path: Path, options: TrainingOptions):
    training = train_on_tokens(MAILS, LABELS, options)
    save_model(str(path), training)
    return training.spam_filter


@pytest.mark.parametrize("options", OPTIONS, ids=NAMES)
def test_a_stored_filter_judges_and_explains_to_the_last_digit_as_before(tmp_path, options):
    before = stored(tmp_path / "model", options)
    loaded = load_model(str(tmp_path / "model"))
    documents = [mail.tokens for mail in MAILS] + [["w1", "stat:length=9", "fact:day=x"], []]
    assert loaded.classifier == options.classifier
    assert loaded.spam_filter.judge(documents) == before.judge(documents)
    assert loaded.spam_filter.analyzer.config == options.analyzer
    for tokens in documents[::20]:
        assert loaded.spam_filter.explain_tokens(tokens) == before.explain_tokens(tokens)


def test_a_filter_that_has_learned_from_unlabeled_mail_comes_back(tmp_path):
    options = TrainingOptions(semi="em")
    mails = MAILS + [mail._replace(label=UNLABELED) for mail in made_up(40, seed=2)]
    training = train_on_tokens(mails, LABELS, options)
    save_model(str(tmp_path / "model"), training)
    documents = [mail.tokens for mail in MAILS]
    after = load_model(str(tmp_path / "model")).spam_filter
    assert after.judge(documents) == training.spam_filter.judge(documents)
    assert load_model(str(tmp_path / "model")).semi == training.semi
    assert training.semi.n_unlabeled == 40


def change(path: Path, arrays=None, **manifest):
    """Change a stored model as an attacker would, checksum and all."""
    data = json.loads((path / "manifest.json").read_text()) | manifest
    file = path / data["arrays"]["file"]
    if arrays is not None:
        stream = io.BytesIO()
        joblib.dump(arrays(joblib.load(file)), stream, protocol=4)
        file.write_bytes(stream.getvalue())
        data["arrays"]["sha256"] = hashlib.sha256(stream.getvalue()).hexdigest()
    (path / "manifest.json").write_text(json.dumps(data))


HOSTILE = {
    "negative": lambda values: np.full(values.shape, -1.0),
    "nan": lambda values: np.full(values.shape, np.nan),
    "huge": lambda values: np.full(values.shape, 1e300),
    "short": lambda values: values[:-1],
    "long": lambda values: np.concatenate([values, values]),
    "deep": lambda values: values[np.newaxis] if values.ndim < 2 else values[0],
    "empty": lambda values: values[:0],
}


@pytest.mark.parametrize("damage", HOSTILE)
@pytest.mark.parametrize(
    "classifier",
    ["gaussian", "categorical", "aode", "tan", "ode", "multinomial+gaussian+categorical"],
)
def test_hostile_arrays_are_refused(tmp_path, classifier, damage):
    path = tmp_path / "model"
    stored(path, TrainingOptions(classifier))
    names = set(joblib.load(next(path.glob("arrays-*")))) - {"tokens", "token_lengths"}
    for name in sorted(names):
        if damage == "negative" and name.endswith("mean"):
            continue  # which a mean may be
        stored(path, TrainingOptions(classifier))
        change(path, lambda a, name=name: {**a, name: HOSTILE[damage](a[name])})
        with pytest.raises(ModelFormatError):
            load_model(str(path))


@pytest.mark.parametrize(
    "manifest",
    [
        {"views": []},
        {"views": [{"kind": "words"}]},
        {"views": [{"kind": "numbers", "names": ["length"]}] * 3},
        {"views": [{"kind": "code"}] * 3},
        {"views": 7},
        {"views": [{"kind": "numbers", "names": ["length"], "edges": []}] * 3},
        {"calibration": {"slope": float("nan"), "bias": [0, 0]}},
    ],
    ids=str,
)
def test_a_foreign_manifest_is_refused(tmp_path, manifest):
    path = tmp_path / "model"
    stored(path, TrainingOptions("multinomial+gaussian+categorical"))
    change(path, **manifest)
    with pytest.raises(ModelFormatError):
        load_model(str(path))


@pytest.mark.parametrize("alpha", [[1.0], [1.0, 1.0], ["x"] * 3, [-1.0, None, 1.0], [1e999] * 3, 7])
def test_a_foreign_alpha_is_refused(tmp_path, alpha):
    path = tmp_path / "model"
    stored(path, TrainingOptions("multinomial+gaussian+categorical"))
    change(path, alpha=alpha)
    with pytest.raises(ModelFormatError):
        load_model(str(path))


def parents_of(spam_filter):
    """The parents of words, as words."""
    words = [*spam_filter.vectorizer.vocabulary, None]
    model = spam_filter.model.estimator
    rows = zip(model.selected_features_.tolist(), model.parents_.tolist(), strict=True)
    return {words[j]: words[p] for j, p in rows}


@pytest.mark.parametrize("parents", [None, {}, {"w9": "w10", "w11": "w10", "w10": "never"}])
def test_the_parents_of_words_come_back(tmp_path, parents):
    path = tmp_path / "model"
    options = TrainingOptions("ode", parents=parents)
    before = stored(path, options)
    assert parents_of(load_model(str(path)).spam_filter) == parents_of(before)
    assert load_model(str(path)).options.parents == parents
    arrays = joblib.load(next(path.glob("arrays-*")))
    assert ("parents" in arrays) == (parents is None)


def test_found_parents_in_a_circle_are_refused(tmp_path):
    path = tmp_path / "model"
    stored(path, TrainingOptions("ode"))
    change(path, lambda a: {**a, "parents": np.roll(np.arange(len(a["parents"])), 1)})
    with pytest.raises(ModelFormatError, match="without a cycle"):
        load_model(str(path))


@pytest.mark.parametrize("parents", [{"w9": "w10", "w10": "w9"}, {"w9": "w9"}, ["w9"], "w9", 7])
def test_foreign_parents_are_refused(tmp_path, parents):
    path = tmp_path / "model"
    stored(path, TrainingOptions("ode", parents={"w9": "w10"}))
    own = json.loads((path / "manifest.json").read_text())["options"]
    change(path, options={**own, "parents": parents})
    with pytest.raises(ModelFormatError):
        load_model(str(path))
