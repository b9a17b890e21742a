"""Mails become documents in order, at once at first, and in bounded batches."""

from collections.abc import Iterator

import pytest

from spamnb.errors import ParameterError
from spamnb.filter.documents import analyze, analyze_batches
from spamnb.mail.sources import LabeledMail, RawMail
from spamnb.text.analyzer import AnalyzerConfig

CONFIG = AnalyzerConfig()


def mails(number: int, size: int = 0) -> Iterator[LabeledMail]:
    for i in range(number):
        data = f"Subject: word\n\nnumber {i}\n".encode() + b"x " * (size // 2)
        yield LabeledMail("ham", RawMail(str(i), data))


def test_the_first_batches_are_small() -> None:
    sizes = [len(batch) for batch in analyze_batches(mails(300), CONFIG)]
    assert sizes == [1, 2, 4, 8, 16, 32, 64, 64, 64, 45]


def test_a_batch_holds_few_large_mails() -> None:
    sizes = [len(batch) for batch in analyze_batches(mails(12, 600_000), CONFIG)]
    assert max(sizes) == 2


def test_no_mail_is_read_before_it_is_wanted() -> None:
    read = []
    source = (read.append(mail) or mail for mail in mails(1_000))
    next(analyze(source, CONFIG))
    assert len(read) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_documents_come_in_the_order_of_the_mails(jobs: int) -> None:
    documents = list(analyze(mails(900), CONFIG, jobs))
    assert [document.source for document in documents] == [str(i) for i in range(900)]
    assert {document.label for document in documents} == {"ham"}


def test_no_jobs_are_refused() -> None:
    with pytest.raises(ParameterError, match="jobs"):
        next(analyze(mails(1), CONFIG, 0))
