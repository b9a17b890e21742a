"""Counts of tokens, and verdicts."""

from __future__ import annotations

from functools import cache
from math import isclose
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from spamnb.filter.table_filter import VIEWS, make_table_filter
from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.store.opening import open_filter
from spamnb.system.resources import resource
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.text.counting import make_counter
from tests.native.cases.case import Case, Form
from tests.text.native.strategies import TEXTS

MAILS = [path.read_bytes() for path in sorted(Path(resource("data", "samples")).glob("*.eml"))]
CONFIGS = st.builds(
    AnalyzerConfig,
    st.sampled_from(["full", "full", "full", "textbook"]),
    st.sampled_from(["auto", "chars"]),
    st.sets(st.sampled_from("a的!")).map(lambda words: tuple(sorted(words))),
    with_values=st.booleans(),
)


@st.composite
def messages(draw: Any) -> Message:
    """A mail of our own, or one of the samples with something else in its midst."""
    body = draw(TEXTS).encode("utf-8", "surrogatepass") or draw(st.binary(max_size=60))
    mail = draw(st.sampled_from((b"Subject: %s\n\n" % body[:40].replace(b"\n", b" "), *MAILS)))
    start, end = draw(st.integers(0, len(mail))), draw(st.integers(0, len(mail)))
    return parse(mail[:start] + body + mail[end:])


class Nearly(float):
    """A number that is equal to one that is a billionth away."""

    __hash__ = float.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nearly) and isclose(self, other, rel_tol=0, abs_tol=1e-9)


@cache
def _of_the_starter() -> tuple[Any, ...]:
    return open_filter(resource("models", "starter")).__reduce__()[1]


def judge(form: Form, view: str, intercept: float, mails: list[Message]) -> Any:
    """Return the verdicts on some mails."""
    config, table, _, _, decision = _of_the_starter()
    verdicts = form(config, table, view, intercept, decision).classify_all(mails)
    return [(each.label, each.reason, Nearly(each.log_odds)) for each in verdicts]


def count(form: Form, config: AnalyzerConfig, mails: list[Message]) -> Any:
    """Return the counts of the tokens of some mails, and whether they share one list."""
    counter = form(config)
    found = [counter(mail) for mail in mails]
    counts = [sorted(each.as_counts().items()) for each in found]
    return counts, all(each.shared is found[0].shared for each in found)


CASES = {
    make_counter: Case(st.tuples(CONFIGS, st.lists(messages(), max_size=3)), call=count),
    make_table_filter: Case(
        st.tuples(
            st.sampled_from(VIEWS), st.floats(-9, 9), st.lists(messages(), min_size=1, max_size=3)
        ),
        call=judge,
    ),
}
