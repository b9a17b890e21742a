"""Parents of words that a person gives."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.ode import ODE, parent_columns
from spamnb.errors import CorpusFormatError, InputNotFoundError, InputReadError, ParameterError
from spamnb.training import (
    TrainingOptions,
    check_used,
    find_idle_words,
    read_parents,
    train_on_tokens,
)
from tests.training.mails import made_up

MAILS = made_up(120)
LABELS = ("ham", "spam")


@pytest.mark.parametrize(
    ("content", "parents"),
    [
        (b"", {}),
        (b"free\tmoney\n\nmoney\tsubject:offer", {"free": "money", "money": "subject:offer"}),
        (b"\xef\xbb\xbffree money \t act now\r\n", {"free money": "act now"}),
        ("发票\t优惠\n".encode(), {"发票": "优惠"}),
    ],
)
def test_lines_are_words_and_parents(tmp_path, content, parents):
    (tmp_path / "map").write_bytes(content)
    assert read_parents(str(tmp_path / "map")) == parents


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        (b"a\tb\nfree money\n", 2, "'word TAB parent' in UTF-8"),
        (b"\n\na\t\n", 3, "'word TAB parent' in UTF-8"),
        (b"\tb", 1, "'word TAB parent' in UTF-8"),
        (b"a\tb\tc", 1, "'word TAB parent' in UTF-8"),
        (b"a\t\xff", 1, "'word TAB parent' in UTF-8"),
        (b"a\tb\nc\tb\na\tc", 3, "one parent of 'a', which has one since line 1"),
        (b"a\ta", 1, "a parent that does not itself depend on 'a'"),
        (b"c\ta\na\tb\nx\ta\nb\tc\n", 4, "a parent that does not itself depend on 'b'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, content, line, expected):
    path = str(tmp_path / "map")
    (tmp_path / "map").write_bytes(content)
    with pytest.raises(CorpusFormatError) as caught:
        read_parents(path)
    assert str(caught.value) == f"{path}, line {line}: expected {expected}"


def test_a_long_chain_takes_no_stack(tmp_path):
    lines = [f"w{n}\tw{n + 1}\n" for n in range(50_000)]
    (tmp_path / "map").write_text("".join(lines))
    assert len(read_parents(str(tmp_path / "map"))) == 50_000
    (tmp_path / "map").write_text("".join([*lines, "w50000\tw0\n"]))
    with pytest.raises(CorpusFormatError, match="line 50001: expected a parent that does not"):
        read_parents(str(tmp_path / "map"))


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputNotFoundError, match=r"^file of parents .* is not there"):
        read_parents(str(tmp_path / "none"))
    with pytest.raises(InputReadError):
        read_parents(str(tmp_path))


def test_words_become_columns():
    parents = {"a": "c", "b": "x", "x": "a", "c": "d"}
    assert parent_columns(parents, ["a", "b", "c", "d"]).tolist() == [2, -1, 3, -1]
    assert parent_columns(parents, []).tolist() == []


def test_words_have_the_parents_that_are_given():
    parents = {"w9": "w10", "w11": "w10", "w10": "w30", "w31": "never"}
    training = train_on_tokens(MAILS, LABELS, TrainingOptions("ode", parents=parents))
    model = training.spam_filter.model.estimator
    assert isinstance(model, ODE)
    words = list(training.spam_filter.vectorizer.vocabulary)
    found = {
        words[j]: words[p]
        for j, p in zip(model.selected_features_, model.parents_, strict=True)
        if p >= 0
    }
    assert found == {"w9": "w10", "w11": "w10", "w10": "w30"}
    idle = find_idle_words(parents, training.spam_filter)
    assert idle == (["never"], ["w31"] if "w31" not in words else [])


def test_no_parents_are_naive_bayes():
    documents = [mail.tokens for mail in MAILS]
    given = train_on_tokens(MAILS, LABELS, TrainingOptions("ode", parents={}, calibrate=False))
    X = given.spam_filter.vectorizer.transform(documents)
    naive = BernoulliNB().fit(X, np.array([mail.label for mail in MAILS]))
    odds = [verdict.log_odds for verdict in given.spam_filter.judge(documents)]
    expected = naive.predict_log_proba(X)
    assert odds == pytest.approx((expected[:, 1] - expected[:, 0]).tolist())


def test_alpha_is_chosen_and_folds_are_learned_with_given_parents():
    # Folds have other columns, in which each word must find its parent again.
    parents = {f"w{n}": f"w{n + 1}" for n in range(37)}
    training = train_on_tokens(MAILS, LABELS, TrainingOptions("ode", parents=parents, alpha="auto"))
    assert training.alpha_search is not None
    assert training.spam_filter.model.is_calibrated
    columns = training.spam_filter.model.estimator.parents
    assert_array_equal(columns, parent_columns(parents, training.spam_filter.vectorizer.vocabulary))


@pytest.mark.parametrize("semi", ["em", "self-training"])
def test_given_parents_go_with_other_views_and_with_unlabeled_mail(semi):
    mails = MAILS + [mail._replace(label="") for mail in made_up(40, seed=1)]
    options = TrainingOptions("ode+gaussian", parents={"w9": "w10", "w11": "no"}, semi=semi)
    spam_filter = train_on_tokens(mails, LABELS, options).spam_filter
    assert spam_filter.views == ("ode", "gaussian")
    assert find_idle_words(options.parents, spam_filter) == (["no"], [])


def test_words_that_tell_too_little_are_found():
    options = TrainingOptions("ode", parents={"w0": "w1", "w20": "w37"}, features=4)
    spam_filter = train_on_tokens(MAILS, LABELS, options).spam_filter
    words = list(spam_filter.vectorizer.vocabulary)
    chosen = {words[j] for j in spam_filter.model.estimator.selected_features_}
    idle = find_idle_words(options.parents, spam_filter)
    assert idle.unknown == []
    assert idle.not_chosen == sorted({"w0", "w1", "w20", "w37"} - chosen)


def test_a_circle_is_refused():
    with pytest.raises(ParameterError, match=r"^parents must be .* without a cycle"):
        train_on_tokens(MAILS, LABELS, TrainingOptions("ode", parents={"w9": "w10", "w10": "w9"}))


def test_parents_of_another_classifier_are_refused():
    check_used([TrainingOptions(name, parents={"a": "b"}) for name in ("tan", "ode")])
    message = "parents must be left out for tan, which has no use for it, got 1 words"
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        check_used([TrainingOptions("tan", parents={"a": "b"})])
