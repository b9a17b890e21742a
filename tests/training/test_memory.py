"""Training in bounded memory: the same filter while it suffices, a stated one where not."""

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from spamnb.bayes.left_out import Everything, fit_blocks, left_out_scores
from spamnb.bayes.model_selection import out_of_fold
from spamnb.errors import ParameterError
from spamnb.features.vectorizer import CountVectorizer
from spamnb.store.files import save_model
from spamnb.training import LabeledTokens, TrainingOptions, memory, train_on_tokens
from spamnb.training.memory import Shares

LABELS = ("ham", "spam")


def mails(n, seed=0, n_fresh=0):
    """Mails in which the label shows, with words of their own."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        words = [f"w{j}" for j in rng.integers(0, 30, size=12) + 10 * (i % 2)]
        fresh = [f"fresh{i}x{j}" for j in range(n_fresh)]
        yield LabeledTokens(LABELS[i % 2], [*words, f"url:u{i % 7}", *fresh])


def saved(tmp_path, name, documents, options):
    training = train_on_tokens(documents, LABELS, options)
    save_model(str(tmp_path / name), training)
    return training, {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}


@pytest.fixture
def shares(monkeypatch):
    def set_shares(**changed):
        enough = Shares(10**6, 10**9, 10**9, 10**6)._replace(**changed)
        monkeypatch.setattr(Shares, "of", classmethod(lambda cls, _: enough))

    return set_shares


@pytest.mark.parametrize("classifier", ["grouped", "multinomial", "bernoulli", "complement"])
def test_counts_in_a_file_make_the_same_model(tmp_path, shares, classifier):
    options = TrainingOptions(classifier, refine="on")
    _, before = saved(tmp_path, "memory", mails(700), options)
    shares(bytes_of_counts=0)
    _, after = saved(tmp_path, "file", mails(700), options)
    assert after == before


def test_more_memory_than_needed_changes_no_byte(tmp_path):
    models = [
        saved(tmp_path, str(size), mails(300), TrainingOptions(max_memory=size))[1]
        for size in (64 << 20, 1 << 40)
    ]
    manifests = [json.loads(files.pop("manifest.json")) for files in models]
    assert models[0] == models[1]
    assert [own["options"].pop("max_memory") for own in manifests] == [64 << 20, 1 << 40]
    assert manifests[0] == manifests[1]


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_the_number_of_cores_changes_no_byte(tmp_path, monkeypatch, n_threads):
    _, before = saved(tmp_path, "before", mails(300), TrainingOptions())
    monkeypatch.setattr("spamnb.system.threads.n_cores", lambda: n_threads)
    _, after = saved(tmp_path, "after", mails(300), TrainingOptions())
    assert after == before


def test_what_is_forgotten_is_the_same_each_time_and_stated(tmp_path):
    options = TrainingOptions(max_memory=1 << 20)
    documents = list(mails(1_000, n_fresh=5))
    training, one = saved(tmp_path, "one", documents, options)
    _, other = saved(tmp_path, "other", documents, options)
    assert one == other
    forgotten = training.forgotten
    assert forgotten.times >= 2
    assert forgotten.threshold < 20
    assert training.n_features < Shares.of(options.max_memory).tokens
    assert training.n_seen == training.n_features + forgotten.tokens == 5_047
    assert json.loads(one["manifest.json"])["report"]["forgotten"] == {
        "times": forgotten.times,
        "tokens": forgotten.tokens,
        "threshold": forgotten.threshold,
    }
    kept = set(training.spam_filter.vectorizer.vocabulary)
    assert {f"w{i}" for i in range(40)} <= kept


def test_with_enough_memory_nothing_is_stated(tmp_path):
    training, files = saved(tmp_path, "model", mails(300), TrainingOptions())
    assert (training.forgotten, training.n_sampled) == (None, None)
    report = json.loads(files["manifest.json"])["report"]
    assert (report["forgotten"], report["n_sampled"]) == (None, None)


@pytest.mark.parametrize("limit", [{"sampled_mails": 250}, {"sampled_counts": 2_700}])
def test_of_too_many_mails_a_part_is_calibrated_on_and_all_are_counted(tmp_path, shares, limit):
    documents = list(mails(700))
    whole = train_on_tokens(documents, LABELS, TrainingOptions()).spam_filter.model
    shares(**limit)
    training, files = saved(tmp_path, "part", documents, TrainingOptions())
    model = training.spam_filter.model
    assert 150 < training.n_sampled <= 250
    assert json.loads(files["manifest.json"])["report"]["n_sampled"] == training.n_sampled
    for name, values in whole.estimator.state().items():
        assert_array_equal(model.estimator.state()[name], values)
    assert model.refinement is not None
    assert 0 < model.calibration.slope != whole.calibration.slope
    order = np.random.default_rng(0).permutation(len(documents))
    _, shuffled = saved(tmp_path, "other", [documents[i] for i in order], TrainingOptions())
    assert shuffled == files


def test_a_label_that_is_in_no_sample_leaves_the_model_uncalibrated(shares):
    shares(sampled_mails=1)
    model = train_on_tokens(mails(300), LABELS, TrainingOptions()).spam_filter.model
    assert not model.is_calibrated


def test_copies_of_a_mail_are_all_in_the_part_or_none(shares, monkeypatch):
    parts = []
    monkeypatch.setattr(
        "spamnb.training.trainer.calibrate",
        lambda *args, **kwargs: parts.append(kwargs["every"]) or args[0],
    )
    shares(sampled_mails=100)
    documents = [mail for mail in mails(100) for _ in range(3)]
    train_on_tokens(documents, LABELS, TrainingOptions(refine="off"))
    folds = parts[0].folds.reshape(-1, 3)
    assert 90 < (folds >= 0).sum() <= 100
    assert_array_equal(folds, folds[:, :1].repeat(3, axis=1))


def test_the_scores_of_a_part_are_those_of_models_of_all_but_the_fold():
    vectorizer = CountVectorizer()
    documents = list(mails(90))
    X = vectorizer.learn(document.tokens for document in documents)
    y = np.array([document.label for document in documents])
    estimator = TrainingOptions().make_estimator(LABELS, vectorizer.vocabulary)
    Y = np.eye(2)[np.searchsorted(LABELS, y)]
    fit_blocks(estimator, X, Y, np.array(LABELS))
    part = np.arange(0, 90, 3)
    folds = np.full(90, -1)
    folds[part] = np.arange(30) // 2 % 4
    scores = left_out_scores(
        estimator, X.take_rows(part), Y[part], folds[part], Everything(X, Y, folds)
    )
    # The rest as a fold of its own changes no score of the others.
    expected = out_of_fold(estimator, X, y, np.where(folds < 0, 4, folds))
    assert_array_equal(scores, expected[part])


def test_too_little_memory_is_refused():
    with pytest.raises(ParameterError, match="max-memory must be at least 1M, got 1000 bytes"):
        TrainingOptions(max_memory=1_000)
    assert replace(TrainingOptions(), max_memory=memory.LEAST_MEMORY).max_memory == 1 << 20
