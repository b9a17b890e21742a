"""The arguments of ``classify`` without click: the same request as with it."""

import pytest

from spamnb.cli.commands import judging
from spamnb.cli.commands.classify import classify
from spamnb.cli.commands.request import Request, parse
from tests.cli.conftest import SPAM, mail, spamnb

MAIL = mail(SPAM[0], 1)


def by_click(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Request:
    """Return the request that click makes."""
    asked = []
    monkeypatch.setattr(judging, "carry_out", lambda request: asked.append(request) or 0)
    with pytest.raises(SystemExit):
        classify.main(arguments, standalone_mode=True)
    return asked[0]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-m", "model"],
        ["--model", "model", "--exit-code"],
        ["--model=model", "--format=jsonl", "-q"],
        ["--format", "tsv", "-m", "model", "mail"],
        ["--format=tsv", "--model=", "mail"],
        ["-m", "model", "mail", "--exit-code", "-v"],
        ["mail", "-m", "model", "--verbose", "--quiet"],
        ["a", "b", "-", "-v"],
        ["-"],
    ],
    ids=" ".join,
)
def test_it_asks_for_what_click_asks_for(arguments, monkeypatch):
    assert parse(["classify", *arguments]) == by_click(arguments, monkeypatch)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["train"],
        ["classify", "-h"],
        ["classify", "--help"],
        ["classify", "--jobs", "2"],
        ["classify", "-m"],
        ["classify", "-m=x"],
        ["classify", "-mx"],
        ["classify", "-m", "-q"],
        ["classify", "--format", "text"],
        ["classify", "--format=xml"],
        ["classify", "--quiet=1"],
        ["classify", "--nonsense"],
        ["classify", "--", "-q"],
    ],
    ids=" ".join,
)
def test_all_else_is_for_click(arguments):
    assert parse(arguments) is None


@pytest.mark.parametrize("more", [[], ["--jobs", "2"]], ids=["without", "with click"])
def test_a_large_file_is_judged_mail_by_mail(tmp_path, model, more):
    large = tmp_path / "large.mbox"
    large.write_bytes((b"From x\n" + MAIL + b"\n") * (1 + (1 << 20) // len(MAIL)))
    found = spamnb("classify", "-m", model, large, *more)
    assert found.status == 0
    assert found.out.count("\n") > 1_000
    assert len({line.rpartition("\t")[0] for line in found.out.splitlines()}) == 1
