"""Whatever a filter judges by, it does what `Filter` asks for."""

import pickle

import pytest

from spamnb.filter.protocols import Filter
from spamnb.filter.verdict import UNSURE
from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.store.files import load_model
from spamnb.store.opening import open_filter
from spamnb.training import TrainingOptions
from tests.filter.test_table_filter import MAILS, save_training

OPTIONS = {
    "table": TrainingOptions(),
    "counts": TrainingOptions(classifier="tan", features=20),
    "textbook": TrainingOptions(classifier="bernoulli"),
}


@pytest.fixture(scope="module", params=[*OPTIONS, "its counts"])
def spam_filter(request, tmp_path_factory) -> Filter:
    folder = tmp_path_factory.mktemp("filter")
    path = save_training(OPTIONS.get(request.param, TrainingOptions()), folder)
    if request.param == "its counts":
        return load_model(path).spam_filter
    return open_filter(path)


def test_it_says_what_it_knows(spam_filter):
    assert spam_filter.labels == ("ham", "spam")
    assert spam_filter.config.preset == "full"


@pytest.mark.parametrize("number", [0, 1, 2, 40])
def test_many_messages_have_the_verdicts_that_each_has_alone(spam_filter, number):
    messages = [parse(MAILS[i % len(MAILS)]) for i in range(number)]
    verdicts = spam_filter.classify_all(iter(messages))
    assert verdicts == [spam_filter.classify(message) for message in messages]


def test_a_message_of_nothing_is_unsure(spam_filter):
    assert spam_filter.classify(Message.from_text("")).label == UNSURE


def test_it_can_be_pickled(spam_filter):
    copy = pickle.loads(pickle.dumps(spam_filter))
    message = parse(MAILS[3])
    assert copy.classify(message) == spam_filter.classify(message)
    assert (copy.labels, copy.config) == (spam_filter.labels, spam_filter.config)
