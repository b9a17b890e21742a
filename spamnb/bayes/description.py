"""How a class of estimators describes itself, so that no list of them is needed elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from numpy.typing import ArrayLike

from spamnb.bayes.settings import Settings

if TYPE_CHECKING:
    from spamnb.bayes.base import NaiveBayes

Kind = Literal["words", "numbers", "facts"]
"""What there is to read of a mail; see `spamnb.text.values`."""


class Described:
    """A class of estimators that can be one of `spamnb.bayes.classifiers.CLASSIFIERS`."""

    reads: ClassVar[Kind] = "words"
    """What it reads of a mail."""

    options: ClassVar[frozenset[str]] = frozenset()
    """Which of the training options that not all classifiers have it uses:
    ``alpha``, ``features``, ``parents``, ``discretize``."""

    is_linear: ClassVar[bool] = False
    """Whether the log-odds are a weighted sum over the features as it sees them, so that it can be
    refined."""

    can_grow: ClassVar[bool] = False
    """Whether it can learn mail by mail, with words that come later."""

    is_refined_by_itself: ClassVar[bool] = False
    """Whether it is refined unless the options of training say otherwise."""

    is_additive: ClassVar[bool] = True
    """Whether the log-odds are a sum over the features, weighted or not."""

    has_likelihood: ClassVar[bool] = True
    """Whether its scores are P(class, sample), so that other evidence can be multiplied in."""

    intercept_meaning: ClassVar[str] = "prior"
    """What the intercept of `evidence` stands for, in the words of an explanation."""

    _prior_name: ClassVar[str] = "class_prior"

    @property
    def view_name(self) -> str | None:
        """How it sees counts, one of `spamnb.filter.table_filter.VIEWS`; None if in another way."""
        return None

    @classmethod
    def form_for(cls, settings: Settings) -> type[NaiveBayes]:
        """Return the class that does what the options ask for: nearly always this one."""
        return cls  # type: ignore[return-value]

    @classmethod
    def from_settings(
        cls, settings: Settings, *, fit_prior: bool = True, class_prior: ArrayLike | None = None
    ) -> NaiveBayes:
        """Return an untrained estimator.

        Parameters
        ----------
        settings : Settings
            What the training options ask for.
        fit_prior, class_prior
            As in `NaiveBayes`.
        """
        form = cls.form_for(settings)
        prior: dict[str, Any] = {"fit_prior": fit_prior, form._prior_name: class_prior}
        return form(**prior, **form.parameters_for(settings))

    @classmethod
    def parameters_for(cls, settings: Settings) -> dict[str, Any]:
        """Return the parameters that the training options ask for, but for the prior."""
        has_alpha = "alpha" in cls.options and settings.alpha is not None
        return {"alpha": settings.alpha} if has_alpha else {}
