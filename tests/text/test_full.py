import time
from collections import Counter
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.message import Message, Part
from spamnb.mail.parser import parse
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.groups import group_of
from spamnb.text.reading import read
from spamnb.text.words import Splitter

full = Analyzer(AnalyzerConfig(preset="full"))
SHAPE = ("meta:size:", "meta:caps:", "meta:digits:", "meta:links:", "meta:images:")


def tokens(text="", **message):
    if text:
        message["parts"] = (Part("text/plain", text=text),)
    return full.analyze(Message(**message))


def of_group(found, *groups):
    return [token for token in found if group_of(token) in groups]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["meta:no-text"]),
        ("Hot pills", ["hot", "pills", "pair:hot pills", "char:pill", "char:ills",
                       "end:hot", "end:pills"]),
        ("hot HOT", ["hot", "hot", "pair:hot hot", "end:hot", "end:hot"]),
        ("v1 fr33", ["v1", "fr33", "free", "pair:v1 fr33", "end:v1", "end:fr33",
                     "shape:v0", "shape:fr00"]),
        ("vіаg", ["vіаg", "viag", "end:vіаg", "word:mixed-script"]),
        ("naïf", ["naïf", "end:naïf"]),
        ("bill " + "a" * 41, ["bill", "end:bill"]),
        ("v" + "1" * 40, []),
        ("at 9 " + "1" * 20, ["at", "9", "1" * 20, "pair:at 9", f"pair:9 {'1' * 20}",
                              *["char:1111"] * 17, "end:at", "end:9", "end:" + "1" * 20,
                              "shape:0", "shape:" + "0" * 20]),
        ("a " + "1" * 21, ["a", "1" * 21, f"pair:a {'1' * 21}", *["char:1111"] * 18,
                            "end:a", "end:" + "1" * 21]),
        ("one" + "\n" * 30 + "two", ["one", "two", "pair:one two",
                                     "end:one", "end:two", "meta:gap"]),
        ("one" + " " * 300 + "two", ["one", "two", "pair:one two",
                                     "end:one", "end:two", "meta:gap"]),
        ("\n" * 30 + "one\n\n\ntwo" + " " * 300, ["one", "two", "pair:one two",
                                              "end:one", "end:two"]),
    ],
)  # fmt: skip
def test_the_tokens_of_a_text(text, found):
    assert [token for token in tokens(text) if not token.startswith(SHAPE)] == found


def test_a_url_in_a_text_is_words_and_a_link():
    found = tokens("pills http://203.0.113.9/")
    assert of_group(found, "") == [
        "pills", "http", "://", "203", ".", "0", ".", "113", ".", "9", "/",
    ]  # fmt: skip
    assert of_group(found, "url") == [
        "url:scheme:http", "url:host:203.0.113.9", "url:domain:203.0.113.9", "url:ip",
    ]  # fmt: skip
    assert "meta:links:1" in found


def test_the_pairs_of_the_subject_and_of_each_text_are_apart():
    parts = (Part("text/plain", text="one two three"), Part("text/plain", text="four five"))
    found = tokens(headers=(("Subject", "big sale"),), parts=parts)
    pairs = ["pair:big sale", "pair:one two", "pair:two three", "pair:four five"]
    assert of_group(found, "pair") == pairs
    assert of_group(found, "subject") == ["subject:big", "subject:sale"]


def test_letters_in_a_row_come_from_the_beginning_alone():
    found = of_group(tokens("word " * 60 + "words later"), "char")
    assert found == []
    found = of_group(tokens("words " * 50 + "later " * 50), "char")
    assert Counter(found) == {"char:word": 50, "char:ords": 50}
    texts = (Part("text/plain", text="w " * 140), Part("text/plain", text="words later again"))
    assert Counter(of_group(tokens(parts=texts), "char")) == Counter(
        ["char:word", "char:ords", "char:late", "char:ater", "char:agai", "char:gain"]
    )


def test_the_end_is_the_last_fifty_words_of_the_body():
    words = [f"w{number}" for number in range(60)]
    expected = [f"end:{word}" for word in words[10:]]
    assert of_group(tokens(" ".join(words)), "end") == expected
    texts = [Part("text/plain", text=" ".join(part)) for part in (words[:30], words[30:])]
    found = tokens(headers=(("Subject", "not me"),), parts=tuple(texts))
    assert of_group(found, "end") == expected
    assert of_group(tokens(headers=(("Subject", "not me"),)), "end") == []


