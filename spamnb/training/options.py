"""How a filter is trained: plain data, and the untrained estimator that it asks for.

Nothing here needs numpy before somebody makes options: the command line says their names and
defaults in its help.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spamnb.bayes.classifiers import CLASSIFIERS, classifier
from spamnb.bayes.settings import Settings
from spamnb.errors import ParameterError
from spamnb.filter.verdict import UNSURE_COST, Decision
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.training.memory import DEFAULT_MEMORY, LEAST_MEMORY

if TYPE_CHECKING:
    from spamnb.bayes.base import NaiveBayes
    from spamnb.bayes.description import Kind

COUNTS = ("binary", "frequency")
"""How often a token can count in one mail."""

REFINE = ("auto", "on", "off")
"""Whether naive Bayes is refined by logistic regression."""

SEMI = ("em", "self-training")
"""How unlabeled mail is learned from."""

PRIORS = ("empirical", "uniform")
"""The priors that have a name."""

_OF_SOME = ("alpha", "features", "parents", "discretize")
_LEAST_TO_REFINE = 200


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How a filter is trained.

    Attributes
    ----------
    classifier : str
        One of `spamnb.bayes.classifiers.CLASSIFIERS`, or several joined by ``+`` that read
        different views of a mail: words, numbers (gaussian), facts (categorical).
    alpha : float or str, optional
        The smoothing; ``auto`` for the value that cross-validation chooses, None for the
        classifier's own.
    prior : str or dict of str to float
        ``empirical``, ``uniform``, or the probability of each label.
    counts : str
        ``binary`` counts a token once per mail, ``frequency`` as often as it occurs;
        ``grouped`` has its own weights.  Binary, because a repeated word is not new evidence:
        5-fold cross-validation on the first half of the SpamAssassin corpus, textbook preset,
        multinomial, 1-ROCA .65 % against 1.19 % (2026-11; the same finding as Metsis et al., CEAS
        2006).
    calibrate : bool
        Calibrate the probabilities on out-of-fold scores; otherwise they are those of the
        textbook.
    refine : str
        ``on``, ``off``, or ``auto``: the ``grouped`` classifier from 200 mails of two labels.
    features : int, optional
        How many words the classifiers over the words that tell most choose; None for their own
        number.
    parents : dict of str to str, optional
        The words on which words depend in ``ode``, the others depending on none; without cycles.
        None for those that KDB finds.
    discretize : bool
        Read numbers by the interval that they lie in, each interval being a category; without,
        ``gaussian`` fits a normal distribution to each.
    semi : str, optional
        How to learn from unlabeled mail, where there is some: one of `SEMI`.
    unlabeled_weight : float
        The weight of an unlabeled mail in ``em``, where a labeled one has 1.  Within the first half
        of Enron-Spam (5 % of the labels of two thirds of it, scored on the third; two random
        choices of the labels), 1-ROCA without .337 and .340 %, for .03, .1, .3 and 1: .139, .149,
        .160, .174 and .114, .104, .102, .109 % (2026-11).
    min_df : int
        Tokens in fewer mails are forgotten.
    max_features : int, optional
        At most this many tokens are kept, those in the most mails.
    max_memory : int
        About how many bytes training may take; see `spamnb.training.memory`.
    cost : float
        How many times as bad a lost ham is as a passed spam; see `Decision`.
    unsure_cost : float
        How bad an unsure mail is, a passed spam being 1; see `Decision`.
    analyzer : AnalyzerConfig
        How messages become tokens; with values, where a classifier reads them.

    Examples
    --------
    >>> import spamnb
    >>> options = spamnb.TrainingOptions(classifier="grouped+gaussian", cost=99)
    >>> options.reads
    ('words', 'numbers')
    >>> spamnb.TrainingOptions(classifier="guess")
    Traceback (most recent call last):
    ...
    spamnb.errors.ParameterError: classifier must be one of grouped, multinomial, bernoulli, ...
    """

    classifier: str = "grouped"
    alpha: float | str | None = None
    prior: str | dict[str, float] = "empirical"
    counts: str = "binary"
    calibrate: bool = True
    refine: str = "auto"
    features: int | None = None
    parents: dict[str, str] | None = None
    discretize: bool = False
    semi: str | None = None
    unlabeled_weight: float = 0.1
    min_df: int = 1
    max_features: int | None = None
    max_memory: int = DEFAULT_MEMORY
    cost: float = 9.0
    unsure_cost: float = UNSURE_COST
    analyzer: AnalyzerConfig = field(default_factory=AnalyzerConfig)

    def __post_init__(self) -> None:
        self._check_classifier()
        for name, value, known in (
            ("counts", self.counts, COUNTS),
            ("refine", self.refine, REFINE),
            ("semi", self.semi, (None, *SEMI)),
        ):
            if value not in known:
                raise ParameterError(name, f"one of {', '.join(filter(None, known))}", value)
        if isinstance(self.alpha, str) and self.alpha != "auto":
            raise ParameterError("alpha", "a number ≥ 0, or auto", self.alpha)
        for name, number in (
            ("features", self.features),
            ("min-df", self.min_df),
            ("max-features", self.max_features),
        ):
            if number is not None and number < 1:
                raise ParameterError(name, "a whole number ≥ 1", number)
        if self.max_memory < LEAST_MEMORY:
            expected = f"at least {LEAST_MEMORY >> 20}M"
            raise ParameterError("max-memory", expected, f"{self.max_memory} bytes")
        if not 0 < self.unlabeled_weight < float("inf"):
            raise ParameterError("unlabeled-weight", "a number > 0", self.unlabeled_weight)
        if self.refine == "on" and not self.calibrate:
            raise ParameterError("refine", "off or auto where nothing is calibrated", self.refine)
        if self.refine == "on" and not (len(self.names) == 1 and self._classes[0].is_linear):
            expected = f"off or auto for {self.classifier}, which is not linear in the words"
            raise ParameterError("refine", expected, self.refine)
        self.make_decision()  # to reject an invalid cost now
        if any(kind != "words" for kind in self.reads):
            object.__setattr__(self, "analyzer", self.analyzer._replace(with_values=True))

    def _check_classifier(self) -> None:
        for name in self.names:
            if name not in CLASSIFIERS:
                expected = f"one of {', '.join(CLASSIFIERS)}, or some of them joined by +"
                raise ParameterError("classifier", expected, name)
        if len(self.names) == 1:
            return
        if len(set(self.reads)) < len(self.names):
            expected = "views that do not read the same: one of words, gaussian, categorical"
            raise ParameterError("classifier", expected, self.classifier)
        for name, each in zip(self.names, self._classes, strict=True):
            if not each.has_likelihood:
                expected = f"models with a likelihood, which {name} has not"
                raise ParameterError("classifier", expected, self.classifier)

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers, one for each view."""
        return tuple(self.classifier.split("+"))

    @property
    def _classes(self) -> list[type[NaiveBayes]]:
        return [classifier(name) for name in self.names]

    @property
    def reads(self) -> tuple[Kind, ...]:
        """What each classifier reads of a mail."""
        return tuple(each.reads for each in self._classes)

    @property
    def can_grow(self) -> bool:
        """Whether a filter can learn mail by mail."""
        return len(self.names) == 1 and self._classes[0].can_grow

    def has_alpha(self, name: str) -> bool:
        """Return whether one of the classifiers has an alpha."""
        return "alpha" in self._used_by(classifier(name))

    def uses(self, option: str) -> bool:
        """Return whether an option that only some classifiers have makes a difference."""
        return any(option in self._used_by(each) for each in self._classes)

    def _used_by(self, each: type[NaiveBayes]) -> frozenset[str]:
        return each.options | each.form_for(self._settings()).options

    def _settings(self, vocabulary: Iterable[str] = ()) -> Settings:
        """Return what the classifiers are asked for."""
        return Settings(
            alpha=self.alpha if isinstance(self.alpha, (int, float)) else None,
            counts=self.counts,
            features=self.features,
            parents=self.parents,
            discretize=self.discretize,
            vocabulary=vocabulary,
        )

    def make_decision(self) -> Decision:
        """Return the decision by the costs that the options give.

        Raises
        ------
        ParameterError
        """
        return Decision(self.cost, self.unsure_cost)

    def make_estimator(
        self, labels: tuple[str, ...], vocabulary: Iterable[str] = (), widths: Sequence[int] = ()
    ) -> NaiveBayes:
        """Return the untrained estimator that the options ask for.

        Parameters
        ----------
        labels : tuple of str
            Sorted.
        vocabulary : iterable of str
            The tokens that the features of words stand for.
        widths : sequence of int
            How many columns each of several views has.

        Raises
        ------
        ParameterError
        """
        prior = self._prior(labels)
        if self.refine == "on" and len(labels) != 2:
            raise ParameterError("refine", "off or auto for more than two labels", self.refine)
        settings = self._settings(vocabulary)
        if len(self.names) == 1:
            return self._classes[0].from_settings(settings, **prior)
        from spamnb.bayes.composite import CompositeNB, View

        views = [
            View(name, each.from_settings(settings, fit_prior=False), width)
            for name, each, width in zip(
                self.names, self._classes, widths or [0] * len(self.names), strict=True
            )
        ]
        return CompositeNB(views, **prior)

    def _prior(self, labels: tuple[str, ...]) -> dict[str, Any]:
        prior = self.prior
        if isinstance(prior, str):
            if prior not in PRIORS:
                expected = f"{', '.join(PRIORS)}, or LABEL=NUMBER,..."
                raise ParameterError("prior", expected, prior)
            return {"fit_prior": prior == "empirical"}
        if set(prior) != set(labels):
            expected = f"a number for each of {', '.join(labels)}"
            raise ParameterError("prior", expected, ", ".join(prior) or "none")
        return {"class_prior": [prior[label] for label in labels]}

    def refines(self, n_mails: int, n_labels: int) -> bool:
        """Return whether a model of this many mails and labels is refined."""
        if self.refine != "auto":
            return self.refine == "on"
        is_wanted = len(self.names) == 1 and self._classes[0].is_refined_by_itself
        return is_wanted and self.calibrate and n_labels == 2 and n_mails >= _LEAST_TO_REFINE


def check_used(alternatives: Sequence[TrainingOptions]) -> None:
    """Reject options that have no effect on any of the filters.

    Raises
    ------
    ParameterError
    """
    first, default = alternatives[0], TrainingOptions()
    for option in _OF_SOME:
        value = getattr(first, option)
        if value != getattr(default, option) and not any(o.uses(option) for o in alternatives):
            names = ", ".join(options.classifier for options in alternatives)
            got = f"{len(value)} words" if isinstance(value, dict) else value
            raise ParameterError(option, f"left out for {names}, which has no use for it", got)
