from __future__ import annotations

import pickle
from collections import Counter
from math import inf, isfinite, isinf, isnan, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from spamnb.bayes.bernoulli import BernoulliNB
from spamnb.bayes.calibrated import CalibratedNB
from spamnb.bayes.calibration import Calibration
from spamnb.bayes.classifiers import make_classifier
from spamnb.bayes.complement import ComplementNB
from spamnb.bayes.grouped import GroupedNB
from spamnb.bayes.multinomial import MultinomialNB
from spamnb.bayes.refinement import Refinement
from spamnb.features.vectorizer import CountVectorizer
from spamnb.filter.spam_filter import SpamFilter
from spamnb.filter.verdict import Decision, logistic
from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.groups import group_of
from tests.strategies import LABELS, TOKENS, documents, few, modest
from tests.strategies import LINEAR_CLASSIFIERS as CLASSIFIERS

ANALYZER = Analyzer(AnalyzerConfig.textbook())
MAIL = st.lists(st.sampled_from([*TOKENS, "unknown", "another"]), max_size=10)
ESTIMATORS = st.one_of(
    st.builds(
        make_classifier,
        st.sampled_from(CLASSIFIERS),
        alpha=st.sampled_from([1e-3, 0.1, 1.0]),
        fit_prior=st.booleans(),
        prior_alpha=st.sampled_from([0.0, 1.0]),
    ),
    st.builds(MultinomialNB, binary=st.just(True)),
    st.builds(ComplementNB, binary=st.booleans(), alpha=st.sampled_from([0.1, 1.0])),
)


def filter_of(pairs, estimator, decision=None):
    vectorizer = CountVectorizer()
    X = vectorizer.learn(tokens for _, tokens in pairs)
    estimator.fit(X, [label for label, _ in pairs])
    return SpamFilter(ANALYZER, vectorizer.vocabulary, CalibratedNB(estimator), decision)


def total(explanation):
    return explanation.intercept + sum(item.nats for item in explanation.contributions)


PAIRS = [("ham", ["lunch", "now"]), ("spam", ["win", "now"]), ("spam", ["win", "money"])]
# P(token | ham) = (1 + 1) / (2 + 4) for lunch and now, P(token | spam) = (2 + 1) / (4 + 4) for win.
ODDS = {"win": (3 / 8) / (1 / 6), "now": (2 / 8) / (2 / 6), "lunch": (1 / 8) / (2 / 6)}
PRIOR = 2.0


def test_a_pickled_filter_leaves_out_the_cached_weights():
    spam_filter = filter_of(PAIRS, MultinomialNB())
    before = spam_filter.judge([["win", "now"]])
    assert "spam_weights" in vars(spam_filter)
    copy = pickle.loads(pickle.dumps(spam_filter))
    assert "spam_weights" not in vars(copy)
    assert copy.judge([["win", "now"]]) == before


def test_a_hand_worked_verdict_and_explanation():
    explanation = filter_of(PAIRS, MultinomialNB()).explain_tokens(
        ["win", "now", "win", "x", "y", "x"]
    )
    odds = PRIOR * ODDS["win"] ** 2 * ODDS["now"]
    assert explanation.verdict.log_odds == pytest.approx(log(odds))
    assert explanation.verdict.probability == pytest.approx(odds / (1 + odds))
    assert explanation.verdict.label == "unsure"
    assert (explanation.towards, explanation.against) == ("spam", "ham")
    assert explanation.intercept == pytest.approx(log(PRIOR))
    assert explanation.intercept_meaning == "prior"
    assert [(item.token, item.count) for item in explanation.contributions] == [
        ("win", 2),
        ("now", 1),
    ]
    expected = [2 * log(ODDS["win"]), log(ODDS["now"])]
    assert_allclose([item.nats for item in explanation.contributions], expected, rtol=1e-12)
    assert explanation.n_unknown == 2


