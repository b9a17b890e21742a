from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from spamnb.bayes.calibrated import calibrate
from spamnb.bayes.calibration import Calibration
from spamnb.bayes.model_selection import ALPHA_GRID, choose_alpha
from spamnb.errors import ParameterError, TrainingDataError
from spamnb.features.blocks import whole
from spamnb.features.group_numbers import group_numbers
from spamnb.features.vectorizer import CountVectorizer
from spamnb.features.vocabulary import Vocabulary
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.training import LabeledTokens, TrainingOptions, learn, train_on_tokens, trainer
from tests.strategies import LINEAR_CLASSIFIERS as CLASSIFIERS
from tests.strategies import TOKENS, documents, modest, to_dense

HAM_SPAM = ("ham", "spam")
TEXTBOOK = TrainingOptions(
    classifier="multinomial", analyzer=AnalyzerConfig.textbook(), calibrate=False
)
COUNTING = [name for name in CLASSIFIERS if name != "grouped"]


def labeled(pairs):
    return [LabeledTokens(*pair) for pair in pairs]


def learned(result):
    """What a filter has learned, as plain data."""
    spam_filter = result.spam_filter
    model = spam_filter.model
    estimator, refinement = model.estimator, model.refinement
    return {
        "vocabulary": list(spam_filter.vectorizer.vocabulary),
        "alpha": estimator.alpha,
        "classes": estimator.classes_.tolist(),
        "class_count": estimator.class_count_.tolist(),
        "feature_count": estimator.feature_count_.tolist(),
        "weights": estimator.weights.tolist(),
        "intercept": estimator.intercept.tolist(),
        "calibration": model.calibration,
        "refinement": refinement and [*refinement.weights.tolist(), refinement.intercept],
    }


def random_pairs(n, seed=0):
    """Pairs in which the label shows in the tokens."""
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(40)]
    for i in range(n):
        start = 15 * (i % 2)
        yield HAM_SPAM[i % 2], rng.choice(words[start : start + 25], size=rng.integers(9)).tolist()


def overlapping_pairs(n, seed=0):
    """Pairs in which the label shows in how often tokens come: all are in both labels."""
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(20)]
    often = np.linspace(1, 5, 20) / np.linspace(1, 5, 20).sum()
    for i in range(n):
        p = often if i % 2 else often[::-1]
        yield HAM_SPAM[i % 2], rng.choice(words, size=rng.integers(3, 9), p=p).tolist()


PAIRS = [
    ("ham", ["lunch", "now", "lunch"]),
    ("spam", ["win", "now"]),
    ("spam", ["win", "win", "money"]),
    ("ham", []),
]


def test_a_hand_worked_training():
    result = train_on_tokens(labeled(PAIRS), HAM_SPAM, replace(TEXTBOOK, counts="frequency"))
    assert result.mails == {"ham": 2, "spam": 2}
    assert (result.n_features, result.n_seen, result.alpha_search) == (4, 4, None)
    got = learned(result)
    assert got["vocabulary"] == ["lunch", "money", "now", "win"]
    assert got["classes"] == ["ham", "spam"]
    assert got["feature_count"] == [[2, 0, 1, 0], [0, 1, 1, 3]]
    assert result.spam_filter.labels == HAM_SPAM


@pytest.mark.parametrize("classifier", COUNTING)
def test_binary_counts_a_token_once_in_a_mail(classifier):
    result = train_on_tokens(labeled(PAIRS), HAM_SPAM, TrainingOptions(classifier, counts="binary"))
    assert learned(result)["feature_count"] == [[1, 0, 1, 0], [0, 1, 1, 2]]


def test_grouped_has_its_own_weights_whatever_counts_says():
    one, other = (
        train_on_tokens(labeled(PAIRS), HAM_SPAM, TrainingOptions(counts=counts, calibrate=False))
        for counts in ("binary", "frequency")
    )
    assert learned(one) == learned(other)
    got = dict(zip(learned(one)["vocabulary"], learned(one)["feature_count"][0], strict=True))
    length = np.hypot(np.log(3), np.log(2))
    assert got["lunch"] == pytest.approx(np.log(3) / length, abs=2**-20)
    assert got["now"] == pytest.approx(np.log(2) / length, abs=2**-20)


