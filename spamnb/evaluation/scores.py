"""The verdicts on labeled mail, as arrays: what every measure is computed from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spamnb.features.matrix import Floats
from spamnb.filter.verdict import HAM_OR_SPAM, Decision, Verdict

DEFAULT_DECISION = Decision()
"""How filters decide unless told otherwise."""


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
    decision : Decision
        How the filter decided between ham, spam and unsure.
    """

    labels: NDArray[np.str_]
    verdicts: NDArray[np.str_]
    log_odds: Floats
    probability: Floats
    sources: list[str]
    is_ham_or_spam: bool = True
    decision: Decision = DEFAULT_DECISION

    @classmethod
    def collect(
        cls,
        rows: Iterable[tuple[str, str, Verdict]],
        is_ham_or_spam: bool = True,
        decision: Decision = DEFAULT_DECISION,
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
            decision,
        )

    @classmethod
    def pool(cls, runs: Sequence[Scores]) -> Scores:
        """Concatenate the scores of several runs of one filter."""
        if len(runs) == 1:
            return runs[0]
        return cls(
            np.concatenate([run.labels for run in runs]),
            np.concatenate([run.verdicts for run in runs]),
            np.concatenate([run.log_odds for run in runs]),
            np.concatenate([run.probability for run in runs]),
            [source for run in runs for source in run.sources],
            runs[0].is_ham_or_spam,
            runs[0].decision,
        )

    @property
    def is_ranking(self) -> bool:
        """True when there is both ham and spam to rank, and nothing else."""
        return self.is_ham_or_spam and tuple(np.unique(self.labels)) == HAM_OR_SPAM

    @property
    def is_spam(self) -> NDArray[np.bool_]:
        """Which mails are spam, of shape (n_mails,)."""
        return np.asarray(self.labels == "spam")

    @property
    def ham(self) -> Floats:
        """The log-odds of the ham, sorted."""
        return np.asarray(np.sort(self.log_odds[self.labels == "ham"]))

    @property
    def spam(self) -> Floats:
        """The log-odds of the spam, sorted."""
        return np.asarray(np.sort(self.log_odds[self.labels == "spam"]))
