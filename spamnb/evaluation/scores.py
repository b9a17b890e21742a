"""The verdicts on labelled mail, as arrays: what every measure is computed from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import Floats
from spamnb.spam_filter import HAM_OR_SPAM, Verdict


@dataclass(frozen=True)
class Scores:
    """Labels and verdicts of some mails, row by row.

    Attributes
    ----------
    labels : ndarray of str, shape (n_mails,)
        The true labels.
    verdicts : ndarray of str, shape (n_mails,)
        What the filter said, ``unsure`` included.
    log_odds : ndarray of shape (n_mails,)
        In nats; larger is more spam.
    probability : ndarray of shape (n_mails,)
        P(spam).
    sources : list of str
        Where each mail came from.
    is_ham_or_spam : bool
        True when the filter knows ham and spam and nothing else, so that the log-odds rank.
    """

    labels: NDArray[np.str_]
    verdicts: NDArray[np.str_]
    log_odds: Floats
    probability: Floats
    sources: list[str]
    is_ham_or_spam: bool = True

    @classmethod
    def collect(
        cls, rows: Iterable[tuple[str, str, Verdict]], is_ham_or_spam: bool = True
    ) -> Scores:
        """Gather (label, source, verdict) rows."""
        labels, sources, verdicts = [], [], []
        for label, source, verdict in rows:
            labels.append(label)
            sources.append(source)
            verdicts.append(verdict)
        return cls(
            np.array(labels, dtype=np.str_),
            np.array([verdict.label for verdict in verdicts], dtype=np.str_),
            np.array([verdict.log_odds for verdict in verdicts], dtype=np.float64),
            np.array([verdict.probability for verdict in verdicts], dtype=np.float64),
            sources,
            is_ham_or_spam,
        )

    @property
    def is_ranking(self) -> bool:
        """True when there is both ham and spam to rank, and nothing else."""
        return self.is_ham_or_spam and tuple(np.unique(self.labels)) == HAM_OR_SPAM

    @property
    def ham(self) -> Floats:
        """The log-odds of the ham, sorted."""
        return np.asarray(np.sort(self.log_odds[self.labels == "ham"]))

    @property
    def spam(self) -> Floats:
        """The log-odds of the spam, sorted."""
        return np.asarray(np.sort(self.log_odds[self.labels == "spam"]))