def slow_training(pairs, options):
    """The vocabulary and the counts of each label, by Counters."""
    seen_in = Counter(token for _, tokens in pairs for token in set(tokens))
    kept = [token for token in seen_in if seen_in[token] >= options.min_df]
    kept = sorted(kept, key=lambda token: (-seen_in[token], token))[: options.max_features]
    counts = {label: Counter() for label in HAM_SPAM}
    for label, tokens in pairs:
        counts[label].update(set(tokens) if options.counts == "binary" else tokens)
    return sorted(kept), [[counts[label][t] for t in sorted(kept)] for label in HAM_SPAM]


@modest
@given(
    documents(),
    st.builds(
        TrainingOptions,
        classifier=st.just("multinomial"),
        counts=st.sampled_from(["binary", "frequency"]),
        min_df=st.integers(1, 4),
        max_features=st.none() | st.integers(1, 5),
    ),
)
def test_the_vocabulary_and_the_counts_equal_the_slow_ones(pairs, options):
    result = train_on_tokens(iter(labeled(pairs)), HAM_SPAM, options)
    vocabulary, feature_count = slow_training(pairs, options)
    got = learned(result)
    assert got["vocabulary"] == vocabulary
    assert got["feature_count"] == feature_count
    assert result.n_features == len(vocabulary)
    assert result.n_seen == len({token for _, tokens in pairs for token in tokens})
    assert result.mails == Counter(label for label, _ in pairs)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@modest
@given(pairs=documents(), data=st.data())
def test_the_order_of_the_mails_leaves_no_trace(classifier, pairs, data):
    options = TrainingOptions(classifier, max_features=data.draw(st.none() | st.integers(1, 4)))
    shuffled = data.draw(st.permutations(pairs))
    one, other = (train_on_tokens(labeled(order), HAM_SPAM, options) for order in (pairs, shuffled))
    assert learned(one) == learned(other)


def test_the_order_of_the_mails_leaves_no_trace_in_the_chosen_alpha():
    pairs = list(random_pairs(30))
    options = TrainingOptions(alpha="auto")
    one = train_on_tokens(labeled(pairs), HAM_SPAM, options)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(pairs))
        other = train_on_tokens(labeled(pairs[i] for i in order), HAM_SPAM, options)
        assert other.alpha_search == one.alpha_search


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_many_batches_equal_learning_at_once(classifier):
    pairs = list(random_pairs(2_500))
    stream = (LabeledTokens(*pair) for pair in pairs)
    options = TrainingOptions(classifier, min_df=3)
    result = train_on_tokens(stream, HAM_SPAM, options)
    vocabulary, feature_count = slow_training(pairs, options)
    assert learned(result)["vocabulary"] == vocabulary
    if classifier != "grouped":
        assert learned(result)["feature_count"] == feature_count
    assert result.mails == {"ham": 1_250, "spam": 1_250}

    at_once = options.make_estimator(HAM_SPAM, vocabulary)
    X = CountVectorizer(Vocabulary(vocabulary)).transform(tokens for _, tokens in pairs)
    at_once.fit(X, [label for label, _ in pairs])
    assert_array_equal(result.spam_filter.model.estimator.weights, at_once.weights)
    assert_array_equal(result.spam_filter.model.estimator.intercept, at_once.intercept)


def test_a_batch_can_bring_new_tokens_and_one_label_only():
    pairs = [("ham", ["a"])] * 1_000 + [("spam", ["b", "c"])] * 1_000 + [("ham", ["d"])]
    result = train_on_tokens(iter(labeled(pairs)), HAM_SPAM, TEXTBOOK)
    assert learned(result)["feature_count"] == [[1000, 0, 0, 1], [0, 1000, 1000, 0]]


def test_each_mail_is_taken_once_and_not_kept():
    taken = []

    def stream():
        for pair in PAIRS:
            taken.append(pair)
            yield LabeledTokens(*pair)

    train_on_tokens(stream(), HAM_SPAM, TrainingOptions())
    assert taken == PAIRS


def test_the_filter_knows_the_tokens_that_training_kept():
    pairs = [*random_pairs(60), ("spam", ["w30", "once"])]
    result = train_on_tokens(labeled(pairs), HAM_SPAM, TrainingOptions(min_df=2))
    assert result.spam_filter.model.calibration.slope > 0
    verdicts = result.spam_filter.judge([["w30"], ["once"]])
    assert verdicts[0].log_odds > 0
    assert verdicts[1].reason == "no known words"


