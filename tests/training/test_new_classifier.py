"""A new classifier is its file and one line: the rest follows from what it says of itself."""

from __future__ import annotations

import pytest

from spamnb.bayes.classifiers import CLASSIFIERS, growing_classifiers
from spamnb.errors import ParameterError
from spamnb.evaluation.validation import score_online
from spamnb.filter.documents import Document
from spamnb.filter.spam_filter import SpamFilter
from spamnb.store.files import load_model, save_model
from spamnb.store.opening import open_filter
from spamnb.text.counted import TokenCounter
from spamnb.training import TrainingOptions, check_used, train_on_tokens
from tests.bayes.toy import ToyNB
from tests.training.mails import made_up

MAILS = made_up(240)
LABELS = ("ham", "spam")


@pytest.fixture(autouse=True)
def _one_line(monkeypatch):
    monkeypatch.setitem(CLASSIFIERS, "toy", "tests.bayes.toy:ToyNB")


def test_it_is_trained_refined_stored_and_compiled(tmp_path):
    options = TrainingOptions("toy", features=2, alpha="auto")
    check_used([options])
    training = train_on_tokens(MAILS, LABELS, options)
    estimator = training.spam_filter.model.estimator
    assert (type(estimator), estimator.factor) == (ToyNB, 2.0)
    assert training.spam_filter.model.refinement is not None
    save_model(str(tmp_path / "model"), training)
    loaded = load_model(str(tmp_path / "model"))
    documents = [mail.tokens for mail in MAILS]
    assert loaded.spam_filter.judge(documents) == training.spam_filter.judge(documents)
    assert not isinstance(open_filter(str(tmp_path / "model")), SpamFilter)  # but a table


def test_it_is_one_of_several_and_learns_mail_by_mail():
    assert train_on_tokens(MAILS, LABELS, TrainingOptions("toy+gaussian")).n_features
    assert "toy" in growing_classifiers()
    documents = [Document("", m.label, TokenCounter()(m.tokens), ()) for m in MAILS]
    assert len(score_online(documents, TrainingOptions("toy")).labels) == len(MAILS)


def test_what_it_has_no_use_for_is_refused():
    with pytest.raises(ParameterError, match="parents must be left out for toy"):
        check_used([TrainingOptions("toy", parents={"a": "b"})])
