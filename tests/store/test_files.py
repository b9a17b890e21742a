"""The model store: what is saved comes back, and nothing else can come out of a file."""

import hashlib
import io
import json
import os
import pickle
import random
from dataclasses import replace
from pathlib import Path

import joblib
import numpy as np
import pytest

from spamnb import errors
from spamnb.store.files import load_model, save_model
from spamnb.store.manifest import FORMAT_VERSION
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.training import LabeledTokens, Training, TrainingOptions, train_on_tokens

DOCUMENTS = [
    LabeledTokens("ham", ["meeting", "lunch", "中文"]),
    LabeledTokens("ham", ["meeting", "\udcff odd\nname", "report"]),
    LabeledTokens("spam", ["money", "money", "free"]),
    LabeledTokens("spam", ["free", "lunch", "", "pills"]),
]
OPTIONS = [
    TrainingOptions(),
    TrainingOptions(classifier="bernoulli", alpha=0.0, prior="uniform"),
    TrainingOptions(classifier="complement", prior={"ham": 0.25, "spam": 0.75}, counts="frequency"),
    TrainingOptions(alpha="auto", min_df=2, analyzer=AnalyzerConfig(stop_words=("the",))),
    TrainingOptions(classifier="multinomial", analyzer=AnalyzerConfig.textbook(), calibrate=False),
]


def trained(options: TrainingOptions, documents: list[LabeledTokens] = DOCUMENTS) -> Training:
    return train_on_tokens(iter(documents), ("ham", "spam"), options)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    save_model(str(path), replace(trained(OPTIONS[0]), about="a note"))
    return path


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"{o.classifier}-{o.alpha}")
def test_a_stored_filter_judges_as_before(tmp_path: Path, options: TrainingOptions) -> None:
    before = trained(options).spam_filter
    save_model(str(tmp_path / "model"), trained(options))
    after = load_model(str(tmp_path / "model")).spam_filter
    documents = [document.tokens for document in DOCUMENTS] + [["unknown"], []]
    assert after.judge(documents) == before.judge(documents)
    assert after.analyzer.config == options.analyzer
    assert list(after.vectorizer.vocabulary) == list(before.vectorizer.vocabulary)
    np.testing.assert_array_equal(
        after.model.estimator.feature_count_, before.model.estimator.feature_count_
    )


def test_the_manifest_says_what_the_model_is(model: Path) -> None:
    stored = load_model(str(model))
    assert (stored.about, stored.classifier) == ("a note", "grouped")
    assert stored.mails == {"ham": 2, "spam": 2}


