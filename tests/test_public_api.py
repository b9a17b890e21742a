"""The public names: lazy, typed, each with an example that runs."""

from __future__ import annotations

import doctest
import os
import pickle
import statistics
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import spamnb
import spamnb.bayes
from spamnb.errors import ParameterError, TrainingDataError

ROOT = Path(spamnb.__file__).parents[1]
NAMES = {
    "Explanation", "Message", "SpamFilter", "SpamnbError", "Training", "TrainingOptions", "Verdict",
    "load_model", "open_filter", "parse", "read", "save_model", "train",
}  # fmt: skip
PACKAGES = [import_module(name) for name in ("spamnb", "spamnb.bayes", "spamnb.training")]
MODULES = sorted(
    {p.__name__ for p in PACKAGES}
    | {getattr(p, name).__module__ for p in PACKAGES[:2] for name in p.__all__}
)
MAILS = [
    ("ham", b"Subject: lunch\n\nShall we meet at one?"),
    ("spam", b"Subject: pills\n\nCheap pills, buy now!"),
]


def examples_of(name: str) -> list[doctest.DocTest]:
    found = doctest.DocTestFinder(exclude_empty=True).find(import_module(name))
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for test in examples_of(name):
        failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
        assert not failed, test.name


def test_every_public_name_stands_in_an_example() -> None:
    shown = "".join(
        example.source
        for name in MODULES
        for test in examples_of(name)
        for example in test.examples
    )
    assert [name for name in NAMES if f"spamnb.{name}" not in shown] == []
    assert [name for name in spamnb.bayes.__all__ if name not in shown] == []


def test_the_public_names() -> None:
    assert set(spamnb.__all__) == NAMES
    assert set(dir(spamnb)) >= NAMES
    with pytest.raises(AttributeError, match="module 'spamnb' has no attribute 'magic'"):
        spamnb.magic  # noqa: B018


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_types_are_those_at_run_time(package: ModuleType) -> None:
    """What stands under TYPE_CHECKING for mypy is what is found at run time."""
    source = Path(str(package.__file__)).read_text("utf-8")
    for name, place in package._PLACES.items():
        module = place.partition(":")[0]
        assert f"    from {module} import {name} as {name}\n" in source
        assert getattr(package, name) is getattr(import_module(module), name)


def test_the_package_itself_costs_next_to_nothing() -> None:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def seconds(code: str) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        return time.perf_counter() - started

    # Far more than the .3 ms that were measured: other processes run too.
    pairs = [(seconds("import spamnb"), seconds("pass")) for _ in range(15)]
    assert statistics.median(with_it - without for with_it, without in pairs) < 0.01


def test_a_name_loads_only_what_it_needs() -> None:
    code = (
        "import sys, spamnb\n"
        "before = {name for name in sys.modules if name.startswith('spamnb')}\n"
        "assert before == {'spamnb', 'spamnb.system', 'spamnb.system.lazy'}, before\n"
        "spamnb.parse(b'Subject: x'), spamnb.TrainingOptions\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_messages_and_bytes_are_trained_on_alike() -> None:
    options = spamnb.TrainingOptions(classifier="bernoulli")
    parsed = [(label, spamnb.parse(mail)) for label, mail in MAILS * 3]
    one, other = spamnb.train(MAILS * 3, options), spamnb.train(iter(parsed), options, about="x")
    verdicts = [t.spam_filter.classify_all(m for _, m in parsed) for t in (one, other)]
    assert verdicts[0] == verdicts[1]
    assert (one.about, other.about, one.options) == ("", "x", options)


def test_any_labels_and_mail_without_one() -> None:
    mails = [("work", MAILS[0][1]), ("family", MAILS[1][1])] * 5
    assert spamnb.train(mails).spam_filter.labels == ("family", "work")
    training = spamnb.train([*mails, ("", MAILS[0][1])], spamnb.TrainingOptions(semi="em"))
    assert training.semi is not None
    assert training.semi.n_unlabeled == 1


def test_what_cannot_be_trained_is_refused() -> None:
    with pytest.raises(TrainingDataError, match="only ham mail"):
        spamnb.train([MAILS[0]])
    with pytest.raises(TrainingDataError, match="no labeled mail"):
        spamnb.train([])
    with pytest.raises(ParameterError, match="prior must be a number for each of ham, spam"):
        spamnb.train(MAILS, spamnb.TrainingOptions(prior={"ham": 1.0}))


@pytest.mark.parametrize("classifier", ["grouped", "ode", "multinomial+gaussian+categorical"])
def test_a_filter_goes_to_another_process(classifier: str) -> None:
    spam_filter = spamnb.train(MAILS * 5, spamnb.TrainingOptions(classifier)).spam_filter
    messages = [spamnb.parse(mail) for _, mail in MAILS]
    before = spam_filter.classify_all(messages)
    other = pickle.loads(pickle.dumps(spam_filter))
    assert other.classify_all(messages) == before
    assert other.explain(messages[1]) == spam_filter.explain(messages[1])


def test_a_filter_is_sent_in_few_bytes() -> None:
    """The words go as the bytes that they are: strings and a table of them would be 15 MB."""
    spam_filter = spamnb.load_model(str(ROOT / "models" / "starter")).spam_filter
    spam_filter.explain(spamnb.parse(MAILS[0][1]))
    n_features = len(spam_filter.vectorizer)
    assert len(pickle.dumps(spam_filter)) < 100 * n_features
