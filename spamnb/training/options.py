"""How a filter is trained: plain data, and the untrained estimator that it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from spamnb.bayes.base import NaiveBayes
from spamnb.bayes.classifiers import CLASSIFIERS, make_classifier
from spamnb.bayes.composite import CompositeNB, View
from spamnb.errors import ParameterError
from spamnb.features.group_numbers import group_numbers
from spamnb.filter.verdict import UNSURE_COST, Decision
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.text.groups import GROUPS, TEXT_GROUPS
from spamnb.training.memory import DEFAULT_MEMORY, LEAST_MEMORY
from spamnb.training.parents import parent_columns

COUNTS = ("binary", "frequency")
"""How often a token can count in one mail."""

REFINE = ("auto", "on", "off")
"""Whether naive Bayes is refined by logistic regression."""

SEMI = ("em", "self-training")
"""How unlabelled mail is learned from."""

OF_VALUES = {"gaussian": "numbers", "categorical": "facts"}
"""The classifiers that read something else than words, and what."""

GROWING = ("grouped", "multinomial", "bernoulli", "complement")
"""The classifiers that are linear in the words: they can be refined, and learn mail by mail."""

OF_CHOSEN_WORDS = ("aode", "tan", "spode", "ode")
"""The classifiers over the words that tell most."""

_OF_SOME = {"features": OF_CHOSEN_WORDS, "parents": ("ode",), "discretize": ("gaussian",)}

# Many numbers are 0 in all mail of a label but a few, where a narrow bell would call those few
# impossible.  5-fold cross-validation on the first half of the SpamAssassin corpus, 1-ROCA for
# 1e-9 (scikit-learn's), 1e-4, .001, .01, .1: 7.9, 5.1, 3.6, 3.8, 4.8 % (2026-11).
_VAR_SMOOTHING = 1e-3
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
        ``binary`` counts a token once in a mail, ``frequency`` as often as it stands there;
        ``grouped`` has its own weights.  Binary, because a repeated word is not new evidence:
        5-fold cross-validation on the first half of the SpamAssassin corpus, textbook preset,
        multinomial, 1-ROCA .65 % against 1.19 % (2026-11; the same finding as Metsis et al., CEAS
        2006).
    calibrate : bool
        Make probabilities that can be believed, by out-of-fold scores; without, they are those of
        the textbook.
    refine : str
        ``on``, ``off``, or ``auto``: the ``grouped`` classifier from 200 mails of two labels.
    features : int, optional
        How many words `OF_CHOSEN_WORDS` choose; None for their own number.
    parents : dict of str to str, optional
        The words on which words depend in ``ode``, the others depending on none; without cycles.
        None for those that KDB finds.
    discretize : bool
        Read numbers by the interval that they lie in, each interval being a category; without,
        ``gaussian`` has a bell curve for each.
    semi : str, optional
        How to learn from unlabelled mail, where there is some: one of `SEMI`.
    unlabelled_weight : float
        How much an unlabelled mail counts in ``em``, a labelled one being 1.  Within the first half
        of Enron-Spam (5 % of the labels of two thirds of it, scored on the third; two drawings of
        the labels), 1-ROCA without .337 and .340 %, for .03, .1, .3 and 1: .139, .149, .160, .174
        and .114, .104, .102, .109 % (2026-11).
    min_df : int
        Tokens in fewer mails are forgotten.
    max_features : int, optional
        At most so many tokens are kept, those in the most mails.
    max_memory : int
        About how many bytes training may take; see `spamnb.training.memory`.
    cost : float
        How many times as bad a lost ham is as a passed spam; see `Decision`.
    unsure_cost : float
        How bad an unsure mail is, a passed spam being 1; see `Decision`.
    analyzer : AnalyzerConfig
        How messages become tokens.
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
    unlabelled_weight: float = 0.1
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
        if not 0 < self.unlabelled_weight < float("inf"):
            raise ParameterError("unlabeled-weight", "a number > 0", self.unlabelled_weight)
        if self.refine == "on" and not self.calibrate:
            raise ParameterError("refine", "off or auto where nothing is calibrated", self.refine)
        if self.refine == "on" and self.classifier not in GROWING:
            expected = f"off or auto for {self.classifier}, which is not linear in the words"
            raise ParameterError("refine", expected, self.refine)
        self.make_decision()  # to refuse a wrong cost now

    def _check_classifier(self) -> None:
        for name in self.names:
            if name not in CLASSIFIERS:
                expected = f"one of {', '.join(CLASSIFIERS)}, or some of them joined by +"
                raise ParameterError("classifier", expected, name)
        read = [OF_VALUES.get(name, "words") for name in self.names]
        if len(set(read)) < len(read):
            expected = "views that do not read the same: one of words, gaussian, categorical"
            raise ParameterError("classifier", expected, self.classifier)
        if len(read) > 1 and "complement" in self.names:
            expected = "models with a likelihood, which complement has not"
            raise ParameterError("classifier", expected, self.classifier)

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers, one for each view."""
        return tuple(self.classifier.split("+"))

    @property
    def reads_words(self) -> bool:
        """Whether some classifier reads words."""
        return any(name not in OF_VALUES for name in self.names)

    def has_alpha(self, name: str) -> bool:
        """Tell whether one of the classifiers has an alpha."""
        return name != "gaussian" or self.discretize

    def uses(self, option: str) -> bool:
        """Tell whether an option that is of some classifiers alone makes a difference."""
        if option == "alpha":
            return any(map(self.has_alpha, self.names))
        return bool(set(self.names) & set(_OF_SOME[option]))

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
        if len(self.names) == 1:
            return self._make(self.classifier, prior, vocabulary)
        views = [
            View(name, self._make(name, {"fit_prior": False}, vocabulary), width)
            for name, width in zip(self.names, widths or [0] * len(self.names), strict=True)
        ]
        return CompositeNB(views, **prior)

    def _prior(self, labels: tuple[str, ...]) -> dict[str, Any]:
        prior = self.prior
        if isinstance(prior, str):
            if prior not in {"empirical", "uniform"}:
                raise ParameterError("prior", "empirical, uniform, or LABEL=NUMBER,...", prior)
            return {"fit_prior": prior == "empirical"}
        if set(prior) != set(labels):
            expected = f"a number for each of {', '.join(labels)}"
            raise ParameterError("prior", expected, ", ".join(prior) or "none")
        return {"class_prior": [prior[label] for label in labels]}

    def _make(self, name: str, prior: dict[str, Any], vocabulary: Iterable[str]) -> NaiveBayes:
        parameters: dict[str, Any] = dict(prior)
        if name == "gaussian" and self.discretize:
            name = "categorical"
        elif name == "gaussian":
            parameters["var_smoothing"] = _VAR_SMOOTHING
            if "class_prior" in parameters:
                parameters["priors"] = parameters.pop("class_prior")
        if isinstance(self.alpha, (int, float)) and name != "gaussian":
            parameters["alpha"] = self.alpha
        if name == "grouped":
            parameters["groups"] = group_numbers(vocabulary)
            parameters["idf_groups"] = [
                number for number, group in enumerate(GROUPS) if group not in TEXT_GROUPS
            ]
        elif name in {"multinomial", "complement"}:  # the others are binary anyway
            parameters["binary"] = self.counts == "binary"
        elif name in OF_CHOSEN_WORDS and self.features is not None:
            parameters["k"] = self.features
        if name == "ode" and self.parents is not None:
            parameters["parents"] = parent_columns(self.parents, vocabulary)
        return make_classifier(name, **parameters)

    def refines(self, n_mails: int, n_labels: int) -> bool:
        """Tell whether a model of so many mails and labels is refined."""
        if self.refine != "auto":
            return self.refine == "on"
        is_wanted = self.calibrate and self.classifier == "grouped" and n_labels == 2
        return is_wanted and n_mails >= _LEAST_TO_REFINE


def check_used(alternatives: Sequence[TrainingOptions]) -> None:
    """Refuse what was asked for and makes no difference to any of some filters.

    Raises
    ------
    ParameterError
    """
    first, default = alternatives[0], TrainingOptions()
    for option in ("alpha", *_OF_SOME):
        value = getattr(first, option)
        if value != getattr(default, option) and not any(o.uses(option) for o in alternatives):
            names = ", ".join(options.classifier for options in alternatives)
            got = f"{len(value)} words" if isinstance(value, dict) else value
            raise ParameterError(option, f"left out for {names}, which has no use for it", got)
