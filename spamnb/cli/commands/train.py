"""``spamnb train``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import click

from spamnb.cli.options import common, labeled_mail, training
from spamnb.cli.options.models import own_model_path
from spamnb.cli.process import say

if TYPE_CHECKING:
    from spamnb.mail.corpora import JoinedCorpus
    from spamnb.training import LabeledTokens, TrainingOptions


@click.command(short_help="Learn from labeled mail and write a model.")
@labeled_mail.labeled_mail
@training.how_to_train
@common.model_option
@common.jobs_option
@click.option(
    "--unlabeled",
    "--unlabelled",
    "unlabeled",
    multiple=True,
    metavar="PATH",
    help="Mail of unknown label to learn from with --semi: paths as for --spam.",
)
@click.option("--about", default="", help="A note for whoever uses the model; shown by classify.")
def train(
    corpus: Callable[[], JoinedCorpus],
    training: Callable[[], TrainingOptions],
    model: str | None,
    jobs: int | None,
    unlabeled: tuple[str, ...],
    about: str,
) -> None:
    """Learn from labeled mail and write a model.

    \b
    spamnb train --ham ~/Mail/inbox --ham ~/Mail/lists.mbox --spam ~/Mail/junk
    spamnb train --index trec06c/full/index -m models/trec
    spamnb train --label work=~/Mail/work --label home=~/Mail/home -m models/all

    The model that is there is replaced when the new one is complete. The same mail and options
    give the same model, byte for byte but for the date (that of SOURCE_DATE_EPOCH, if set).
    """
    train_and_save(corpus(), training(), own_model_path(model), jobs, about, unlabeled=unlabeled)


def train_and_save(
    corpus: JoinedCorpus,
    training: TrainingOptions,
    path: str,
    jobs: int | None,
    about: str = "",
    *,
    unlabeled: tuple[str, ...] = (),
    to_stderr: bool = False,
) -> None:
    """Train a model, write it, and print what was learned."""
    from spamnb.cli.options.inputs import MailInput
    from spamnb.cli.output import tables
    from spamnb.cli.output.verdicts import report_skipped
    from spamnb.errors import TrainingDataError
    from spamnb.filter.documents import analyze
    from spamnb.mail.sources import Skipped
    from spamnb.store.files import check_destination, save_model
    from spamnb.training import LabeledTokens, check_used, find_idle_words, train_on_tokens

    started = time.monotonic()
    if bool(unlabeled) != bool(training.semi):
        raise click.UsageError("--unlabeled and --semi need each other: give both, or neither.")
    check_used([training])
    training.make_estimator(corpus.labels)  # to fail before the mail is read
    more = MailInput(unlabeled) if unlabeled else None  # to find missing paths now
    config = training.analyzer
    check_destination(path)
    skipped: list[Skipped] = []
    defects: dict[str, int] = {}
    mails = corpus.mails(skipped.append, config.limits.raw_bytes)
    if more is not None:
        mails = chain(mails, more.read(config.limits.raw_bytes))
    documents = analyze(mails, config, jobs)

    def tokens() -> Iterator[LabeledTokens]:
        for document in tables.progress(documents, "learning"):
            for defect in document.defects:
                defects[defect.value] = defects.get(defect.value, 0) + 1
            yield LabeledTokens(document.label, document.tokens)

    try:
        result = train_on_tokens(tokens(), corpus.labels, training, say)
    except TrainingDataError:
        report_skipped(skipped)  # may well be the reason
        raise
    if not result.n_features:
        raise TrainingDataError(
            "no word is left to learn from", "lower --min-df, or check what the mails hold"
        )
    if result.semi is not None and result.semi.is_harmful:
        say(tables.harmful_mail(result.semi))
    if training.parents is not None:
        idle = find_idle_words(training.parents, result.spam_filter)
        for line in tables.idle_words(idle):
            say(line)
    skipped += more.skipped if more is not None else []
    save_model(path, replace(result, about=about))
    tables.training_report(
        result,
        path=path,
        seconds=time.monotonic() - started,
        skipped=skipped,
        defects=defects,
        to_stderr=to_stderr,
    )
