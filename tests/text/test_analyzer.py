import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.errors import ParameterError
from spamnb.mail.message import Message, Part
from spamnb.mail.parser import parse
from spamnb.text.analyzer import PRESETS, Analyzer, AnalyzerConfig
from spamnb.text.stop_words import default_stop_words

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "mail"
STEMS = sorted(path.stem for path in FIXTURES.glob("*.eml"))


@pytest.fixture(scope="module")
def textbook():
    return Analyzer(AnalyzerConfig.textbook())


@pytest.mark.parametrize("stem", STEMS, ids=STEMS)
def test_a_mail_gives_the_tokens_that_its_json_says(textbook, stem):
    expected = json.loads(FIXTURES.joinpath(f"{stem}.json").read_text(encoding="utf-8"))
    message = parse(FIXTURES.joinpath(f"{stem}.eml").read_bytes())
    assert textbook.analyze(message) == expected["tokens"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("Free offer!", ["free", "offer"]),
        ("FREE Free free", ["free", "free", "free"]),
        ("the offer is for you", ["offer"]),
        ("a b c cheap", ["cheap"]),
        ("don't isn't we'll", []),
        ("V1agra 100% $5.00 snake_case", ["agra", "snake", "case"]),
        ("www.example.com", ["www", "example", "com"]),
        ("e-mail", ["mail"]),
        ("naïve CAFÉ", ["naïve", "café"]),
        ("<b>not html</b>", ["html"]),
        ("免费发票", ["免费", "发票"]),
        ("我们的发票可以优惠", ["发票", "优惠"]),
        ("免，费。发、票", []),
        ("发票2024offer", ["发票", "offer"]),
        ("Free 免费 offer 发票", ["free", "免费", "offer", "发票"]),
        ("ＦＲＥＥ１２３", ["ｆｒｅｅ"]),
    ],
)
def test_a_text_gives_its_telling_words(textbook, text, tokens):
    assert textbook.analyze(Message.from_text(text)) == tokens


def test_the_subject_comes_first_and_only_html_is_stripped(textbook):
    parts = (
        Part("text/plain", text="a<i>b"),
        Part("text/html", text="<p title=no>che<i>ap</i></p>"),
        Part("image/png", filename="name.png"),
    )
    message = Message(headers=(("To", "tom"), ("Subject", "Big <i>sale")), parts=parts)
    assert textbook.analyze(message) == ["big", "sale", "cheap"]


def test_stop_words_and_tokenizer_can_be_chosen():
    analyzer = Analyzer(AnalyzerConfig("textbook", "whitespace", ("offer",)))
    assert analyzer.analyze(Message.from_text("the Offer 免费发票")) == ["the", "免费发票"]


def test_jieba_can_be_chosen():
    analyzer = Analyzer(AnalyzerConfig("textbook", "jieba"))
    assert analyzer.analyze(Message.from_text("Free 免费发票")) == ["free", "免费", "发票"]


def test_a_configuration_survives_json():
    config = AnalyzerConfig(tokenizer="jieba", stop_words=("的", "the"))
    data = json.loads(json.dumps(config.to_dict()))
    assert AnalyzerConfig.from_dict(data) == config
    for made in (AnalyzerConfig(), AnalyzerConfig.textbook()):
        assert AnalyzerConfig.from_dict(made.to_dict()) == made


def test_by_default_every_word_is_kept_and_in_the_textbook_the_shipped_stop_words_are_not():
    assert (AnalyzerConfig().preset, AnalyzerConfig().stop_words) == ("full", ())
    textbook = AnalyzerConfig.textbook()
    assert (textbook.preset, textbook.stop_words) == ("textbook", default_stop_words())
    assert {AnalyzerConfig().preset, textbook.preset} == set(PRESETS)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"preset": "textbook", "tokenizer": "auto"},
        {"preset": "textbook", "tokenizer": "auto", "stop_words": None},
        {"preset": "textbook", "tokenizer": "auto", "stop_words": 3},
        {"preset": "textbook", "tokenizer": "auto", "stop_words": "the"},
        [],
        None,
    ],
)
def test_data_of_another_form_is_no_configuration(data):
    with pytest.raises(ParameterError, match="analyzer must be a preset, a tokenizer, stop words"):
        AnalyzerConfig.from_dict(data)


@pytest.mark.parametrize(
    ("config", "name"),
    [({"preset": "unheard-of"}, "preset"), ({"tokenizer": "unheard-of"}, "tokenizer")],
)
def test_an_unknown_name_is_an_error(config, name):
    with pytest.raises(ParameterError, match=f"{name} must be one of .*, got unheard-of"):
        Analyzer(AnalyzerConfig(**config))


NOT_LETTERS = re.compile(r"[\W\d_]")
WORDS = st.sampled_from(
    ["FREE ", "the ", "免费", "的", "İ", "ΑΣ", "ß", "_", "7", "<b>", "&#73;", "\n"]
)
HTML = b"Subject: s\nContent-Type: text/html; charset=utf-8\n\n"


@settings(deadline=None)
@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(str.encode)
    | st.lists(WORDS, max_size=20).map(lambda words: "".join(words).encode())
)
def test_any_mail_gives_long_lower_case_words_that_are_no_stop_words(textbook, data):
    stop_words = set(default_stop_words())
    for mail in (data, HTML + data):
        for token in textbook.analyze(parse(mail)):
            assert len(token) > 1
            assert token == token.lower()
            assert token not in stop_words
            assert not NOT_LETTERS.search(token)


HOSTILE = {
    "English": "cheap pills " * 80_000,
    "Chinese": "免费发票优惠" * 15_000,
    "Chinese letters in no word": "龘" * 30_000,
    "Chinese letters of one word": "免" * 30_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_text_takes_linear_time(textbook, kind):
    textbook.analyze(Message.from_text("免费"))  # loads the dictionary
    start = time.process_time()
    textbook.analyze(Message.from_text(HOSTILE[kind]))
    assert time.process_time() - start < 2


# jieba joins letter by letter, which takes quadratic time where its code has seldom run before.
COLD = """
import time
from spamnb.mail.message import Message
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
analyzer = Analyzer(AnalyzerConfig(preset="{preset}"))
analyzer.analyze(Message.from_text("免费"))
start = time.process_time()
analyzer.analyze(Message.from_text("免" + "a" * 400_000))
print(time.process_time() - start)
"""


@pytest.mark.parametrize("preset", PRESETS)
def test_one_long_word_takes_linear_time_in_a_new_process(preset):
    code = COLD.format(preset=preset)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.stderr == ""
    assert float(done.stdout) < 2
