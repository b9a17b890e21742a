"""Learning from unlabeled mail, and whether it helps."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.calibration import fit_calibration
from spamnb.bayes.em import EM
from spamnb.bayes.logarithms import log_softmax
from spamnb.bayes.model_selection import out_of_fold
from spamnb.bayes.semi_supervised import SelfTrainingClassifier
from spamnb.features.blocks import whole
from spamnb.features.matrix import CountMatrix, Floats
from spamnb.training.options import TrainingOptions
from spamnb.training.samples import Samples

Progress = Callable[[str], None]
"""Called with a line to show to the user."""

UNLABELED = ""
"""The label of mail that has none."""

# Naive Bayes is overconfident, so only its most confident predictions are used.
_THRESHOLD = 0.99
_MAX_ITER = 10
_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True)
class SemiReport:
    """How unlabeled mail was used.

    Attributes
    ----------
    method : str
        How it was learned from.
    n_unlabeled : int
        How many mails.
    n_rounds : int
        The number of iterations.
    log_loss, log_loss_without : float
        The mean log loss of labeled mail that was held out, in nats, by calibrated models with
        and without the unlabeled mail; NaN where there is too little labeled mail to hold out.
    standard_error : float
        Of their difference.
    """

    method: str
    n_unlabeled: int
    n_rounds: int
    log_loss: float
    log_loss_without: float
    standard_error: float = float("nan")

    @property
    def is_harmful(self) -> bool:
        """Whether the filter is worse for the unlabeled mail, by more than chance explains."""
        return self.log_loss - self.log_loss_without > 2 * self.standard_error


@dataclass(frozen=True, slots=True)
class SemiTraining:
    """A trained estimator, its out-of-fold scores, and the report.

    Attributes
    ----------
    estimator : NaiveBayes
        Trained on all mail.
    joint : ndarray of shape (n_labeled, n_classes), optional
        The scores of each labeled mail by a model that has not learned its fold.
    report : SemiReport
    """

    estimator: NaiveBayes
    joint: Floats | None
    report: SemiReport


def learn_semi(
    estimator: NaiveBayes, samples: Samples, options: TrainingOptions, progress: Progress
) -> SemiTraining:
    """Learn from labeled and unlabeled mail.

    Parameters
    ----------
    estimator : NaiveBayes
        Untrained; not modified.
    samples : Samples
        The mails, some of them unlabeled.
    options : TrainingOptions
        With a method.
    progress : callable
        Called after each iteration of the training on all mail.
    """
    X, unlabeled = whole(samples.X), whole(samples.unlabeled)
    samples = samples._replace(X=X, unlabeled=unlabeled)
    fitted, n_rounds = _fit(estimator, X, samples.y, unlabeled, options, progress)
    joint = None
    losses = losses_without = np.array([np.nan])
    if samples.n_folds >= 2:
        joint = _out_of_fold(estimator, samples, options)
        alone = out_of_fold(estimator, X, samples.y, samples.folds)
        losses, losses_without = (_calibrated_losses(j, samples.y) for j in (joint, alone))
    assert options.semi is not None
    report = SemiReport(
        method=options.semi,
        n_unlabeled=samples.unlabeled.shape[0],
        n_rounds=n_rounds,
        log_loss=float(losses.mean()),
        log_loss_without=float(losses_without.mean()),
        standard_error=float(np.std(losses - losses_without) / np.sqrt(len(losses))),
    )
    return SemiTraining(fitted, joint, report)


def _fit(
    estimator: NaiveBayes,
    X: CountMatrix,
    y: NDArray[np.str_],
    unlabeled: CountMatrix,
    options: TrainingOptions,
    progress: Progress,
) -> tuple[NaiveBayes, int]:
    both = CountMatrix.vstack([X, unlabeled])
    labels = np.concatenate([y, np.full(unlabeled.shape[0], UNLABELED)])
    if options.semi == "em":
        em = EM(
            estimator,
            unlabeled_weight=options.unlabeled_weight,
            max_iter=_MAX_ITER,
            tol=_TOLERANCE,
            unlabeled=UNLABELED,
            progress=lambda n, value: progress(f"round {n}: log posterior {value:,.1f}"),
        ).fit(both, labels)
        return em.estimator_, em.n_iter_
    training = SelfTrainingClassifier(
        estimator,
        threshold=_THRESHOLD,
        max_iter=_MAX_ITER,
        unlabeled=UNLABELED,
        progress=lambda n, new: progress(f"round {n}: {new:,} mails got a label"),
    ).fit(both, labels)
    return training.estimator_, training.n_iter_


def _out_of_fold(estimator: NaiveBayes, samples: Samples, options: TrainingOptions) -> Floats:
    X, unlabeled = whole(samples.X), whole(samples.unlabeled)
    joint = np.empty((len(samples.y), len(np.unique(samples.y))))
    for fold in range(samples.n_folds):
        is_test = samples.folds == fold
        train, test = X.take_rows(~is_test), X.take_rows(is_test)
        model, _ = _fit(
            copy.copy(estimator), train, samples.y[~is_test], unlabeled, options, _silent
        )
        seen = train.document_frequency() + unlabeled.document_frequency() > 0
        model.take_columns(seen)
        joint[is_test] = model.predict_joint_log_proba(test.take_columns(seen))
    return joint


def _silent(_line: str) -> None:
    pass


def _calibrated_losses(joint: Floats, y: NDArray[np.str_]) -> Floats:
    """Return each log loss after calibration on the same scores, two numbers for all mails."""
    index = np.unique(y, return_inverse=True)[1]
    scores = fit_calibration(joint, index).apply(joint)
    scores = np.nan_to_num(scores - scores.max(axis=1, keepdims=True), neginf=-700.0)
    return np.asarray(-log_softmax(scores)[np.arange(len(index)), index])
