"""Naive Bayes over several views of a sample, such as its words and its numbers."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.evidence import Evidence
from spamnb.bayes.logarithms import difference
from spamnb.errors import MatrixError, ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints

if TYPE_CHECKING:
    from typing_extensions import Self


class View(NamedTuple):
    """A range of adjacent columns and its model.

    Attributes
    ----------
    name : str
        What the view is called.
    estimator : NaiveBayes
        Untrained; its own prior does not matter, but must not be 0 where the whole one is not.
    n_features : int
        How many columns the view has.
    """

    name: str
    estimator: NaiveBayes
    n_features: int


class CompositeNB(NaiveBayes):
    """The views are independent given the class: P(c) Π_v P(view v | c), each by its own model.

    The likelihoods of the views are multiplied; the prior enters once.

    Parameters
    ----------
    views : sequence of View
        In the order of their columns.
    fit_prior, class_prior, prior_alpha
        As in `NaiveBayes`.

    Attributes
    ----------
    estimators_ : list of NaiveBayes
        The trained model of each view.

    Examples
    --------
    >>> from spamnb.bayes import CompositeNB, GaussianNB, MultinomialNB, View
    >>> views = [View("words", MultinomialNB(), 2), View("numbers", GaussianNB(), 1)]
    >>> model = CompositeNB(views).fit([[1, 0, 7.5], [0, 1, 2.0]], ["ham", "spam"])
    >>> model.predict([[0, 2, 2.5]]).tolist()
    ['spam']
    """

    estimators_: list[NaiveBayes]

    def __init__(
        self,
        views: Sequence[View],
        *,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
    ) -> None:
        super().__init__(fit_prior=fit_prior, class_prior=class_prior, prior_alpha=prior_alpha)
        for view in views:
            if not view.estimator.has_likelihood:
                raise ParameterError("views", "models with a likelihood", view.name)
        self.views = views
        self.is_additive = all(view.estimator.is_additive for view in views)  # type: ignore[misc]
        if not self.is_additive:
            self.intercept_meaning = "prior, and what features say together"  # type: ignore[misc]

    @property
    def parts(self) -> list[NaiveBayes]:
        """The models of the views, trained where this one is."""
        return getattr(self, "estimators_", [view.estimator for view in self.views])

    def split(self, X: CountMatrix) -> list[CountMatrix]:
        """Return the columns of each view."""
        trained = getattr(self, "estimators_", None)
        widths = (
            [view.n_features for view in self.views]
            if trained is None
            else [estimator.n_features_in_ for estimator in trained]
        )
        ends = accumulate(widths, initial=0)
        return [X.take_columns(np.arange(*columns)) for columns in pairwise(ends)]

    def take_columns(self, columns: NDArray[Any]) -> Self:
        """Keep some of the features, in their order; see `NaiveBayes.take_columns`."""
        is_kept = np.zeros(self.n_features_in_, dtype=np.bool_)
        is_kept[columns] = True
        ends = np.cumsum([estimator.n_features_in_ for estimator in self.estimators_])
        for estimator, own in zip(self.estimators_, np.split(is_kept, ends), strict=False):
            estimator.take_columns(own)
        self.n_features_in_ = int(is_kept.sum())
        return self.update()

    def _reset_counts(self) -> None:
        self.estimators_ = []
        for view in self.views:
            estimator = copy.copy(view.estimator).reset()
            estimator.n_features_in_ = view.n_features
            self.estimators_.append(estimator)

    def _count(self, X: CountMatrix, Y: Floats) -> None:
        for estimator, part in zip(self.estimators_, self.split(X), strict=True):
            estimator.partial_fit_weighted(part, Y, self.classes_)

    def _update_parameters(self) -> None:
        for estimator in self.estimators_:
            estimator.update()

    def _joint_log_likelihood(self, X: CountMatrix) -> Floats:
        joint = np.tile(self.class_log_prior_, (X.shape[0], 1))
        for estimator, part in zip(self.estimators_, self.split(X), strict=True):
            joint += estimator.predict_joint_log_proba(part) - estimator.class_log_prior_
        return joint

    def _evidence(self, X: CountMatrix, towards: int, against: int) -> Evidence:
        start, rest = 0, self._prior_between(towards, against)
        found: list[Evidence] = []
        for estimator, part in zip(self.estimators_, self.split(X), strict=True):
            own = estimator.evidence(part, towards, against)
            prior = estimator.class_log_prior_
            rest += own.intercept - float(difference(prior[towards], prior[against]))
            found.append(Evidence(own.columns + start, own.values, own.nats, 0.0))
            start += estimator.n_features_in_
        return Evidence(
            np.concatenate([item.columns for item in found]),
            np.concatenate([item.values for item in found]),
            np.concatenate([item.nats for item in found]),
            rest,
        )

    def _features_log_density(self) -> float:
        return sum(estimator._features_log_density() for estimator in self.estimators_)

    def _sample_features(self, index: Ints, rng: np.random.Generator) -> CountMatrix:
        return CountMatrix.hstack([e._sample_features(index, rng) for e in self.estimators_])

    def _counts(self) -> dict[str, NDArray[Any]]:
        return {
            f"{number}:{name}": values
            for number, estimator in enumerate(self.estimators_)
            for name, values in estimator.state().items()
        }

    def _set_counts(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._reset_counts()
        for number, (estimator, view) in enumerate(zip(self.estimators_, self.views, strict=True)):
            start = f"{number}:"
            own = {k.removeprefix(start): v for k, v in state.items() if k.startswith(start)}
            estimator.set_state(self.classes_, view.n_features, own)

    def _check_matrix(self, X: Any) -> CountMatrix:
        return CountMatrix.coerce(X)  # what may stand in it is for the views to say

    def _check_parameters(self, n_features: int) -> None:
        expected = sum(e.n_features_in_ for e in getattr(self, "estimators_", ())) or sum(
            view.n_features for view in self.views
        )
        if n_features != expected:
            raise MatrixError(f"{expected} features, those of all views", f"{n_features}")
        super()._check_parameters(n_features)