# The prior


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        ("empirical", [1 / 3, 2 / 3]),
        ("uniform", [1 / 2, 1 / 2]),
        ({"spam": 0.9, "ham": 0.1}, [0.1, 0.9]),
    ],
)
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_the_prior_is_empirical_uniform_or_given(classifier, prior, expected):
    options = TrainingOptions(classifier, prior=prior)
    estimator = train_on_tokens(labeled(PAIRS[:3]), HAM_SPAM, options).spam_filter.model.estimator
    assert_allclose(np.exp(estimator.class_log_prior_), expected, rtol=1e-14)


# The choice of alpha


@pytest.fixture
def searched(monkeypatch):
    """The estimators, counts and labels that choose_alpha is called with."""
    calls = []

    def spy(estimator, X, y, folds):
        calls.append((estimator, X, y))
        return choose_alpha(estimator, X, y, folds)

    monkeypatch.setattr(trainer, "choose_alpha", spy)
    return calls


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_the_alpha_of_the_least_log_loss_is_chosen_and_used(classifier):
    pairs = labeled(random_pairs(60))
    options = TrainingOptions(classifier, alpha="auto")
    result = train_on_tokens(pairs, HAM_SPAM, options)
    search = result.alpha_search
    assert tuple(search.log_loss) == ALPHA_GRID
    assert search.log_loss[search.alpha] == min(search.log_loss.values())
    with_alpha = train_on_tokens(pairs, HAM_SPAM, replace(options, alpha=search.alpha))
    assert learned(with_alpha) == learned(result)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_alpha_is_chosen_for_the_counts_and_the_columns_that_are_kept(classifier, searched):
    pairs = list(random_pairs(60))
    options = TrainingOptions(classifier, alpha="auto", min_df=10, prior="uniform")
    result = train_on_tokens(labeled(pairs), HAM_SPAM, options)
    ((estimator, X, y),) = searched
    vocabulary = result.spam_filter.vectorizer.vocabulary
    kept = CountVectorizer(vocabulary).transform(tokens for _, tokens in pairs)
    assert 0 < len(vocabulary) < result.n_seen
    assert sorted(zip(to_dense(X).tolist(), y.tolist(), strict=True)) == sorted(
        zip(to_dense(kept).tolist(), [label for label, _ in pairs], strict=True)
    )
    assert type(estimator) is type(result.spam_filter.model.estimator)
    assert estimator.fit_prior is False


def test_the_choice_of_alpha_is_deterministic():
    options = TrainingOptions(alpha="auto")
    one, other = (
        train_on_tokens((LabeledTokens(*pair) for pair in random_pairs(1_500)), HAM_SPAM, options)
        for _ in range(2)
    )
    assert one.alpha_search == other.alpha_search
    assert one.spam_filter.model.estimator.alpha == one.alpha_search.alpha


def test_alpha_is_chosen_on_all_mails(searched):
    pairs = [(HAM_SPAM[i % 2], ["a", TOKENS[i % 2], f"{i:04d}"]) for i in range(1_000)]
    train_on_tokens(labeled([*pairs, ("ham", ["zz"])]), HAM_SPAM, TrainingOptions(alpha="auto"))
    ((_, X, y),) = searched
    assert X.shape == (1_001, 1_003)
    assert Counter(y.tolist()) == {"ham": 501, "spam": 500}


def test_alpha_cannot_be_chosen_from_one_mail_of_a_label():
    with pytest.raises(TrainingDataError) as caught:
        train_on_tokens(labeled(PAIRS[:3]), HAM_SPAM, TrainingOptions(alpha="auto"))
    assert str(caught.value) == (
        "too little mail to choose alpha by cross-validation: "
        "give a number, or at least two different mails of each label"
    )


# What is refused


@pytest.mark.parametrize(
    ("pairs", "labels", "message"),
    [
        (PAIRS, ["ham"], "only ham mail: a filter needs mail of at least two labels"),
        (PAIRS, ["ham", "ham"], "only ham mail: a filter needs mail of at least two labels"),
        (PAIRS, [], "no labeled mail: a filter needs mail of at least two labels"),
        ([], HAM_SPAM, "there is no ham mail to learn from: check the paths, or give more mail"),
        (
            PAIRS[:1],
            HAM_SPAM,
            "there is no spam mail to learn from: check the paths, or give more mail",
        ),
        (
            PAIRS,
            ["ads", *HAM_SPAM],
            "there is no ads mail to learn from: check the paths, or give more mail",
        ),
    ],
)
@pytest.mark.parametrize("alpha", [1.0, None, "auto"])
def test_mail_without_one_of_the_labels_is_refused(pairs, labels, message, alpha):
    with pytest.raises(TrainingDataError) as caught:
        train_on_tokens(labeled(pairs), labels, TrainingOptions(alpha=alpha))
    assert str(caught.value).startswith(message)


