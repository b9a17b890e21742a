from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from spamnb.bayes.classifiers import CLASSIFIERS
from spamnb.bayes.model_selection import ALPHA_GRID
from spamnb.training import TrainingOptions, train_on_tokens
from tests.training.mails import made_up

MAILS = made_up(120)
LABELS = ("ham", "spam")
ALL = [*CLASSIFIERS, "multinomial+gaussian+categorical", "aode+gaussian", "categorical+tan"]


def log_odds(result, mails):
    return [v.log_odds for v in result.spam_filter.judge(mail.tokens for mail in mails)]


@pytest.mark.parametrize("classifier", ALL)
def test_every_classifier_tells_the_labels_apart(classifier):
    result = train_on_tokens(MAILS, LABELS, TrainingOptions(classifier))
    other = made_up(200, seed=1)
    odds = np.array(log_odds(result, other))
    is_spam = np.array([mail.label == "spam" for mail in other])
    wrong = np.mean(odds[is_spam][:, np.newaxis] <= odds[~is_spam])
    assert wrong < 0.35
    assert np.all(np.isfinite(odds))


@pytest.mark.parametrize("classifier", ALL)
def test_the_order_of_the_mails_leaves_no_trace(classifier):
    order = np.random.default_rng(0).permutation(len(MAILS))
    one = train_on_tokens(MAILS, LABELS, TrainingOptions(classifier))
    other = train_on_tokens([MAILS[i] for i in order], LABELS, TrainingOptions(classifier))
    assert_array_equal(log_odds(one, MAILS), log_odds(other, MAILS))


def test_models_of_words_pass_over_values():
    words = [mail._replace(tokens=[t for t in mail.tokens if ":" not in t]) for mail in MAILS]
    with_values = train_on_tokens(MAILS, LABELS, TrainingOptions("multinomial"))
    without = train_on_tokens(words, LABELS, TrainingOptions("multinomial"))
    assert log_odds(with_values, MAILS) == log_odds(without, words)
    assert with_values.n_features == without.n_features == with_values.n_seen


def test_gaussian_reads_the_numbers_and_categorical_the_facts():
    gaussian = train_on_tokens(MAILS, LABELS, TrainingOptions("gaussian"))
    assert gaussian.spam_filter.vectorizer.names == ("length", "links")
    categorical = train_on_tokens(MAILS, LABELS, TrainingOptions("categorical"))
    assert list(categorical.spam_filter.vectorizer.values) == ["mailer", "weekday"]
    tokens = [MAILS[0].tokens, [t for t in MAILS[0].tokens if t.startswith("fact:")]]
    assert len(set(categorical.spam_filter.judge(tokens))) == 1


def test_a_filter_without_words_does_not_ask_for_known_ones():
    result = train_on_tokens(MAILS, LABELS, TrainingOptions("gaussian"))
    assert result.spam_filter.judge([["stat:length=900", "stat:links=9"]])[0].label == "spam"


def test_intervals_take_the_place_of_bell_curves():
    result = train_on_tokens(
        MAILS, LABELS, TrainingOptions("gaussian+categorical", discretize=True)
    )
    assert list(result.spam_filter.vectorizer.parts[0].edges) == ["length", "links"]


@pytest.mark.parametrize("classifier", ["categorical", "aode", "tan"])
def test_alpha_is_chosen_for_every_classifier_that_has_one(classifier):
    result = train_on_tokens(MAILS, LABELS, TrainingOptions(classifier, alpha="auto"))
    search = result.alpha_search
    assert tuple(search.log_loss) == ALPHA_GRID
    assert search.log_loss[search.alpha] == min(search.log_loss.values())
    assert result.spam_filter.model.estimator.alpha == search.alpha


def test_alpha_is_chosen_for_each_view_by_itself():
    options = TrainingOptions("multinomial+gaussian+categorical", alpha="auto", calibrate=False)
    result = train_on_tokens(MAILS, LABELS, options)
    assert set(result.alpha_searches) == {"multinomial", "categorical"}
    assert result.alpha_search in result.alpha_searches.values()
    estimators = result.spam_filter.model.estimator.estimators_
    chosen = [getattr(e, "alpha", None) for e in estimators]
    searches = result.alpha_searches
    assert chosen == [searches["multinomial"].alpha, None, searches["categorical"].alpha]


def test_mails_with_the_same_facts_are_not_the_same_mail():
    # Held out together, they would be judged by a model that knows them of the other label only.
    model = train_on_tokens(MAILS, LABELS, TrainingOptions("categorical")).spam_filter.model
    assert model.calibration.slope > 0.3
