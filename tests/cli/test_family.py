"""The whole family on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import spamnb


def train(mails: Path, path: Path, *more: str):
    result = spamnb(
        "train", "--ham", mails / "ham", "--spam", mails / "spam", "-m", path, "--jobs", "1", *more
    )
    assert result.status == 0, result.err
    return result


@pytest.mark.parametrize(
    "classifier",
    ["gaussian", "categorical", "aode", "tan", "spode", "ode", "multinomial+gaussian+categorical"],
)
def test_every_classifier_trains_classifies_and_explains(
    mails: Path, tmp_path: Path, classifier: str
) -> None:
    path = tmp_path / "model"
    train(mails, path, "--classifier", classifier)
    mail = mails / "spam" / "deep" / "er" / "0.eml"
    result = spamnb("classify", "-m", path, mail)
    assert (result.status, result.err) == (0, "")
    assert len(result.out.splitlines()) == 1
    explained = json.loads(spamnb("explain", "--json", "-m", path, mail).out)
    is_additive = classifier not in {"aode", "tan", "spode", "ode"}
    assert explained["method"] == ("additive" if is_additive else "leave-one-out")
    assert list(explained["views"]) == (classifier.split("+") if "+" in classifier else [])
    shown = spamnb("explain", "-m", path, mail).out
    assert ("leave-one-out: " in shown) == (not is_additive)
    assert ("gaussian: " in shown) == ("+" in classifier)


@pytest.mark.parametrize("classifier", ["tan", "spode", "ode"])
def test_the_tree_of_a_model(mails: Path, tmp_path: Path, classifier: str) -> None:
    path = tmp_path / "model"
    train(mails, path, "--classifier", classifier, "--features", "9")
    lines = spamnb("explain", "--tree", "-m", path).out.splitlines()
    assert len(lines) == 9
    assert [line.startswith("  ") for line in lines] == [False] + [True] * 8
    assert spamnb("explain", "--tree", "--top", "3", "-m", path).out.splitlines() == lines[:3]
    refused = spamnb("explain", "--tree", "-m", path, mails / "ham")
    assert (refused.status, refused.out) == (64, "")
    assert refused.err.count("\n") == 1


def test_only_a_tree_has_a_tree(model: Path) -> None:
    result = spamnb("explain", "--tree", "-m", model)
    assert (result.status, result.out) == (64, "")
    assert "tree must be of a model of the classifier tan" in result.err


def test_a_map_of_parents_is_followed_and_its_idle_words_are_told(
    mails: Path, tmp_path: Path
) -> None:
    path, parents = tmp_path / "model", tmp_path / "parents.tsv"
    parents.write_text("free\tmoney\npills\tfree\nhere\tnever\n")
    costs = ["--cost", "5", "--unsure-cost", "0.5"]  # spam from P = .9
    result = train(mails, path, "--classifier", "ode", "--parents", str(parents), *costs)
    idle = "spamnb: 1 of the words of --parents play no part, being in no mail: never\n"
    assert result.err == idle
    mail = mails / "spam" / "deep" / "er" / "0.eml"
    assert spamnb("classify", "-m", path, mail).out.startswith("spam")
    explained = json.loads(spamnb("explain", "--json", "-m", path, mail).out)
    assert explained["method"] == "leave-one-out"
    assert {"free", "money", "pills"} <= {item["token"] for item in explained["contributions"]}
    lines = spamnb("explain", "--tree", "-m", path).out.splitlines()
    below = [line.split("  0.")[0] for line in lines if line.startswith(" ")]
    assert below == ["  free", "    pills"]
    assert lines[lines.index("money") + 1].startswith("  free")
    parents.write_text("free\tmoney\nmoney\tfree\n")
    refused = spamnb(
        "evaluate", "--tsv", mails / "texts.tsv", "--cv", "2",
        "--classifier", "ode", "--parents", parents,
    )  # fmt: skip
    assert (refused.status, refused.out) == (65, "")
    expected = "line 2: expected a parent that does not itself depend on 'money'"
    assert refused.err == f"spamnb: {parents}, {expected}\n"


@pytest.mark.parametrize("semi", ["em", "self-training"])
def test_unlabeled_mail_is_learned_from_round_by_round(
    mails: Path, tmp_path: Path, semi: str
) -> None:
    more = mails / "ham.mbox"
    result = train(mails, tmp_path / "model", "--unlabeled", str(more), "--semi", semi)
    rounds = [line for line in result.err.splitlines() if line.startswith("spamnb: round ")]
    assert rounds
    assert rounds[0].startswith("spamnb: round 1: ")
    assert f"unlabeled   4 mails, {semi}, {len(rounds)} round" in result.out
    assert spamnb("classify", "-m", tmp_path / "model", more).status == 0


def test_what_labels_alone_give_stands_beside(mails: Path) -> None:
    arguments = f"--index {mails}/index --split 0.75 --labeled 0.7 --semi em --json --jobs 1"
    result = spamnb("evaluate", *arguments.split())
    assert result.status == 0, result.err
    names = [item["name"] for item in json.loads(result.out)]
    assert names == ["70 % of the labels", "and the other mail, em"]


def test_compositions_are_compared(mails: Path) -> None:
    arguments = f"--index {mails}/index --cv 2 --compare grouped,multinomial+gaussian,ode --json"
    result = spamnb("evaluate", *arguments.split(), "--jobs", "1")
    assert result.status == 0, result.err
    names = [item["name"] for item in json.loads(result.out)]
    assert names == ["grouped", "multinomial+gaussian", "ode"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ("train --classifier svm", 64, "'svm' is not one of grouped, multinomial"),
        ("train --classifier aode+tan", 64, "views that do not read the same"),
        ("train --classifier complement+gaussian", 64, "models with a likelihood"),
        ("train --classifier gaussian --alpha auto", 64, "alpha must be left out for gaussian"),
        ("train --discretize", 64, "discretize must be left out for grouped"),
        ("train --features 9", 64, "features must be left out for grouped"),
        ("train --classifier ode --parents {m}/none", 66, "file of parents"),
        ("train --classifier ode --parents {m}/index", 65, "line 1: expected 'word TAB parent'"),
        ("train --parents {m}/texts.tsv", 65, "line 3: expected one parent of 'ham'"),
        ("evaluate --parents {m}/index", 64, "--parents is for training"),
        ("train --semi em", 64, "--unlabeled and --semi need each other"),
        ("train --unlabeled {m}/ham", 64, "--unlabeled and --semi need each other"),
        ("train --semi em --unlabeled {m}/none", 66, "is not there"),
        ("train --semi em --unlabeled {m}/ham --unlabeled-weight 0", 64, "0"),
        ("evaluate --cv 2 --semi em", 64, "--semi and --labeled need each other"),
        ("evaluate --split 0.5 --labeled 0.5", 64, "--semi and --labeled need each other"),
        ("evaluate --cv 2 --labeled 0.5 --semi em", 64, "--labeled goes with --split"),
        (
            "evaluate --online --classifier tan",
            64,
            "--online learns mail by mail, which tan cannot",
        ),
        ("evaluate --cv 2 --compare aode,x+tan", 64, "'x' is not one of"),
        ("evaluate --cv 2 --compare aode,tan+aode", 64, "do not read the same"),
    ],
)
def test_refusals(arguments: str, status: int, message: str, mails: Path, tmp_path: Path) -> None:
    command, *rest = (word.format(m=mails) for word in arguments.split())
    target = ["-m", tmp_path / "model"] if command == "train" else []
    labeled = ["--ham", mails / "ham", "--spam", mails / "spam"]
    result = spamnb(command, *labeled, *rest, *target)
    assert (result.status, result.out) == (status, ""), result
    assert message in result.err
    assert result.err.count("\n") == 1
    assert not (tmp_path / "model").exists()