def test_ngrams_of_the_subject_do_not_use_up_those_of_the_text():
    parts = (Part("text/plain", text="words " * 70),)
    found = of_group(tokens(headers=(("Subject", "offer " * 70),), parts=parts), "char")
    assert Counter(found) == {
        "char:offe": 50, "char:ffer": 50, "char:word": 50, "char:ords": 50,
    }  # fmt: skip


def test_the_tags_of_html_and_its_hidden_text():
    html = '<p><font color=red>one</font><font>two</font><i style="display:none">nine more</i>'
    found = of_group(tokens(parts=(Part("text/html", text=html),)), "html")
    assert Counter(found) == {
        "html:p": 1, "html:font": 2, "html:font:color": 1, "html:i": 1, "html:i:style": 1,
        "html:hidden:4": 1,
    }  # fmt: skip


def test_every_token_of_headers_and_structure_is_there():
    headers = (
        ("From", "Anna Berg <anna@example.com>"),
        ("SUBJECT", "Fr33 pills"),
        ("X-Mailer", "Some Mailer 1.0"),
        ("Received", "by a"),
        ("Received", "by b"),
    )
    found = tokens("Hello", headers=headers)
    assert of_group(found, "subject") == ["subject:fr33", "subject:pills", "subject:free"]
    assert of_group(found, "char") == ["char:pill", "char:ills", "char:hell", "char:ello"]
    assert Counter(of_group(found, "from"))["from:anna"] == 2
    assert of_group(found, "header") == [
        "header:x-mailer:some", "header:x-mailer:mailer", "header:x-mailer:1.0",
    ]  # fmt: skip
    assert of_group(found, "name") == ["name:from", "name:x-mailer"]
    assert of_group(found, "mime") == ["mime:text/plain", "mime:parts:1"]
    assert "hello" in found


def test_a_text_without_headers_has_no_structure():
    groups = set(map(group_of, full.analyze(Message.from_text("Hello you http://a.example/"))))
    assert groups == {"", "pair", "char", "end", "url", "meta"}


def test_stop_words_are_left_out_of_words_and_pairs():
    analyzer = Analyzer(AnalyzerConfig(stop_words=("the",)))
    found = analyzer.analyze(Message.from_text("win the cup"))
    assert of_group(found, "", "pair") == ["win", "cup", "pair:win cup"]


def test_a_defect_is_a_token():
    mail = b"Subject: s\nContent-Transfer-Encoding: base64\n\nSGVsbG8=!\n--\n\xff\n"
    message = parse(mail)
    found = {t for t in full.analyze(message) if t.startswith("meta:defect:")}
    assert found == {f"meta:defect:{defect.value}" for defect in message.defects}


HTML = b"Subject: vi4gra\nContent-Type: text/html; charset=utf-8\n\n"
MARKUP = ["<b>", "</b>", "<p hidden>", "</p>", "<a href=http://bit.ly>", "&#", "http://a@1.2.3.4/ "]
WORDS = ["v1agra ", "vіаgrа ", "f.r.e.e ", "发票", "ＦＲＥＥ ", "ß", "İ", "x" * 50]
PIECES = st.sampled_from([*MARKUP, *WORDS, "\u200b", "\u0301", "\n"])
MAILS = st.binary(max_size=300) | st.lists(PIECES, max_size=20).map(lambda p: "".join(p).encode())


textbook = Splitter(str.split, frozenset())
unsegmented = Analyzer(AnalyzerConfig(tokenizer="whitespace"))


@settings(deadline=None)
@given(MAILS)
def test_any_mail_has_the_words_of_the_textbook_and_more(data):
    """In the order of the text; a word of letters can be part of one with digits or punctuation."""
    for mail in (data, HTML + data):
        message = parse(mail)
        body = "".join(of_group(unsegmented.analyze(message), ""))
        chunks = [chunk for text in read(message).texts for chunk in text.lower().split()]
        for chunk in chunks:
            assert len(chunk) > 40 or all(word in body for word in textbook(chunk))


GROUPS = {
    "", "subject", "pair", "char", "end", "shape", "word", "url", "html", "mime", "meta", "from",
    "header", "name",
}  # fmt: skip


@settings(deadline=None)
@given(MAILS)
def test_any_token_of_any_mail_is_of_a_documented_group(data):
    for mail in (data, HTML + data):
        found = full.analyze(parse(mail))
        assert all(isinstance(token, str) and token and token.strip() == token for token in found)
        assert set(map(group_of, found)) <= GROUPS
        assert all(len(token) <= 120 for token in found)
        assert found == full.analyze(parse(mail))


