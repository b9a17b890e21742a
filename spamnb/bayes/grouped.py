"""Grouped naive Bayes: one multinomial for each group of features, over normalized weights."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.checks import stored_whole
from spamnb.bayes.logarithms import log, log_total
from spamnb.bayes.sampling import TokenNB
from spamnb.bayes.settings import Settings
from spamnb.errors import ParameterError
from spamnb.features.group_numbers import group_numbers
from spamnb.features.matrix import CountMatrix, Floats, Ints
from spamnb.text.groups import GROUPS, TEXT_GROUPS, WEIGHT_UNIT

if TYPE_CHECKING:
    from typing_extensions import Self

# Arrays for this many counts stay in a core's cache: .042 s for the 2 million counts of
# half the SpamAssassin corpus, .057 s at once, and as little for 1 << 14 or 1 << 18 (2026-11).
_BLOCK = 1 << 16


class GroupedNB(TokenNB):
    """Multinomial naive Bayes in each group of features; the groups are independent evidence.

    A sample is seen as weights log(1 + count), in some groups times the inverse document frequency,
    with Euclidean length 1 in each group (after Rennie, Shih, Teevan and Karger, ICML 2003, section
    4, who weight all features as one group).  So no group can drown out another, however long it
    is: a mail padded with harmless prose still has its subject and its links.
    ``feature_log_prob_`` is log (N_ci + α) / (N_cg + α n_g) over the features of i's group g.

    Parameters
    ----------
    alpha : float
        Additive smoothing of the summed weights.  5-fold cross-validation on the first halves of
        SpamAssassin, Enron-Spam and SMS prefers ever smaller values (.01 to .0003, all within
        .01 % 1-ROCA), which are ten times worse when the mail changes (trained on another corpus):
        .003 is the cautious end.
    fit_prior, class_prior, prior_alpha
        As in `NaiveBayes`.
    groups : array-like of int, shape (n_features,), optional
        The group of each feature; one group by default.
    idf_groups : array-like of int
        The groups that are weighted by inverse document frequency log(1 + n/df).  It is for
        features that programs write, of which most mails have the same ones: on the first half of
        the SpamAssassin corpus 1-ROCA .0575 % without, .0393 % with it in those groups; in the
        groups of words it hurts (Enron-Spam .0266 % to .0328 %; 5-fold cross-validation, 2026-11).

    Attributes
    ----------
    feature_count_ : ndarray of shape (n_classes, n_features)
        The summed weights, whole multiples of 2⁻²⁰, so that a sum has no rounding and is the same
        in any order of the samples.
    document_frequency_ : ndarray of shape (n_features,)
        In how many samples each feature stood when learning began; later samples do not change
        how earlier ones were seen.
    n_documents_ : int
        How many samples these were.

    Examples
    --------
    >>> from spamnb.bayes import GroupedNB
    >>> X = [[2, 0, 1], [0, 3, 1], [1, 1, 0]]
    >>> model = GroupedNB(groups=[0, 0, 1]).fit(X, ["ham", "spam", "ham"])
    >>> model.predict([[0, 1, 0]]).tolist()
    ['spam']
    """

    count_unit = WEIGHT_UNIT
    is_refined_by_itself = True
    view_name = "grouped"

    document_frequency_: Ints
    n_documents_: int

    def __init__(
        self,
        *,
        alpha: ArrayLike = 0.003,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
        groups: ArrayLike | None = None,
        idf_groups: ArrayLike = (),
    ) -> None:
        super().__init__(
            alpha=alpha, fit_prior=fit_prior, class_prior=class_prior, prior_alpha=prior_alpha
        )
        self.groups = groups
        self.idf_groups = idf_groups

    def partial_fit_weighted(self, X: Any, Y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Learn from samples with a weight for each class; see `NaiveBayes`."""
        X = self._check_matrix(X)
        if not hasattr(self, "class_count_"):  # again, where a first batch was refused
            self.document_frequency_ = X.document_frequency()
            self.n_documents_ = X.shape[0]
        return super().partial_fit_weighted(X, Y, classes)

    def begin(self, classes: NDArray[Any], document_frequency: Ints, n_samples: int) -> Self:
        """Forget everything, and prepare to learn samples with known document frequencies."""
        super().begin(classes, document_frequency, n_samples)
        self.document_frequency_, self.n_documents_ = document_frequency, n_samples
        return self

    def dependent_columns(self) -> Ints:
        """Return the features that are weighted by inverse document frequency."""
        return np.flatnonzero(np.isin(self._group_of(self.n_features_in_), self.idf_groups))

    def seeing(self, columns: Ints) -> Self:
        """Return an estimator restricted to some of the features, for `view` only."""
        part = copy.copy(self)
        part.groups = self._group_of(self.n_features_in_)[columns]
        part.document_frequency_ = self.document_frequency_[columns]
        return part

    @classmethod
    def parameters_for(cls, settings: Settings) -> dict[str, Any]:
        """Return the parameters that the training options ask for: each token has its group."""
        programs = (n for n, group in enumerate(GROUPS) if group not in TEXT_GROUPS)
        return {
            **super().parameters_for(settings),
            "groups": group_numbers(settings.vocabulary),
            "idf_groups": list(programs),
        }

    def grow(self, tokens: Sequence[str]) -> Self:
        """Add features for new tokens, each in its group."""
        known = self._group_of(self.n_features_in_)
        self.groups = np.concatenate((known, group_numbers(tokens)))
        return super().grow(tokens)

    def widen(self, n_features: int) -> Self:
        """Add new features; ``groups`` has to include them already."""
        missing = max(0, n_features - self.n_features_in_)
        self.document_frequency_ = np.pad(self.document_frequency_, (0, missing))
        return super().widen(n_features)

    def take_columns(self, columns: NDArray[Any]) -> Self:
        """Keep some of the features, in the order given: the same as learning only them.

        But for the lengths: they are those of the samples with all their features.
        """
        self.document_frequency_ = self.document_frequency_[columns]
        if self.groups is not None:
            self.groups = np.asarray(self.groups)[columns]
        return super().take_columns(columns)

    def view(self, X: CountMatrix) -> CountMatrix:
        """Return the weights, with length 1 in each group of each sample."""
        group = self._group_of(X.shape[1])
        n_groups = int(group.max(initial=0)) + 1
        is_weighted = np.isin(np.arange(n_groups), self.idf_groups)
        seen = np.empty(len(X.data))
        for rows, block in X.blocks(_BLOCK):
            weight = np.log1p(block.data)
            group_of = group[block.indices]
            if is_weighted.any():
                own = np.flatnonzero(is_weighted[group_of])
                weight[own] *= self._idf(block.indices[own])
            cell = block.row_of * n_groups + group_of
            length = np.sqrt(np.bincount(cell, np.square(weight)))
            weight /= length[cell]
            weight /= WEIGHT_UNIT
            steps = np.maximum(np.rint(weight, out=weight), 1.0, out=weight)
            own_part = seen[X.indptr[rows.start] : X.indptr[rows.stop]]
            np.multiply(steps, WEIGHT_UNIT, out=own_part)
        return CountMatrix(seen, X.indices, X.indptr, X.shape)

    def _update_feature_log_prob(self, alpha: Floats) -> None:
        count = self.feature_count_ + alpha
        group = self._group_of(self.n_features_in_)
        total = np.array([np.bincount(group, row) for row in count], dtype=np.float64)
        self.feature_log_prob_ = log(count)
        self.feature_log_prob_ -= np.take(log_total(total), group, axis=1)

    @property
    def scales(self) -> Floats:
        """What the logarithm of each feature's count is multiplied by, of shape (n_features,)."""
        scales = np.ones(self.n_features_in_)
        weighted = self.dependent_columns()
        scales[weighted] = self._idf(weighted)
        return scales

    def _idf(self, columns: Ints) -> Floats:
        df = np.maximum(self.document_frequency_[columns], 1)
        return np.log1p(max(self.n_documents_, 1) / df)

    @property
    def weights(self) -> Floats:
        """What each further count adds to each class, of shape (n_classes, n_features)."""
        return self.feature_log_prob_

    @property
    def intercept(self) -> Floats:
        """The class log prior, of shape (n_classes,)."""
        return self.class_log_prior_

    def _counts(self) -> dict[str, NDArray[Any]]:
        return {
            **super()._counts(),
            "document_frequency": self.document_frequency_,
            "n_documents": np.array([self.n_documents_]),
        }

    def _set_counts(self, state: Mapping[str, NDArray[Any]]) -> None:
        super()._set_counts(state)
        shape = (self.n_features_in_,)
        self.document_frequency_ = stored_whole(state, "document_frequency", shape)
        self.n_documents_ = int(stored_whole(state, "n_documents", (1,))[0])

    def _group_of(self, n_features: int) -> Ints:
        if self.groups is None:
            return np.zeros(n_features, dtype=np.int64)
        return np.asarray(self.groups, dtype=np.int64)

    def _token_log_prob(self) -> Floats:
        """Return log P(token | class), every group being as probable as any other."""
        group = self._group_of(self.n_features_in_)
        return np.asarray(self.feature_log_prob_ - np.log(max(len(np.unique(group)), 1)))

    def _check_parameters(self, n_features: int) -> None:
        super()._check_parameters(n_features)
        if self.groups is not None:
            groups = np.asarray(self.groups)
            is_whole = groups.dtype.kind in "iu" and groups.min(initial=0) >= 0
            if groups.shape != (n_features,) or not is_whole:
                expected = f"{n_features} whole numbers ≥ 0, one for each feature"
                raise ParameterError("groups", expected, f"shape {groups.shape}")
