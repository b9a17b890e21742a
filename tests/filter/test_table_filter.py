"""A table of weights says what the counts say, of any mail, in Python and compiled."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spamnb.errors import ModelFormatError
from spamnb.filter.pipeline import judge_batches, read_message
from spamnb.filter.protocols import Filter
from spamnb.filter.spam_filter import SpamFilter
from spamnb.filter.table import TableForm, WeightTable
from spamnb.filter.table_filter import TableFilter, make_table_filter
from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.mail.sources import LabeledMail, RawMail
from spamnb.native.twins import twin_of
from spamnb.store.files import load_model, save_model
from spamnb.store.opening import open_filter
from spamnb.system.resources import resource
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.fingerprints import fingerprint
from spamnb.text.groups import GROUPS, group_number, group_of
from spamnb.training import LabeledTokens, TrainingOptions, train_on_tokens
from tests.text.native.strategies import TEXTS as MAIL_TEXTS

FILES = sorted(Path(resource("data", "samples")).glob("*.eml"))
MAILS = [path.read_bytes() for path in FILES]
LABELS = [path.name.partition("-")[0] for path in FILES]
OPTIONS = {
    "grouped": TrainingOptions(),
    "refined": TrainingOptions(refine="on"),
    "multinomial": TrainingOptions(classifier="multinomial", counts="frequency"),
    "binary multinomial": TrainingOptions(classifier="multinomial"),
    "bernoulli": TrainingOptions(classifier="bernoulli", cost=3.0, unsure_cost=0.2),
    "complement": TrainingOptions(classifier="complement", counts="frequency"),
    "textbook": TrainingOptions(classifier="multinomial", analyzer=AnalyzerConfig.textbook()),
}


def save_training(options: TrainingOptions, folder: Path) -> str:
    """Save a model of the sample mails, each with three more that are like it."""
    analyzer = Analyzer(options.analyzer)
    documents = [
        LabeledTokens(label, analyzer.analyze(parse(mail.replace(b"the", word))))
        for word in (b"the", b"a", b"one", b"this")
        for label, mail in zip(LABELS, MAILS, strict=True)
    ]
    path = str(folder / "model")
    save_model(path, train_on_tokens(iter(documents), ("ham", "spam"), options))
    return path


@pytest.fixture(scope="module", params=OPTIONS)
def any_model(request, tmp_path_factory) -> str:
    return save_training(OPTIONS[request.param], tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="module")
def model(any_model, form) -> str:
    return any_model


def opened(path: str) -> Filter:
    """Return the filter of a model's table."""
    found = open_filter(path)
    assert not isinstance(found, SpamFilter)
    return found


def assert_same(path: str, message: Message) -> None:
    got, expected = opened(path).classify(message), load_model(path).spam_filter.classify(message)
    assert got.log_odds == pytest.approx(expected.log_odds, abs=1e-9)
    assert got.probability == pytest.approx(expected.probability, abs=1e-9)
    assert (got.label, got.reason) == (expected.label, expected.reason)


@pytest.mark.parametrize("number", range(len(MAILS)))
def test_the_verdict_is_that_of_the_filter(model, number):
    assert_same(model, parse(MAILS[number]))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_on_any_bytes_too(model, data):
    mail = data.draw(st.sampled_from(MAILS))
    start = data.draw(st.integers(0, len(mail)))
    end = data.draw(st.integers(0, len(mail)))
    noise = data.draw(st.binary(max_size=60))
    assert_same(model, parse(mail[:start] + noise + mail[end:]))


@settings(max_examples=100, deadline=None)
@given(mail=st.sampled_from(MAILS), noise=st.binary(max_size=200), at=st.integers(0, 2_000))
def test_a_token_stands_in_the_group_of_its_prefix(mail, noise, at):
    for config in (AnalyzerConfig(), AnalyzerConfig.textbook()):
        groups = Analyzer(config).groups(parse(mail[:at] + noise + mail[at:]))
        for group, tokens in groups.items():
            numbers = {group_number(group_of(token)) for token in tokens}
            assert numbers <= {group_number(group)}, group


def test_it_goes_to_another_process(model):
    first = opened(model)
    message = parse(MAILS[0])
    assert pickle.loads(pickle.dumps(first)).classify(message) == first.classify(message)


@pytest.mark.parametrize("classifier", ["tan", "gaussian", "grouped+gaussian", "aode"])
def test_what_is_not_linear_has_no_table(tmp_path, classifier):
    options = TrainingOptions(classifier=classifier)
    documents = [
        LabeledTokens(label, [f"w{i}", f"w{i % 2}", f"stat:length={i}"])
        for i, label in enumerate(["ham", "spam"] * 6)
    ]
    save_model(str(tmp_path / "m"), train_on_tokens(iter(documents), ("ham", "spam"), options))
    assert isinstance(open_filter(str(tmp_path / "m")), SpamFilter)


def test_what_is_impossible_has_no_table(tmp_path):
    options = TrainingOptions(classifier="multinomial", alpha=0.0)
    documents = [LabeledTokens("ham", ["a"]), LabeledTokens("spam", ["b"])]
    save_model(str(tmp_path / "m"), train_on_tokens(iter(documents), ("ham", "spam"), options))
    assert isinstance(open_filter(str(tmp_path / "m")), SpamFilter)


def table_of(path: str) -> Path:
    return next(Path(path).glob("table-*"))


