"""The table of the command line: arguments, standard input → status, output, complaint."""

import json
from pathlib import Path

import pytest

from spamnb import __version__
from spamnb.native.twins import form_in_use
from tests.cli.conftest import SPAM, spamnb

TEXT = b"free money, cheap pills, free offer, click here, act now, guaranteed"
MAIL = b"Subject: offer\n\n" + TEXT + b"\n"
PLAINLY_SPAM = MAIL + b"click here to order now, this is a limited time offer\n"

# arguments ({m} the folder of mails, {t} a fresh folder), stdin, status, part of stdout, of stderr
TABLE = [
    ("--help", b"", 0, "classify", ""),
    ("--version", b"", 0, f"spamnb {__version__} ({form_in_use()})\n", ""),
    ("", b"", 64, "", "Usage: spamnb"),
    ("nonsense", b"", 64, "", "No such command 'nonsense'"),
    ("classify --nonsense", b"", 64, "", "No such option"),
    ("classify --format xml", b"", 64, "", "'xml' is not one of"),
    ("classify -m {m}/model", MAIL, 0, "spam\t0.9", ""),
    ("classify -m {m}/model", TEXT, 0, "spam\t0.9", ""),
    ("classify -m {m}/model -", MAIL, 0, "\t-\n", ""),
    ("classify -m {m}/model", b"", 0, "unsure\t", ""),
    ("classify -m {m}/model --format jsonl", b"", 0, '"reason": "no known words"', ""),
    ("classify -m {m}/model --format text", MAIL, 0, "verdict", ""),
    ("classify -m {m}/model {m}/ham", b"", 0, "ham/deep/er/3.eml\n", ""),
    ("classify -m {m}/model {m}/nothing", b"", 66, "", "nothing is not there"),
    ("classify -m {m}/nothing", MAIL, 66, "", "there is no model at"),
    ("classify -m {m}/ham", MAIL, 65, "", "there is no spamnb model in it"),
    ("classify -m {m}/index", MAIL, 65, "", "no spamnb model"),
    ("classify -v -m {m}/model", MAIL, 0, "", "model: grouped, trained on 4 ham, 4 spam"),
    ("classify", PLAINLY_SPAM, 0, "spam", "knows English mail of 2002-2003"),
    ("classify -q", PLAINLY_SPAM, 0, "spam", ""),
    ("classify --exit-code -m {m}/model", MAIL, 0, "spam", ""),
    ("classify --exit-code -m {m}/model", b"the meeting and the report", 1, "ham", ""),
    ("classify --exit-code -m {m}/model", b"", 2, "unsure", ""),
    ("classify --exit-code -m {m}/model {m}/ham", b"", 64, "", "exactly one mail, got more"),
    ("classify --exit-code -m {m}/nothing", MAIL, 66, "", "no model"),
    ("classify --jobs 0", MAIL, 64, "", "0 is not in the range"),
    ("train", b"", 64, "", "No mail was named"),
    ("train --ham {m}/ham -m {t}/x", b"", 65, "", "only ham mail"),
    ("train --ham {m}/ham --spam {m}/no", b"", 66, "", "is not there"),
    ("train --ham - --spam - -m {t}/x", b"", 64, "", "only once"),
    ("train --ham {t} --spam {m}/spam -m {t}/x", b"", 65, "", "no ham mail to learn from"),
    ("train --label work -m {t}/x", b"", 64, "", "NAME=PATH"),
    ("train --index {m}/no", b"", 66, "", "index"),
    ("train --index {m}/texts.tsv -m {t}/x", b"", 65, "", "line 1: expected 'label path'"),
    ("train --tsv {m}/index -m {t}/x", b"", 65, "", "line 1: expected 'label TAB text'"),
    ("train --ham {m}/ham --spam {m}/spam -m {m}", b"", 74, "", "holds other files"),
    ("train --alpha -1", b"", 64, "", "neither a number ≥ 0 nor 'auto'"),
    ("train --alpha nan", b"", 64, "", "neither a number"),
    ("train --prior ham=2,spam=-1", b"", 64, "", "with the sum 1"),
    ("train --prior ham=1 --index {m}/index -m {t}/x", b"", 64, "", "for each of ham, spam"),
    ("train --min-df 0", b"", 64, "", "min-df"),
    ("train --unsure-cost 0", b"", 64, "", "0.0 is not in the range 0<x<=1"),
    ("train --unsure-cost 1.1", b"", 64, "", "1.1 is not in the range 0<x<=1"),
    ("train --unsure-cost nan --index {m}/index", b"", 64, "", "unsure-cost must be a number > 0"),
    ("train --max-memory 2T", b"", 64, "", "'2T' is not a size such as 4096, 64K or 32M."),
    ("train --max-memory 64K", b"", 64, "", "65536 bytes are too few: give 1M or more."),
    ("train --classifier magic", b"", 64, "", "'magic' is not one of"),
    ("train --stop-words {m}/no --index {m}/index", b"", 66, "", "stop word file"),
    ("train --index {m}/index -m {t}/x", b"", 0, "ham         4 mails", ""),
    ("train --tsv {m}/texts.tsv --alpha auto -m {t}/x", b"", 0, "log loss by alpha", ""),
    ("train --ham {m}/ham --spam - -m {t}/x", MAIL, 0, "spam        1 mail\n", ""),
    ("evaluate --index {m}/index -m {m}/model", b"", 0, "1-ROCA %", ""),
    ("evaluate --index {m}/index --split 0.5", b"", 0, "called unsure", ""),
    ("evaluate --ham {m}/ham --spam {m}/spam --split 0.5", b"", 0, "1-ROCA %", ""),
    ("evaluate --tsv {m}/texts.tsv --cv 2 --json", b"", 0, '"one_minus_roca"', ""),
    ("evaluate --index {m}/index --cv 2 --compare multinomial,bernoulli", b"", 0, "bernoulli", ""),
    ("evaluate --index {m}/index --cv 9", b"", 65, "", "9 folds of 4 ham mails"),
    ("evaluate --index {m}/index --cv 1", b"", 64, "", "1 is not in the range"),
    ("evaluate --index {m}/index --split 1.5", b"", 64, "", "not in the range"),
    ("evaluate --index {m}/index --split .5 --cv 2", b"", 64, "", "exclude each other"),
    ("evaluate --index {m}/index --compare multinomial", b"", 64, "", "--cv or --online too"),
    ("evaluate --index {m}/index --split .5 --compare a,b", b"", 64, "", "'a' is not one of"),
    ("evaluate --index {m}/index --alpha 2", b"", 64, "", "--alpha is for training"),
    ("evaluate --index {m}/index --unsure-cost .5", b"", 64, "", "--unsure-cost is for training"),
    ("evaluate --index {m}/index --cv 2 --unsure-cost 2", b"", 64, "", "not in the range 0<x<=1"),
    ("evaluate --index {m}/index --split .5 --scores {m}/no/s", b"", 74, "", "cannot write"),
    ("evaluate --label work={m}/ham -m {m}/model", b"", 65, "", "the model knows ham, spam"),
    ("explain -m {m}/model", MAIL, 0, "pills", ""),
    ("explain -m {m}/model --json --top 1", MAIL, 0, '"rest"', ""),
    ("explain -m {m}/model {m}/nothing", b"", 66, "", "not there"),
    ("explain -m {m}/model --top -1", MAIL, 64, "", "top"),
]


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "out", "err"), TABLE, ids=[row[0] or "-" for row in TABLE]
)
def test_table(
    arguments: str,
    stdin: bytes,
    status: int,
    out: str,
    err: str,
    mails: Path,
    model: Path,
    tmp_path: Path,
) -> None:
    words = [word.format(m=mails, t=tmp_path) for word in arguments.split()]
    result = spamnb(*words, stdin=stdin)
    assert result.status == status, result
    assert out in result.out
    assert err in result.err
    assert "Traceback" not in result.err
    if status >= 64:
        assert result.out == ""
    if err == "":
        assert result.err == ""


