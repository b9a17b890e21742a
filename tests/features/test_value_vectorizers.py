from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.errors import ParameterError
from spamnb.features.value_vectorizers import (
    BinVectorizer,
    FactVectorizer,
    NumberVectorizer,
    from_dict,
)
from spamnb.features.vectorizer import CountVectorizer, JoinedVectorizer
from spamnb.features.vocabulary import Vocabulary
from spamnb.text.values import FACT, STATISTIC, is_word, values_of

TOKENS = ["word", "subject:stat", "stat:length=12.5", "fact:mailer=a=b", "stat:links=3"]
NUMBERS = [{"length": str(n), "links": str(n % 3)} for n in range(100)]


def test_tokens_carry_values():
    assert values_of(TOKENS, STATISTIC) == {"length": "12.5", "links": "3"}
    assert values_of(TOKENS, FACT) == {"mailer": "a=b"}
    assert list(filter(is_word, TOKENS)) == ["word", "subject:stat"]


def test_numbers_are_logarithms_and_what_is_not_there_is_0():
    vectorizer = NumberVectorizer(["length", "other"])
    X = vectorizer.transform([TOKENS, []])
    assert_allclose(X.toarray(), [[np.log(13.5), 0], [0, 0]])
    name, number = vectorizer.describe(0, float(X.data[0]))
    assert (name, round(number, 9)) == ("stat:length", 12.5)


def test_intervals_hold_about_as_many_mails():
    vectorizer = BinVectorizer.learn(NUMBERS, 4)
    codes = vectorizer.encode(NUMBERS).toarray().astype(int)
    assert np.bincount(codes[:, 0]).tolist() == [25, 25, 25, 25]
    assert len(np.bincount(codes[:, 1])) == 3  # no more intervals than numbers
    assert vectorizer.transform([["stat:length=1e9"]]).toarray()[0, 0] == 3
    assert vectorizer.describe(0, 0)[0] == "stat:length < 25"
    assert vectorizer.describe(0, 2)[0] == "stat:length ≥ 50, < 75"
    assert vectorizer.describe(0, 3)[0] == "stat:length ≥ 75"


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.integers(1, 12))
def test_intervals_rise_and_are_no_more_than_asked_for(numbers, n_bins):
    documents = [{"length": repr(number)} for number in numbers]
    vectorizer = BinVectorizer.learn(documents, n_bins)
    codes = vectorizer.encode(documents).toarray()[:, 0]
    assert codes.max() < n_bins
    order = np.argsort(numbers)
    assert np.all(np.diff(codes[order]) >= 0)


def test_facts_are_positions_and_unseen_is_not_missing():
    documents = [{"day": "mon", "mailer": "pine"}, {"day": "fri"}, {"day": "mon"}]
    vectorizer = FactVectorizer.learn(documents)
    assert vectorizer.values == {"day": ("fri", "mon"), "mailer": ("pine",)}
    X = vectorizer.transform([["fact:day=mon"], ["fact:day=sun", "fact:mailer=mutt"], ["day"]])
    assert_array_equal(X.toarray(), [[1, np.nan], [2, 1], [np.nan, np.nan]])
    assert vectorizer.describe(0, 1) == ("fact:day=mon", 1)
    assert vectorizer.describe(0, 2) == ("fact:day=(unseen)", 1)


@pytest.mark.parametrize(
    "vectorizer",
    [
        NumberVectorizer(["length"]),
        BinVectorizer.learn(NUMBERS, 7),
        FactVectorizer({"mailer": ["a=b", "\udcff"]}),
    ],
    ids=["numbers", "bins", "facts"],
)
def test_they_are_plain_data(vectorizer):
    restored = from_dict(json.loads(json.dumps(vectorizer.to_dict())))
    assert_array_equal(
        restored.transform([TOKENS]).toarray(), vectorizer.transform([TOKENS]).toarray()
    )
    assert vectorizer.vocabulary is None


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "code"},
        {"kind": "numbers", "names": 7},
        {"kind": "bins", "edges": [["length", [2, 1]]]},
        {"kind": "bins", "edges": [["length", [float("nan")]]]},
        {"kind": "bins", "edges": [["length", ["x"]]]},
        {"kind": "facts", "values": [["day", ["mon", "mon"]]]},
        {"kind": "facts", "values": [7]},
    ],
    ids=str,
)
def test_hostile_data_is_refused(data):
    with pytest.raises((ParameterError, KeyError, TypeError, ValueError)):
        from_dict(data)


def test_joined_they_stand_side_by_side():
    words = CountVectorizer(Vocabulary(["word", "other"]))
    joined = JoinedVectorizer(
        [words, NumberVectorizer(["links"]), FactVectorizer({"mailer": ["x"]})]
    )
    assert len(joined) == 4
    assert_allclose(joined.transform([TOKENS]).toarray(), [[1, 0, np.log(4), 1]])
    assert [joined.part_of(column) for column in range(4)] == [0, 0, 1, 2]
    assert joined.describe(1, 2.0) == ("other", 2.0)
    assert joined.describe(3, 1.0)[0] == "fact:mailer=(unseen)"
    assert joined.vocabulary is words.vocabulary
    assert JoinedVectorizer([NumberVectorizer(["links"])]).vocabulary is None
