import importlib
import json
import re

import pytest
from click.testing import CliRunner

from spamnb.cli.main import spamnb
from spamnb.filter.verdict import Verdict
from spamnb.mail.sources import LabeledMail, RawMail


@pytest.fixture(scope="module")
def accuracy():
    return importlib.import_module("accuracy")


def rows(capsys):
    """The table's rows by their first two cells, without the machine and the header."""
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    header, _, *body = cells
    assert all(len(row) in (len(header), 3) for row in body)
    return [dict(zip(header, row, strict=False)) for row in body]


def test_every_corpus_of_ham_and_spam_gets_a_row(accuracy, corpora, capsys) -> None:
    accuracy.main([corpora])
    mails, texts = rows(capsys)
    assert (mails["corpus"], mails["mails"]) == ("mails", "60 → 60")
    assert (texts["corpus"], texts["mails"]) == ("texts.tsv", "30 → 30")
    assert float(mails["1-ROCA %"]) < 5
    low, high = map(float, mails["95 %"].split(" to "))
    assert low <= float(mails["1-ROCA %"]) <= high
    assert float(mails["training s"]) >= 0
    assert int(mails["mails/s"].replace(",", "")) > 0


def test_the_machine_stands_above_the_table(accuracy, corpora, capsys) -> None:
    accuracy.main([corpora, "--corpora", "texts.tsv"])
    first = capsys.readouterr().out.splitlines()[0]
    assert re.match(r"\d{4}-\d\d-\d\d, spamnb \S+, Python 3\.\d+\.\S+, \d+ cores, .+", first)


def test_options_reach_the_training(accuracy, corpora, capsys, monkeypatch) -> None:
    seen = []
    monkeypatch.setattr(accuracy, "Spamnb", lambda options: seen.append(options) or Fixed())
    accuracy.main(
        f"{corpora} --corpora texts.tsv --tokenizer chars --classifier multinomial "
        "--preset textbook --alpha 0.5 --min-df 2".split(" ")
    )
    (options,) = seen
    assert options.analyzer.tokenizer == "chars"
    assert options.analyzer.preset == "textbook"
    assert options.analyzer.stop_words
    assert (options.classifier, options.alpha, options.min_df) == ("multinomial", 0.5, 2)


class Fixed:
    """A filter that says the same of every mail."""

    name = "fixed"

    def train(self, mails) -> None:
        self.trained = mails

    def judge(self, mails):
        return [Verdict("ham", 0.5, 0.0) for _ in mails]


def test_swap_and_shuffle(accuracy, corpora, capsys) -> None:
    accuracy.main([corpora, "--corpora", "mails", "--swap", "--shuffle", "2", "--seed", "3"])
    found = {row["corpus"]: float(row["1-ROCA %"]) for row in rows(capsys)}
    learned, shuffled = ["mails", "mails, swapped"], [f"mails, shuffled labels {n}" for n in (3, 4)]
    assert list(found) == learned + shuffled
    assert max(found[name] for name in learned) < 5 < min(found[name] for name in shuffled)


def test_cross(accuracy, corpora, capsys) -> None:
    accuracy.main([corpora, "--cross"])
    assert [(row["corpus"], row["mails"]) for row in rows(capsys)] == [
        ("mails → texts.tsv", "120 → 60"),
        ("texts.tsv → mails", "60 → 120"),
    ]


def test_drop_known(accuracy) -> None:
    def mail(body: str) -> LabeledMail:
        return LabeledMail("ham", RawMail("x", b"Subject: y\n\n" + body.encode()))

    kept = accuracy.without_known(
        [mail("See you, 12.30!"), mail("")], [mail("see  YOU 99"), mail("see them"), mail("42")]
    )
    assert [it.mail.data[12:] for it in kept] == [b"see them", b"42"]


def test_drop_known_can_leave_nothing(accuracy, corpora, capsys, monkeypatch) -> None:
    monkeypatch.setattr(accuracy, "without_known", lambda training, test: [])
    accuracy.main([corpora, "--corpora", "texts.tsv", "--drop-known"])
    (row,) = rows(capsys)
    assert row["corpus"] == "texts.tsv, nd"
    assert row["mails"] == "no ham or no spam left to score"


def test_an_unknown_filter_is_refused(accuracy, corpora) -> None:
    with pytest.raises(SystemExit, match="no filter 'nonsense'"):
        accuracy.main([corpora, "--filters", "nonsense"])


def test_a_missing_corpus_is_refused(accuracy, corpora, tmp_path) -> None:
    with pytest.raises(SystemExit, match=r"no nonsense; found: mails, texts\.tsv"):
        accuracy.main([corpora, "--corpora", "nonsense"])
    with pytest.raises(SystemExit, match="found: nothing"):
        accuracy.main([str(tmp_path)])


def test_a_wrong_option_is_refused(accuracy, corpora) -> None:
    with pytest.raises(SystemExit, match="min-df"):
        accuracy.main([corpora, "--min-df", "0"])


def test_scores_are_those_of_the_command_line(accuracy, corpora, capsys, tmp_path) -> None:
    accuracy.main([corpora, "--corpora", "mails"])
    (row,) = rows(capsys)
    arguments = ["evaluate", "--index", f"{corpora}/mails.index", "--split", "0.5"]
    measured = json.loads(CliRunner().invoke(spamnb, [*arguments, "--json"]).stdout)
    assert row["1-ROCA %"] == f"{100 * measured['ranking']['one_minus_roca']:.4f}"
    assert row["log loss"] == f"{measured['ranking']['log_loss']:.4f}"
