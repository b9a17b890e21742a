"""The tokens of a message, counted: the same in both forms, whatever the message holds."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.native.twins import twin_of
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.counting import make_counter
from tests.text.native.strategies import TEXTS

CONFIGS = st.builds(
    AnalyzerConfig,
    st.sampled_from(["full", "full", "full", "textbook"]),
    st.sampled_from(["auto", "chars"]),
    st.sets(st.sampled_from("a的!")).map(lambda words: tuple(sorted(words))),
    with_values=st.booleans(),
)
HTML = b"<a href=http://a.example/x>%s</a><p style=display:none>%s"


def make_mail(subject: str, body: str, as_html: bool) -> bytes:
    kind = b"html" if as_html else b"plain"
    subject, body = (text.encode("utf-8", "surrogatepass") for text in (subject, body))
    head = b"Subject: " + subject.replace(b"\n", b" ") + b"\nFrom: Ann <a@b.example>\n"
    text = HTML % (body, body) if as_html else body
    return head + b"Content-Type: text/" + kind + b"; charset=utf-8\n\n" + text


MESSAGES = st.builds(make_mail, TEXTS, TEXTS, st.booleans()).map(parse)


def assert_counted(config: AnalyzerConfig, messages: list[Message]) -> None:
    forms = twin_of(make_counter)
    makers = [forms.function, *filter(None, [forms.compiled])]
    for count in (make(config) for make in makers):
        found = [count(message) for message in messages]
        for got, message in zip(found, messages, strict=True):
            assert got.as_counts() == Counter(Analyzer(config).analyze(message))
            assert got.shared is found[0].shared
            assert len(set(got.shared)) == len(got.shared)


@settings(deadline=None)
@given(CONFIGS, st.lists(MESSAGES, max_size=4))
def test_the_counts_are_those_of_the_tokens(config, messages):
    assert_counted(config, messages)


EDGES = (
    "aZ[@\u00bf\u00c0\u024f\u0250\u036f\u0370\u03ff\u0400\u052f\u0530\u058f\u0590\u139f\u13a0\u13ff"
)
EDGES += "\u1dff\u1e00\u1eff\u1f00\u1fff\u2e7f\u2e80\uab6f\uab70\uabbf\uabc0"


@settings(deadline=None)
@given(st.lists(st.text(EDGES + " ", max_size=8), max_size=5))
def test_words_in_two_scripts(texts):
    assert_counted(AnalyzerConfig(), [Message.from_text(text) for text in texts])


@pytest.mark.parametrize("end", range(6))
def test_the_last_words_of_several_texts_and_the_letters_of_the_first(end):
    texts = (" ".join(f"word{i}" for i in range(40)), "", "short one", "x" * 50, "some more " * 40)
    parts = "".join(f"--b\nContent-Type: text/plain\n\n{text}\n" for text in texts[:end])
    head = "Subject: A subject\nContent-Type: multipart/mixed; boundary=b\n\n"
    assert_counted(AnalyzerConfig(), [parse(f"{head}{parts}--b--\n".encode())])
