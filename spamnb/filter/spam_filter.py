"""The whole filter: analyzer, vocabulary, estimator and decision → `Verdict`, `Explanation`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from spamnb.bayes.calibrated import CalibratedNB
from spamnb.bayes.composite import CompositeNB
from spamnb.bayes.ode import TreeNB
from spamnb.errors import ParameterError
from spamnb.features.matrix import CountMatrix, Floats
from spamnb.features.vectorizer import CountVectorizer, JoinedVectorizer, Vectorizer
from spamnb.features.vocabulary import Vocabulary
from spamnb.filter.explanation import METHODS, Contribution, Explanation, TreeRow
from spamnb.filter.verdict import HAM_OR_SPAM, UNSURE, Decision, Verdict
from spamnb.mail.message import Message
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.groups import body_words
from spamnb.text.values import is_word


class SpamFilter:
    """A trained filter.

    Parameters
    ----------
    analyzer : Analyzer
        Turns messages into tokens, in training and in scoring alike.
    vectorizer : Vectorizer or Vocabulary
        Turns tokens into the estimator's columns; of a vocabulary, by counting.
    model : CalibratedNB
        Its estimator is fitted, with sorted labels as classes.
    decision : Decision, optional
        Which verdict follows from the odds.
    """

    def __init__(
        self,
        analyzer: Analyzer,
        vectorizer: Vectorizer | Vocabulary,
        model: CalibratedNB,
        decision: Decision | None = None,
    ) -> None:
        self.analyzer = analyzer
        if isinstance(vectorizer, Vocabulary):
            vectorizer = CountVectorizer(vectorizer)
        self.vectorizer: Vectorizer = vectorizer
        self.model = model
        self.decision = decision or Decision()
        self.labels: tuple[str, ...] = tuple(map(str, model.classes_))
        self.is_ham_or_spam = self.labels == HAM_OR_SPAM

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without the cached `spam_weights`."""
        return {name: value for name, value in vars(self).items() if name != "spam_weights"}

    @property
    def config(self) -> AnalyzerConfig:
        """How it reads a mail."""
        return self.analyzer.config

    def classify(self, message: Message) -> Verdict:
        """Return the verdict on one message."""
        return self.classify_all([message])[0]

    def classify_all(self, messages: Iterable[Message]) -> list[Verdict]:
        """Return the verdict on each of some messages."""
        return self.judge(map(self.analyzer.analyze, messages))

    def judge(self, documents: Iterable[Collection[str]]) -> list[Verdict]:
        """Return the verdict on the tokens of each of some documents.

        Parameters
        ----------
        documents : iterable of sequence of str
            The tokens, as the filter's own analyzer makes them.
        """
        documents = list(documents)
        return self._judge(self.vectorizer.transform(documents), documents)

    def _judge(self, X: CountMatrix, documents: Sequence[Collection[str]]) -> list[Verdict]:
        n_known = np.diff(X.indptr).tolist()
        reasons = list(map(self._too_little_known, documents, n_known))
        if self.is_ham_or_spam:
            log_odds = self._log_odds(X).tolist()
            return [self.decision.verdict(*row) for row in zip(log_odds, reasons, strict=True)]
        log_proba = self.model.predict_log_proba(X)
        return [self._best(*row) for row in zip(log_proba, reasons, strict=True)]

    def _too_little_known(self, tokens: Collection[str], n_known_tokens: int) -> str:
        """Return why a mail is not judged, or ``""``."""
        vocabulary = self.vectorizer.vocabulary
        if vocabulary is None:  # it is not judged by words
            return ""
        words = body_words(tokens)
        n_known = sum(map(vocabulary.__contains__, words))
        return self.decision.too_little_known(n_known, len(words), n_known_tokens)

    def explain(self, message: Message) -> Explanation:
        """Return the verdict on one message and what each of its tokens adds to it.

        With ``alpha=0`` single contributions can be infinite, and then no sum holds.
        """
        return self.explain_tokens(self.analyzer.analyze(message))

    def explain_tokens(self, tokens: Collection[str]) -> Explanation:
        """Return what `explain` does, for the tokens of a document."""
        X = self.vectorizer.transform([tokens])
        verdict = self._judge(X, [tokens])[0]
        against, towards = self._contrast(X)
        evidence = self.model.evidence(X, towards, against)
        refinement = self.model.refinement_between(towards, against)
        contributions = []
        rows = (evidence.columns.tolist(), evidence.values.tolist(), evidence.nats.tolist())
        for column, value, nats in zip(*rows, strict=True):
            token, count = self.vectorizer.describe(column, value)
            refined = float(value * refinement.weights[column]) if refinement else 0.0
            contributions.append(Contribution(token, count, nats, refined, self._view_of(column)))
        contributions.sort(key=lambda item: (-abs(item.nats), item.token))
        views = dict.fromkeys(self.views, 0.0)
        for item in contributions if views else ():
            views[item.view] += item.nats
        return Explanation(
            verdict=verdict,
            towards=self.labels[towards],
            against=self.labels[against],
            intercept=evidence.intercept + (refinement.intercept if refinement else 0.0),
            intercept_meaning=self.model.intercept_meaning,
            contributions=tuple(contributions),
            n_unknown=self._n_unknown(tokens),
            is_refined=refinement is not None,
            method=METHODS[not self.model.estimator.is_additive],
            views=views,
        )

    def tree(self) -> Iterator[TreeRow]:
        """Yield the tree of a `TreeNB`: parents first, then their children, the strongest first.

        Raises
        ------
        ParameterError
            When the model is no such tree.
        """
        model = self.model.estimator
        if not isinstance(model, TreeNB):
            expected = "of a model of the classifier tan, spode or ode"
            raise ParameterError("tree", expected, "another model")
        children: dict[int, list[tuple[float, int]]] = {}
        rows = (model.parents_, model.edge_weights_, model.selected_features_)
        for parent, nats, column in zip(*(row.tolist() for row in rows), strict=True):
            children.setdefault(parent, []).append((nats, column))
        waiting = [(nats, column, 0) for nats, column in sorted(children.get(-1, []))]
        while waiting:
            nats, column, depth = waiting.pop()
            yield TreeRow(self.vectorizer.describe(column, 1.0)[0], nats, depth)
            waiting += [(n, c, depth + 1) for n, c in sorted(children.get(column, []))]

    @property
    def views(self) -> tuple[str, ...]:
        """The names of several views that the model judges by, else ``()``."""
        estimator = self.model.estimator
        if isinstance(estimator, CompositeNB):
            return tuple(view.name for view in estimator.views)
        return ()

    def _view_of(self, column: int) -> str:
        if isinstance(self.vectorizer, JoinedVectorizer):
            return self.views[self.vectorizer.part_of(column)]
        return ""

    def _n_unknown(self, tokens: Collection[str]) -> int:
        vocabulary = self.vectorizer.vocabulary
        if vocabulary is None:
            return 0
        return sum(is_word(token) and token not in vocabulary for token in set(tokens))

    def _contrast(self, X: CountMatrix) -> tuple[int, int]:
        """Return the classes that the log-odds compare: against, towards."""
        if self.is_ham_or_spam:
            return 0, 1
        best, second = _best_two(self.model.predict_log_proba(X)[0])
        return second, best

    def _log_odds(self, X: CountMatrix) -> Floats:
        """Return the log-odds of spam against ham, of shape (n_samples,)."""
        if self.spam_weights is not None:
            # One product for both classes and both parts: less work, and no digits lost to the
            # large joint log likelihoods that would cancel.
            weights, intercept = self.spam_weights
            return self.model.estimator.view(X).dot_vector(weights) + intercept
        log_proba = self.model.predict_log_proba(X)
        return np.asarray(log_proba[:, 1] - log_proba[:, 0])

    @cached_property
    def spam_weights(self) -> tuple[Floats, float] | None:
        """The weights and the intercept of the log-odds of spam, of a linear model of finite ones.

        What is no sum of weights over the estimator's view has none; of shape (n_features,).
        """
        linear = self.model.log_odds_weights(1, 0)
        if linear is None:
            return None
        weights, intercept = linear
        if self.model.refinement is not None:
            weights = weights + self.model.refinement.weights
            intercept += self.model.refinement.intercept
        is_finite = np.all(np.isfinite(weights)) and np.isfinite(intercept)
        return (weights, intercept) if is_finite else None

    def _best(self, log_proba: Floats, too_little: str) -> Verdict:
        best, second = _best_two(log_proba)
        odds = float(log_proba[best] - log_proba[second])
        label = UNSURE if too_little else self.labels[best]
        return Verdict(label, float(np.exp(log_proba[best])), odds, too_little)


def _best_two(log_proba: Floats) -> tuple[int, int]:
    """Return the most probable class and the next, with ties as in ``predict``."""
    best, second = np.argsort(-log_proba, kind="stable")[:2]
    return int(best), int(second)
