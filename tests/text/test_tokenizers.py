import os
import subprocess
import sys
from pathlib import Path

import pytest

from spamnb.errors import ParameterError
from spamnb.text.tokenizers import TOKENIZERS, make_segmenter, make_tokenizer

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("whitespace", "", []),
        ("whitespace", " one  two\nthree ", ["one", "two", "three"]),
        ("whitespace", "免费发票 offer", ["免费发票", "offer"]),
        ("auto", "", []),
        ("auto", "one two", ["one", "two"]),
        ("auto", "naïve café", ["naïve", "café"]),
        ("auto", "免费发票", ["免费", "发票"]),
        ("auto", "免费发票 free offer", ["免费", "发票", "free", "offer"]),
        ("auto", "naïve发票", ["na", "ï", "ve", "发票"]),
        ("auto", "привет 发票", ["привет", "发票"]),
        ("auto", "привет мир", ["привет", "мир"]),
        ("jieba", "", []),
        ("jieba", "one  two", ["one", "two"]),
        ("jieba", "免费发票 offer", ["免费", "发票", "offer"]),
        ("jieba", "免费\n发票", ["免费", "发票"]),
        ("chars", "", []),
        ("chars", "one  two", ["one", "two"]),
        ("chars", "免费发 offer", ["免", "费", "发", "免费", "费发", "offer"]),
        ("chars", "a发b", ["a", "发", "b"]),
    ],
)
def test_a_text_is_split_into_words(name, text, words):
    assert make_tokenizer(name)(text) == words


@pytest.mark.parametrize("name", TOKENIZERS)
def test_every_named_tokenizer_exists(name):
    assert make_tokenizer(name)("word") == ["word"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("auto", ["免费", "发票"]),
        ("jieba", ["免费", "发票"]),
        ("chars", ["免", "费", "发", "票"]),
        ("whitespace", ["免费发票"]),
    ],
)
def test_a_run_of_chinese_is_segmented(name, words):
    assert make_segmenter(name)("免费发票") == words


@pytest.mark.parametrize("make", [make_tokenizer, make_segmenter])
@pytest.mark.parametrize("name", ["", "Auto", "unheard-of"])
def test_an_unknown_name_is_an_error(name, make):
    with pytest.raises(ParameterError, match="one of auto, whitespace, jieba, chars"):
        make(name)


def run(code, tmp_path):
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment | {"PYTHONIOENCODING": "utf-8"},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def test_jieba_is_loaded_in_silence_and_leaves_no_cache(tmp_path):
    code = "from spamnb.text.tokenizers import make_tokenizer as m; print(m('auto')('免费发票'))"
    done = run(code, tmp_path)
    assert (done.stdout, done.stderr) == ("['免费', '发票']\n", "")
    assert list(tmp_path.iterdir()) == []


def test_jieba_is_not_loaded_for_english(tmp_path):
    code = (
        "import sys; from spamnb.text.tokenizers import make_tokenizer as m\n"
        "m('auto')('naïve offer'); m('whitespace')('免费'); print('jieba' in sys.modules)"
    )
    done = run(code, tmp_path)
    assert (done.stdout, done.stderr) == ("False\n", "")
