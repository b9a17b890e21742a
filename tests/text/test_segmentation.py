import random
from functools import cache
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spamnb.text import segmentation
from spamnb.text.segmentation import Segmenter, load_segmenter
from tests.strategies import few, modest
from tests.text.jieba_itself import finalseg, jieba_tokenizer
from tests.text.test_dictionary import LINES, table_of

segmenter = cache(load_segmenter)


def assert_same(text, ours=None, jieba=None):
    ours = ours or segmenter()
    for HMM in (True, False):
        expected = list((jieba or jieba_tokenizer()).cut(text, HMM=HMM))
        assert list(ours.cut(text, HMM)) == expected, (text, HMM)
        assert list(ours._of_any.cut(text, HMM)) == expected, (text, HMM)  # not compiled


@pytest.mark.parametrize(
    "text",
    [
        "",
        "免费发票",
        "我们中出了一个叛徒",
        "小明硕士毕业于中国科学院计算所，后在日本京都大学深造",
        "王大锤和杜甫都来到了网易杭研大厦",  # names, which only the model finds
        "本公司代开各类发票，税点优惠，欢迎来电咨询：13800138000 张先生",
        "免费发票 free offer\r\n100%正品\n\r\tＡＢＣ３",
        "C++和c#，AT&T，T恤，B超，卡拉OK，3.14%，www.example.com/a-b_c",
        "naïve发票привет",
        "龥龥龥",
        "鿖㐀\uf900\U00020000",
        "\ud83d中\udc00国\U0001f600",
        "..3.14%..a.b%%",
        "中++国##人&&民..的__年%%月--日",
    ],
)
def test_a_text_is_cut_as_jieba_cuts_it(text):
    assert_same(text)


# What jieba's patterns tell apart, and characters whose probabilities tie.
ALPHABET = st.one_of(
    st.sampled_from("的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年发票税费"),
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD5),
    st.characters(min_codepoint=0x9FD0, max_codepoint=0x9FFF),
    st.sampled_from("\u3400\u4dff\uf900\U00020000\U0001f600\ud800\udfff"),
    st.sampled_from("aZ09+#&._%-"),
    st.sampled_from(" \r\n\t\u3000\x1c\x85，。！é"),
    st.characters(),
)


@modest
@given(text=st.text(ALPHABET, max_size=60))
@example(text="\r\n\n\r\r\n")
def test_any_text_is_cut_as_jieba_cuts_it(text):
    assert_same(text)


@modest
@given(numbers=st.lists(st.integers(0, 10**9), max_size=12), data=st.data())
def test_any_words_in_a_row_are_cut_as_jieba_cuts_them(numbers, data):
    known = words_of_the_dictionary()
    ends = st.integers(1, 5)
    assert_same("".join(known[n % len(known)][: data.draw(ends)] for n in numbers))


@cache
def words_of_the_dictionary():
    return list(jieba_tokenizer().FREQ)


@few
@given(lines=LINES, texts=st.lists(st.text("一丁七丈ab+", max_size=30), max_size=20))
def test_with_any_dictionary_a_text_is_cut_as_jieba_cuts_it(tmp_path_factory, lines, texts):
    # Few words of few frequencies: many paths are as probable as each other.
    lines = [f"{word} {n % 3}{tag}" for word, n, tag in lines] + ["一 2", "丁 2"]
    table, jieba = table_of(tmp_path_factory.mktemp("jieba"), lines)
    ours = Segmenter(table)
    for text in texts:
        assert_same(text, ours, jieba)


def test_of_paths_that_are_as_probable_the_same_one_is_taken(tmp_path):
    characters = "一丁七"
    pairs = [a + b for a in characters for b in characters]
    # Of 16: 4/16 · 4/16 is as much as 1/16, and all pairs have as much as each other.
    for name, lines in {
        "longer": ["一 4", "丁 4", "一丁 1", "七 7"],
        "first": [f"{word} 1" for word in [*characters, *pairs]],
        "long": [f"{word} 1" for word in [*pairs, "一丁七", "丁七一"]],
    }.items():
        (tmp_path / name).mkdir()
        table, jieba = table_of(tmp_path / name, lines)
        ours = Segmenter(table)
        for length in range(1, 6):
            for text in product(characters, repeat=length):
                assert_same("".join(text), ours, jieba)


def test_characters_are_cut_as_jiebas_model_cuts_them():
    # A character that a state does not know counts as the logarithm of 0 in it, beside which all
    # else is lost in rounding: so take characters of every pattern of known and unknown.
    by_pattern = {}
    for character in map(chr, range(0x4E00, 0x9FD6)):
        pattern = tuple(character in finalseg.emit_P[state] for state in "BEMS")
        by_pattern.setdefault(pattern, []).append(character)
    assert len(by_pattern) > 10
    draw = random.Random(3)
    patterns = sorted(by_pattern)
    for _ in range(20_000):
        chosen = draw.choices(patterns, k=draw.randint(1, 7))
        run = "".join(draw.choice(by_pattern[pattern]) for pattern in chosen)
        assert segmenter()._of_any._model.cut(run) == list(finalseg.cut(run)), run


def test_a_sample_of_long_text_is_cut_as_jieba_cuts_it():
    draw = random.Random(6)
    known = words_of_the_dictionary()
    for _ in range(300):
        assert_same("".join(draw.choices(known, k=draw.randint(1, 60))))


def test_what_is_forgotten_is_cut_the_same_again(monkeypatch):
    monkeypatch.setattr(segmentation, "_MOST_FRAGMENTS", 3)
    monkeypatch.setattr(segmentation, "_MOST_CHARACTERS", 10)
    forgetful = load_segmenter()
    texts = ["免费发票", "王大锤来到网易杭研大厦", "龥龥", "naïve发票", "免费发票"]
    for text in texts * 2:
        assert_same(text, forgetful)
    assert len(forgetful._of_any._weights) <= 3
    assert sum(map(len, forgetful._of_any._memory[True])) <= 10


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(segmentation, "_MOST_FRAGMENTS", 500)
    monkeypatch.setattr(segmentation, "_MOST_CHARACTERS", 1_000)
    forgetful = load_segmenter()
    draw = random.Random(2)
    most = 0
    for _ in range(300):
        forgetful._of_any.cut("".join(chr(draw.randint(0x4E00, 0x9FD5)) for _ in range(30)), True)
        assert len(forgetful._of_any._weights) <= 500
        assert sum(map(len, forgetful._of_any._memory[True])) <= 1_000
        most = max(most, len(forgetful._of_any._memory[True]))
    assert most > 20  # it keeps something, too