@modest
@given(documents(), ESTIMATORS, MAIL)
def test_intercept_and_contributions_sum_to_the_log_odds(pairs, estimator, tokens):
    explanation = filter_of(pairs, estimator).explain_tokens(tokens)
    assert total(explanation) == pytest.approx(explanation.verdict.log_odds, rel=0, abs=1e-9)


@modest
@given(documents(labels=LABELS), ESTIMATORS, MAIL)
def test_they_do_with_more_labels_too(pairs, estimator, tokens):
    explanation = filter_of(pairs, estimator).explain_tokens(tokens)
    assert total(explanation) == pytest.approx(explanation.verdict.log_odds, rel=0, abs=1e-9)
    assert explanation.towards != explanation.against
    assert explanation.verdict.label in {explanation.towards, "unsure"}


@modest
@given(documents(), ESTIMATORS, MAIL)
def test_the_log_odds_and_the_probability_are_the_estimators(pairs, estimator, tokens):
    spam_filter = filter_of(pairs, estimator)
    (verdict,) = spam_filter.judge([tokens])
    X = spam_filter.vectorizer.transform([tokens])
    ham, spam = estimator.predict_log_proba(X)[0]
    assert verdict.log_odds == pytest.approx(spam - ham, rel=0, abs=1e-9)
    assert verdict.probability == pytest.approx(np.exp(spam), rel=1e-9, abs=1e-300)


@modest
@given(documents(labels=LABELS), ESTIMATORS, MAIL)
def test_an_explanation_has_every_known_token_the_strongest_first(pairs, estimator, tokens):
    spam_filter = filter_of(pairs, estimator)
    explanation = spam_filter.explain_tokens(tokens)
    known = {token for _, learned in pairs for token in learned}
    items = explanation.contributions
    assert {item.token for item in items} == known & set(tokens)
    assert len(items) == len(known & set(tokens))
    assert explanation.n_unknown == len(set(tokens) - known)
    strength = [(-abs(item.nats), item.token) for item in items]
    assert strength == sorted(strength)
    counts = Counter(token for token in tokens if token in known)
    length = 1.0
    if isinstance(estimator, GroupedNB):
        counts = {token: log(1 + count) for token, count in counts.items()}
        length = sqrt(sum(weight**2 for weight in counts.values()))
    elif estimator.binary:
        counts = dict.fromkeys(counts, 1)
    for item in items:
        assert item.count == pytest.approx(counts[item.token] / length, abs=2**-20)


@modest
@given(documents(labels=LABELS), ESTIMATORS, st.lists(MAIL, max_size=4))
def test_mails_are_judged_each_by_itself(pairs, estimator, mails):
    spam_filter = filter_of(pairs, estimator)
    together = spam_filter.judge(iter(mails))
    assert together == [spam_filter.judge([tokens])[0] for tokens in mails]
    assert together == [spam_filter.explain_tokens(tokens).verdict for tokens in mails]


def test_a_known_token_below_the_threshold_of_presence_is_not_unknown():
    spam_filter = filter_of([*PAIRS, ("spam", ["win"] * 2)], BernoulliNB(binarize=1))
    explanation = spam_filter.explain_tokens(["win", "now", "x"])
    assert total(explanation) == pytest.approx(explanation.verdict.log_odds, abs=1e-9)
    assert explanation.n_unknown == 1


@pytest.mark.parametrize(
    ("classifier", "meaning"),
    [
        ("multinomial", "prior"),
        ("bernoulli", "prior, and every known word absent"),
        ("complement", "no prior"),
    ],
)
def test_what_the_intercept_means_is_said(classifier, meaning):
    spam_filter = filter_of(PAIRS, make_classifier(classifier))
    explanation = spam_filter.explain_tokens([])
    assert explanation.intercept_meaning == meaning
    assert explanation.intercept == explanation.verdict.log_odds
    assert explanation.contributions == ()


# The decision