def test_the_order_of_the_mails_leaves_no_trace(tmp_path: Path) -> None:
    shuffled = random.Random(1).sample(DOCUMENTS, len(DOCUMENTS))
    for name, documents in (("one", DOCUMENTS), ("two", shuffled)):
        save_model(str(tmp_path / name), trained(OPTIONS[0], documents))
    one, two = (
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two


def test_a_new_model_replaces_the_old_one_whole(model: Path) -> None:
    save_model(str(model), trained(OPTIONS[2]))
    assert load_model(str(model)).classifier == "complement"
    assert len(list(model.iterdir())) == 3


def test_an_interrupted_save_leaves_the_old_model(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(errors.OutputWriteError, match="No space left"):
        save_model(str(model), trained(OPTIONS[2]))
    assert load_model(str(model)).classifier == "grouped"
    assert len(list(model.iterdir())) == 3


def test_a_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "inbox").write_text("mail")
    with pytest.raises(errors.OutputWriteError, match="holds other files"):
        save_model(str(tmp_path), trained(OPTIONS[0]))
    assert os.listdir(tmp_path) == ["inbox"]


def test_no_model(tmp_path: Path) -> None:
    with pytest.raises(errors.ModelNotFoundError, match="train one with"):
        load_model(str(tmp_path / "nowhere"))
    with pytest.raises(errors.ModelFormatError, match="no spamnb model in it"):
        load_model(str(tmp_path))


def arrays_file(model: Path) -> Path:
    return next(model.glob("arrays-*"))


def change_manifest(model: Path, **changes: object) -> None:
    """Change what the manifest says; ``options__cost`` is the cost of the options."""
    manifest = json.loads((model / "manifest.json").read_text())
    for place, value in changes.items():
        *outer, name = place.split("__")
        inner = manifest
        for key in outer:
            inner = inner[key]
        inner[name] = value
    (model / "manifest.json").write_text(json.dumps(manifest))


def put_arrays(model: Path, content: bytes) -> None:
    """Replace the arrays, checksum and all, as an attacker would."""
    arrays_file(model).write_bytes(content)
    checksum = hashlib.sha256(content).hexdigest()
    change_manifest(model, arrays={"file": arrays_file(model).name, "sha256": checksum})


def test_a_flipped_bit_is_found(model: Path) -> None:
    content = bytearray(arrays_file(model).read_bytes())
    content[len(content) // 2] ^= 1
    arrays_file(model).write_bytes(content)
    with pytest.raises(errors.ModelFormatError, match="checksum is wrong"):
        load_model(str(model))


def test_a_cut_arrays_file_is_found(model: Path) -> None:
    put_arrays(model, arrays_file(model).read_bytes()[:-40])
    with pytest.raises(errors.ModelFormatError):
        load_model(str(model))


def test_a_missing_arrays_file_is_found(model: Path) -> None:
    arrays_file(model).unlink()
    with pytest.raises(errors.ModelFormatError, match="arrays file is missing"):
        load_model(str(model))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "[" * 100_000, "\x00", '{"format": "spamnb-model"}', '{"a": NaN}'],
    ids=lambda text: repr(text[:12]),
)
def test_a_broken_manifest_is_found(model: Path, text: str) -> None:
    (model / "manifest.json").write_text(text)
    with pytest.raises(errors.ModelFormatError):
        load_model(str(model))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 3}, "written by an older spamnb; train it again"),
        ({"version": FORMAT_VERSION + 1, "spamnb": "9.0"}, "written by spamnb 9.0; upgrade"),
        ({"version": None}, "damaged"),
        ({"format": "other"}, "not one of spamnb"),
        ({"more": 1}, "damaged"),
        ({"arrays": {"file": "../../etc/passwd", "sha256": "0"}}, "files outside of it"),
        ({"arrays": {"file": "manifest.json", "sha256": "0"}}, "checksum is wrong"),
        ({"arrays": None}, "damaged"),
        ({"table__file": "../other"}, "files outside of it"),
        ({"table": {}}, "damaged"),
        ({"trained": "yesterday"}, "damaged"),
        ({"trained": 7}, "damaged"),
        ({"about": None}, "damaged"),
        ({"labels": ["ham", "spam", "third"]}, "class_count"),
        ({"labels": 7}, "damaged"),
        ({"labels": ["ham", 7]}, "damaged"),
        ({"options": None}, "damaged"),
        ({"options__classifier": "evil"}, "classifier must be one of .*, got evil; do not use"),
        ({"options__classifier": None}, "damaged"),
        ({"options__counts": "often"}, "counts must be"),
        ({"options__features": 0}, "features must be"),
        ({"options__features": True}, "damaged"),
        ({"options__alpha": "much"}, "alpha must be"),
        ({"options__prior": "mine"}, "prior must be"),
        ({"options__prior": {"ham": "x"}}, "damaged"),
        ({"options__max_memory": 0}, "max-memory must be"),
        ({"options__unlabeled_weight": -1}, "unlabeled-weight must be"),
        ({"options__semi": "magic"}, "semi must be"),
        ({"options__cost": 0.5}, "cost must be"),
        ({"options__cost": None}, "damaged"),
        ({"options__cost": float("inf")}, "damaged"),
        ({"options__unsure_cost": 2}, "unsure-cost must be"),
        ({"options__unsure_cost": None}, "damaged"),
        ({"options__analyzer": {"preset": "textbook"}}, "damaged"),
        ({"options__analyzer__preset": "none"}, "preset must be"),
        ({"options__analyzer__limits": {}}, "analyzer must be"),
        ({"options__analyzer__stop_words": "the"}, "damaged"),
        ({"report": None}, "damaged"),
        ({"report__mails": None}, "damaged"),
        ({"report__mails": {"ham": 1.5}}, "damaged"),
        ({"report__alpha_searches": [{"classifier": "grouped"}]}, "damaged"),
        ({"alpha": []}, "views must be"),
        ({"calibration": None}, "damaged"),
        ({"calibration": {"slope": -1, "bias": [0, 0]}}, "calibration must be"),
        ({"calibration": {"slope": 1, "bias": [0]}}, "calibration must be"),
        ({"calibration": {"slope": 1, "bias": [0, "x"]}}, "damaged"),
        ({"calibration": {"slope": float("nan"), "bias": [0, 0]}}, "damaged"),
        ({"calibration": {"slope": 1, "bias": [0, float("inf")]}}, "damaged"),
        ({"refinement": {"intercept": 0.5}}, "damaged"),  # there is no array of it
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_foreign_manifest_is_refused(model: Path, changes: dict, message: str) -> None:
    change_manifest(model, **changes)
    with pytest.raises(errors.ModelFormatError, match=message):
        load_model(str(model))


