"""``spamnb evaluate``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from spamnb.cli import options

if TYPE_CHECKING:
    from spamnb.evaluation.scores import Scores
    from spamnb.mail.corpora import JoinedCorpus
    from spamnb.mail.sources import Skipped
    from spamnb.pipeline import Document
    from spamnb.spam_filter import SpamFilter
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
        if name not in options.CLASSIFIERS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(options.CLASSIFIERS)}.")
    return names


@click.command(short_help="Measure a filter on labelled mail.")
@options.labelled_mail
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
    "--compare",
    metavar="NAME,…",
    callback=parse_classifiers,
    help="Several classifiers on the same mail, side by side.",
)
@options.training_options
@options.model_option
@options.jobs_option
@click.option(
    "--scores",
    metavar="FILE|-",
    help="Write 'label TAB log-odds TAB probability TAB source' per mail; with - the report goes"
    " to standard error.",
)
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object.")
@options.verbose_option
def evaluate(
    corpus: Callable[[], JoinedCorpus],
    split: float | None,
    cv: int | None,
    compare: tuple[str, ...] | None,
    training: Callable[[], TrainingOptions],
    model: str | None,
    jobs: int | None,
    scores: str | None,
    as_json: bool,
    verbose: bool,
) -> None:
    """Measure a filter on labelled mail.

    Without --split or --cv, the stored model is measured; the mail should then be other mail than
    it was trained on. With one of them, filters are trained as 'spamnb train' would, and no model
    is read or written.

    Ham errors and spam errors are reported apart, because losing a good mail is far worse than
    passing a spam.
    """
    from spamnb.cli import render_evaluation
    from spamnb.cli.inputs import report_skipped
    from spamnb.errors import TrainingDataError
    from spamnb.evaluation.report import report

    if split is not None and cv is not None:
        raise click.UsageError("--split and --cv exclude each other.")
    if compare and split is None and cv is None:
        raise click.UsageError("--compare trains classifiers: give --split or --cv too.")
    if compare and scores is not None:
        raise click.UsageError("--scores is for one classifier, not for --compare.")
    if scores not in {None, "-"}:
        options.check_writable(str(scores))
    labelled = corpus()
    skipped: list[Skipped] = []
    results: dict[str, Scores] = {}
    if split is None and cv is None:
        _refuse_training_options()
        stored = options.open_model(model, verbose=verbose)
        results["stored model"] = _stored_model_scores(stored.spam_filter, labelled, skipped, jobs)
    else:
        base = training()
        documents = list(_documents(labelled, base.analyzer, skipped, jobs))
        for name in compare or (base.classifier,):
            candidate = replace(base, classifier=name)
            results[name] = _trained_scores(documents, labelled, split, cv, candidate)
    report_skipped(skipped)
    if not all(len(result.labels) for result in results.values()):
        raise TrainingDataError("no labelled mail was found", "check the paths, or the share")
    reports = [report(name, result) for name, result in results.items()]
    if scores is not None:
        _write_scores(next(iter(results.values())), scores)
    render_evaluation.evaluation(reports, as_json=as_json, to_stderr=scores == "-")


def _refuse_training_options() -> None:
    """Refuse options that would have no effect: a stored model has its own."""
    context = click.get_current_context()
    for parameter in options.TRAINING_PARAMETERS:
        if context.get_parameter_source(parameter) is click.core.ParameterSource.COMMANDLINE:
            option = parameter.replace("_", "-")
            raise click.UsageError(
                f"--{option} is for training: give --split or --cv too, or leave it out."
            )


def _documents(
    corpus: JoinedCorpus, config: AnalyzerConfig, skipped: list[Skipped], jobs: int | None
) -> Iterator[Document]:
    from spamnb.cli import render
    from spamnb.pipeline import analyze

    documents = analyze(corpus.mails(skipped.append, config.limits.raw_bytes), config, jobs)
    return iter(render.progress(documents, "reading"))


def _stored_model_scores(
    spam_filter: SpamFilter, corpus: JoinedCorpus, skipped: list[Skipped], jobs: int | None
) -> Scores:
    from spamnb.errors import TrainingDataError
    from spamnb.evaluation.validation import score

    unknown = set(corpus.labels) - set(spam_filter.labels)
    if unknown:
        raise TrainingDataError(
            f"the model knows {', '.join(spam_filter.labels)} and not {', '.join(sorted(unknown))}",
            "measure it on mail of the labels that it knows",
        )
    return score(spam_filter, _documents(corpus, spam_filter.analyzer.config, skipped, jobs))


def _trained_scores(
    documents: list[Document],
    corpus: JoinedCorpus,
    split: float | None,
    cv: int | None,
    training: TrainingOptions,
) -> Scores:
    from spamnb.evaluation.validation import cross_validate, first_part, score_split

    if cv is not None:
        return cross_validate(documents, cv, training)
    assert split is not None
    labels = [document.label for document in documents]
    return score_split(documents, first_part(labels, split, corpus.is_sequence), training)


def _write_scores(scores: Scores, path: str) -> None:
    from spamnb.cli.output import score_line
    from spamnb.errors import OutputWriteError

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
        raise OutputWriteError(path, error.strerror or str(error)) from None
