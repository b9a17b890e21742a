"""What a person sees of a mail, and its tokens."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from spamnb.text.dictionary import load_dictionary
from spamnb.text.fields import (
    LONGEST_DOMAIN,
    LONGEST_LOCAL,
    LONGEST_NAME,
    LONGEST_VALUE,
    LONGEST_WORD,
    MOST_WORDS,
    SENDERS,
    field_tokens,
    header_style_tokens,
)
from spamnb.text.html import read_html
from spamnb.text.letters import CHUNK, disguised_words, normalized, without_invisible
from spamnb.text.links import LONGEST_AUTHORITY, LONGEST_PATH, MOST_PATH_WORDS, Link, link_tokens
from spamnb.text.reading import Reading
from spamnb.text.segmentation import AnyCutter, run_cutter
from spamnb.text.structure import shape_tokens
from spamnb.text.words import FullSplitter
from tests.native.cases.case import Case, Form
from tests.native.cases.pages import LIMITS, PAGES
from tests.text.native.strategies import TEXTS

NAMES = (
    *(name.title() for name in (*SENDERS, "to", "date", "received", "cc", "x-mailer", "list-id")),
    *("FROM", "MIME-Version", "content-type", "X-UID", "x-evolution-source", "x", "n" * 50, "Ünï"),
)
VALUE_PIECES = (
    *("a", "anna", "Anna", "ANNA", "smith7", "0", "12", "²", "٣", "É", "ſ", "İ", "中文"),
    *("@", "@", "@b.example", "@mail.b.co.uk", "@1.2.3.4", "@a.b.5", "@.", "@b.", "@a..uk"),
    *(".", "-", "_", "+", "=", "&", "<", ">", '"', "'", "(", ")", "[", "]", ",", ";", ":", " "),
)
VALUES = st.lists(st.sampled_from(VALUE_PIECES), max_size=10).map("".join) | TEXTS
HEADERS = st.lists(st.tuples(st.sampled_from(NAMES) | TEXTS, VALUES), max_size=6).map(tuple)
LONG = (
    f"{'a' * (LONGEST_LOCAL + 1)}@b.example x{'-' * LONGEST_LOCAL}@c",
    f"a@{'b.' * LONGEST_DOMAIN}@c@d",
    "a " * (LONGEST_VALUE // 2) + "b",
    "w" * LONGEST_WORD + " " + "w" * (LONGEST_WORD + 1) + " " + "v " * MOST_WORDS,
)

LINK_PIECES = (
    *(
        "http://",
        "https://",
        "HTTP://",
        "ftp://",
        "httpſ://",
        "xhttp://",
        "://",
        "www.",
        "WWW.",
        ":",
    ),
    *("a.example", "b.co.uk", "1.2.3.4", "0x7f.1.1.1", "user@", "u%40@", ":80", "[::1]", "bit.ly"),
    *("/", "/path/to_the-page", "?q=Ünï&x=1", "#top", "index.HTML", "a" * 25, "é", "\\", "xn--a"),
    *(" ", "\n", "\t", '"', "'", "<", ">", ".", ",", "_", "-", "mailto:a@b", "javascript:x", "٣"),
)
ADDRESSES = st.lists(st.sampled_from(LINK_PIECES), max_size=8).map("".join)
LINKS = st.builds(Link, ADDRESSES, ADDRESSES)

GAPS = ("\n", " ", "\t", "\xa0", "\x0b", "a", "\n" * 20, " " * 199, " \n" * 9, "\u2003", "://")
READINGS = st.builds(
    lambda texts, n_links, n_images: Reading(
        "", tuple(texts), (), (("", ""),) * n_links, (), {"img": n_images} if n_images else {}
    ),
    st.lists(st.lists(st.sampled_from(GAPS), max_size=8).map("".join) | TEXTS, max_size=3),
    st.integers(0, 9),
    st.integers(0, 9),
)
MARKS = st.text(st.characters(min_codepoint=0x300, max_codepoint=0x36F) | st.just("e"))
RUNS = st.text(
    st.sampled_from("的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年发票税费龥鿕")
    | st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD5),
    max_size=40,
)


def _split_fields(form: Form, headers: Any) -> Any:
    return form(headers, FullSplitter(lambda run: [run]))


@cache
def _any_cutter() -> AnyCutter:
    return AnyCutter(load_dictionary())


def _cut_all(form: Form, runs: list[str]) -> Any:
    """Return the words of each run, long and short ones in turn."""
    cut = form(_any_cutter())
    words = [cut(run, HMM) for run in runs for HMM in (True, False)]
    return [None if each is None else list(each) for each in words]


def _long_links(n: int) -> tuple[str, tuple[Link, ...]]:
    text = f"http://{'a' * n}/b http://c/{'d' * n}e http://f/{'g/' * (MOST_PATH_WORDS + 1)}"
    return text, tuple(Link(address, "x") for address in text.split())


def _gaps(*texts: str) -> tuple[Reading, str]:
    return Reading("", texts, (), (), (), {}), ""


_INVISIBLE = tuple(
    ("".join(chr(number) + "a" for number in range(start, start + 0x1000)),)
    for start in range(0, 0x110000, 0x1000)
)
_LIMITS_OF_HEADERS = (
    (tuple(("From", value) for value in LONG),),
    (tuple(("X-Mailer", value) for value in LONG),),
    ((("n" * LONGEST_NAME, "v"), ("n" * (LONGEST_NAME + 1), "v")),),
    (tuple((f"X-{number % 1_500}", "v") for number in range(3_000)),),  # more than are kept
)

CASES = {
    field_tokens: Case(st.tuples(HEADERS), _LIMITS_OF_HEADERS, _split_fields),
    header_style_tokens: Case(st.tuples(HEADERS), _LIMITS_OF_HEADERS),
    read_html: Case(st.tuples(PAGES), tuple((page,) for page in LIMITS)),
    without_invisible: Case(st.tuples(TEXTS), _INVISIBLE),
    normalized: Case(
        st.tuples(TEXTS | MARKS),
        (("é" * CHUNK + "\u0301",), ("a" + "\u0301" * (2 * CHUNK + 3) + "b",), ("\ufdfa" * 999,)),
    ),
    disguised_words: Case(st.tuples(TEXTS)),
    link_tokens: Case(
        st.tuples(
            ADDRESSES | TEXTS,
            st.lists(LINKS, max_size=4).map(tuple),
            st.lists(ADDRESSES, max_size=3).map(tuple),
        ),
        tuple(map(_long_links, (LONGEST_AUTHORITY, LONGEST_AUTHORITY + 1, LONGEST_PATH + 9))),
    ),
    shape_tokens: Case(
        st.tuples(READINGS, TEXTS | st.text("aAÀ1٣ ", min_size=990, max_size=1_010)),
        (
            _gaps("a" + "\n \t" * 21 + "b"),
            _gaps("a" + "\n \t" * 20 + "b"),
            _gaps("a" + " " * 200 + "b"),
            _gaps("a" + " " * 199 + "b"),
            _gaps("x" * 30 + " " * 150 + "\n" + "\t" * 150 + "\n" * 19 + "b"),
            _gaps("x" * 30 + " " * 30 + "y" + "\xa0" * 200 + "b", "\n" * 50),
        ),
    ),
    run_cutter: Case(
        st.tuples(st.lists(RUNS | TEXTS, max_size=3)),
        (
            (["中a", "a", "㐀中", "中鿖", "中 国", "中\ud800", "𠀀", "，", ""],),
            (["的" * 500, "中", "一个人" * 1_000, "鿕"],),
        ),
        _cut_all,
    ),
}