MIB = 1 << 20


def many(piece, n=100_000):
    return piece * min(n, MIB // len(piece.encode()))


def rules(n, pattern):
    return "<style>" + "".join(pattern % number for number in range(n)) + "</style>"


NAMES = ":0;".join(a + b + c for a in ascii_lowercase for b in ascii_lowercase for c in "abc")
HOSTILE = {
    # HTML
    "nested div": many("<div>"),
    "nested font": many("<font>"),
    "nested b and i": many("<b><i>"),
    "nested table": many("<table>"),
    "nested p and a": many("<p><a>"),
    "td": many("<td>"),
    "li": many("<li>"),
    "cells": many("<td>V</td>"),
    "p below many b": "<td>" + "<b>" * 49 + many("<p>x", MIB // 5),
    "unended attribute": many('<a b="', MIB),
    "unended comment": many("<!--", MIB),
    "closing div": many("</div>", MIB),
    "mismatched": many("<div><b><i><font></div>", MIB),
    "mismatched both ways": many("<div><b><i><font>x</div></b>", MIB),
    "attributes": "<p " + " ".join(f"a{number}=b" for number in range(100_000)) + ">x",
    "style attributes": "<p " + many('style="display:none" ', MIB - 9) + ">x",
    "hidden elements": many('<i style="display:none">', MIB),
    "textareas": many("<textarea>x</textarea>", MIB),
    "links": many('<a href="http://a.example">word', MIB),
    "ampersands": many("&", MIB),
    "digit references": many("&#9", MIB),
    # CSS
    "one long rule": "<style>.a{" + many("color:red;", MIB - 20),
    "rules": "<style>" + many(".a{color:red}", MIB - 20) + "</style>x",
    "different rules": rules(50_000, ".a%d{top:0}") + "x",
    "different sheets": many("x")
    + "".join(f"<style>.a{n}{{top:0}}</style>" for n in range(25_000)),
    "selectors": "<style>" + many(".a,", MIB - 50) + "{display:none}</style>x",
    "opening braces": "<style>" + many("{", MIB - 9),
    "opening comments": "<style>" + many("/*", MIB - 9),
    "one long name": '<p style="' + many("a", MIB - 20) + '">x',
    "one long number": '<p style="font-size:' + many("0", MIB - 40) + 'x">x',
    "declarations for many": "<style>.a{" + NAMES + "}</style>" + many('<p class="a">', MIB // 14),
    # Text
    "single letters": many("a ", MIB),
    "dots and letters": many(". a", MIB),
    "letters and dots": many("v.i.", MIB),
    "dashed and spaced": many("v-i a ", MIB),
    "schemes": many("http://", MIB),
    "users": many("http://a@", MIB),
    "hexadecimal hosts": many("0x1.", MIB),
    "www": many("www.a.", MIB),
    "percents": "http://" + many("%41", MIB - 9),
    "dollars": many("$$$", MIB),
    "leet": many("$x ", MIB),
    "spaces": many(" ", MIB),
    "newlines": many("\n", MIB),
    "zero-width spaces": many("\u200b", MIB),
    "mixed scripts": many("vіаgrа ", MIB),
    "different mixed words": " ".join(f"іv{chr(97 + n % 26)}{n}а" for n in range(80_000)),
    "one mixed word": many("vі", MIB),
    # These take quadratic time where they take too long, so they are short.
    "one long word and an accent": "z" * 60_000 + "é",
    "one long accented word": "é" * 60_000,
    "Latin and Chinese without spaces": "z发" * 30_000,
    "look-alikes before Chinese": ("а" + "z" * 50 + "发") * 15_000,
    "marks out of order": "a" + "\u0301\u0316" * 25_000,
    "ligatures of many letters": many("\ufdfa", MIB),
}


@pytest.mark.parametrize("kind", ["html", "plain"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_mail_takes_linear_time(name, kind):
    assert len(HOSTILE[name].encode()) <= 1.2 * MIB
    header = f"Subject: s\nContent-Type: text/{kind}; charset=utf-8\n\n"
    mail = (header + HOSTILE[name]).encode()
    full.analyze(Message.from_text("免费"))  # loads the dictionary
    seconds = []
    while len(seconds) < 2 and (not seconds or 1 < seconds[0] < 1.5):  # once more, for the noise
        start = time.process_time()
        full.analyze(parse(mail))
        seconds.append(time.process_time() - start)
    assert min(seconds) < 1
