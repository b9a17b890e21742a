"""Parameters by name, as scikit-learn's own tools ask for them: clone, pipelines, searches.

scikit-learn itself is not imported.
"""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class Classifier:
    """What scikit-learn's tools ask of a classifier, besides that it learns and predicts.

    The constructor's parameters are attributes of the same names, taken as they come.
    """

    classes_: NDArray[Any]

    _estimator_type: ClassVar[str] = "classifier"

    @classmethod
    def parameter_names(cls) -> list[str]:
        """Return the names of the constructor's parameters, in their order."""
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters.

        Parameters
        ----------
        deep : bool
            Also those of a parameter that is an estimator, as ``name__parameter``.
        """
        parameters: dict[str, Any] = {}
        for name in self.parameter_names():
            value = parameters[name] = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                inner = value.get_params().items()
                parameters.update({f"{name}__{own}": value for own, value in inner})
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Set some parameters, named as `get_params` does.

        Raises
        ------
        ParameterError
            For an unknown name.
        """
        known = self.parameter_names()
        inner: dict[str, dict[str, Any]] = {}
        for name, value in parameters.items():
            own, _, rest = name.partition("__")
            if own not in known:
                expected = f"one of {', '.join(known)}"
                raise ParameterError(f"a parameter of {type(self).__name__}", expected, name)
            if rest:
                inner.setdefault(own, {})[rest] = value
            else:
                setattr(self, own, value)
        for own, values in inner.items():
            getattr(self, own).set_params(**values)
        return self

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the accuracy: the share of samples with the correct prediction.

        Parameters
        ----------
        X : CountMatrix, scipy CSR or array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each sample counts.
        """
        is_right = self.predict(X) == np.asarray(y)
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        return float(np.average(is_right, weights=weights))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each sample, of shape (n_samples,)."""
        raise NotImplementedError

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = (
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if value is not defaults[name].default
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags."""
        sklearn: Any = sys.modules["sklearn.utils"]  # which is there, since it is what asks
        return sklearn.Tags(
            estimator_type="classifier",
            target_tags=sklearn.TargetTags(required=True),
            classifier_tags=sklearn.ClassifierTags(),
            input_tags=sklearn.InputTags(sparse=True, **self._input_tags()),
        )

    def _input_tags(self) -> dict[str, bool]:
        """Return what scikit-learn has to know of the values that it takes."""
        return {}
