"""Explanations of models of several views, and of those that are not additive."""

from __future__ import annotations

import pytest

from spamnb.errors import ParameterError
from spamnb.training import TrainingOptions, train_on_tokens
from tests.training.mails import made_up

MAILS = made_up(120)
LABELS = ("ham", "spam")


def trained(classifier, **more):
    return train_on_tokens(MAILS, LABELS, TrainingOptions(classifier, **more)).spam_filter


def total(explanation):
    return explanation.intercept + sum(item.nats for item in explanation.contributions)


@pytest.mark.parametrize(
    "classifier",
    [
        "grouped",
        "gaussian",
        "categorical",
        "aode",
        "tan",
        "ode",
        "multinomial+gaussian+categorical",
    ],
)
def test_intercept_and_contributions_sum_to_the_log_odds(classifier):
    spam_filter = trained(classifier)
    for mail in MAILS[:10]:
        explanation = spam_filter.explain_tokens(mail.tokens)
        assert total(explanation) == pytest.approx(explanation.verdict.log_odds, abs=1e-9)


def test_views_have_their_shares():
    explanation = trained("multinomial+gaussian+categorical").explain_tokens(MAILS[1].tokens)
    assert list(explanation.views) == ["multinomial", "gaussian", "categorical"]
    for name, nats in explanation.views.items():
        own = [item for item in explanation.contributions if item.view == name]
        assert sum(item.nats for item in own) == pytest.approx(nats)
        kind = {"gaussian": "stat:", "categorical": "fact:"}.get(name, "w")
        assert all(item.token.startswith(kind) for item in own)
    assert sum(explanation.views.values()) + explanation.intercept == pytest.approx(
        explanation.verdict.log_odds
    )
    assert trained("grouped").explain_tokens(MAILS[1].tokens).views == {}


def test_numbers_are_told_as_they_stand_in_the_mail():
    tokens = ["stat:length=250", "stat:links=4"]
    shown = trained("gaussian").explain_tokens(tokens).contributions
    found = {item.token: item.count for item in shown}
    assert found["stat:length"] == pytest.approx(250)
    assert found["stat:links"] == pytest.approx(4)
    shown = trained("gaussian", discretize=True).explain_tokens(tokens).contributions
    assert all(" ≥ " in item.token or " < " in item.token for item in shown)


@pytest.mark.parametrize("classifier", ["aode", "tan", "spode", "ode"])
def test_the_method_is_told_and_absent_words_speak_too(classifier):
    explanation = trained(classifier, features=20).explain_tokens(MAILS[1].tokens)
    assert explanation.method == "leave-one-out"
    assert len(explanation.contributions) == 20
    assert {item.count for item in explanation.contributions} == {0, 1}
    assert trained("grouped").explain_tokens(MAILS[1].tokens).method == "additive"
    assert trained(f"{classifier}+gaussian").explain_tokens([]).method == "leave-one-out"


@pytest.mark.parametrize("classifier", ["tan", "spode", "ode"])
def test_the_tree_has_every_chosen_word_once_below_its_parent(classifier):
    spam_filter = trained(classifier, features=12)
    rows = list(spam_filter.tree())
    model = spam_filter.model.estimator
    names = list(spam_filter.vectorizer.vocabulary)
    assert sorted(row.token for row in rows) == sorted(names[j] for j in model.selected_features_)
    parent_of = dict(zip(model.selected_features_.tolist(), model.parents_.tolist(), strict=True))
    assert (parent_of[names.index(rows[0].token)], rows[0].depth, rows[0].nats) == (-1, 0, 0.0)
    above = {}
    for row in rows:
        above[row.depth] = row.token
        if row.depth:
            assert names[parent_of[names.index(row.token)]] == above[row.depth - 1]


def test_other_models_have_no_tree():
    with pytest.raises(ParameterError, match="of the classifier tan"):
        next(trained("aode").tree())
