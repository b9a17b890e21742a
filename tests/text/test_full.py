import time
from collections import Counter
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.message import Message, Part
from spamnb.mail.parser import parse
from spamnb.text.analyzer import Analyzer, AnalyzerConfig

textbook = Analyzer()
full = Analyzer(AnalyzerConfig(preset="full"))


def tokens(text="", **message):
    if text:
        message["parts"] = (Part("text/plain", text=text),)
    return full.analyze(Message(**message))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["meta:no-text"]),
        ("Cheap pills", ["cheap", "pills"]),
        ("cheap CHEAP", ["cheap", "cheap"]),
        ("v1agra", ["agra", "viagra"]),
        ("vіаgrа", ["vіаgrа", "viagra", "word:mixed-script"]),
        ("naïve", ["naïve"]),
        ("pills " + "a" * 41, ["pills"]),
        ("v" + "1" * 40, []),
        ("pills http://203.0.113.9/", ["pills", "http", "url:ip"]),
        ("one" + "\n" * 30 + "two", ["one", "two", "meta:gap"]),
        ("one" + " " * 300 + "two", ["one", "two", "meta:gap"]),
        ("\n" * 30 + "one\n\n\ntwo" + " " * 300, ["one", "two"]),
    ],
)
def test_the_tokens_of_a_text(text, found):
    assert [token for token in tokens(text) if not token.startswith("mime:")] == found


def test_tokens_of_the_structure():
    parts = (
        Part("multipart/mixed"),
        Part("text/plain", text="Hello Tom"),
        Part("application/zip", disposition="attachment", filename="Bill.2026.ZIP"),
        Part("image/png", disposition="inline", filename="no extension.of a file"),
    )
    found = [t for t in tokens(parts=parts) if t.startswith("mime:")]
    types = ["multipart/mixed", "text/plain", "application/zip", "image/png"]
    assert sorted(found) == sorted([f"mime:{t}" for t in (*types, "attachment", "ext:zip")])


def test_tokens_of_the_headers():
    headers = (
        ("From", "Anna Berg <anna@example.com>"),
        ("SUBJECT", "Fr33 pills"),
        ("X-Mailer", "Some Mailer 1.0"),
        ("Received", "by a"),
        ("Received", "by b"),
    )
    found = tokens("Hello", headers=headers)
    assert [t for t in found if t.startswith("subject:")] == [
        "subject:fr", "subject:pills", "subject:free",
    ]  # fmt: skip
    assert Counter(t for t in found if t.startswith("from:"))["from:anna"] == 2
    assert {t for t in found if t.startswith("header:")} == {
        "header:from", "header:subject", "header:x-mailer", "header:received",
    }  # fmt: skip
    assert "hello" in found


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


@settings(max_examples=200, deadline=None)
@given(MAILS)
def test_any_mail_has_the_words_of_the_textbook_and_more(data):
    for mail in (data, HTML + data):
        message = parse(mail)
        found = Counter(full.analyze(message))
        body = Message(parts=message.parts)
        words = Counter(word for word in textbook.analyze(body) if len(word) <= 40)
        assert words <= found
        assert all(isinstance(token, str) and token.strip() == token for token in found)


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
