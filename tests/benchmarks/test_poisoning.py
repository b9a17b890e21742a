import base64
import importlib
import quopri

import pytest

from spamnb.mail.parser import parse
from spamnb.text.reading import read

WORDS = [f"padding{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(60)]
PAGE = b"<html><body><p>Buy this</p></body></html>\n"


def single(kind: bytes, body: bytes, encoding: bytes = b"7bit") -> bytes:
    return (
        b"Subject: s\nContent-Type: %s;\n charset=us-ascii\nContent-Transfer-Encoding: %s\n\n%s"
        % (kind, encoding, body)
    )


def multipart(*parts: bytes, end: bytes = b"--=b--\n") -> bytes:
    head = b'Subject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed;\n\tboundary="=b"\n\n'
    return head + b"".join(b"--=b\n%s\n" % part for part in parts) + end


MAILS = {
    "plain": single(b"text/plain", b"Buy this\n"),
    "no content type": b"Subject: s\n\nBuy this\n",
    "no body": b"Subject: s\n",
    "no head": b"\nBuy this\n",
    "CRLF": b"Subject: s\r\nContent-Type: text/plain\r\n\r\nBuy this\r\n",
    "base64": single(b"text/plain", base64.encodebytes(b"Buy this\n"), b"base64"),
    "page": single(b"text/html", PAGE),
    "page without end": single(b"text/html", b"<p>Buy this"),
    "page in base64": single(b"TEXT/HTML", base64.encodebytes(PAGE), b"Base64"),
    "page in padded base64": single(b"text/html", base64.encodebytes(PAGE.strip()), b"base64"),
    "base64 cut off": single(b"text/html", base64.b64encode(PAGE + b"<p>Buy")[:-3], b"base64"),
    "page in quoted-printable": single(
        b"text/html", quopri.encodestring(b'<p align="left">Buy this</p>'), b"quoted-printable"
    ),
    "multipart": multipart(b"\nBuy this\n", single(b"text/html", PAGE)),
    "multipart without text": multipart(b"Content-Type: image/gif\n\nGIF89a\n"),
    "multipart without end": multipart(b"\nBuy this\n", end=b""),
    "multipart without parts": multipart(end=b""),
    "multipart in multipart": multipart(multipart(b"\nBuy this\n").replace(b"=b", b"=c")),
    "image": b"Subject: s\nContent-Type: image/gif\n\nGIF89a\n",
}


@pytest.fixture(scope="module")
def poisoning():
    return importlib.import_module("poisoning")


@pytest.mark.parametrize("way", [0, 1, 2])
@pytest.mark.parametrize("kind", MAILS)
def test_words_arrive_where_they_should(poisoning, kind, way) -> None:
    way = poisoning.WAYS[way]
    before = read(parse(MAILS[kind]))
    after = read(parse(poisoning.pad(MAILS[kind], WORDS, way)))
    seen, length = " ".join(after.texts), sum(map(len, WORDS))
    assert after.subject == ("" if kind == "no head" else "s")
    assert ("Buy this" in seen) == ("Buy this" in " ".join(before.texts))
    if way in poisoning.HIDDEN:
        assert "padding" not in seen
        assert after.n_hidden == before.n_hidden + length
    else:
        assert [word for word in seen.split() if word.startswith("padding")] == WORDS
        assert after.n_hidden == before.n_hidden


def test_a_mail_with_the_text_already_keeps_its_structure(poisoning) -> None:
    for kind in ("plain", "page in base64", "multipart"):
        padded = parse(poisoning.pad(MAILS[kind], WORDS, "in the body"))
        types = [part.content_type for part in parse(MAILS[kind]).parts]
        assert [part.content_type for part in padded.parts] == types
        assert not padded.defects


def test_words_are_those_of_ham(poisoning, corpora) -> None:
    mails = list(poisoning.find_corpora(corpora)["mails"].mails())
    words = set(poisoning.words_of(mails))
    assert "meeting" in words
    assert "pills" not in words


def test_table(poisoning, corpora, capsys) -> None:
    arguments = [corpora, "--corpus", "mails", "--spam", "10", "--words", "50"]
    poisoning.main(arguments)
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert lines[2].startswith("mails: 10 spam, 50 words each, threshold ")
    assert [line.split(" | ")[0] for line in lines[6:]] == [f"| {way}" for way in poisoning.WAYS]
    poisoning.main(arguments)
    assert capsys.readouterr().out == printed
