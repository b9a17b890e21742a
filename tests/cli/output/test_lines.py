"""Lines for programs, and text for terminals."""

import json

import pytest

from spamnb.cli.output.lines import score_line, to_json
from spamnb.cli.terminal import one_line, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("中文 é", "中文 é"),
        ("\x1b[31m", "\\x1b[31m"),
        ("bell\x07", "bell\\x07"),
        ("\x9b", "\\x9b"),
        ("two\nlines\r", "two\\nlines\\r"),
        ("right\u202eleft", "right\\u202eleft"),
        ("tab\t", "tab\\t"),
        ("\udcff", "\udcff"),
        ("\ud800", "\\ud800"),
    ],
    ids=ascii,
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_one_line_keeps_tabs() -> None:
    assert one_line("a\tb\nc\rd") == "a\tb\\nc\\rd"


def test_json_is_valid_with_infinite_numbers() -> None:
    text = to_json({"a": [float("inf"), float("-inf")], "b": float("nan"), "c": "\udcff中"})
    assert text.isascii()
    assert json.loads(text) == {
        "a": [1.7976931348623157e308, -1.7976931348623157e308],
        "b": None,
        "c": "\udcff中",
    }


def test_score_lines_have_all_digits() -> None:
    assert score_line("ham", 0.1 + 0.2, 1e-300, "a\nb") == "ham\t0.30000000000000004\t1e-300\ta\\nb"
