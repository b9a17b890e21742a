from __future__ import annotations

import numpy as np
import pytest

from spamnb.errors import ParameterError, TrainingDataError
from spamnb.training import UNLABELED, TrainingOptions, train_on_tokens
from spamnb.training.semi import SemiReport
from tests.training.mails import made_up

LABELS = ("ham", "spam")


def part_labeled(n_labeled, n_unlabeled):
    mails = made_up(n_labeled + n_unlabeled)
    hidden = [mail._replace(label=UNLABELED) for mail in mails[n_labeled:]]
    return mails[:n_labeled] + hidden


def ranking_error(result):
    other = made_up(300, seed=5)
    odds = np.array([v.log_odds for v in result.spam_filter.judge(m.tokens for m in other)])
    is_spam = np.array([mail.label == "spam" for mail in other])
    return np.mean(odds[is_spam][:, np.newaxis] <= odds[~is_spam])


@pytest.mark.parametrize("semi", ["em", "self-training"])
@pytest.mark.parametrize("classifier", ["grouped", "multinomial", "tan", "multinomial+categorical"])
def test_unlabeled_mail_is_learned_from(semi, classifier):
    lines = []
    mails = part_labeled(20, 200)
    result = train_on_tokens(mails, LABELS, TrainingOptions(classifier, semi=semi), lines.append)
    assert result.mails == {"ham": 10, "spam": 10}
    assert result.semi.n_unlabeled == 200
    assert result.semi.method == semi
    assert len(lines) == result.semi.n_rounds >= 1
    assert all(line.startswith(f"round {n}: ") for n, line in enumerate(lines, 1))


def test_unlabeled_mail_helps_where_the_model_is_right():
    alone = train_on_tokens(made_up(12), LABELS, TrainingOptions("multinomial"))
    both = train_on_tokens(part_labeled(12, 400), LABELS, TrainingOptions("multinomial", semi="em"))
    assert ranking_error(both) < ranking_error(alone)
    assert not both.semi.is_harmful


def test_the_order_of_the_mails_leaves_no_trace():
    mails = part_labeled(20, 60)
    order = np.random.default_rng(0).permutation(len(mails))
    options = TrainingOptions(semi="em")
    one = train_on_tokens(mails, LABELS, options)
    other = train_on_tokens([mails[i] for i in order], LABELS, options)
    assert one.semi == other.semi
    tokens = [mail.tokens for mail in mails]
    assert one.spam_filter.judge(tokens) == other.spam_filter.judge(tokens)


def test_harm_is_more_than_chance_explains():
    def report(with_it, without, error):
        return SemiReport("em", 9, 1, with_it, without, error)

    assert report(0.3, 0.1, 0.05).is_harmful
    assert not report(0.15, 0.1, 0.05).is_harmful
    assert not report(0.1, 0.3, 0.05).is_harmful
    assert not report(float("nan"), float("nan"), float("nan")).is_harmful


def test_mail_that_contradicts_the_labels_does_harm():
    rng = np.random.default_rng(0)
    labeled = made_up(200)
    # What all of it has in common is not the label: half of it has words of its own.
    others = [
        labeled[0]._replace(label=UNLABELED, tokens=[f"w{j}" for j in [*own, *own]])
        for i in range(2_000)
        for own in [(rng.permutation(19) * 2 + i % 2)[:12]]
    ]
    options = TrainingOptions("multinomial", semi="em", unlabeled_weight=5.0)
    assert train_on_tokens([*labeled, *others], LABELS, options).semi.is_harmful


def test_without_two_different_mails_of_each_label_nothing_is_held_out():
    mails = part_labeled(2, 20)
    result = train_on_tokens(mails, LABELS, TrainingOptions(semi="em"))
    assert np.isnan(result.semi.log_loss)


def test_no_unlabeled_mail_is_refused():
    with pytest.raises(TrainingDataError, match="there is no unlabeled mail"):
        train_on_tokens(made_up(20), LABELS, TrainingOptions(semi="em"))


def test_unlabeled_mail_without_a_method_is_refused():
    with pytest.raises(ParameterError, match="semi"):
        train_on_tokens(part_labeled(20, 1), LABELS, TrainingOptions())
