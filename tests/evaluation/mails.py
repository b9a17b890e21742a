"""Scored mails: few values, so that ties are common, or many from two normal distributions."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from spamnb.evaluation.scores import Scores
from spamnb.filter.verdict import Decision, Verdict, logistic

_LOG_ODDS = st.sampled_from([-40.0, -2.5, -0.5, 0.0, 0.5, 2.5, 40.0])

MAILS = st.tuples(
    st.lists(_LOG_ODDS, min_size=1, max_size=12), st.lists(_LOG_ODDS, min_size=1, max_size=12)
).map(lambda both: [("ham", o) for o in both[0]] + [("spam", o) for o in both[1]])
"""Lists of (label, log-odds), with at least one ham and one spam."""


def scores_of(mails):
    """Scores of (label, log-odds) pairs."""
    decision = Decision()
    return Scores.collect(
        (label, f"{i}.eml", Verdict(decision.label(odds)[0], logistic(odds), odds))
        for i, (label, odds) in enumerate(mails)
    )


def random_scores(n_ham, n_spam, distance=2.0, seed=0):
    """Log-odds of two normal distributions with variance 1 whose means are so far apart."""
    rng = np.random.default_rng(seed)
    ham = rng.normal(-distance / 2, size=n_ham).tolist()
    spam = rng.normal(distance / 2, size=n_spam).tolist()
    return scores_of([("ham", odds) for odds in ham] + [("spam", odds) for odds in spam])