def test_mail_of_another_label_is_refused():
    with pytest.raises(ParameterError, match="ads"):
        train_on_tokens(labeled([*PAIRS, ("ads", ["a"])]), HAM_SPAM, TrainingOptions())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"counts": "tf"}, "counts must be one of binary, frequency, got tf"),
        ({"min_df": 0}, "min-df must be a whole number ≥ 1, got 0"),
        ({"max_features": 0}, "max-features must be a whole number ≥ 1, got 0"),
        ({"prior": "flat"}, "prior must be empirical, uniform, or LABEL=NUMBER,..., got flat"),
        ({"prior": {"ham": 1}}, "prior must be a number for each of ham, spam, got ham"),
        ({"prior": {}}, "prior must be a number for each of ham, spam, got none"),
        ({"prior": {"ham": 0.5, "spam": 0.6}}, "class_prior must be 2 numbers ≥ 0 with the sum 1"),
        ({"alpha": -1.0}, "alpha must be a finite number ≥ 0, got -1.0"),
        ({"classifier": "bayes"}, "classifier must be one of grouped, multinomial, bernoulli"),
    ],
)
def test_an_option_that_cannot_work_is_refused(options, message):
    with pytest.raises(ParameterError) as caught:
        train_on_tokens(labeled(PAIRS), HAM_SPAM, TrainingOptions(**options))
    assert str(caught.value).startswith(message)


def test_when_no_token_is_kept_alpha_cannot_be_chosen():
    with pytest.raises(TrainingDataError, match="at least two different mails of each label"):
        train_on_tokens(labeled(PAIRS), HAM_SPAM, TrainingOptions(alpha="auto", min_df=9))


@pytest.mark.parametrize("alpha", [1.0, None])
def test_when_no_token_is_kept_the_filter_knows_the_prior_only(alpha):
    result = train_on_tokens(labeled(PAIRS), HAM_SPAM, TrainingOptions(alpha=alpha, min_df=9))
    assert result.n_features == 0
    (verdict,) = result.spam_filter.judge([["win"]])
    assert (verdict.probability, verdict.reason) == (0.5, "no known words")


# Folds, calibration and refinement


@pytest.fixture
def folded(monkeypatch):
    """The counts, labels and folds that calibrate is called with, and whether it refines."""
    calls = []

    def spy(estimator, X, y, folds, *, refine, **others):
        calls.append((X, y, folds, refine))
        return calibrate(estimator, X, y, folds, refine=refine, **others)

    monkeypatch.setattr(trainer, "calibrate", spy)
    return calls


def test_copies_of_a_mail_are_in_one_fold(folded):
    pairs = [*random_pairs(60), *random_pairs(20), *random_pairs(20)]
    train_on_tokens(labeled(pairs), HAM_SPAM, TrainingOptions())
    ((X, y, folds, _),) = folded
    fold_of = {}
    for row, label, fold in zip(
        to_dense(whole(X)).tolist(), y.tolist(), folds.tolist(), strict=True
    ):
        assert fold_of.setdefault((label, *row), fold) == fold
    assert set(folds.tolist()) == set(range(5))
    for label in HAM_SPAM:
        # As many different mails in each fold, but for one.
        sizes = Counter(fold for (own, *_), fold in fold_of.items() if own == label)
        assert max(sizes.values()) - min(sizes.values()) <= 1


def test_with_few_different_mails_there_are_as_many_folds(folded):
    pairs = [("ham", ["a"]), ("ham", ["b"]), ("ham", ["c"])] * 9 + [("spam", ["d"]), ("spam", "e")]
    train_on_tokens(labeled(pairs), HAM_SPAM, TrainingOptions())
    ((_, _, folds, _),) = folded
    assert set(folds.tolist()) == {0, 1}


def test_where_no_fold_can_be_made_nothing_is_calibrated(folded):
    pairs = [("ham", ["a"]), ("ham", ["b"])] + [("spam", ["c"])] * 9
    model = train_on_tokens(labeled(pairs), HAM_SPAM, TrainingOptions()).spam_filter.model
    assert folded == []
    assert (model.calibration, model.refinement) == (Calibration.identity(2), None)


