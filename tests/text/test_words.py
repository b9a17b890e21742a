import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spamnb.text.tokenizers import make_segmenter
from spamnb.text.words import FullSplitter, Splitter

split = Splitter(str.split, frozenset({"the", "不"}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("Cheap PILLS!", ["cheap", "pills"]),
        ("the The THE other", ["other"]),
        ("a b cd", ["cd"]),
        ("v1agra snake_case 2026 x2y", ["agra", "snake", "case"]),
        ("don't e-mail", ["don", "mail"]),
        ("one\ttwo\n\nthree\xa0four\u3000five", ["one", "two", "three", "four", "five"]),
        ("Ünïcode ПРИВЕТ", ["ünïcode", "привет"]),
        ("发票，不 发票", ["发票", "发票"]),
        ("vi\u200bagra", ["vi", "agra"]),
    ],
)
def test_a_text_is_split(text, words):
    assert split(text) == words


@given(st.text())
def test_words_are_lower_case_letters_in_the_order_of_the_text(text):
    words = split(text)
    assert all(len(word) > 1 and not re.search(r"[\W\d_]", word) for word in words)
    assert not {"the", "不"} & set(words)
    rest = text.lower()
    for word in words:
        _, found, rest = rest.partition(word)
        assert found


@given(st.text(), st.text())
def test_texts_apart_give_the_words_of_each(one, two):
    assert split(f"{one}\n{two}") == split(one) + split(two)


def test_the_tokenizer_gets_letters_and_spaces():
    got = []
    Splitter(lambda text: got.append(text) or [], frozenset())("One, 2 (three)_4")
    assert got == ["one three "]


# Every word, with its punctuation

full = FullSplitter(make_segmenter("jieba"))
unsegmented = FullSplitter(make_segmenter("whitespace"), frozenset({"the"}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("$100 US$5 $ 7", ["$100", "us$5", "$", "7"]),
        ("FREE!!! free ! !!!", ["free!!!", "free", "!", "!!!"]),
        ("e-mail don't rock'n'roll", ["e-mail", "don't", "rock'n'roll"]),
        ("'quoted' -dash- --", ["'", "quoted'", "-", "dash-", "--"]),
        ("v1agra snake_case 2026", ["v1agra", "snake_case", "2026"]),
        ("a.b, (c) :-)", ["a", ".", "b", ",", "(", "c", ")", ":-)"]),
        ("c@sh 100% a+b", ["c", "@", "sh", "100", "%", "a", "+", "b"]),
        ("!$5", ["!$", "5"]),
        ("ПРИВЕТ Ünïcode", ["привет", "ünïcode"]),
        ("x" * 40 + " " + "y" * 41 + " " + "=" * 41, ["x" * 40]),
        # Chinese
        ("免费发票", ["免费", "发票"]),
        ("发票，不！", ["发票", "，", "不", "！"]),
        ("Free 免费offer发票2024", ["free", "免费", "offer", "发票", "2024"]),
        # Japanese, Chinese characters beside kana too
        ("無料です", list("無料です")),
        ("ﾒｰﾙ カナ", list("ﾒｰﾙカナ")),
        ("今日free!!!セール", ["今", "日", "free!!!", "セ", "ー", "ル"]),
        # Korean, Thai, Lao
        ("무료 광고", list("무료광고")),
        ("무료 click", ["무", "료", "click"]),
        ("ฟรีวันนี้", list("ฟรีวันนี้")),
        ("ຟຣີ", list("ຟຣີ")),
    ],
)
def test_a_text_is_split_in_full(text, words):
    assert full(text) == words


def test_the_runs_of_mixed_text_are_split_each_in_its_way():
    assert unsegmented("ฟฟ发票abc한국7") == ["ฟ", "ฟ", "发票", "abc", "한", "국", "7"]
    assert unsegmented("发票ですabc") == ["发", "票", "で", "す", "abc"]


@pytest.mark.parametrize(("n", "is_japanese"), [(4, False), (3, True), (0, True)])
def test_japanese_has_more_than_a_kana_for_four_chinese_characters(n, is_japanese):
    words = unsegmented(f"{'发' * n} の")
    assert words == [*(["发"] * n if is_japanese or not n else ["发" * n]), "の"]


def test_stop_words_are_left_out_in_full():
    assert unsegmented("The other the.") == ["other", "."]


PIECES = st.sampled_from(["$", "!", "-", "'", "x9", "发票", "です", "무", "ที่", "É", " ", "_", "\n"])
ANY = st.text(max_size=40) | st.lists(PIECES, max_size=15).map("".join)


@given(ANY)
def test_every_character_but_white_space_is_in_one_word(text):
    words = FullSplitter(make_segmenter("whitespace"))(text)
    longest = max(map(len, text.lower().split()), default=0)
    assert longest > 40 or "".join(words) == "".join(text.lower().split())
    assert all(0 < len(word) <= 40 and not word.isspace() for word in words)


@given(ANY, ANY)
def test_texts_apart_give_the_words_of_each_in_full(one, two):
    assume(not re.search("[\u3040-\u30ff]", one + two))  # kana turn all Chinese into characters
    assert unsegmented(f"{one} \n{two}") == unsegmented(f"{one} ") + unsegmented(two)
