from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from spamnb.errors import TrainingDataError
from spamnb.evaluation import tuning
from spamnb.evaluation.tuning import Candidate, candidates, tune
from spamnb.evaluation.validation import cross_validate
from spamnb.filter.documents import Document
from spamnb.mail.limits import Limits
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.training import TrainingOptions

TEXTBOOK = TrainingOptions(classifier="multinomial", analyzer=AnalyzerConfig.textbook(), alpha=1.0)
NAMES = {"multinomial": "m", "bernoulli": "b", "complement": "c"}


def documents_of(n, labels=("ham", "spam"), seed=0):
    """Mails of words of which some come more often in one label."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(n):
        own = i % len(labels)
        words = rng.integers(3 * own, 3 * own + 9, size=6)
        made.append(Document(f"{i}.eml", labels[own], [f"w{word}" for word in words], ()))
    return made


def tried(*classifiers, **more):
    return [Candidate(NAMES[c], replace(TEXTBOOK, classifier=c, **more)) for c in classifiers]


def own_log_loss(scores):
    """Minus the mean log probability of the true label."""
    spam = scores.labels == "spam"
    return -np.log(np.where(spam, scores.probability, 1 - scores.probability)).mean()


# What is tried


def test_the_candidates_have_the_options_that_their_arguments_say():
    made = candidates(TrainingOptions())
    assert len({candidate.arguments for candidate in made}) == len(made)
    assert len({repr(candidate.options) for candidate in made}) == len(made)
    for candidate in made:
        words = candidate.arguments.split()
        given = dict(zip(words[::2], words[1::2], strict=True))
        options = candidate.options
        assert given.pop("--classifier") == options.classifier
        assert given.pop("--preset", "full") == options.analyzer.preset
        assert given.pop("--refine", "auto") == options.refine
        assert given.pop("--min-df", "1") == str(options.min_df)
        assert given.pop("--alpha", "None") == str(options.alpha)
        tokenizer = given.pop("--tokenizer", None)
        if options.analyzer.preset == "full":
            assert (tokenizer or "auto") == options.analyzer.tokenizer
        else:
            assert options.analyzer == AnalyzerConfig.textbook()
            assert tokenizer is None
        assert given == {}


def test_the_default_is_tried():
    assert TrainingOptions() in [candidate.options for candidate in candidates(TrainingOptions())]


def test_what_is_the_users_own_is_the_same_for_all():
    limits = Limits(raw_bytes=1_234)
    base = TrainingOptions(prior="uniform", cost=99.0, analyzer=AnalyzerConfig(limits=limits))
    for candidate in candidates(base):
        assert (candidate.options.prior, candidate.options.cost) == ("uniform", 99.0)
        assert candidate.options.analyzer.limits == limits


def test_those_of_one_analyzer_are_side_by_side():
    configs = [candidate.options.analyzer for candidate in candidates(TrainingOptions())]
    changes = sum(one != other for one, other in pairwise(configs))
    assert changes + 1 == len(set(configs)) == 3


# The search


def test_the_best_has_the_least_log_loss_and_the_others_are_compared_with_it():
    mails = documents_of(80)
    made = tried("multinomial", "bernoulli")
    made.append(Candidate("smooth", replace(made[0].options, alpha=30.0)))
    result = tune(lambda _: iter(mails), made, n_folds=4, seed=3)
    losses = {c.arguments: own_log_loss(cross_validate(mails, 4, c.options, 3)) for c in made}
    assert len(set(losses.values())) == 3
    expected = sorted(losses, key=losses.get)
    assert [candidate.arguments for candidate in result.candidates] == expected
    assert [report.name for report in result.reports] == expected
    for report in result.reports:
        assert report.ranking.log_loss == pytest.approx(losses[report.name])
    assert result.reports[0].comparison is None
    assert {report.comparison.against for report in result.reports[1:]} == {expected[0]}
    assert result.n_mails == 80


def test_the_outcome_is_deterministic_and_equals_keep_their_order():
    mails = documents_of(60)
    made = [replace(tried("multinomial")[0], arguments=name) for name in "zxy"]
    made += tried("bernoulli")
    one, other = (tune(lambda _: iter(mails), made, n_folds=3) for _ in range(2))
    assert one.candidates == other.candidates
    first, again = ([report.to_dict() for report in each.reports] for each in (one, other))
    assert first == again
    names = [candidate.arguments for candidate in one.candidates]
    assert [name for name in names if name in "zxy"] == ["z", "x", "y"]
    spread_anew = tune(lambda _: iter(mails), made, n_folds=3, seed=1)
    assert [report.to_dict() for report in spread_anew.reports] != first


@pytest.fixture
def validated(monkeypatch):
    """The documents that are cross-validated."""
    calls = []

    def spy(documents, n_folds, options, seed):
        calls.append((documents, options))
        return cross_validate(documents, n_folds, options, seed)

    monkeypatch.setattr(tuning, "cross_validate", spy)
    return calls


def by_characters(candidate):
    config = candidate.options.analyzer._replace(tokenizer="chars")
    return Candidate("chars", replace(candidate.options, analyzer=config))


@pytest.mark.parametrize("makes_a_difference", [False, True])
def test_a_tokenizer_that_makes_no_difference_is_skipped(makes_a_difference, validated):
    plain = documents_of(40)
    other = [mail._replace(tokens=[*mail.tokens, "免"]) for mail in plain]
    read_with, told = [], []

    def read(config):
        read_with.append(config)
        return iter(other if makes_a_difference and config.tokenizer == "chars" else plain)

    (first, second) = tried("multinomial", "bernoulli")
    made = [first, by_characters(first), second]
    result = tune(read, made, n_folds=2, progress=told.append)
    names = {candidate.arguments for candidate in result.candidates}
    assert names == ({"m", "b", "chars"} if makes_a_difference else {"m", "b"})
    assert len(validated) == len(names)
    assert len(read_with) == len(set(read_with)) == 2  # once with each analyzer
    assert set(told) == names | {"reading the mail"}
    used = {options.analyzer.tokenizer: documents for documents, options in validated}
    if makes_a_difference:
        assert used["chars"] == other


@pytest.mark.parametrize("most", [10, 40, 99])
def test_of_more_mails_some_of_each_label_are_drawn(most, validated):
    mails = [mail for mail in documents_of(240) if mail.label == "ham" or int(mail.source[:-4]) % 3]
    assert Counter(mail.label for mail in mails) == {"ham": 120, "spam": 80}
    made = [*tried("multinomial"), by_characters(tried("multinomial")[0])]
    other = [mail._replace(tokens=[*mail.tokens, "免"]) for mail in mails]
    result = tune(
        lambda config: iter(other if config.tokenizer == "chars" else mails),
        made,
        n_folds=2,
        most_mails=most,
    )
    (first, _), (second, _) = validated
    assert result.n_mails == len(first) == most
    assert Counter(mail.label for mail in first)["ham"] == round(most * 0.6)
    sources = [mail.source for mail in first]
    assert sources == [mail.source for mail in second]  # the same for every analyzer
    assert sources == [mail.source for mail in mails if mail.source in set(sources)]
    tune(lambda _: iter(mails), made[:1], n_folds=2, most_mails=most)
    assert validated[2][0] == first
    tune(lambda _: iter(mails), made[:1], n_folds=2, most_mails=most, seed=1)
    assert validated[3][0] != first


def test_of_a_rare_label_there_are_as_many_as_folds(validated):
    mails = [mail for mail in documents_of(400) if mail.label == "ham" or len(mail.source) < 6]
    assert Counter(mail.label for mail in mails) == {"ham": 200, "spam": 5}
    tune(lambda _: iter(mails), tried("multinomial"), n_folds=4, most_mails=50)
    assert Counter(mail.label for mail in validated[0][0]) == {"ham": 49, "spam": 4}


def test_no_more_mails_than_wanted_are_all_used(validated):
    mails = documents_of(40)
    tune(lambda _: iter(mails), tried("multinomial"), n_folds=2, most_mails=40)
    assert validated[0][0] == mails


def test_with_other_labels_the_best_has_the_most_mails_right():
    mails = documents_of(90, labels=("ads", "home", "work"))
    made = tried("multinomial", "bernoulli", "complement")
    result = tune(lambda _: iter(mails), made, n_folds=3)
    right = []
    for candidate in result.candidates:
        scores = cross_validate(mails, 3, candidate.options, 0)
        right.append(np.mean(scores.labels == scores.verdicts))
    assert right == sorted(right, reverse=True)
    assert all(report.ranking is None for report in result.reports)


def test_without_mail_there_is_nothing_to_try():
    with pytest.raises(TrainingDataError, match="no labeled mail was found"):
        tune(lambda _: iter([]), tried("multinomial"))


def test_too_little_mail_is_refused():
    with pytest.raises(TrainingDataError, match="5 folds of 4 ham mails"):
        tune(lambda _: iter(documents_of(8)), tried("multinomial"))
