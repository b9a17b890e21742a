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
    (tmp_path / "cache").mkdir(exist_ok=True)
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment | {"PYTHONIOENCODING": "utf-8"},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def test_chinese_is_cut_in_silence_and_only_the_cache_folder_is_written(tmp_path):
    code = "from spamnb.text.tokenizers import make_tokenizer as m; print(m('auto')('免费发票'))"
    for _ in range(2):
        done = run(code, tmp_path)
        assert (done.stdout, done.stderr) == ("['免费', '发票']\n", "")
        (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
        assert path.parent == tmp_path / "cache" / "spamnb"


def test_chinese_needs_none_of_jiebas_code_and_little_else(tmp_path):
    code = "import sys; from spamnb.text.tokenizers import make_tokenizer as m; m('auto')('免费')"
    run(code, tmp_path)  # makes the table
    done = run(code + "; print(*sys.modules)", tmp_path)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    slow = "array dataclasses hashlib inspect json logging numpy pathlib pkg_resources tempfile"
    assert not {"jieba", *slow.split()} & loaded
    assert "spamnb.text.segmentation" in done.stdout.split()


def test_nothing_is_loaded_for_english(tmp_path):
    code = (
        "import sys; from spamnb.text.tokenizers import make_tokenizer as m\n"
        "m('auto')('naïve offer'); m('whitespace')('免费')\n"
        "print('spamnb.text.segmentation' in sys.modules)"
    )
    done = run(code, tmp_path)
    assert (done.stdout, done.stderr) == ("False\n", "")
