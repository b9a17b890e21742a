"""Verdicts in compiled code are those of the Python form, to a billionth, on any bytes."""

import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spamnb.errors import ModelFormatError
from spamnb.filter.table_filter import CompiledFilter
from spamnb.mail.parser import parse
from spamnb.native.twins import compiled_twin
from tests.filter.test_table_filter import MAILS, OPTIONS, compiled, save_training
from tests.text.native.strategies import TEXTS

NativeFilter = compiled_twin("spamnb.filter.native_filter.NativeFilter")
pytestmark = pytest.mark.skipif(NativeFilter is None, reason="not compiled")
FULL = [name for name in OPTIONS if name != "textbook"]


@pytest.fixture(scope="module", params=FULL)
def model(request, tmp_path_factory) -> str:
    return save_training(OPTIONS[request.param], tmp_path_factory.mktemp("native"))


def assert_same(own: CompiledFilter, mails: list[bytes]) -> None:
    native = NativeFilter(own)
    for mail in mails:
        message = parse(mail)
        got, expected = native.classify(message), own.classify(message)
        assert got.log_odds == pytest.approx(expected.log_odds, abs=1e-9)
        assert (got.label, got.reason) == (expected.label, expected.reason)


def test_on_some_mails(model):
    assert_same(compiled(model), [b"", *MAILS, b"", *MAILS])


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(TEXTS | st.sampled_from(["wine", "meeting", "buy", "http://a.example/b"])))
def test_on_any_text(model, texts):
    body = " ".join(texts).encode("utf-8", "surrogatepass")
    assert_same(compiled(model), [body, b"Subject: " + body[:90] + b"\n\n" + body + MAILS[0]])


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=300))
def test_on_any_bytes(model, mail):
    assert_same(compiled(model), [mail])


def test_a_damaged_table_is_told(model):
    own = compiled(model)
    own.table.weights = memoryview(b"\xff" * (8 * own.table.form.n_entries)).cast("d")
    native = NativeFilter(own)
    with pytest.raises(ModelFormatError):
        native.classify(parse(MAILS[0]))
    own.table.slots = memoryview(b"\xff" * own.table.form.slot_bytes).cast("I")
    with pytest.raises(ModelFormatError):
        NativeFilter(own).classify(parse(MAILS[0]))


def test_the_environment_can_say_no(monkeypatch):
    name = "spamnb.filter.native_filter.NativeFilter"
    assert compiled_twin(name) is NativeFilter
    compiled_twin.cache_clear()
    monkeypatch.setenv("SPAMNB_NATIVE", "0")
    assert compiled_twin(name) is None
    compiled_twin.cache_clear()


def test_what_is_not_compiled_is_none():
    assert compiled_twin("spamnb.native_nothing.Something") is None


def test_without_the_modules_the_command_says_the_same(model, tmp_path):
    for number, mail in enumerate(MAILS):
        (tmp_path / f"{number}.eml").write_bytes(mail)
    command = [sys.executable, "-m", "spamnb", "classify", "-m", model, str(tmp_path)]
    outputs = {
        subprocess.run(
            command, env={**os.environ, "SPAMNB_NATIVE": each}, check=True, capture_output=True
        ).stdout
        for each in "01"
    }
    assert len(outputs) == 1