def test_the_filter_takes_the_decision_it_is_given():
    tokens = ["win", "now", "win"]
    labels = {
        costs: filter_of(PAIRS, MultinomialNB(), Decision(*costs)).judge([tokens])[0].label
        for costs in ((7, 1), (8, 1), (4, 0.5), (5, 0.5))
    }
    assert PRIOR * ODDS["win"] ** 2 * ODDS["now"] == pytest.approx(7.59375)
    assert labels == {(7, 1): "spam", (8, 1): "ham", (4, 0.5): "spam", (5, 0.5): "unsure"}


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize("tokens", [[], ["x"], ["x", "y", "x"]])
@pytest.mark.parametrize("third", [[], [("ads", ["offer"])]], ids=["ham or spam", "three labels"])
def test_without_known_words_the_verdict_is_unsure(classifier, tokens, third):
    pairs = PAIRS * 20 + third
    (verdict,) = filter_of(pairs, make_classifier(classifier)).judge([tokens])
    assert (verdict.label, verdict.reason) == ("unsure", "no known words")
    assert isfinite(verdict.log_odds)


@pytest.mark.parametrize(("n", "reason"), [(9, "no known words"), (10, "")])
def test_a_mail_without_words_is_judged_by_ten_known_tokens(n, reason):
    pairs = [("ham", ["a", *(f"mime:{i}" for i in range(20))]), ("spam", ["b"])]
    spam_filter = filter_of(pairs, MultinomialNB())
    tokens = [*(f"mime:{i}" for i in range(n)), *(f"mime:x{i}" for i in range(9))] * 2
    (verdict,) = spam_filter.judge([tokens])
    assert (verdict.label, verdict.reason) == ("unsure" if reason else "ham", reason)


@pytest.mark.parametrize("third", [[], [("ads", ["offer"])]], ids=["ham or spam", "three labels"])
def test_with_few_known_words_the_verdict_is_unsure_however_large_the_odds(third):
    spam_filter = filter_of(PAIRS + third, MultinomialNB(alpha=1e-6))
    few, enough = spam_filter.judge([["win"] * 5 + ["x", "y", "z"], ["win"] * 5 + ["x", "y"]])
    assert (few.label, few.reason) == ("unsure", "only 1 of 4 words are known")
    assert (enough.label, enough.reason) == ("spam", "")
    assert few.log_odds == enough.log_odds > 20


def test_how_many_words_must_be_known_can_be_set():
    spam_filter = filter_of(PAIRS, MultinomialNB(alpha=1e-6), Decision(least_known=0))
    assert spam_filter.judge([["win", "x", "y", "z"]])[0].label == "spam"
    assert spam_filter.judge([["x", "y", "z"]])[0].label == "unsure"


def test_no_mails_get_no_verdicts():
    assert filter_of(PAIRS, MultinomialNB()).judge([]) == []


@pytest.mark.parametrize(
    ("log_odds", "probability"),
    [(0.0, 0.5), (log(9), 0.9), (-log(9), 0.1), (1e4, 1.0), (-1e4, 0.0), (inf, 1.0), (-inf, 0.0)],
)
def test_logistic(log_odds, probability):
    assert logistic(log_odds) == pytest.approx(probability, rel=1e-14)


def test_logistic_keeps_small_probabilities():
    assert logistic(-700.0) == pytest.approx(np.exp(-700.0), rel=1e-12)


# More labels

NEWS = [("home", ["lunch", "now"]), ("news", ["daily", "now"]), ("work", ["daily", "meeting"])]


def test_of_more_labels_the_most_probable_is_said_and_compared_with_the_next():
    explanation = filter_of(NEWS, MultinomialNB()).explain_tokens(["meeting", "daily", "meeting"])
    # Seven token types, so P(token | label) is 2/6 or 1/6, times equal priors.
    verdict = explanation.verdict
    assert verdict.label == "work"
    assert verdict.probability == pytest.approx(8 / (8 + 2 + 1))
    assert verdict.log_odds == pytest.approx(log(4))
    assert verdict.reason == ""
    assert (explanation.towards, explanation.against) == ("work", "news")
    assert [(item.token, item.nats) for item in explanation.contributions] == [
        ("meeting", pytest.approx(log(4))),
        ("daily", pytest.approx(0)),
    ]


