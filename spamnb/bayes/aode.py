"""Averaged one-dependence estimators: each feature in turn is the parent of all the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spamnb.bayes.checks import numbers
from spamnb.bayes.joint_counts import JointCountNB, presence_log_prob
from spamnb.bayes.logarithms import log
from spamnb.errors import ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints


class AODE(JointCountNB):
    """Averaged one-dependence estimators (Webb, Boughton and Wang, Machine Learning 58, 2005).

    The average, over the parents i, of the models P(c) P(x_i | c) Π_j P(x_j | c, x_i).  A parent
    takes part in scoring a sample when its value in the sample was seen at least ``m`` times; when
    none was, plain (Bernoulli) naive Bayes scores it.  Zhou Zhihua's eq. 7.23 to 7.25 are
    ``alpha=1, prior_alpha=2``.

    Both learning and scoring take O(n k²).  `sample` draws from the average over all
    parents, which is the model with m = 0.

    Parameters
    ----------
    m : float
        The frequency limit, ≥ 0.
    alpha, k, fit_prior, class_prior, prior_alpha
        As in `JointCountNB`.

    Attributes
    ----------
    feature_log_prob_ : ndarray of shape (n_classes, 2, k, k)
        log P(x_j present | c, x_i = v) for class c, value v, parent i, child j; a parent has its
        own value with certainty.
    absent_log_prob_ : ndarray of shape (n_classes, 2, k, k)
        log P(x_j absent | c, x_i = v).
    parent_log_prob_ : ndarray of shape (n_classes, 2, k)
        log P(x_i = v | c).
    is_parent_ : ndarray of bool of shape (2, k)
        Whether the value v of feature i was seen at least ``m`` times.

    Examples
    --------
    >>> from spamnb.bayes import AODE
    >>> model = AODE(m=1).fit([[1, 0], [0, 1], [1, 0]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 1]]).tolist()
    ['spam']
    """

    feature_log_prob_: Floats
    absent_log_prob_: Floats
    parent_log_prob_: Floats
    _models_: list[list[PresenceModels]]

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        m: float = 30,
        k: int | None = 500,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
    ) -> None:
        super().__init__(
            alpha=alpha,
            k=k,
            fit_prior=fit_prior,
            class_prior=class_prior,
            prior_alpha=prior_alpha,
        )
        self.m = m

    def _update_parameters(self) -> None:
        both, present = self.joint_count_, self._feature_count
        absent = self.class_count_[:, np.newaxis] - present
        # By the value of the parent: absent, present.
        children = np.stack([present[:, np.newaxis, :] - both, both], axis=1)
        parents = np.stack([absent, present], axis=1)
        of_present, of_absent = presence_log_prob(
            np.maximum(children, 0.0), parents[..., np.newaxis], self.alpha
        )
        own = np.arange(len(self.selected_features_))
        of_present[..., own, own] = of_absent[..., own, own] = 0.0
        self.feature_log_prob_, self.absent_log_prob_ = of_present, of_absent
        self._models_ = [
            [PresenceModels(*tables) for tables in zip(*of_class, strict=True)]
            for of_class in zip(of_present, of_absent, strict=True)
        ]
        of_parent = presence_log_prob(present, self.class_count_[:, np.newaxis], self.alpha)
        self.parent_log_prob_ = np.stack(of_parent[::-1], axis=1)
        self.is_parent_ = parents.sum(axis=0) >= self.m

    def _joint_log_likelihood(self, X: CountMatrix) -> Floats:
        joint = np.empty((X.shape[0], len(self.classes_)))
        for rows, block in X.take_columns(self.selected_features_).dense_blocks(1 << 20):
            present = block > 0
            is_parent = np.where(present, self.is_parent_[1], self.is_parent_[0])
            n_parents = is_parent.sum(axis=1)
            for c in range(len(self.classes_)):
                scores = np.where(is_parent, self._parent_scores(block, c), -np.inf)
                averaged = _log_sum(scores) - np.log(np.maximum(n_parents, 1))
                joint[rows, c] = np.where(n_parents, averaged, self._naive_score(block, c))
        return joint + self.class_log_prior_

    def _parent_scores(self, block: Floats, c: int) -> Floats:
        """Return log P(sample | class c) by each parent, of shape (n_rows, k)."""
        by_value = [
            self.parent_log_prob_[c, value] + models.log_likelihood(block)
            for value, models in enumerate(self._models_[c])
        ]
        return np.asarray(np.where(block > 0, by_value[1], by_value[0]))

    def _naive_score(self, block: Floats, c: int) -> Floats:
        """Return log P(sample | class c) by naive Bayes, of shape (n_rows,)."""
        absent, present = self.parent_log_prob_[c]
        naive = PresenceModels(present[np.newaxis], absent[np.newaxis])
        return naive.log_likelihood(block)[:, 0]

    def _sample_features(self, index: Ints, rng: np.random.Generator) -> CountMatrix:
        n, k = len(index), len(self.selected_features_)
        if not k:
            return self._to_input_columns(np.zeros((n, 0), np.bool_))
        parent = rng.integers(k, size=n)
        value = rng.random(n) < np.exp(self.parent_log_prob_[index, 1, parent])
        prob = np.exp(self.feature_log_prob_[index, value.astype(np.int64), parent])
        present = rng.random((n, k)) < prob
        present[np.arange(n), parent] = value
        return self._to_input_columns(present)

    def _check_parameters(self, n_features: int) -> None:
        if numbers("m", self.m, "a number ≥ 0").ndim:
            raise ParameterError("m", "a number ≥ 0", self.m)
        super()._check_parameters(n_features)


class PresenceModels:
    """Models of independent binary features, prepared for scoring many samples.

    Parameters
    ----------
    present, absent : ndarray of shape (n_models, n_features)
        The log probabilities of 1 and of 0, either of which may be -∞.
    """

    def __init__(self, present: Floats, absent: Floats) -> None:
        never, always = np.isneginf(present), np.isneginf(absent)
        # ∞ - ∞ is undefined: add the finite terms, and count the impossible ones.
        present, absent = np.where(never, 0.0, present), np.where(always, 0.0, absent)
        self._weights = present - absent
        self._intercept = absent.sum(axis=1)
        self._impossible = (never, always) if never.any() or always.any() else None

    def log_likelihood(self, block: Floats) -> Floats:
        """Return log P(sample) under each model.

        Parameters
        ----------
        block : ndarray of shape (n_samples, n_features)
            Zeros and ones.

        Returns
        -------
        ndarray of shape (n_samples, n_models)
        """
        likelihood = block @ self._weights.T + self._intercept
        if self._impossible is not None:
            never, always = (which.T.astype(np.float64) for which in self._impossible)
            likelihood[block @ never + (1 - block) @ always > 0] = -np.inf
        return np.asarray(likelihood)


def _log_sum(logs: Floats) -> Floats:
    """Return the log-sum-exp of each row; -∞ for an empty row."""
    top = logs.max(axis=1, initial=-np.inf, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    return np.asarray(log(np.exp(logs - top).sum(axis=1)) + top[:, 0])
