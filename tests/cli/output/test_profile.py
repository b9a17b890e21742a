"""``classify --profile``: the stages of a mail and their shares."""

import re
from pathlib import Path
from time import process_time

import pytest

import spamnb as package
from spamnb.cli.output.profile import STAGES, Profile, profiled, stage_of
from spamnb.mail.parser import parse
from tests.cli.conftest import spamnb


@pytest.mark.parametrize(
    ("module", "stage"),
    [
        ("spamnb.mail.mbox", "read"),
        ("spamnb.mail.parser", "parse"),
        ("spamnb.mail.charsets", "decode"),
        ("spamnb.text.html", "HTML"),
        ("spamnb.text.full", "tokenize"),
        ("spamnb.filter.table", "look up"),
        ("spamnb.filter.table_filter", "score"),
        ("spamnb.cli.output.lines", "write"),
        ("spamnb.filter.pipeline", "other"),
    ],
)
def test_each_module_has_its_stage(module, stage):
    assert stage_of(module) == stage


def test_the_stages_name_modules_that_exist():
    root = Path(package.__file__).parent
    for name in (name for names in STAGES.values() for name in names):
        path = root.joinpath(*name.split("."))
        assert path.is_dir() or path.with_suffix(".py").is_file(), name


def test_work_is_found_where_it_is_done():
    profile = Profile()
    end = process_time() + 0.3
    profile.start()
    while process_time() < end:
        parse(b"Subject: x\n" + b"X-Y: z\n" * 500 + b"\nbody")
    profile.stop()
    shares = profile.shares()
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["parse"] > 0.5
    assert sum(profile.samples.values()) > 10


def test_nothing_was_sampled():
    assert Profile().shares() == {}


def test_little_work_tells_nothing(model, mails):
    plain = spamnb("classify", "-m", model, mails / "spam")
    result = spamnb("classify", "-m", model, "--profile", mails / "spam")
    assert (result.status, result.out) == (0, plain.out)
    assert "profile some hundreds of mails" in result.err


def test_the_stages_are_told_beside_the_verdicts(capsys):
    with profiled():
        end = process_time() + 0.9
        while process_time() < end:
            parse(b"Subject: x\n" + b"X-Y: z\n" * 500 + b"\nbody")
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"parse +[\d.]+ % +[\d,.]+\n(.*\n)+together +[\d,.]+\n$", err)
