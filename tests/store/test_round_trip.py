"""A model comes back as it went: saving what was loaded writes the same bytes."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.bayes.classifiers import CLASSIFIERS, classifier
from spamnb.errors import ParameterError
from spamnb.mail.limits import Limits
from spamnb.store.files import load_model, save_model
from spamnb.store.forms import AnalyzerData, OptionsData
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.training import UNLABELED, LabeledTokens, Training, TrainingOptions, train_on_tokens
from spamnb.training.memory import Shares
from tests.training.mails import made_up

MAILS = made_up(60)
LABELS = ("ham", "spam")
ANALYZER = AnalyzerConfig(
    preset="textbook",
    tokenizer="chars",
    stop_words=("the", "\udcff"),
    limits=Limits(1, 2, 3, 4, 5, 6),
    with_values=True,
)
NOT_DEFAULT = TrainingOptions(
    classifier="ode+gaussian",
    alpha=0.25,
    prior={"ham": 0.25, "spam": 0.75},
    counts="frequency",
    calibrate=False,
    refine="off",
    features=5,
    parents={"w9": "w10", "w11": "w10", "w10": "never"},
    discretize=True,
    semi="em",
    unlabeled_weight=0.5,
    min_df=2,
    max_features=20,
    max_memory=1 << 20,
    cost=5.0,
    unsure_cost=0.25,
    analyzer=ANALYZER,
)
UNKNOWN = [mail._replace(label=UNLABELED) for mail in made_up(20, seed=2)]
MANY = made_up(240)


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def assert_same_bytes(training: Training, folder: Path) -> Training:
    """Save, load and save again; return what was loaded."""
    one, other = folder / "one", folder / "other"
    save_model(str(one), training)
    loaded = load_model(str(one))
    save_model(str(other), loaded)
    assert files_of(other) == files_of(one)
    assert loaded.options == training.options
    assert (loaded.mails, loaded.n_seen, loaded.n_features, loaded.trained, loaded.about) == (
        training.mails, training.n_seen, training.n_features, training.trained, training.about,
    )  # fmt: skip
    assert loaded.alpha_searches == training.alpha_searches
    assert list(loaded.alpha_searches) == list(training.alpha_searches)
    return loaded


def test_every_option_is_set_to_something_else_here() -> None:
    default = TrainingOptions()
    assert [o.name for o in fields(default)] == list(OptionsData.__annotations__)
    assert all(getattr(NOT_DEFAULT, o.name) != getattr(default, o.name) for o in fields(default))
    assert all(a != b for a, b in zip(ANALYZER, AnalyzerConfig(), strict=True))
    assert list(AnalyzerConfig._fields) == list(AnalyzerData.__annotations__)


@pytest.mark.parametrize(
    "options",
    [
        *(TrainingOptions(name, alpha="auto") for name in CLASSIFIERS if name != "gaussian"),
        *(TrainingOptions(name) for name in CLASSIFIERS),
        TrainingOptions("gaussian", discretize=True, alpha="auto"),
        TrainingOptions("multinomial+gaussian+categorical", alpha="auto", prior="uniform"),
        TrainingOptions("grouped+categorical", discretize=True),
        TrainingOptions("bernoulli", alpha=0),
        TrainingOptions("multinomial", refine="on", alpha="auto"),
    ],
    ids=repr,
)
def test_each_classifier(tmp_path: Path, options: TrainingOptions) -> None:
    assert_same_bytes(train_on_tokens(MAILS, LABELS, options), tmp_path)


def test_every_option(tmp_path: Path) -> None:
    training = train_on_tokens(MAILS + UNKNOWN, LABELS, NOT_DEFAULT)
    training = replace(training, about="ein Gruß \udcff\n", trained=date(1999, 12, 31))
    loaded = assert_same_bytes(training, tmp_path)
    assert vars(loaded.spam_filter.decision) == vars(training.spam_filter.decision)


@pytest.mark.parametrize("semi", ["em", "self-training"])
def test_unlabeled_mail(tmp_path: Path, semi: str) -> None:
    training = train_on_tokens(MAILS + UNKNOWN, LABELS, TrainingOptions(semi=semi))
    assert assert_same_bytes(training, tmp_path).semi == training.semi


def test_too_little_mail_to_hold_any_out(tmp_path: Path) -> None:
    mails = [MAILS[0], MAILS[1], *UNKNOWN]
    loaded = assert_same_bytes(train_on_tokens(mails, LABELS, TrainingOptions(semi="em")), tmp_path)
    assert np.isnan(loaded.semi.log_loss)


def test_a_refined_filter(tmp_path: Path) -> None:
    training = train_on_tokens(MANY, LABELS, TrainingOptions())
    assert training.spam_filter.model.refinement is not None
    assert_same_bytes(training, tmp_path)


def test_what_was_forgotten_and_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    little = Shares(tokens=20, bytes_of_counts=0, sampled_counts=10**6, sampled_mails=220)
    monkeypatch.setattr(Shares, "of", classmethod(lambda cls, _: little))
    training = train_on_tokens(MANY * 2, LABELS, TrainingOptions())
    assert training.forgotten
    assert training.n_sampled
    loaded = assert_same_bytes(training, tmp_path)
    assert (loaded.forgotten, loaded.n_sampled) == (training.forgotten, training.n_sampled)


TOKENS = st.text(st.characters(min_codepoint=32, max_codepoint=0xDFFF), min_size=1, max_size=4)


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from([*CLASSIFIERS, "multinomial+gaussian", "categorical+tan"]),
    documents=st.lists(st.lists(TOKENS, max_size=6), min_size=3, max_size=9),
    labels=st.permutations(["ads", "ham", "spam", "x\udcff"]),
    n_labels=st.integers(2, 3),
    alpha=st.sampled_from([None, 0.0, 1, 2.5]),
    calibrate=st.booleans(),
)
def test_any_labels_and_tokens(
    tmp_path_factory, name, documents, labels, n_labels, alpha, calibrate
) -> None:
    own = labels[:n_labels]
    mails = [
        LabeledTokens(own[i % n_labels], [*tokens, f"stat:n={i}", f"fact:odd={i % 2}"])
        for i, tokens in enumerate(documents)
    ]
    options = TrainingOptions(name, alpha=alpha, calibrate=calibrate)
    assert_same_bytes(train_on_tokens(mails, own, options), tmp_path_factory.mktemp("model"))


def test_the_day_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert train_on_tokens(MAILS, LABELS, TrainingOptions()).trained == date(1970, 1, 2)
    for wrong in ("today", "", "9" * 30):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(ParameterError, match="SOURCE_DATE_EPOCH must be a number of seconds"):
            train_on_tokens(MAILS, LABELS, TrainingOptions())


def test_a_linear_classifier_keeps_its_table(tmp_path: Path) -> None:
    for name in CLASSIFIERS:
        save_model(str(tmp_path / name), train_on_tokens(MAILS, LABELS, TrainingOptions(name)))
        has_table = any(file.suffix == ".bin" for file in (tmp_path / name).iterdir())
        assert has_table == classifier(name).is_linear
