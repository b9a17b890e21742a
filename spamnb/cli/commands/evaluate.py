"""``spamnb evaluate``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from spamnb.cli.options import common, labeled_mail, training
from spamnb.cli.output.picture import check_picture, write_picture

if TYPE_CHECKING:
    from spamnb.evaluation.scores import Scores
    from spamnb.filter.documents import Document
    from spamnb.mail.corpora import JoinedCorpus
    from spamnb.mail.sources import Skipped
    from spamnb.text.analyzer import AnalyzerConfig
    from spamnb.training import TrainingOptions


def parse_classifiers(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    """Turn ``--compare`` into names."""
    if value is None:
        return None
    names = tuple(name.strip() for name in value.split(","))
    for name in names:
        training.check_classifier(name)
        if names.count(name) > 1:
            raise click.BadParameter(f"{name!r} is named more than once.")
    return names


def parse_plot(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> str | None:
    """Refuse names of pictures that ``--plot`` cannot draw."""
    if value is not None and not value.lower().endswith((".png", ".svg")):
        raise click.BadParameter(f"{value!r} ends neither in .png nor in .svg.")
    return value


@click.command(short_help="Measure a filter on labeled mail.")
@labeled_mail.labeled_mail
@click.option(
    "--split",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Train on this first part of the index (of each label, with --ham and --spam), score"
    " the rest.",
)
@click.option(
    "--cv",
    type=click.IntRange(min=2),
    metavar="K",
    help="Cross-validation: score each of K parts after training on the others.",
)
@click.option(
    "--online",
    is_flag=True,
    help="Score each mail, in the order of the index, with what was learned before it: a learning"
    " curve.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="R",
    help="Repeat --cv with R different shufflings: mean and standard deviation of each measure.",
)
@click.option(
    "--compare",
    metavar="NAME,…",
    callback=parse_classifiers,
    help="Several classifiers on the same mail, side by side, and each against the first.",
)
@click.option(
    "--labeled",
    "--labelled",
    "labeled_share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="With --split and --semi: keep this share of the training labels, drawn at random, and"
    " learn from the other mail without; beside what those labels alone give.",
)
@training.how_to_train
@common.model_option
@common.jobs_option
@click.option(
    "--scores",
    metavar="FILE|-",
    help="Write 'label TAB log-odds TAB probability TAB source' per mail, one repeat after the"
    " other; with - the report goes to standard error.",
)
@click.option(
    "--plot",
    metavar="FILE",
    callback=parse_plot,
    help="Draw ROC, scores, reliability and thresholds: a .png or .svg (needs spamnb[plot]).",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1_000,
    show_default=True,
    help="Make the 95 % intervals from this many resamples of the mails; 0 for none, and for no"
    " comparison.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For all that is drawn at random: folds and resamples.",
)
@click.option(
    "--details",
    is_flag=True,
    help="Show too how often mail of each P(spam) is spam, and what each threshold costs.",
)
@click.option("--json", "as_json", is_flag=True, help="All of it as one JSON object.")
@common.verbose_option
def evaluate(
    corpus: Callable[[], JoinedCorpus],
    split: float | None,
    cv: int | None,
    online: bool,
    repeats: int,
    compare: tuple[str, ...] | None,
    labeled_share: float | None,
    training: Callable[[], TrainingOptions],
    model: str | None,
    jobs: int | None,
    scores: str | None,
    plot: str | None,
    resamples: int,
    seed: int,
    details: bool,
    as_json: bool,
    verbose: bool,
) -> None:
    """Measure a filter on labeled mail.

    Without --split, --cv or --online, the stored model is measured; the mail should then be other
    mail than it was trained on. With one of them, filters are trained as 'spamnb train' would, and
    no model is read or written.

    Ham errors and spam errors are reported apart, because losing a good mail is far worse than
    passing a spam. The intervals tell how far the measures can be trusted: what other mail of the
    same kind could have given.
    """
    from spamnb.cli.output import evaluation_tables
    from spamnb.errors import TrainingDataError
    from spamnb.evaluation.report import reports, with_learning_curve
    from spamnb.evaluation.scores import Scores

    method = _Method(split, cv, online, repeats, seed, labeled_share)
    _refuse_combinations(method, compare, scores)
    labeled = corpus()
    _check_outputs(scores, plot, labeled)
    if method.is_stored_model:
        _refuse_training_options()
        results = _stored_model_results(model, labeled, jobs, verbose=verbose)
    else:
        results = _trained_results(training(), compare, labeled, method, jobs)
    pooled = {name: Scores.pool(runs) for name, runs in results.items()}
    if not all(len(result.labels) for result in pooled.values()):
        raise TrainingDataError("no labeled mail was found", "check the paths, or the share")
    made = reports(results, resamples, seed)
    if method.online:
        made = [with_learning_curve(item, pooled[item.name]) for item in made]
    if scores is not None:
        _write_scores(next(iter(pooled.values())), scores)
    if plot is not None:
        write_picture(plot, made, list(pooled.values()))
    evaluation_tables.evaluation(made, as_json=as_json, to_stderr=scores == "-", details=details)


class _Method(NamedTuple):
    """How filters come by mail that they have not learned."""

    split: float | None
    cv: int | None
    online: bool
    repeats: int
    seed: int
    labeled_share: float | None

    @property
    def is_stored_model(self) -> bool:
        """True when nothing is trained."""
        return self.split is None and self.cv is None and not self.online


def _refuse_combinations(
    method: _Method, compare: tuple[str, ...] | None, scores: str | None
) -> None:
    """Refuse options that do not go together."""
    if [method.split is not None, method.cv is not None, method.online].count(True) > 1:
        raise click.UsageError("--split, --cv and --online exclude each other.")
    if method.repeats > 1 and method.cv is None:
        raise click.UsageError("--repeats is for cross-validation: give --cv too.")
    if compare and method.is_stored_model:
        raise click.UsageError("--compare trains classifiers: give --split, --cv or --online too.")
    if method.labeled_share is not None and (method.split is None or compare):
        raise click.UsageError("--labeled goes with --split, and not with --compare.")
    if (compare or method.labeled_share is not None) and scores is not None:
        raise click.UsageError("--scores is for one filter, not for --compare or --labeled.")


def _check_outputs(scores: str | None, plot: str | None, corpus: JoinedCorpus) -> None:
    """Check what is to be written, before the work that it is made of."""
    if plot is not None:
        check_picture(plot, corpus.labels)
    if scores not in {None, "-"}:
        common.check_writable(str(scores))


def _refuse_training_options() -> None:
    """Refuse options that would have no effect: a stored model has its own."""
    context = click.get_current_context()
    for name, option in training.TRAINING_PARAMETERS.items():
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{option} is for training: give --split, --cv or --online too, or leave it out."
            )


def _documents(
    corpus: JoinedCorpus, config: AnalyzerConfig, skipped: list[Skipped], jobs: int | None
) -> Iterator[Document]:
    from spamnb.cli.output import tables
    from spamnb.filter.documents import analyze

    documents = analyze(corpus.mails(skipped.append, config.limits.raw_bytes), config, jobs)
    return iter(tables.progress(documents, "reading"))


def _stored_model_results(
    path: str | None, corpus: JoinedCorpus, jobs: int | None, *, verbose: bool
) -> dict[str, list[Scores]]:
    from spamnb.cli.options.models import load_filter
    from spamnb.cli.output.verdicts import report_skipped
    from spamnb.errors import TrainingDataError
    from spamnb.evaluation.validation import score

    spam_filter = load_filter(path, verbose=verbose)
    unknown = set(corpus.labels) - set(spam_filter.labels)
    if unknown:
        raise TrainingDataError(
            f"the model knows {', '.join(spam_filter.labels)} and not {', '.join(sorted(unknown))}",
            "measure it on mail of the labels that it knows",
        )
    skipped: list[Skipped] = []
    documents = _documents(corpus, spam_filter.analyzer.config, skipped, jobs)
    scores = score(spam_filter, documents)
    report_skipped(skipped)
    return {"stored model": [scores]}


def _trained_results(
    base: TrainingOptions,
    compare: tuple[str, ...] | None,
    corpus: JoinedCorpus,
    method: _Method,
    jobs: int | None,
) -> dict[str, list[Scores]]:
    from spamnb.bayes.classifiers import growing_classifiers
    from spamnb.cli.output.verdicts import report_skipped
    from spamnb.training import check_used

    if bool(base.semi) != bool(method.labeled_share):
        raise click.UsageError("--semi and --labeled need each other: give both, or neither.")
    alternatives = [replace(base, classifier=name) for name in compare or (base.classifier,)]
    check_used(alternatives)
    for alternative in alternatives:
        alternative.make_estimator(corpus.labels)  # to fail before the mail is read
        if method.online and not alternative.can_grow:
            raise click.UsageError(
                f"--online learns mail by mail, which {alternative.classifier} cannot:"
                f" choose of {', '.join(growing_classifiers())}."
            )
    skipped: list[Skipped] = []
    with_values = any(alternative.analyzer.with_values for alternative in alternatives)
    config = base.analyzer._replace(with_values=with_values)
    documents = list(_documents(corpus, config, skipped, jobs))
    report_skipped(skipped)
    if method.labeled_share is not None:
        return _semi_results(documents, corpus.is_sequence, method, base)
    return {
        item.classifier: _trained_scores(documents, corpus.is_sequence, method, item)
        for item in alternatives
    }


def _semi_results(
    documents: list[Document], is_sequence: bool, method: _Method, training: TrainingOptions
) -> dict[str, list[Scores]]:
    """Return the scores with some of the labels alone, and with the other mail too."""
    from spamnb.evaluation.validation import first_part, hide_labels, score_split

    assert method.split is not None
    assert method.labeled_share is not None
    chosen = first_part([document.label for document in documents], method.split, is_sequence)
    hidden = hide_labels(documents, chosen, method.labeled_share, method.seed)
    return {
        f"{100 * method.labeled_share:g} % of the labels": [
            score_split(hidden, chosen, replace(training, semi=None))
        ],
        f"and the other mail, {training.semi}": [score_split(hidden, chosen, training)],
    }


def _trained_scores(
    documents: list[Document], is_sequence: bool, method: _Method, training: TrainingOptions
) -> list[Scores]:
    from spamnb.evaluation.validation import (
        cross_validate_repeatedly,
        first_part,
        score_online,
        score_split,
    )

    if method.online:
        return [score_online(documents, training)]
    if method.cv is not None:
        return cross_validate_repeatedly(
            documents, method.cv, method.repeats, training, method.seed
        )
    assert method.split is not None
    chosen = first_part([document.label for document in documents], method.split, is_sequence)
    return [score_split(documents, chosen, training)]


def _write_scores(scores: Scores, path: str) -> None:
    from spamnb.cli.output.lines import score_line
    from spamnb.errors import OutputWriteError, reason_of

    rows = zip(scores.labels, scores.log_odds, scores.probability, scores.sources, strict=True)
    lines = (
        score_line(str(label), float(log_odds), float(probability), source)
        for label, log_odds, probability, source in rows
    )
    if path == "-":
        for line in lines:
            click.echo(line)
        return
    try:
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.writelines(line + "\n" for line in lines)
    except OSError as error:
        raise OutputWriteError(path, reason_of(error)) from None
