"""``spamnb tune``: the search for the options that suit one's own mail."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import HAM, SPAM, Result, mail, spamnb


@pytest.fixture(scope="session")
def tuned(many_texts: Path) -> Result:
    result = spamnb("tune", "--tsv", many_texts, "--cv", "2", "--json")
    assert result.status == 0, result
    return result


def test_json_has_everything_that_was_tried_the_best_first(tuned: Result) -> None:
    data = json.loads(tuned.out)
    assert data["mails"] == 80
    tried = data["tried"]
    names = [item["arguments"] for item in tried]
    assert data["best"] == names[0]
    assert len(set(names)) == len(names)
    losses = [item["ranking"]["log_loss"] for item in tried]
    assert losses == sorted(losses)
    assert tried[0]["comparison"] is None
    assert {item["comparison"]["against"] for item in tried[1:]} == {names[0]}
    # No mail is Chinese.
    assert not any("--tokenizer" in name for name in names)
    told = [line.removeprefix("spamnb: trying ") for line in tuned.err.splitlines()]
    assert sorted(line for line in told if line != "reading the mail") == sorted(names)


def test_the_table_has_the_same_and_says_how_to_use_the_best(
    tuned: Result, many_texts: Path, tmp_path: Path
) -> None:
    arguments = ["--tsv", many_texts, "--cv", "2", "-m", tmp_path / "model"]
    result = spamnb("tune", *arguments, COLUMNS="200")
    assert result.status == 0, result
    data = json.loads(tuned.out)
    lines = result.out.splitlines()
    assert lines[0] == "cross-validation on 80 mails, the best first"
    rows = [line for line in lines if line.lstrip().startswith(("--classifier", "--preset"))]
    shown = [re.split(r" {2,}", row.strip())[:2] for row in rows]
    assert shown == [
        [item["arguments"], f"{item['ranking']['log_loss']:.4f}"] for item in data["tried"]
    ]
    assert lines[-1] == f"to use the best: spamnb train {data['best']} …, or --apply"
    assert not list(tmp_path.iterdir())  # without --apply nothing is written


def test_apply_writes_a_model_of_the_best_that_classify_uses(
    tuned: Result, many_texts: Path, tmp_path: Path
) -> None:
    place = tmp_path / "model"
    result = spamnb("tune", "--tsv", many_texts, "--cv", "2", "--apply", "-m", place)
    assert result.status == 0, result
    assert "40 mails" in result.out
    best = json.loads(tuned.out)["best"]
    trained = spamnb("train", "--tsv", many_texts, *best.split(), "-m", tmp_path / "trained")
    assert trained.status == 0, trained
    for file in place.iterdir():
        assert (tmp_path / "trained" / file.name).read_bytes() == file.read_bytes()
    said = [spamnb("classify", "-m", place, stdin=" ".join(t).encode()) for t in (SPAM, HAM)]
    assert [one.out.split("\t")[0] for one in said] == ["spam", "ham"]


def test_apply_with_json_leaves_one_object_on_standard_output(
    many_texts: Path, tmp_path: Path
) -> None:
    arguments = ["--tsv", many_texts, "--cv", "2", "--json", "--apply", "-m", tmp_path / "model"]
    result = spamnb("tune", *arguments, "--sample", "40", "--cost", "99", "--unsure-cost", "0.5")
    assert result.status == 0, result
    assert json.loads(result.out)["mails"] == 40
    assert "40 mails" in result.err  # of each label: it learns from all
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert (manifest["options"]["cost"], manifest["options"]["unsure_cost"]) == (99.0, 0.5)


def test_labels_other_than_ham_and_spam_are_ranked_by_what_is_right(tmp_path: Path) -> None:
    for name, texts in (("work", HAM), ("ads", SPAM)):
        folder = tmp_path / name
        folder.mkdir()
        for number in range(8):
            (folder / f"{number}.eml").write_bytes(mail(f"{texts[number % 4]} {number}", number))
    arguments = [f"--label={name}={tmp_path / name}" for name in ("work", "ads")]
    result = spamnb("tune", *arguments, "--cv", "2", COLUMNS="200")
    assert result.status == 0, result
    _, heads, *_ = result.out.splitlines()
    assert re.split(r" {2,}", heads.strip()) == ["options", "right"]
    shares = [float(share) for share in re.findall(r"([\d.]+) %", result.out)]
    assert len(shares) >= 9
    assert shares == sorted(shares, reverse=True)


REFUSED = [
    ("", 64, "No mail was named"),
    ("--ham - --spam {m}/spam", 64, "The mail is read several times: give files"),
    ("--ham {m}/ham --spam -", 64, "not standard input"),
    ("--label a=- --label b={m}/spam", 64, "not standard input"),
    ("--index {m}/index --cv 1", 64, "1 is not in the range"),
    ("--index {m}/index --sample 9", 64, "9 is not in the range"),
    ("--index {m}/index --cost 0", 64, "cost"),
    ("--index {m}/index --unsure-cost 0", 64, "unsure-cost"),
    ("--index {m}/index --cv 5", 65, "5 folds of 4 ham mails"),
    ("--ham {m}/ham --spam {m}/no", 66, "is not there"),
    ("--index {m}/index --apply -m {m}", 74, "holds other files"),
]


@pytest.mark.parametrize(
    ("arguments", "status", "message"), REFUSED, ids=[row[0] or "-" for row in REFUSED]
)
def test_what_cannot_work_is_refused(
    arguments: str, status: int, message: str, mails: Path, tmp_path: Path
) -> None:
    words = [word.format(m=mails, t=tmp_path) for word in arguments.split()]
    result = spamnb("tune", *words, stdin=b"free money")
    assert (result.status, result.out) == (status, ""), result
    assert message in result.err
    assert "Traceback" not in result.err