@pytest.mark.parametrize("form", ["", ".mbox", ".maildir", ".mh"])
def test_every_form_of_mailbox_trains_the_same_model(
    form: str, mails: Path, model: Path, tmp_path: Path
) -> None:
    arguments = ["--ham", mails / f"ham{form}", "--spam", mails / f"spam{form}"]
    assert spamnb("train", *arguments, "-m", tmp_path / "model").status == 0
    for file in model.iterdir():
        assert (tmp_path / "model" / file.name).read_bytes() == file.read_bytes()


def test_every_form_of_mailbox_gets_the_same_scores(mails: Path, model: Path) -> None:
    def scores(path: str | Path, stdin: bytes = b"") -> list[list[str]]:
        lines = spamnb("classify", "-m", model, path, stdin=stdin).out.splitlines()
        return sorted(line.split("\t")[:3] for line in lines)

    expected = scores(mails / "spam")
    assert len(expected) == len(SPAM)
    assert len({tuple(row) for row in expected}) == len(SPAM)
    for form in (".mbox", ".maildir", ".mh"):
        assert scores(mails / f"spam{form}") == expected
    assert scores("-", (mails / "spam.mbox").read_bytes()) == expected
    single = [scores("-", file.read_bytes())[0] for file in (mails / "spam").rglob("*.eml")]
    assert sorted(single) == expected


