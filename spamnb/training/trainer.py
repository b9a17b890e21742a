"""The training of a filter, from a stream of documents."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.calibrated import CalibratedNB, calibrate
from spamnb.bayes.classifiers import growing_classifiers
from spamnb.bayes.composite import CompositeNB
from spamnb.bayes.discrete import DiscreteNB
from spamnb.bayes.left_out import Everything, fit_blocks
from spamnb.bayes.model_selection import AlphaSearch, choose_alpha
from spamnb.bayes.refinement import Refinement
from spamnb.errors import ParameterError, TrainingDataError
from spamnb.features.blocks import CountBlocks, whole
from spamnb.features.matrix import CountMatrix, Floats
from spamnb.features.vectorizer import CountVectorizer
from spamnb.filter.spam_filter import SpamFilter
from spamnb.text.analyzer import Analyzer
from spamnb.text.values import is_word
from spamnb.training.memory import Shares
from spamnb.training.model import Training, day_of_training
from spamnb.training.options import SEMI, TrainingOptions
from spamnb.training.samples import Samples, digest_tokens
from spamnb.training.semi import UNLABELED, Progress, SemiReport, learn_semi
from spamnb.training.views import Read, make_collectors

# Small, so that a batch adds few tokens beyond the limit.
_BATCH = 250


class LabeledTokens(NamedTuple):
    """The tokens of a document and its label, `UNLABELED` where it has none."""

    label: str
    tokens: Collection[str]


def train_on_tokens(
    documents: Iterable[LabeledTokens],
    labels: Iterable[str] | None,
    options: TrainingOptions,
    progress: Progress | None = None,
) -> Training:
    """Train a filter on the tokens of a stream of documents, each seen once.

    The same documents give the same filter; in any order, if no token is forgotten.

    Parameters
    ----------
    documents : iterable of LabeledTokens
        The tokens, made by the analyzer that ``options`` describes.
    labels : iterable of str, optional
        All labels that will occur, to reject invalid options before anything is read; None for
        those that occur.
    options : TrainingOptions
        How to train.
    progress : callable, optional
        Called with a line for each iteration of learning from unlabeled mail.

    Raises
    ------
    TrainingDataError
        When a label has no mail, or there is only one label.
    ParameterError
        When an option is invalid.
    """
    expected = None if labels is None else _classes(labels, options)
    collectors = make_collectors(options)
    y: list[str] = []
    digests: list[int] = []
    for batch in _batches(iter(documents)):
        for collector in collectors:
            collector.add(document.tokens for document in batch)
        y += (sys.intern(document.label) for document in batch)
        if "words" not in options.reads:
            digests += (digest_tokens(document.tokens) for document in batch)
    classes = expected or _classes(y, options)
    mails = _mails_per_label(y, classes)
    views = [collector.finish() for collector in collectors]
    read = Read.join(views)
    estimator = options.make_estimator(classes, read.vectorizer.vocabulary or (), read.widths)
    told_apart = None if "words" in options.reads else np.array(digests, dtype=np.int64)
    by_blocks = isinstance(estimator, DiscreteNB) and options.semi is None
    X = read.X if by_blocks else whole(read.X)
    share = Shares.of(options.max_memory) if by_blocks else None
    samples = Samples.of(X, np.array(y), UNLABELED, told_apart, share)
    searches = {}
    if options.alpha == "auto":
        searches = _choose_alphas(estimator, samples, options)
    every = _everything(X, np.array(y), samples)
    model, semi = _learn(estimator, samples, every, options, progress)
    decision = options.make_decision()
    return Training(
        SpamFilter(Analyzer(options.analyzer), read.vectorizer, model, decision),
        options,
        mails,
        read.n_seen,
        day_of_training(),
        alpha_searches=searches,
        semi=semi,
        forgotten=read.forgotten,
        n_sampled=None if every is None else len(samples.y),
    )


def learn(spam_filter: SpamFilter, documents: Sequence[LabeledTokens]) -> SpamFilter:
    """Return a filter that has learned more mail, as cheaply as counting it.

    Its calibration and refinement stay as they are until it is retrained.

    Parameters
    ----------
    spam_filter : SpamFilter
        Consumed: its vocabulary and counts become those of the new one.
    documents : sequence of LabeledTokens
        More mail, of the filter's labels.

    Raises
    ------
    ParameterError
        When its model is not linear in the words, and has no place for new ones.
    """
    model, vectorizer = spam_filter.model, spam_filter.vectorizer
    estimator = model.estimator
    if not isinstance(estimator, DiscreteNB) or not isinstance(vectorizer, CountVectorizer):
        expected = f"one of {', '.join(growing_classifiers())} to learn mail by mail"
        raise ParameterError("classifier", expected, type(estimator).__name__)
    vocabulary = vectorizer.vocabulary
    n_known = len(vocabulary)
    X = vectorizer.learn(filter(is_word, document.tokens) for document in documents)
    estimator.grow(list(islice(vocabulary, n_known, None)))
    estimator.partial_fit(X, [document.label for document in documents])
    refinement = model.refinement
    if refinement is not None:
        weights = np.pad(refinement.weights, (0, len(vocabulary) - n_known))
        refinement = Refinement(weights, refinement.intercept)
    grown = CalibratedNB(estimator, model.calibration, refinement)
    return SpamFilter(spam_filter.analyzer, vocabulary, grown, spam_filter.decision)


def _classes(labels: Iterable[str], options: TrainingOptions) -> tuple[str, ...]:
    """Return the labels of a filter, after checking the options against them."""
    classes = tuple(sorted(set(labels) - {UNLABELED}))
    if len(classes) < 2:
        got = f"only {classes[0]} mail" if classes else "no labeled mail"
        raise TrainingDataError(got, "a filter needs mail of at least two labels to learn from")
    options.make_estimator(classes)
    return classes


def _batches(documents: Iterator[LabeledTokens]) -> Iterator[list[LabeledTokens]]:
    while batch := list(islice(documents, _BATCH)):
        yield batch


def _mails_per_label(y: list[str], classes: tuple[str, ...]) -> dict[str, int]:
    others = sorted(set(y) - {*classes, UNLABELED})
    if others:
        raise ParameterError("label", f"one of {', '.join(classes)}", others[0])
    mails = {label: y.count(label) for label in classes}
    for label, count in mails.items():
        if not count:
            raise TrainingDataError(
                f"there is no {label} mail to learn from", "check the paths, or give more mail"
            )
    return mails


def _choose_alphas(
    estimator: NaiveBayes, samples: Samples, options: TrainingOptions
) -> dict[str, AlphaSearch]:
    """Choose and set the alpha of each view separately."""
    if samples.n_folds < 2:
        raise TrainingDataError(
            "too little mail to choose alpha by cross-validation",
            "give a number, or at least two different mails of each label",
        )
    X = whole(samples.X)
    blocks = estimator.split(X) if isinstance(estimator, CompositeNB) else [X]
    searches = {}
    for name, part, X in zip(options.names, estimator.parts, blocks, strict=True):
        if options.has_alpha(name):
            searches[name] = choose_alpha(part, X, samples.y, samples.folds)
            part.alpha = searches[name].alpha  # type: ignore[attr-defined]
    return searches


def _learn(
    estimator: NaiveBayes,
    samples: Samples,
    every: Everything | None,
    options: TrainingOptions,
    progress: Progress | None,
) -> tuple[CalibratedNB, SemiReport | None]:
    """Return the trained and calibrated estimator."""
    joint: Floats | None = None
    report = None
    if options.semi is None:
        if samples.unlabeled.shape[0]:
            raise ParameterError("semi", f"one of {', '.join(SEMI)} for unlabeled mail", None)
        if isinstance(estimator, DiscreteNB):
            X, Y, _ = every or Everything(samples.X, _one_hot(samples.y), samples.folds)
            fit_blocks(estimator, X, Y, samples.labels)
        else:
            estimator.fit(samples.X, samples.y)
    else:
        if not samples.unlabeled.shape[0]:
            raise TrainingDataError("there is no unlabeled mail", "check the path of --unlabeled")
        learned = learn_semi(estimator, samples, options, progress or (lambda _: None))
        estimator, joint, report = learned.estimator, learned.joint, learned.report
    if not options.calibrate or samples.n_folds < 2:
        return CalibratedNB(estimator), report
    X, y, folds = samples.X, samples.y, samples.folds
    refine = options.refines(len(y), len(estimator.classes_))
    return calibrate(estimator, X, y, folds, refine=refine, joint=joint, every=every), report


def _everything(
    X: CountMatrix | CountBlocks, y: NDArray[np.str_], samples: Samples
) -> Everything | None:
    """Return all mails, where the samples are a part of them."""
    n_sampled = len(samples.y) + samples.unlabeled.shape[0]
    if n_sampled == len(y):
        return None
    folds = np.full(len(y), -1)
    folds[samples.rows] = samples.folds
    return Everything(X, _one_hot(y), folds)


def _one_hot(y: NDArray[np.str_]) -> Floats:
    labels, index = np.unique(y, return_inverse=True)
    return np.asarray(np.eye(len(labels))[index])