class Evil:
    """Runs a command when it is unpickled by anything but a restricted unpickler."""

    def __init__(self, witness: Path) -> None:
        self.witness = witness

    def __reduce__(self) -> tuple:
        return os.mkdir, (str(self.witness),)


def dumped(value: object) -> bytes:
    stream = io.BytesIO()
    joblib.dump(value, stream, protocol=4)
    return stream.getvalue()


def test_the_hostile_file_would_work_with_joblib_itself(tmp_path: Path) -> None:
    joblib.load(io.BytesIO(dumped({"tokens": Evil(tmp_path / "witness")})))
    assert (tmp_path / "witness").exists()


@pytest.mark.parametrize("form", ["value", "object array", "plain pickle", "gzip"])
def test_code_in_the_arrays_file_is_not_run(model: Path, tmp_path: Path, form: str) -> None:
    evil = Evil(tmp_path / "witness")
    contents = {
        "value": lambda: dumped({"tokens": evil}),
        "object array": lambda: dumped({"tokens": np.array([evil], dtype=object)}),
        "plain pickle": lambda: pickle.dumps(evil),
        "gzip": lambda: __import__("gzip").compress(dumped({"tokens": evil})),
    }
    put_arrays(model, contents[form]())
    with pytest.raises(errors.ModelFormatError):
        load_model(str(model))
    assert not (tmp_path / "witness").exists()


def opcodes(module: str, name: str, argument: bytes) -> bytes:
    """Return a pickle that calls a global with one argument."""
    return b"\x80\x04c" + f"{module}\n{name}\n".encode() + b"(" + argument + b"tR."


@pytest.mark.parametrize(
    "content",
    [
        opcodes("os", "system", b"V/bin/true\n"),
        opcodes("builtins", "eval", b"V1+1\n"),
        opcodes("numpy", "ndarray", b"(I1000000000000\nt"),
        opcodes("numpy.core.multiarray", "_reconstruct", b"I1\n"),
        opcodes("joblib.numpy_pickle", "NDArrayWrapper", b"V/etc/passwd\n"),
        opcodes("spamnb.store", "load_model", b"V/\n"),
        b"",
        b"\x80\x04N.",
        b"\x80\x04K\x01b.",
    ],
    ids=range(9),
)
def test_a_pickle_of_anything_else_is_refused(model: Path, content: bytes) -> None:
    put_arrays(model, content)
    with pytest.raises(errors.ModelFormatError):
        load_model(str(model))


def test_an_array_larger_than_its_file_is_refused(model: Path) -> None:
    huge = dumped({"tokens": np.zeros(3, np.uint8)}).replace(
        b"K\x03\x85", b"\x8a\x06\x00\x00\x00\x00\x00\x01\x85"
    )
    assert huge != dumped({"tokens": np.zeros(3, np.uint8)})
    put_arrays(model, huge)
    with pytest.raises(errors.ModelFormatError):
        load_model(str(model))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -1.0])