def test_the_model_is_the_named_one_then_the_environments_then_the_users(
    mails: Path, model: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    for path in (data / "spamnb" / "model", tmp_path / "environment", tmp_path / "named"):
        spamnb("train", "--index", mails / "index", "-m", path)

    def used(*arguments: str | Path, **environment: str) -> str:
        return spamnb("classify", "-v", *arguments, stdin=MAIL, **environment).err.split(": ")[1]

    home = {"XDG_DATA_HOME": str(data)}
    variable = {"SPAMNB_MODEL": str(tmp_path / "environment")}
    assert used("-m", tmp_path / "named", **home, **variable) == f"model {tmp_path}/named"
    assert used(**home, **variable) == f"model {tmp_path}/environment"
    assert used(**home) == f"model {data}/spamnb/model"
    assert used().endswith("models/starter")


def test_train_without_a_path_writes_the_users_model(mails: Path, tmp_path: Path) -> None:
    result = spamnb("train", "--index", mails / "index", XDG_DATA_HOME=str(tmp_path))
    assert result.status == 0
    assert (tmp_path / "spamnb" / "model" / "manifest.json").exists()


def test_what_an_unsure_mail_costs_is_stored_and_decides(mails: Path, tmp_path: Path) -> None:
    def said(*arguments: str) -> tuple[dict[str, float], str]:
        options = ["--index", mails / "index", "-m", tmp_path / "model", *arguments]
        assert spamnb("train", *options).status == 0
        manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
        costs = {name: manifest["options"][name] for name in ("cost", "unsure_cost")}
        return costs, spamnb("classify", "-m", tmp_path / "model", stdin=MAIL).out

    costs, out = said()
    assert costs == {"cost": 9.0, "unsure_cost": 0.4}
    assert out.startswith("spam\t0.96")
    costs, out = said("--unsure-cost", "0.2")  # spam from P = .978
    assert costs == {"cost": 9.0, "unsure_cost": 0.2}
    assert out.startswith("unsure\t0.96")
    costs, out = said("--cost", "99", "--unsure-cost", "1")  # from P = .99, and else ham
    assert costs == {"cost": 99.0, "unsure_cost": 1.0}
    assert out.startswith("ham\t0.96")


def test_more_than_two_labels(mails: Path, tmp_path: Path) -> None:
    for name in ("work", "family"):
        (tmp_path / f"{name}.eml").write_text(f"Subject: {name}\n\n{name} {name}ly things\n")
    labels = [f"--label=work={tmp_path}/work.eml", f"--label=Family={tmp_path}/family.eml"]
    trained = spamnb("train", *labels, "--spam", mails / "spam", "-m", tmp_path / "model")
    assert trained.status == 0, trained
    result = spamnb("classify", "-m", tmp_path / "model", tmp_path / "work.eml")
    assert result.out.startswith("work\t")
    explained = spamnb("explain", "-m", tmp_path / "model", stdin=b"familyly things")
    assert "family" in explained.out
    refused = spamnb("classify", "--exit-code", "-m", tmp_path / "model", stdin=MAIL)
    assert (refused.status, "ham and spam" in refused.err) == (64, True)
    measured = spamnb("evaluate", *labels, "-m", tmp_path / "model")
    assert "called work" in measured.out
    assert "1-ROCA" not in measured.out