@pytest.fixture
def own_model(tmp_path, form) -> str:
    options = TrainingOptions()
    documents = [
        LabeledTokens(label, [f"w{i}", f"url:{label}", "w"])
        for i, label in enumerate(["ham", "spam"] * 20)
    ]
    path = str(tmp_path / "model")
    save_model(path, train_on_tokens(iter(documents), ("ham", "spam"), options))
    return path


def test_a_cut_table_is_found(own_model):
    table = table_of(own_model)
    table.write_bytes(table.read_bytes()[:-8])
    with pytest.raises(ModelFormatError, match="damaged"):
        open_filter(own_model)


def test_a_table_of_another_byte_order_is_not_read(own_model):
    """The model judges without it."""
    path = Path(own_model) / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["table"]["byte_order"] = "odd"
    path.write_text(json.dumps(manifest))
    assert isinstance(open_filter(own_model), SpamFilter)
    assert load_model(own_model).spam_filter.classify(parse(MAILS[0]))


def test_a_missing_table_is_found(own_model):
    table_of(own_model).unlink()
    with pytest.raises(ModelFormatError, match="table is missing"):
        open_filter(own_model)


@pytest.mark.parametrize(
    "content",
    [lambda size: b"\xff" * size, lambda size: os.urandom(size), lambda size: b"\x7f" * size],
    ids=["ones", "noise", "large"],
)
def test_a_table_of_anything_at_all_gives_a_verdict_or_one_error(own_model, content):
    table = table_of(own_model)
    table.write_bytes(content(table.stat().st_size))
    for mail in MAILS:
        try:
            verdict = opened(own_model).classify(parse(mail))
        except ModelFormatError:
            continue
        assert 0 <= verdict.probability <= 1


def test_every_token_is_found_and_no_other(own_model):
    manifest = json.loads((Path(own_model) / "manifest.json").read_text())["table"]
    form = TableForm(*(manifest[name] for name in TableForm._fields))
    table = WeightTable(str(table_of(own_model)), form)
    known = [f"w{i}" for i in range(40)] + ["w", "url:ham", "url:spam"]
    assert None not in map(table.entry, known)
    assert not any(map(table.entry, (f"v{i}" for i in range(1_000))))


def test_a_fingerprint_by_hand():
    assert [fingerprint(token, 1_000) for token in ("", "\0", "a", "ab", "é")] == [
        *(0, 1, 98, 98_000 + 99, (0xC3 + 1) * 1_000 + 0xA9 + 1),
    ]
    assert fingerprint("a" * 50, 2**63 + 5) < 2**64


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_mails_in_order(own_model, jobs):
    own = opened(own_model)
    mails = [RawMail(str(i), MAILS[i % len(MAILS)] + b"x" * i) for i in range(200)]
    batches = judge_batches((LabeledMail("", mail) for mail in mails), own, jobs)
    judged = [each for batch in batches for each in batch]
    assert [each.source for each in judged] == [mail.source for mail in mails]
    for got, mail in zip(judged, mails, strict=True):
        expected = own.classify(read_message(mail))  # maybe in another form than in a process
        assert got.verdict.label == expected.label
        assert got.verdict.log_odds == pytest.approx(expected.log_odds, abs=1e-9)


TEXTS = st.lists(MAIL_TEXTS | st.sampled_from(["wine", "meeting", "buy", "http://a.example/b"]))


def assert_same_forms(path: str, mails: list[bytes]) -> None:
    python, compiled = both_forms(path)
    messages = list(map(parse, mails))
    found = zip(compiled.classify_all(messages), python.classify_all(messages), strict=True)
    for mail, (got, expected) in zip(mails, found, strict=True):
        assert got.log_odds == pytest.approx(expected.log_odds, abs=1e-9), mail
        assert (got.label, got.reason) == (expected.label, expected.reason), mail


def both_forms(path: str) -> list[Filter]:
    twin = twin_of(make_table_filter)
    forms = []
    for is_compiled in (False, True):
        twin.use(compiled=is_compiled)
        forms.append(open_filter(path))
    twin.use()
    assert isinstance(forms[0], TableFilter)
    return forms


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS)
def test_both_forms_say_the_same_of_any_text(any_model, texts):
    body = " ".join(texts).encode("utf-8", "surrogatepass")
    assert_same_forms(any_model, [body, b"Subject: " + body[:90] + b"\n\n" + body + MAILS[0]])


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=300))
def test_both_forms_say_the_same_of_any_bytes(any_model, mail):
    assert_same_forms(any_model, [mail])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.dictionaries(
        st.sampled_from([*GROUPS, "none"]), st.lists(st.sampled_from(["a", ":", "the"]) | st.text())
    )
)
def test_both_forms_say_the_same_of_any_tokens(any_model, groups):
    python, compiled = (form.judge(groups) for form in both_forms(any_model))
    assert compiled.log_odds == pytest.approx(python.log_odds, abs=1e-9)
    assert (compiled.label, compiled.reason) == (python.label, python.reason)


def test_without_the_modules_the_command_says_the_same(any_model, tmp_path):
    for number, mail in enumerate(MAILS):
        (tmp_path / f"{number}.eml").write_bytes(mail)
    command = [sys.executable, "-m", "spamnb", "classify", "-m", any_model, str(tmp_path)]
    outputs = {
        subprocess.run(
            command, env={**os.environ, "SPAMNB_NATIVE": each}, check=True, capture_output=True
        ).stdout
        for each in "01"
    }
    assert len(outputs) == 1
