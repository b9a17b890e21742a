"""What a person sees of each mail in fixtures/reading, and what the preset ``full`` makes of it."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.parser import parse
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.html import read_html
from spamnb.text.links import Link
from spamnb.text.reading import read

FIXTURES = Path(__file__).parents[1] / "fixtures" / "reading"
STEMS = sorted(path.stem for path in FIXTURES.glob("*.eml"))


@pytest.fixture(scope="module")
def full():
    return Analyzer(AnalyzerConfig(preset="full"))


@pytest.mark.parametrize("stem", STEMS, ids=STEMS)
def test_a_mail_reads_as_a_person_sees_it(full, stem):
    expected = json.loads(FIXTURES.joinpath(f"{stem}.json").read_text(encoding="utf-8"))
    message = parse(FIXTURES.joinpath(f"{stem}.eml").read_bytes())
    reading = read(message)
    assert reading.subject == expected["subject"]
    assert " ".join(reading.texts).lower().split() == expected["visible"]
    assert reading.n_hidden >= expected["n_hidden_at_least"]
    assert bool(reading.n_hidden) == bool(expected["n_hidden_at_least"])
    tokens = set(full.analyze(message))
    assert set(expected["full_has"]) - tokens == set()
    assert set(expected["full_lacks"]) & tokens == set()


def test_every_mail_has_its_json():
    assert len(STEMS) > 120
    assert sorted(path.stem for path in FIXTURES.glob("*.json")) == STEMS


HIDES = ("hidden", 'style="display:none"', "style=display:none;color:red", "class=off", "id=off")
SHOWS = ("", 'style="color:red"', "class=on", 'title="display:none"')
TREES = st.recursive(
    st.just("word"),
    lambda trees: st.tuples(
        st.sampled_from(["div", "span", "b", "font", "blockquote", "xyz"]),
        st.sampled_from(HIDES + SHOWS),
        st.lists(trees, max_size=4),
    ),
    max_leaves=20,
)


def written(tree, is_hidden=False):
    """The HTML of a tree, its words "seen" where a person sees them and "unseen" elsewhere."""
    if tree == "word":
        return " unseen " if is_hidden else " seen "
    name, attribute, children = tree
    inside = "".join(written(child, is_hidden or attribute in HIDES) for child in children)
    return f"<{name} {attribute}>{inside}</{name}>"


@settings(deadline=None)
@given(st.lists(TREES, max_size=5))
def test_hidden_words_are_apart_from_the_visible_ones(trees):
    html = "<style>.off, #off {display:none}</style>" + "".join(map(written, trees))
    page = read_html(html)
    assert set(page.text.split()) <= {"seen"}
    assert set(page.hidden.split()) <= {"unseen"}
    assert len((page.text + page.hidden).split()) == html.count("seen ")


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="<&")))
def test_text_without_markup_is_all_visible(text):
    page = read_html(text)
    assert (page.text.split(), page.hidden, page.links) == (text.split(), "", ())


def test_each_place_that_a_mail_leads_to_comes_once():
    html = (
        '<a href="http://one.example/">the bank</a> <a href="http://one.example/">the bank</a>'
        '<a href="http://one.example/">here</a> http://two.example/x <img src="http://p.example/1">'
        '<a name="top">top</a>'
    )
    mail = f"Subject: www.three.example\nContent-Type: text/html\n\n{html}\n".encode()
    assert list(read(parse(mail)).addresses()) == [
        Link("http://one.example/", "the bank"),
        Link("http://one.example/", "here"),
        Link("www.three.example", "www.three.example"),
        Link("http://two.example/x", "http://two.example/x"),
        Link("http://p.example/1", ""),
    ]


def test_what_is_hidden_is_kept_part_by_part():
    part = "Content-Type: text/html\n\n<p hidden>{} words</p>seen\n"
    body = "--b\n" + "--b\n".join(map(part.format, ("one", "two"))) + "--b--\n"
    mail = f"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n{body}".encode()
    reading = read(parse(mail))
    assert reading.hidden == ("one words", "two words")
    assert reading.n_hidden == 16
