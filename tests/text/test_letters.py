import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.text.letters import (
    disguised_words,
    folded,
    folded_text,
    is_mixed_script,
    normalized,
    without_invisible,
)

pytestmark = pytest.mark.usefixtures("form")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("", ""),
        ("v\u00adi\u200ba\u200cg\u200dr\ufeffa", "viagra"),
        ("\u200e\u200fa\u202a\u202b\u202c\u202d\u202eb\u2066\u2067\u2068\u2069", "ab"),
        ("a\u034fb\u061cc\u180ed\u2060e\u3164f\uffa0g\ufe0fh", "abcdefgh"),
        ("a\U000e0041b\U000e0100c", "abc"),
        ("naïve 发票 привет a\u0301 \xa0\u3000", "naïve 发票 привет a\u0301 \xa0\u3000"),
    ],
)
def test_invisible_characters_are_taken_out(text, clean):
    assert without_invisible(text) == clean


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_stays_as_it_is(text):
    assert without_invisible(text) == text
    assert normalized(text) == text
    assert folded(text) == folded_text(normalized(text)) == text


@given(st.text(), st.lists(st.sampled_from("\u00ad\u200b\u200d\u202e\u2060\ufeff"), max_size=5))
def test_invisible_characters_make_no_difference(text, marks):
    noisy = "".join(marks).join(text) if marks else text
    assert without_invisible(noisy) == without_invisible(text)
    assert without_invisible(without_invisible(text)) == without_invisible(text)


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("viagra", "viagra"),
        ("vіаgrа", "viagra"),
        ("раураl", "paypal"),
        ("frее", "free"),
        ("οnlinε", "online"),
        ("cαsinο", "casino"),
        ("ᴠɪᴀɢʀᴀ", "viagra"),
        ("ｆｒｅｅ", "free"),
        ("𝐟𝐫𝐞𝐞", "free"),
        ("ⓕⓡⓔⓔ", "free"),
        # No disguise
        ("привет", "привет"),
        ("здравствуйте", "здравствуйте"),
        ("καλημέρα", "καλημέρα"),
        ("naïve", "naïve"),
        ("café", "café"),
        ("发票", "发票"),
        ("", ""),
    ],
)
def test_look_alikes_are_folded(word, plain):
    assert folded(word) == plain


DISGUISES = st.text(string.ascii_letters + "асеорхуіѕвкмнтАВСЕНКМОРТХαεινοτυｆｒᴀʙ①привет发")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Buy ΟΝLΙΝΕ, ΡΗΑRΜΑCΥ!", "Buy ONLINE, PHARMACY!"),
        ("vіаgrа 免费vіаgrа", "viagra 免费viagra"),
        ("привет naïve", "привет naïve"),
        ("ＦＲＥＥ", "FREE"),
        ("", ""),
    ],
)
def test_the_words_of_a_text_are_folded(text, plain):
    assert folded_text(normalized(text)) == plain


@given(st.text() | DISGUISES)
def test_folding_twice_is_folding_once(word):
    assert folded(folded(word)) == folded(word)
    assert is_mixed_script(word) in {True, False}


@pytest.mark.parametrize("word", ["vіagra", "οnline", "приvет", "αбв", "viаgra", "aԱ", "aᏏ"])
def test_a_word_of_two_scripts(word):
    assert is_mixed_script(word)


@pytest.mark.parametrize(
    "word", ["", "viagra", "привет", "καλημέρα", "naïve", "发票", "a发票", "ｆｒｅｅ", "a1", "ᴀʙ"]
)
def test_a_word_of_one_script(word):
    assert not is_mixed_script(word)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("v1agra", "viagra"),
        ("V1AGRA, fr33 m0ney!", "viagra free money"),
        ("$ex c@sh l0@n", "sex cash loan"),
        ("(v1agra) 'm0ney'.", "viagra money"),
        ("V.I.A.G.R.A", "viagra"),
        ("v i a g r a", "viagra"),
        ("v-i-a-g-r-a v_i_a_g_r_a v*i*a*g*r*a v/i/a/g/r/a", "viagra viagra viagra viagra"),
        ("F . R . E . E", "free"),
        ("V\nI\nA\nG\nR\nA", "viagra"),
        # Nothing in disguise
        ("cheap pills", ""),
        ("1st 2nd 3pm mp3 b2b 4u", ""),
        ("100% $5.00 10:30 2026-11-06", ""),
        ("b0b@example.com", ""),
        ("a b", ""),
        ("e.g. U.S. i.e.", ""),
        ("a.b c-d e", ""),
    ],
)
def test_words_in_disguise(text, words):
    assert sorted(disguised_words(text)) == sorted(words.split())


@given(st.text() | st.text("v1a@$ .-\n!|€é发"))
def test_any_text_gives_lower_case_words(text):
    for word in disguised_words(text):
        assert word.isalpha()
        assert word == word.lower()


@given(st.text(st.sampled_from("bcdfhjkmn"), min_size=4, max_size=20), st.sampled_from(" .-*"))
def test_single_letters_are_joined(word, separator):
    assert list(disguised_words(separator.join(word))) == [word]
