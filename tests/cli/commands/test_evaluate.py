"""What ``spamnb evaluate`` adds to the measures: intervals, comparisons, tables, pictures."""

import io
import json
import sys
from pathlib import Path

import click
import numpy as np
import pytest
from rich.console import Console

from spamnb.cli.output import evaluation_tables, picture
from spamnb.errors import OutputWriteError
from spamnb.evaluation.report import report, with_learning_curve
from spamnb.evaluation.scores import Scores
from tests.cli.conftest import spamnb

# arguments ({m} the folder of mails, {t} a fresh folder), status, part of stderr
REFUSED = [
    ("--index {m}/index --split .5 --plot {t}/x.pdf", 64, "ends neither in .png nor in .svg"),
    ("--index {m}/index --split .5 --plot {t}/no/x.png", 74, "there is no folder"),
    ("--index {m}/index --split .5 --repeats 2", 64, "give --cv too"),
    ("--index {m}/index --cv 2 --repeats 0", 64, "0 is not in the range"),
    ("--index {m}/index --cv 2 --resamples -1", 64, "-1 is not in the range"),
    ("--index {m}/index --cv 2 --seed -1", 64, "-1 is not in the range"),
    (
        "--index {m}/index --cv 2 --compare bernoulli,bernoulli",
        64,
        "'bernoulli' is named more than once",
    ),
    (
        "--label a={m}/ham --label b={m}/spam --cv 2 --plot {t}/x.svg",
        64,
        "draws ham against spam",
    ),
    (
        "--ham {t} --spam {m}/spam -m {m}/model --plot {t}/x.svg",
        65,
        "no picture without both ham and spam",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "status", "message"), REFUSED, ids=[row[2] for row in REFUSED]
)
def test_refusals(
    arguments: str, status: int, message: str, mails: Path, model: Path, tmp_path: Path
) -> None:
    words = [word.format(m=mails, t=tmp_path) for word in arguments.split()]
    result = spamnb("evaluate", *words)
    assert (result.status, result.out) == (status, ""), result
    assert message in result.err
    assert result.err.count("\n") == 1
    assert not list(tmp_path.glob("*.*"))


def test_a_comparison_with_everything(mails: Path, tmp_path: Path) -> None:
    arguments = ["--cv", "2", "--repeats", "2", "--compare", "multinomial,bernoulli"]
    more = ["--resamples", "100", "--details", "--plot", tmp_path / "x.svg"]
    result = spamnb("evaluate", "--index", mails / "index", *arguments, *more)
    assert (result.status, result.err) == (0, ""), result
    for expected in (
        "multinomial, the mails of all 2 repeats\n",
        "mean ± standard deviation of 2 repeats; in brackets the 95 % interval\n",
        "difference to multinomial, on the same mails\n",
        "no difference shown\n",
        "reliability: bernoulli, the mails of all 2 repeats\n",
        "thresholds: bernoulli, the mails of all 2 repeats\n",
        "the filter's own\n",
        "without a filter it is 0.5000\n",
    ):
        assert expected in result.out
    (ham_error,) = [line for line in result.out.splitlines() if line.startswith("ham error")]
    assert ham_error.count("±") == ham_error.count("[") == 2
    assert (tmp_path / "x.svg").read_text().rstrip().endswith("</svg>")
    assert [file.name for file in tmp_path.iterdir()] == ["x.svg"]


def test_json_has_all_of_it_and_the_seed_decides(many_texts: Path) -> None:
    def run(*arguments: str) -> list[dict[str, object]]:
        compared = ["--cv", "2", "--compare", "multinomial,bernoulli", "--json", *arguments]
        result = spamnb("evaluate", "--tsv", many_texts, *compared)
        assert result.status == 0, result
        return json.loads(result.out)

    first, second = run()
    assert first["comparison"] is None
    assert first["learning"] is second["learning"] is None
    assert second["comparison"]["against"] == "multinomial"
    assert list(second["comparison"]["differences"]) == ["one_minus_roca", "log_loss", "lam"]
    low, high = first["intervals"]["spam_missed"]["0.01"]
    assert low <= first["ranking"]["spam_missed"]["0.01"] <= high
    assert len(first["reliability"]) == 15
    costs = [row["cost"] for row in first["thresholds"]]
    assert costs == [1, 3, 9, 19, pytest.approx(21.5), 99, 999]
    assert [row["is_own"] for row in first["thresholds"]] == [False] * 4 + [True] + [False] * 2
    assert run() == [first, second]
    assert run("--seed", "3") != [first, second]


