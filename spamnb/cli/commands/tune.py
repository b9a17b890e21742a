"""``spamnb tune``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from spamnb.cli.options import common, labeled_mail, training
from spamnb.cli.options.models import own_model_path
from spamnb.cli.process import say

if TYPE_CHECKING:
    from spamnb.filter.documents import Document
    from spamnb.mail.corpora import JoinedCorpus
    from spamnb.mail.sources import Skipped
    from spamnb.text.analyzer import AnalyzerConfig


@click.command(short_help="Find the options that suit your own mail.")
@labeled_mail.labeled_mail
@click.option(
    "--cv",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    metavar="K",
    help="Cross-validation with K parts.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=10),
    default=4_000,
    show_default=True,
    metavar="N",
    help="Use at most N mails, drawn at random.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For the drawing and the parts.",
)
@training.cost_option
@training.unsure_cost_option
@click.option("--apply", is_flag=True, help="Train the best on all of the mail, and keep it.")
@common.model_option
@common.jobs_option
@click.option("--json", "as_json", is_flag=True, help="The table as one JSON object.")
def tune(
    corpus: Callable[[], JoinedCorpus],
    cv: int,
    sample: int,
    seed: int,
    cost: float,
    unsure_cost: float,
    apply: bool,
    model: str | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Find the options that suit your own mail.

    Presets, tokenizers, classifiers, smoothing, pruning and refinement are tried by
    cross-validation on the mail itself, and shown with the best first: that of the least log loss.
    Without --apply nothing is written.
    """
    from spamnb.cli.commands.train import train_and_save
    from spamnb.cli.output import tables
    from spamnb.cli.output.tuning_tables import tuning_report
    from spamnb.cli.output.verdicts import report_skipped
    from spamnb.evaluation.tuning import candidates
    from spamnb.evaluation.tuning import tune as search
    from spamnb.filter.documents import analyze
    from spamnb.store.files import check_destination
    from spamnb.training import TrainingOptions

    _refuse_standard_input()
    path = own_model_path(model)
    if apply:
        check_destination(path)
    labeled = corpus()
    skipped: dict[str, Skipped] = {}

    def read(config: AnalyzerConfig) -> Iterable[Document]:
        def on_skip(item: Skipped) -> None:
            skipped[item.source] = item

        mails = labeled.mails(on_skip, config.limits.raw_bytes)
        return tables.progress(analyze(mails, config, jobs), "reading")

    base = replace(TrainingOptions(), cost=cost, unsure_cost=unsure_cost)
    tuning = search(
        read,
        candidates(base),
        n_folds=cv,
        most_mails=sample,
        seed=seed,
        progress=lambda doing: say(f"trying {doing}"),
    )
    report_skipped(list(skipped.values()))
    tuning_report(tuning, as_json=as_json)
    if apply:
        train_and_save(labeled, tuning.candidates[0].options, path, jobs, to_stderr=as_json)


def _refuse_standard_input() -> None:
    """Refuse a corpus that can be read but once."""
    parameters = click.get_current_context().params
    places = [place for value in parameters.values() if isinstance(value, tuple) for place in value]
    if any(place == "-" or str(place).endswith("=-") for place in places):
        raise click.UsageError("The mail is read several times: give files, not standard input.")
