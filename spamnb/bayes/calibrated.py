"""An estimator with its calibration and refinement: what a filter gets its scores from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.calibration import Calibration, fit_calibration
from spamnb.bayes.discrete import DiscreteNB
from spamnb.bayes.evidence import Evidence
from spamnb.bayes.left_out import Everything, left_out_scores
from spamnb.bayes.model_selection import out_of_fold
from spamnb.bayes.refinement import Refinement, fit_refinement
from spamnb.features.blocks import CountBlocks, map_blocks, whole
from spamnb.features.matrix import CountMatrix, Floats, Ints


class CalibratedNB:
    """Naive Bayes with calibrated probabilities.

    The score of a class is slope · joint + bias, of the second of two classes also + refinement.
    The parts are kept separate: the estimator can keep learning while the others stay fixed.

    Parameters
    ----------
    estimator : NaiveBayes
        Fitted.
    calibration : Calibration, optional
        None to leave the scores as they are.
    refinement : Refinement, optional
        Only for two classes, and an estimator that is linear in the features, a `DiscreteNB`.
    """

    def __init__(
        self,
        estimator: NaiveBayes,
        calibration: Calibration | None = None,
        refinement: Refinement | None = None,
    ) -> None:
        self.estimator = estimator
        self.calibration = calibration or Calibration.identity(len(estimator.classes_))
        self.refinement = refinement

    @property
    def is_calibrated(self) -> bool:
        """Whether the scores differ from the estimator's own."""
        return self.calibration != Calibration.identity(len(self.classes_))

    @property
    def intercept_meaning(self) -> str:
        """What the intercept stands for, in the words of an explanation."""
        meaning = self.estimator.intercept_meaning
        return f"{meaning} and calibration" if self.is_calibrated else meaning

    @property
    def classes_(self) -> NDArray[Any]:
        """The class labels, sorted."""
        return self.estimator.classes_

    def predict_log_proba(self, X: CountMatrix) -> Floats:
        """Return log P(class | sample), of shape (n_samples, n_classes)."""
        scores = self.calibration.apply(self.estimator.predict_joint_log_proba(X))
        if self.refinement is not None:
            scores[:, 1] += self.estimator.view(X).dot_vector(self.refinement.weights)
            scores[:, 1] += self.refinement.intercept
        return self.estimator.normalize(scores)

    def log_odds_weights(self, towards: int, against: int) -> tuple[Floats, float] | None:
        """Return the calibrated weights and the intercept of naive Bayes between two classes.

        Without the refinement.  Where α = 0 makes a feature impossible in a class, its weight is
        infinite; where in both, 0.

        Returns
        -------
        weights : ndarray of shape (n_features,)
        intercept : float
            None where the estimator is not linear in the features.
        """
        if not isinstance(self.estimator, DiscreteNB):
            return None
        weights, intercept = self.estimator.log_odds_weights(towards, against)
        return self._scaled(weights), self._calibrated_intercept(intercept, towards, against)

    def evidence(self, X: CountMatrix, towards: int, against: int) -> Evidence:
        """Return the calibrated evidence of one sample, without the refinement.

        Parameters
        ----------
        X : CountMatrix of shape (1, n_features)
        towards, against : int
            Numbers of the classes.
        """
        found = self.estimator.evidence(X, towards, against)
        intercept = self._calibrated_intercept(found.intercept, towards, against)
        return Evidence(found.columns, found.values, self._scaled(found.nats), intercept)

    def _calibrated_intercept(self, intercept: float, towards: int, against: int) -> float:
        bias = self.calibration.bias
        scaled = float(self._scaled(np.array(intercept)))
        return scaled + bias[towards] - bias[against]

    def _scaled(self, nats: Floats) -> Floats:
        """Return the slope times the numbers; what is infinite stays so."""
        return np.multiply(nats, self.calibration.slope, out=nats.copy(), where=np.isfinite(nats))

    def refinement_between(self, towards: int, against: int) -> Refinement | None:
        """Return what the refinement adds to the log-odds between two classes, if there is one."""
        if self.refinement is None or towards > against:
            return self.refinement
        return Refinement(-self.refinement.weights, -self.refinement.intercept)


def calibrate(
    estimator: NaiveBayes,
    X: CountMatrix | CountBlocks,
    y: NDArray[Any],
    folds: Ints,
    *,
    refine: bool = False,
    joint: Floats | None = None,
    every: Everything | None = None,
) -> CalibratedNB:
    """Calibrate a fitted estimator, and refine it, on out-of-fold scores of its own samples.

    Parameters
    ----------
    estimator : NaiveBayes
        Fitted on these samples, or on `every`.
    X : CountMatrix or CountBlocks, of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        The labels.
    folds : ndarray of shape (n_samples,)
        The number of each sample's fold; at least two folds, each class in at least two of them.
    refine : bool
        Also fit a `Refinement`, of the features in at least two samples, unless the scores are
        uninformative; for two classes and a `DiscreteNB`.
    joint : ndarray of shape (n_samples, n_classes), optional
        The out-of-fold scores, where they have been computed already.
    every : Everything, optional
        All samples that the estimator was fitted on, where they are more than these; only for a
        `DiscreteNB` and counts.
    """
    index = np.searchsorted(estimator.classes_, y)
    if joint is None:
        joint = _out_of_fold(estimator, X, y, index, folds, every)
    calibration = fit_calibration(joint, index)
    refinement = None
    if refine and calibration.slope and isinstance(estimator, DiscreteNB):
        # Where a class is impossible (alpha=0) no refinement can change that.
        is_possible = np.asarray(np.isfinite(joint).all(axis=1))
        scores = calibration.apply(joint[is_possible])
        offset = scores[:, 1] - scores[:, 0]
        frequent = np.flatnonzero(X.document_frequency() >= 2)
        log_ratio = estimator.log_odds_weights(1, 0)[0][frequent]
        evidence = np.where(np.isfinite(log_ratio), log_ratio, 0.0)
        found = fit_refinement(
            _seen(estimator, X, is_possible, frequent), index[is_possible] == 1, offset, evidence
        )
        weights = np.zeros(X.shape[1])
        weights[frequent] = found.weights
        refinement = Refinement(weights, found.intercept)
    return CalibratedNB(estimator, calibration, refinement)


def _out_of_fold(
    estimator: NaiveBayes,
    X: CountMatrix | CountBlocks,
    y: NDArray[Any],
    index: Ints,
    folds: Ints,
    every: Everything | None,
) -> Floats:
    """Return the out-of-fold scores, the quick way where it is exact."""
    if isinstance(estimator, DiscreteNB) and estimator.is_whole:
        Y = np.eye(len(estimator.classes_))[index]
        return left_out_scores(estimator, X, Y, folds, every)
    return out_of_fold(estimator, whole(X), y, folds)


def _seen(
    estimator: DiscreteNB, X: CountMatrix | CountBlocks, rows: NDArray[np.bool_], columns: Ints
) -> CountMatrix:
    """Return some rows and columns as the estimator sees the whole."""

    def see(own: slice, block: CountMatrix) -> CountMatrix:
        seen = estimator.view(block).take_columns(columns)
        return seen if rows[own].all() else seen.take_rows(rows[own])

    return CountMatrix.vstack(list(map_blocks(see, X)))