def test_two_other_labels_have_no_unsure_between():
    spam_filter = filter_of([("no", ["a"]), ("yes", ["b"])], MultinomialNB())
    verdicts = spam_filter.judge([["a"], ["b"]])
    assert [verdict.label for verdict in verdicts] == ["no", "yes"]
    assert [verdict.log_odds for verdict in verdicts] == [pytest.approx(log(2))] * 2


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_of_equals_the_filter_says_what_the_estimator_predicts(classifier):
    estimator = make_classifier(classifier)
    spam_filter = filter_of([("ads", ["a"]), ("ham", ["a"]), ("spam", ["b"])], estimator)
    (verdict,) = spam_filter.judge([["a"]])
    assert verdict.log_odds == 0
    assert verdict.label == estimator.predict(spam_filter.vectorizer.transform([["a"]]))[0]


# Maximum likelihood


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize(
    ("tokens", "label", "log_odds"),
    [(["win", "money"], "spam", inf), (["lunch", "now"], "ham", -inf)],
)
def test_with_alpha_0_the_log_odds_can_be_infinite(classifier, tokens, label, log_odds):
    (verdict,) = filter_of(PAIRS, make_classifier(classifier, alpha=0)).judge([tokens])
    assert (verdict.label, verdict.log_odds) == (label, log_odds)
    assert verdict.probability == (1 if label == "spam" else 0)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize("labels", [("ham", "spam"), LABELS], ids=["ham or spam", "three labels"])
@modest
@given(data=st.data())
def test_with_alpha_0_nothing_in_a_verdict_is_nan(classifier, labels, data):
    pairs, tokens = data.draw(documents(labels=labels)), data.draw(MAIL)
    (verdict,) = filter_of(pairs, make_classifier(classifier, alpha=0)).judge([tokens])
    assert 0 <= verdict.probability <= 1
    assert not isnan(verdict.log_odds)


@pytest.mark.parametrize(
    ("pairs", "estimator", "tokens"),
    [
        (PAIRS, MultinomialNB(alpha=0), ["win", "lunch", "now"]),
        ([*PAIRS, ("ads", ["offer"])], MultinomialNB(alpha=0), ["win", "offer", "now"]),
        ([("ham", ["now", "a"]), ("spam", ["now"])], BernoulliNB(alpha=0), ["now", "a"]),
    ],
    ids=["ham or spam", "three labels", "a word in every mail"],
)
def test_with_alpha_0_contributions_can_be_infinite_but_not_nan(pairs, estimator, tokens):
    explanation = filter_of(pairs, estimator).explain_tokens(tokens)
    nats = [item.nats for item in explanation.contributions]
    assert any(map(isinf, nats))
    assert not any(map(isnan, nats))
    assert not isnan(explanation.intercept)


# Messages


def test_a_message_is_judged_by_its_tokens():
    spam_filter = filter_of(PAIRS, MultinomialNB())
    message = Message.from_text("Win MONEY, win lunch!")
    tokens = ANALYZER.analyze(message)
    assert {"win", "money", "lunch"} <= set(tokens)
    assert spam_filter.classify(message) == spam_filter.judge([tokens])[0]
    assert spam_filter.explain(message) == spam_filter.explain_tokens(tokens)


# Calibrated and refined


def rated(pairs, estimator, seed, labels=("ham", "spam")):
    """A filter with some calibration and, for two labels, some refinement."""
    plain = filter_of(pairs, estimator)
    rng = np.random.default_rng(seed)
    bias = (0.0, *rng.normal(size=len(labels) - 1).tolist())
    refinement = None
    if len(labels) == 2:
        refinement = Refinement(rng.normal(size=estimator.n_features_in_), float(rng.normal()))
    model = CalibratedNB(estimator, Calibration(rng.uniform(0, 2), bias), refinement)
    return SpamFilter(ANALYZER, plain.vectorizer.vocabulary, model)