def test_json_of_an_online_run_has_the_learning_curve(many_texts: Path) -> None:
    result = spamnb("evaluate", "--tsv", many_texts, "--online", "--json")
    assert (result.status, result.err) == (0, ""), result
    data = json.loads(result.out)
    learning = data["learning"]
    assert learning["n_mails"][0] == 10
    assert (learning["n_mails"][-1], learning["n_ham"][-1], learning["n_spam"][-1]) == (80, 40, 40)
    assert learning["ham_error"][-1] == data["ranking"]["ham_error"]
    assert learning["spam_error"][-1] == data["ranking"]["spam_error"]
    assert len({*map(len, learning.values())}) == 1


def test_repeats_write_their_scores_one_after_the_other(mails: Path, tmp_path: Path) -> None:
    arguments = ["--cv", "2", "--repeats", "2", "--scores", tmp_path / "scores", "--resamples", "0"]
    result = spamnb("evaluate", "--index", mails / "index", *arguments)
    assert result.status == 0, result
    assert "[" not in result.out
    sources = [line.split("\t")[3] for line in (tmp_path / "scores").read_text().splitlines()]
    assert len(sources) == 16
    assert sources[:8] == sources[8:]


def test_a_picture_takes_the_place_of_another_in_one_step(
    mails: Path, model: Path, tmp_path: Path
) -> None:
    place = tmp_path / "picture.PNG"
    place.write_bytes(b"old")
    result = spamnb("evaluate", "--index", mails / "index", "-m", model, "--plot", place)
    assert (result.status, result.err) == (0, ""), result
    assert place.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert list(tmp_path.iterdir()) == [place]


def test_without_matplotlib_a_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(click.UsageError, match=r"run pip install 'spamnb\[plot\]' first"):
        picture.check_picture(str(tmp_path / "x.png"), ("ham", "spam"))


def test_a_folder_is_no_place_for_a_picture(tmp_path: Path) -> None:
    (tmp_path / "x.png").mkdir()
    with pytest.raises(OutputWriteError, match="it is a folder; choose a file"):
        picture.check_picture(str(tmp_path / "x.png"), ("ham", "spam"))


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    labels = np.array(["ham", "spam"] * 5)
    odds = np.where(labels == "spam", 2.0, -2.0)
    scores = Scores(labels, labels, odds, 1 / (1 + np.exp(-odds)), [""] * 10)
    monkeypatch.setattr("os.replace", fail)
    monkeypatch.setattr("spamnb.evaluation.plots.draw", lambda *_: b"picture")
    with pytest.raises(OutputWriteError, match="No space left on device"):
        picture.write_picture(str(tmp_path / "x.png"), [report("x", scores)], [scores])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("width", "n_lines"), [(60, 1), (40, 2)])
def test_intervals_go_below_the_values_where_there_is_no_room(
    width: int, n_lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Console(width=width, file=io.StringIO())
    monkeypatch.setattr(evaluation_tables, "console_of", lambda _: shown)
    labels = np.array(["ham", "spam"] * 9)
    odds = np.where(labels == "spam", 2.0, -2.0)
    scores = Scores(labels, labels, odds, 1 / (1 + np.exp(-odds)), [""] * 18)
    evaluation_tables.evaluation([report("x", scores)], as_json=False, to_stderr=False)
    lines = shown.file.getvalue().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("Brier"))
    assert lines[at + n_lines - 1].split()[-2:] == ["[0.0142,", "0.0142]"]


def test_the_table_of_a_learning_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = np.array(["spam", "ham"] * 6)
    odds = np.where(labels == "spam", 2.0, -2.0)
    odds[0] = -3.0
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stdout", shown)
    scores = Scores(labels, labels, odds, 1 / (1 + np.exp(-odds)), [""] * 12)
    item = with_learning_curve(report("x", scores), scores)
    evaluation_tables.evaluation([item], as_json=False, to_stderr=False)
    lines = shown.getvalue().splitlines()
    at = lines.index("learning: x, errors on all mails so far")
    heads, first, *_, last = lines[at + 1 :]
    assert heads.split() == [
        *("mails", "ham", "spam", "ham", "error", "spam", "error", "1-ROCA", "%"),
    ]
    assert first.split() == ["10", "5", "5", "0.00", "%", "20.00", "%", "20.0000"]
    assert last.split() == ["12", "6", "6", "0.00", "%", "16.67", "%", "16.6667"]
