"""The class prior: learned, uniform or given."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.checks import numbers
from spamnb.bayes.logarithms import difference, log, smoothed_log_ratio, smoothing_log_density
from spamnb.errors import ParameterError
from spamnb.features.matrix import Floats, Ints


class ClassPrior:
    """The class prior of an estimator.

    Parameters
    ----------
    fit_prior, class_prior, prior_alpha
        As in `spamnb.bayes.base.NaiveBayes`.
    """

    classes_: NDArray[Any]
    class_count_: Floats
    class_log_prior_: Floats

    _prior_name: ClassVar[str] = "class_prior"

    def __init__(
        self,
        *,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        prior_alpha: float = 0.0,
    ) -> None:
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.prior_alpha = prior_alpha

    def _check_prior(self) -> None:
        if numbers("prior_alpha", self.prior_alpha, "a number ≥ 0").ndim:
            raise ParameterError("prior_alpha", "a number ≥ 0", self.prior_alpha)
        if self.class_prior is not None:
            expected = f"{len(self.classes_)} numbers ≥ 0 with the sum 1"
            prior = numbers(self._prior_name, self.class_prior, expected)
            if prior.shape != (len(self.classes_),) or not np.isclose(prior.sum(), 1.0):
                raise ParameterError(self._prior_name, expected, self.class_prior)

    def _update_class_log_prior(self) -> None:
        n_classes = len(self.classes_)
        if self.class_prior is not None:
            self.class_log_prior_ = log(np.asarray(self.class_prior, dtype=np.float64))
        elif self.fit_prior:
            count = self.class_count_ + self.prior_alpha
            self.class_log_prior_ = smoothed_log_ratio(count, count.sum())
        else:
            self.class_log_prior_ = np.full(n_classes, -np.log(n_classes))

    def _prior_log_density(self) -> float:
        if self.class_prior is not None or not self.fit_prior:
            return 0.0  # it is not learned
        return smoothing_log_density(self.class_log_prior_, self.prior_alpha)

    def _prior_between(self, towards: int, against: int) -> float:
        prior = self.class_log_prior_
        return float(difference(prior[towards], prior[against]))

    def _draw_classes(self, n_samples: int, rng: np.random.Generator) -> Ints:
        if not isinstance(n_samples, (int, np.integer)) or n_samples < 0:
            raise ParameterError("n_samples", "a whole number ≥ 0", n_samples)
        prior = np.exp(self.class_log_prior_)
        # Where nothing was counted no class is known to be more frequent.
        shares = prior / prior.sum() if prior.any() else None
        return rng.choice(len(self.classes_), size=n_samples, p=shares)
