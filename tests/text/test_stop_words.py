from pathlib import Path

import pytest

from spamnb.errors import InputNotFoundError, InputReadError
from spamnb.system.resources import resource
from spamnb.text.stop_words import default_stop_words, read_stop_words


@pytest.mark.parametrize(
    ("name", "word", "telling"),
    [
        ("en", "the", ["free", "click", "now", "only"]),
        ("zh", "的", ["免费", "发票", "立即", "现在"]),
    ],
)
def test_a_shipped_list_is_tidy_and_holds_function_words_only(name, word, telling):
    path = Path(resource("data", "stop_words", f"{name}.txt"))
    lines = path.read_text(encoding="utf-8").splitlines()
    words = [line for line in lines if not line.startswith("#")]
    assert words == sorted(set(words))
    assert words == [word.strip().lower() for word in words]
    assert word in words
    assert not set(telling) & set(words)
    assert read_stop_words(str(path)) == tuple(words)


def test_by_default_both_shipped_lists_are_used():
    words = default_stop_words()
    assert {"the", "的"} <= set(words)
    assert not {"free", "免费"} & set(words)
    assert list(words) == sorted(set(words))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ()),
        (b"# only a comment\n", ()),
        (b"b\na\n# comment\n\n  c  \na", ("a", "b", "c")),
        (b"The\r\nOF\r\n", ("of", "the")),
        ("的\n".encode(), ("的",)),
        (b"\xef\xbb\xbfthe\nof\n", ("of", "the")),
        (b"\xef\xbb\xbf# comment\nof\n", ("of",)),
    ],
)
def test_a_file_holds_one_word_a_line(tmp_path, data, words):
    (tmp_path / "words").write_bytes(data)
    assert read_stop_words(str(tmp_path / "words")) == words


def test_a_file_must_be_utf8(tmp_path):
    (tmp_path / "words").write_bytes("的\n".encode("gbk"))
    with pytest.raises(InputReadError, match="words: it is not UTF-8 text"):
        read_stop_words(str(tmp_path / "words"))


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputNotFoundError, match=r"stop word file .*words is not there"):
        read_stop_words(str(tmp_path / "words"))


def test_a_folder_is_an_error(tmp_path):
    with pytest.raises(InputReadError, match="Is a directory"):
        read_stop_words(str(tmp_path))
