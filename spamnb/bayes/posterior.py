"""Probabilities, predictions and decisions from log P(class, sample)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.decision import REJECT, least_risk
from spamnb.bayes.logarithms import log_softmax
from spamnb.bayes.parameters import Classifier
from spamnb.features.matrix import Floats


class Posterior(Classifier, ABC):
    """Predicts by Bayes' rule.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    class_log_prior_ : ndarray of shape (n_classes,)
        The log of the class prior, in nats.
    """

    classes_: NDArray[Any]
    class_log_prior_: Floats

    @abstractmethod
    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return log P(class, sample), of shape (n_samples, n_classes)."""

    def predict_log_proba(self, X: Any) -> Floats:
        """Return log P(class | sample).

        A sample that is impossible in every class (``alpha=0``) carries no information: it gets the
        class prior (a uniform one where nothing was counted).

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return self.normalize(self.predict_joint_log_proba(X))

    def normalize(self, joint: Floats) -> Floats:
        """Turn log P(class, sample) into log P(class | sample); see `predict_log_proba`.

        Parameters
        ----------
        joint : ndarray of shape (n_samples, n_classes)
            As returned by `predict_joint_log_proba`; not modified.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        joint, top = joint.copy(), joint.max(axis=1)
        is_prior_known = np.isfinite(self.class_log_prior_).any()
        joint[np.isneginf(top)] = self.class_log_prior_ if is_prior_known else 0.0
        certain = np.isposinf(top)
        joint[certain] = np.where(np.isposinf(joint[certain]), 0.0, -np.inf)
        return log_softmax(joint)

    def predict_proba(self, X: Any) -> Floats:
        """Return P(class | sample); see `predict_log_proba`.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each sample, ties go to the first class.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        best = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def decide(
        self,
        X: Any,
        loss: ArrayLike | None = None,
        *,
        reject_cost: float | None = None,
        reject_label: Any = None,
    ) -> NDArray[Any]:
        """Return the decision of least expected loss for each sample, with a reject option.

        The decision d minimizes Σ_k P(k | x) L[k, d] (Bishop, Pattern Recognition and Machine
        Learning, section 1.5).  By default every mistake costs 1: that is `predict`.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)
        loss : array-like of shape (n_classes, n_classes), optional
            What it costs to decide for the column's class when the row's is true, ≥ 0, both in
            the order of ``classes_``.
        reject_cost : float, optional
            What it costs to leave a sample undecided; None to decide always.
        reject_label
            What stands for "undecided".

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels; of dtype object if ``reject_label`` is of another kind than they are.

        Raises
        ------
        MatrixError, NotFittedError, ParameterError
        """
        if loss is None and reject_cost is None:
            return self.predict(X)
        best = least_risk(self.predict_proba(X), loss, reject_cost)
        if reject_cost is None:
            return np.asarray(self.classes_[best])
        is_same_kind = np.asarray(reject_label).dtype.kind == self.classes_.dtype.kind
        labels = np.array(
            [*self.classes_.tolist(), reject_label], dtype=None if is_same_kind else object
        )
        return labels[np.where(best == REJECT, len(self.classes_), best)]