def test_impossible_counts_are_refused(model: Path, bad: float) -> None:
    arrays = joblib.load(arrays_file(model))
    counts = arrays["feature_count"].astype(np.float64)
    counts[0, 0] = bad
    put_arrays(model, dumped(arrays | {"feature_count": counts}))
    with pytest.raises(errors.ModelFormatError, match="counts"):
        load_model(str(model))


# Calibration, refinement and document frequencies


def many_documents(n: int) -> list[LabeledTokens]:
    """Documents in which the label shows, enough for a refinement from 200 on."""
    rng = np.random.default_rng(0)
    words = [f"{prefix}w{i}" for i in range(20) for prefix in ("", "subject:", "url:host:")]
    return [
        LabeledTokens(
            ("ham", "spam")[i % 2],
            rng.choice(words[20 * (i % 2) : 20 * (i % 2) + 40], size=6).tolist(),
        )
        for i in range(n)
    ]


MANY = many_documents(220)


@pytest.fixture(scope="module")
def refined() -> Training:
    return trained(TrainingOptions(cost=5.0, unsure_cost=0.25), MANY)


@pytest.fixture
def refined_model(tmp_path: Path, refined: Training) -> Path:
    path = tmp_path / "model"
    save_model(str(path), refined)
    return path


def test_a_refined_filter_judges_to_the_last_digit_as_before(
    refined_model: Path, refined: Training
) -> None:
    before, after = refined.spam_filter, load_model(str(refined_model)).spam_filter
    assert before.model.refinement is not None
    assert after.model.calibration == before.model.calibration
    assert vars(after.decision) == vars(before.decision)
    documents = [document.tokens for document in MANY] + [["w1", "unknown"], []]
    assert after.judge(documents) == before.judge(documents)
    assert [after.explain_tokens(d) for d in documents[:20]] == [
        before.explain_tokens(d) for d in documents[:20]
    ]


def change_array(model: Path, name: str, change) -> None:
    arrays = joblib.load(arrays_file(model))
    changed = change(arrays[name])
    put_arrays(model, dumped({**arrays, name: changed}))


@pytest.mark.parametrize("name", ["refinement", "document_frequency", "n_documents"])
@pytest.mark.parametrize(
    "change",
    [
        lambda values: values[:-1],
        lambda values: np.append(values, values[:1]),
        lambda values: np.full(values.shape, np.nan),
        lambda values: np.full(values.shape, np.inf),
        lambda values: values[np.newaxis],
    ],
    ids=["short", "long", "nan", "infinite", "of two dimensions"],
)
def test_damaged_arrays_are_refused(refined_model: Path, name: str, change) -> None:
    change_array(refined_model, name, change)
    with pytest.raises(errors.ModelFormatError):
        load_model(str(refined_model))


@pytest.mark.parametrize("name", ["document_frequency", "n_documents"])
@pytest.mark.parametrize("bad", [-1, 0.5])
def test_frequencies_are_whole_numbers(refined_model: Path, name: str, bad: float) -> None:
    change_array(refined_model, name, lambda values: np.full(values.shape, bad))
    with pytest.raises(errors.ModelFormatError, match=r"stored counts .* must be"):
        load_model(str(refined_model))


@pytest.mark.parametrize("name", ["refinement", "document_frequency", "n_documents"])
def test_missing_arrays_are_refused(refined_model: Path, name: str) -> None:
    arrays = joblib.load(arrays_file(refined_model))
    del arrays[name]
    put_arrays(refined_model, dumped(arrays))
    with pytest.raises(errors.ModelFormatError, match="damaged"):
        load_model(str(refined_model))


@pytest.mark.parametrize("intercept", [float("nan"), float("inf"), None, "x"])
def test_a_damaged_intercept_is_refused(refined_model: Path, intercept: object) -> None:
    change_manifest(refined_model, refinement={"intercept": intercept})
    with pytest.raises(errors.ModelFormatError):
        load_model(str(refined_model))