def test_without_calibration_the_probabilities_are_the_estimators(folded):
    pairs = labeled(random_pairs(300))
    spam_filter = train_on_tokens(pairs, HAM_SPAM, TrainingOptions(calibrate=False)).spam_filter
    assert folded == []
    assert spam_filter.model.calibration == Calibration.identity(2)
    assert spam_filter.model.refinement is None


@pytest.mark.parametrize(
    ("n", "options", "is_refined"),
    [
        (199, {}, False),
        (200, {}, True),
        (199, {"refine": "on"}, True),
        (200, {"refine": "off"}, False),
        (200, {"classifier": "multinomial"}, False),
        (200, {"classifier": "multinomial", "refine": "on"}, True),
        (200, {"calibrate": False}, False),
    ],
)
def test_grouped_is_refined_from_200_mails_on(n, options, is_refined):
    result = train_on_tokens(labeled(random_pairs(n)), HAM_SPAM, TrainingOptions(**options))
    assert (result.spam_filter.model.refinement is not None) == is_refined


@pytest.mark.parametrize("alpha", [None, 0.0, "auto"])
def test_the_order_of_many_mails_leaves_no_trace(alpha):
    pairs = [*overlapping_pairs(220), *overlapping_pairs(30)]
    options = TrainingOptions(alpha=alpha)
    one = learned(train_on_tokens(labeled(pairs), HAM_SPAM, options))
    assert one["refinement"] is not None
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(len(pairs))
        other = train_on_tokens(labeled(pairs[i] for i in order), HAM_SPAM, options)
        assert repr(learned(other)) == repr(one)


def test_with_alpha_0_a_refined_filter_says_nothing_that_is_nan():
    pairs = [*overlapping_pairs(250), ("ham", ["h"]), ("spam", ["s"])]  # each impossible in one
    result = train_on_tokens(labeled(pairs), HAM_SPAM, TrainingOptions(alpha=0.0))
    assert result.spam_filter.model.refinement is not None
    for _, tokens in [*overlapping_pairs(60, seed=1), ("", ["h"]), ("", ["s"]), ("", ["h", "s"])]:
        (verdict,) = result.spam_filter.judge([tokens])
        assert not np.isnan(verdict.log_odds)
        assert 0 <= verdict.probability <= 1


def test_three_labels_are_calibrated_and_not_refined():
    rng = np.random.default_rng(0)
    labels = ("ads", "ham", "spam")
    pairs = [
        (labels[i % 3], rng.choice([f"w{k}" for k in range(10 * (i % 3), 20 + 10 * (i % 3))], 5))
        for i in range(240)
    ]
    result = train_on_tokens(labeled(pairs), labels, TrainingOptions())
    model = result.spam_filter.model
    assert result.mails == dict.fromkeys(labels, 80)
    assert model.refinement is None
    assert 0 < model.calibration.slope != 1
    assert len(model.calibration.bias) == 3
    verdicts = result.spam_filter.judge([["w1", "w2"], ["w38", "w39"]])
    assert [verdict.label for verdict in verdicts] == ["ads", "spam"]
    with pytest.raises(ParameterError, match="refine must be off or auto for more than two labels"):
        train_on_tokens(labeled(pairs), labels, TrainingOptions(refine="on"))


def test_the_costs_go_into_the_decision():
    result = train_on_tokens(labeled(PAIRS), HAM_SPAM, TrainingOptions(cost=3.0, unsure_cost=0.2))
    decision = result.spam_filter.decision
    assert (decision.cost, decision.unsure_cost) == (3.0, 0.2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"refine": "maybe"}, "refine must be one of auto, on, off, got maybe"),
        ({"refine": "on", "calibrate": False}, "refine must be off or auto where nothing is cal"),
        ({"alpha": "best"}, "alpha must be a number ≥ 0, or auto, got best"),
        ({"cost": 0.5}, "cost must be a finite number ≥ 1, got 0.5"),
        ({"cost": float("inf")}, "cost must be a finite number ≥ 1"),
        ({"unsure_cost": 0.0}, "unsure-cost must be a number > 0 and ≤ 1, got 0.0"),
        ({"unsure_cost": 1.5}, "unsure-cost must be a number > 0 and ≤ 1, got 1.5"),
    ],
)
def test_an_option_that_can_never_work_is_refused_at_once(options, message):
    with pytest.raises(ParameterError) as caught:
        TrainingOptions(**options)
    assert str(caught.value).startswith(message)


