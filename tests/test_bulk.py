"""Many mails at once have the verdicts that each has alone."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from spamnb.bulk import BulkJudge, Fingerprints, first_slots
from spamnb.errors import ModelFormatError
from spamnb.features.groups import GROUPS
from spamnb.mail.parser import parse
from spamnb.mail.sources import LabelledMail, RawMail
from spamnb.pipeline import judge, judge_batches
from spamnb.table import fingerprint
from tests.test_compiled import MAILS, OPTIONS, compiled, save_training

TEXT = st.text(st.characters() | st.sampled_from("ab\0é中\udc80\U0001f600"), max_size=30)


@pytest.fixture(scope="module", params=OPTIONS)
def model(request, tmp_path_factory) -> str:
    return save_training(OPTIONS[request.param], tmp_path_factory.mktemp("bulk"))


@given(st.lists(TEXT), st.integers(0, 2**63 - 1).map(lambda n: 2 * n + 1))
@example([], 1)
@example(["", "", "a", ""], 2**64 - 1)
def test_the_fingerprints_are_those_of_one_token(tokens, base):
    find = Fingerprints(base)
    expected = [fingerprint(token, base) for token in tokens]
    assert find(tokens).tolist() == expected
    assert find(tokens[:3]).tolist() == expected[:3]


@pytest.mark.parametrize("bits", [1, 4, 20])
def test_the_first_slots_are_slots(bits):
    slots = first_slots(Fingerprints(2**63 + 1)([f"w{i}" for i in range(1_000)]), 1 << bits)
    assert (slots.min(), slots.max()) == (0, (1 << bits) - 1) or bits == 20
    assert slots.max() < 1 << bits


def assert_same(path: str, mails: list[bytes]) -> None:
    own = compiled(path)
    groups = [own.analyzer.groups(parse(mail)) for mail in mails]
    for got, each in zip(BulkJudge(own).judge(groups), groups, strict=True):
        expected = own.judge(each)
        assert got.log_odds == pytest.approx(expected.log_odds, abs=1e-9)
        assert (got.label, got.reason) == (expected.label, expected.reason)


def test_the_verdicts_are_those_of_each_mail_alone(model):
    assert_same(model, [])
    assert_same(model, [b"", *MAILS, b"", *MAILS])


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_on_any_bytes_too(model, data):
    mails = []
    for mail in data.draw(st.lists(st.sampled_from(MAILS), max_size=4)):
        start, end = (data.draw(st.integers(0, len(mail))) for _ in range(2))
        mails.append(mail[:start] + data.draw(st.binary(max_size=60)) + mail[end:])
    assert_same(model, mails)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    mails=st.lists(
        st.dictionaries(
            st.sampled_from(GROUPS), st.lists(st.sampled_from(["a", ":", "the"]) | TEXT)
        )
    )
)
def test_on_any_tokens_too(model, mails):
    own = compiled(model)
    for got, each in zip(BulkJudge(own).judge(mails), mails, strict=True):
        expected = own.judge(each)
        assert got.log_odds == pytest.approx(expected.log_odds, abs=1e-9)
        assert (got.label, got.reason) == (expected.label, expected.reason)


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_mails_in_order(model, jobs):
    own = compiled(model)
    mails = [RawMail(str(i), MAILS[i % len(MAILS)] + b"x" * i) for i in range(400)]
    batches = judge_batches((LabelledMail("", mail) for mail in mails), own, jobs)
    judged = [each for batch in batches for each in batch]
    assert [each.source for each in judged] == [mail.source for mail in mails]
    for got, mail in zip(judged, mails, strict=True):
        expected = judge(mail, own)
        assert got.defects == expected.defects
        assert got.verdict.label == expected.verdict.label
        assert got.verdict.log_odds == pytest.approx(expected.verdict.log_odds, abs=1e-9)


@pytest.mark.parametrize("content", [b"\xff", b"\x7f", b"\x01"])
def test_a_table_of_anything_at_all_gives_verdicts_or_one_error(tmp_path, content):
    path = save_training(OPTIONS["refined"], tmp_path)
    table = next(Path(path).glob("table-*"))
    table.write_bytes(content * table.stat().st_size)
    own = compiled(path)
    groups = [own.analyzer.groups(parse(mail)) for mail in MAILS]
    try:
        verdicts = BulkJudge(own).judge(groups)
    except ModelFormatError:
        return
    assert all(0 <= verdict.probability <= 1 for verdict in verdicts)
