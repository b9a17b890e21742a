from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.reading import read
from spamnb.text.statistics import PUNCTUATION, STATISTICS, WORDS, measure, statistic_tokens
from spamnb.text.values import STATISTIC, is_word, values_of

MAIL = b"""From: a@example.com
To: b@example.com, c@example.com
Cc: d@example.com
Subject: WIN 100 $$$ now!
Date: Mon, 2 Nov 2026 17:05:00 +0800
Content-Type: text/html

<p>FREE money, FREE (really) $5; AT <a href="http://x.example/1">http://y.example</a></p>
<img src="http://z.example/i.gif"><img src="i.gif">
"""


def measured(data):
    message = parse(data)
    return measure(message, read(message))


def test_every_number_is_measured_and_described():
    numbers = measured(MAIL)
    assert set(numbers) == set(STATISTICS)
    assert len(STATISTICS) >= 57
    assert all(STATISTICS.values())
    assert {f"word_{word}" for word in WORDS} | {f"sign_{name}" for name in PUNCTUATION} < set(
        numbers
    )


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("capitals_longest", 4),
        ("capitals_total", 10),
        ("capitals_average", 10 / 3),
        ("links", 2),
        ("hosts", 2),
        ("images", 2),
        ("parts", 1),
        ("html", 1),
        ("recipients", 3),
        ("hour", 18),
        ("fields", 6),
        ("subject_length", 16),
        ("subject_capitals", 50.0),
        ("subject_digits", 100 * 3 / 16),
        ("subject_signs", 4),
    ],
)
def test_a_hand_counted_mail(name, number):
    assert measured(MAIL)[name] == pytest.approx(number)


def test_shares_are_of_a_hundred():
    message = Message.from_text("free free; money!")
    numbers = measure(message, read(message))
    assert numbers["word_free"] == pytest.approx(200 / 3)
    assert numbers["sign_exclamation"] == pytest.approx(100 / 17)
    assert numbers["spaces"] == pytest.approx(200 / 17)
    assert numbers["word_different"] == pytest.approx(200 / 3)


def test_an_empty_text_has_no_numbers():
    message = Message.from_text("")
    assert list(statistic_tokens(message, read(message))) == ["stat:parts=1"]


@given(st.binary(max_size=300))
def test_any_mail_has_finite_numbers_that_are_not_negative(data):
    numbers = measured(b"Subject: x\n\n" + data)
    assert all(0 <= number < 1e9 for number in numbers.values())


@pytest.mark.parametrize("preset", ["full", "textbook"])
def test_values_come_after_the_same_words(preset):
    message = parse(MAIL)
    words = Analyzer(AnalyzerConfig(preset)).analyze(message)
    tokens = Analyzer(AnalyzerConfig(preset, with_values=True)).analyze(message)
    assert all(map(is_word, words))
    assert tokens[: len(words)] == words
    assert not any(map(is_word, tokens[len(words) :]))
    assert float(values_of(tokens, STATISTIC)["recipients"]) == 3


def test_the_configuration_comes_back():
    config = AnalyzerConfig(with_values=True)
    assert AnalyzerConfig.from_dict(config.to_dict()) == config
    old = {k: v for k, v in config.to_dict().items() if k != "with_values"}
    assert not AnalyzerConfig.from_dict(old).with_values
