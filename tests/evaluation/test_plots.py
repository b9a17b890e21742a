"""Pictures: that they are there, whole, and say what they show.  How they look is for eyes."""

from __future__ import annotations

import re
import struct
from math import inf

import matplotlib
import pytest

from spamnb.errors import ParameterError
from spamnb.evaluation.online import OnlineCurve
from spamnb.evaluation.plots import draw
from spamnb.evaluation.report import reports
from tests.evaluation.mails import random_scores, scores_of

SCORES = random_scores(60, 40)
TWO = {"multinomial": SCORES, "bernoulli": random_scores(60, 40, seed=1)}


def picture(results, format_="svg", learning=None):
    made = reports({name: [scores] for name, scores in results.items()}, 10)
    return draw(made, list(results.values()), format_, learning)


def texts(svg):
    return re.findall(r"<text[^>]*>(.*?)</text>", svg.decode())


def test_a_png_is_whole_and_large_enough_to_read():
    png = picture({"multinomial": SCORES}, "png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert png[-8:-4] == b"IEND"
    width, height = struct.unpack(">II", png[16:24])
    assert width >= 1_600
    assert height >= 1_200


@pytest.fixture(scope="module")
def svg():
    return picture(TWO)


def test_an_svg_says_what_it_shows(svg):
    assert svg.startswith(b"<?xml")
    assert svg.rstrip().endswith(b"</svg>")
    shown = texts(svg)
    for expected in (
        "multinomial, bernoulli: 60 ham, 40 spam",
        "ROC, both axes logarithmic",
        "ham lost (%)",
        "spam missed (%)",
        "at the filter's own verdict",
        "no ham lost",
        "no spam missed",
        "Scores: multinomial",
        "mails in the bin",
        "P(spam)",
        "95 % interval (Wilson)",
        "Errors at each threshold: multinomial",
        "the filter's own, λ = 21.5",
    ):
        assert expected in shown
    assert any(text.startswith("bernoulli: 1-ROCA ") for text in shown)
    assert any(text.startswith("Reliability: multinomial (ECE 0.") for text in shown)


def test_a_learning_curve_takes_the_place_of_the_thresholds():
    curve = OnlineCurve.from_scores(SCORES.labels[::-1], SCORES.log_odds, SCORES.probability)
    shown = texts(picture({"multinomial": SCORES}, learning=curve))
    assert {"Learning curve", "mails seen and learned", "1-ROCA", "ham error"} <= set(shown)
    assert not any(text.startswith("Errors at each threshold") for text in shown)


def test_the_same_scores_give_the_same_bytes_and_leave_no_settings_behind(svg):
    before = dict(matplotlib.rcParams)
    assert picture(TWO) == svg
    assert dict(matplotlib.rcParams) == before


ALL_RIGHT = [("ham", -40.0)] * 30 + [("spam", 40.0)] * 20
EXTREMES = {
    "no errors": (ALL_RIGHT, False),
    "one bin": ([("ham", 0.3)] * 5 + [("spam", 0.3)] * 6, False),
    "all wrong": ([("ham", 3.0), ("spam", -3.0)], False),
    "two mails": ([("ham", -1.0), ("spam", 1.0)], True),
    "infinite": ([("ham", -inf), ("ham", inf), ("spam", inf), ("spam", -inf)], True),
}


@pytest.mark.parametrize(("mails", "is_online"), EXTREMES.values(), ids=EXTREMES)
def test_extremes_are_drawn(mails, is_online):
    scores = scores_of(mails)
    curve = OnlineCurve.from_scores(scores.labels, scores.log_odds, scores.probability)
    shown = texts(picture({"x": scores}, learning=curve if is_online else None))
    assert "ROC, both axes logarithmic" in shown
    if mails is ALL_RIGHT:
        assert "no ham lost, drawn at half a mail" in shown
        assert "no spam passed, drawn at half a mail" in shown
    if is_online and scores.ham[-1] < scores.spam[0]:
        assert "none yet: drawn at half a mail (1-ROCA: half a pair)" in shown


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ParameterError, match="format must be one of png, svg, got pdf"):
        picture({"x": SCORES}, "pdf")
    with pytest.raises(ParameterError, match="both ham and spam"):
        picture({"x": scores_of([("ham", 1.0)])})