# Learning more


def counts_of(spam_filter):
    """The counts of each token, whatever its column."""
    columns = zip(*spam_filter.model.estimator.feature_count_.tolist(), strict=True)
    return dict(zip(spam_filter.vectorizer.vocabulary, columns, strict=True))


@pytest.mark.parametrize("counts", ["binary", "frequency"])
@modest
@given(first=documents(), more=documents())
def test_after_learning_the_counts_are_those_of_training_on_all(counts, first, more):
    options = replace(TEXTBOOK, counts=counts)
    at_once = train_on_tokens(labeled([*first, *more]), HAM_SPAM, options).spam_filter
    grown = train_on_tokens(labeled(first), HAM_SPAM, options).spam_filter
    for pair in more[:2]:
        grown = learn(grown, labeled([pair]))
    grown = learn(grown, labeled(more[2:]))
    assert counts_of(grown) == counts_of(at_once)
    one, other = grown.model.estimator, at_once.model.estimator
    assert_array_equal(one.class_count_, other.class_count_)
    judged, expected = (each.judge([list(TOKENS), ["a", "a"]]) for each in (grown, at_once))
    for verdict, wanted in zip(judged, expected, strict=True):
        assert verdict.log_odds == pytest.approx(wanted.log_odds, rel=1e-9, abs=1e-9)
        assert (verdict.label, verdict.reason) == (wanted.label, wanted.reason)


def test_after_learning_calibration_and_refinement_are_as_they_were():
    trained = train_on_tokens(
        labeled(overlapping_pairs(250)), HAM_SPAM, TrainingOptions()
    ).spam_filter
    calibration, refinement = trained.model.calibration, trained.model.refinement
    old = list(trained.vectorizer.vocabulary)
    weights = refinement.weights.copy()
    before = counts_of(trained)
    more = [("spam", ["new", "w0", "url:new"]), ("spam", ["new"]), ("ham", ["subject:new", "w1"])]
    grown = learn(trained, labeled(more))

    assert grown.model.calibration == calibration
    assert 0 < calibration.slope != 1
    assert_array_equal(grown.model.refinement.weights, [*weights, 0, 0, 0])
    assert grown.model.refinement.intercept == refinement.intercept
    vocabulary = list(grown.vectorizer.vocabulary)
    assert vocabulary[: len(old)] == old
    assert set(vocabulary[len(old) :]) == {"new", "url:new", "subject:new"}
    estimator = grown.model.estimator
    assert_array_equal(estimator.groups, group_numbers(vocabulary))
    assert estimator.class_count_.tolist() == [126, 127]
    after = counts_of(grown)
    assert {token for token in old if after[token] != before[token]} == {"w0", "w1"}


def test_after_learning_new_tokens_are_known():
    trained = train_on_tokens(
        labeled(overlapping_pairs(250)), HAM_SPAM, TrainingOptions()
    ).spam_filter
    assert trained.judge([["new"]])[0].reason == "no known words"
    grown = learn(trained, labeled([("spam", ["new"]), ("ham", ["other"])] * 3))
    new, other = grown.judge([["new"], ["other"]])
    assert (new.label, other.label) == ("spam", "ham")
    explanation = grown.explain_tokens(["new"])
    assert explanation.n_unknown == 0
    assert explanation.contributions[0].naive_bayes > 0 == explanation.contributions[0].refinement


def test_learning_without_new_tokens_or_mail_is_fine():
    trained = train_on_tokens(labeled(overlapping_pairs(250)), HAM_SPAM, TrainingOptions())
    before = learned(trained)
    same = learn(trained.spam_filter, [])
    assert learned(replace(trained, spam_filter=same)) == before
    grown = learn(same, labeled([("spam", ["w1"])]))
    assert list(grown.vectorizer.vocabulary) == before["vocabulary"]
    assert grown.model.estimator.class_count_.tolist() == [125, 126]


def test_mail_of_another_label_cannot_be_learned():
    trained = train_on_tokens(labeled(PAIRS), HAM_SPAM, TEXTBOOK).spam_filter
    with pytest.raises(ParameterError):
        learn(trained, labeled([("ads", ["a"])]))