@pytest.mark.parametrize("labels", [("ham", "spam"), ("no", "yes"), LABELS])
@few
@given(data=st.data(), estimator=ESTIMATORS, tokens=MAIL, seed=st.integers(0, 999))
def test_naive_bayes_the_refinement_and_the_intercept_are_the_log_odds(
    labels, data, estimator, tokens, seed
):
    spam_filter = rated(data.draw(documents(labels=labels)), estimator, seed, labels)
    explanation = spam_filter.explain_tokens(tokens)
    items = explanation.contributions
    parts = [sum(item.naive_bayes for item in items), sum(item.refinement for item in items)]
    got = explanation.intercept + sum(parts)
    assert got == pytest.approx(explanation.verdict.log_odds, rel=0, abs=1e-9)
    assert explanation.is_refined == (len(labels) == 2)
    assert explanation.is_refined or parts[1] == 0
    strength = [(-abs(item.nats), item.token) for item in items]
    assert strength == sorted(strength)
    X = spam_filter.vectorizer.transform([tokens])
    log_proba = spam_filter.model.predict_log_proba(X)[0]
    towards, against = (labels.index(name) for name in (explanation.towards, explanation.against))
    odds = log_proba[towards] - log_proba[against]
    assert explanation.verdict.log_odds == pytest.approx(odds, rel=0, abs=1e-9)


def test_a_hand_worked_refined_explanation():
    estimator = MultinomialNB()
    plain = filter_of(PAIRS, estimator)
    vocabulary = plain.vectorizer.vocabulary
    weights = np.array([{"win": 0.5, "now": -0.25}.get(token, 0.0) for token in vocabulary])
    model = CalibratedNB(estimator, Calibration(0.5, (0.0, 0.1)), Refinement(weights, 0.2))
    explanation = SpamFilter(ANALYZER, vocabulary, model).explain_tokens(["win", "win", "now"])
    assert explanation.intercept == pytest.approx(0.5 * log(PRIOR) + 0.1 + 0.2)
    win, now = explanation.contributions
    assert (win.token, win.count, win.refinement) == ("win", 2, 1.0)
    assert win.naive_bayes == pytest.approx(0.5 * 2 * log(ODDS["win"]))
    assert (now.token, now.refinement) == ("now", -0.25)
    assert now.naive_bayes == pytest.approx(0.5 * log(ODDS["now"]))
    assert now.nats == now.naive_bayes + now.refinement
    assert explanation.is_refined


def test_only_words_of_the_body_count_as_known_or_not():
    pairs = [("ham", ["lunch", "mime:text/plain"]), ("spam", ["win", "subject:win", "url:ip"])]
    spam_filter = filter_of(pairs, MultinomialNB())
    new = [f"pair:{i} {i}" for i in range(9)] + [f"url:host:{i}" for i in range(9)]
    assert spam_filter.judge([["win", "x", "subject:x", *new]])[0].reason != "no known words"
    known = ["win", "subject:x", "x", "subject:y", "y"]
    assert "words" not in spam_filter.judge([[*known, *new]])[0].reason
    reason = spam_filter.judge([["win", "subject:win", "x", "y", "z", *new]])[0].reason
    assert reason == "only 1 of 4 words are known"
    assert spam_filter.judge([["subject:win", "x"]])[0].reason == "no known words"
    assert spam_filter.judge([["mime:text/plain", "url:ip"]])[0].reason == "no known words"


def test_a_text_without_headers_has_no_tokens_of_a_mails_structure():
    text = Analyzer().analyze(Message.from_text("win"))
    mail = Analyzer().analyze(parse(b"From: a@a.example\nSubject: s\nX-Mailer: m\n\nwin"))
    of_mails_alone = {"mime", "name", "header", "from", "subject"}
    assert not of_mails_alone & set(map(group_of, text))
    assert of_mails_alone <= set(map(group_of, mail))
    assert {"win", "meta:size:3"} <= set(text)
