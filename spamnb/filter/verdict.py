"""From log-odds to the verdict on a mail."""

from __future__ import annotations

from math import exp, isfinite, log, log1p
from typing import NamedTuple

from spamnb.errors import ParameterError

UNSURE = "unsure"
"""The verdict that is not a label: too little is known, or the odds are in between."""

HAM_OR_SPAM = ("ham", "spam")
"""The labels for which losing a mail and passing one have a known cost."""

UNSURE_COST = 0.4
"""What an unsure mail costs unless told otherwise, a passed spam being 1.

With a lost ham at 9, spam is said from P(spam) = .956, ham below .4.  It is the strictest value at
which well under 6 % of the spam is not called spam, by five-fold cross-validation, four times, in
the first half of the SpamAssassin corpus (2026-11):

===========  ===========  =========================  ====================
unsure cost  spam from P  ham called spam, of 2,058  spam not called spam
===========  ===========  =========================  ====================
.9           .9           5.0                        4.1 %
.5           .944         3.5                        5.1 %
.45          .95          3.5                        5.3 %
.4           .956         3.0                        5.4 %
.3           .967         2.3                        6.2 %
===========  ===========  =========================  ====================

The same in the first halves of the others, for .9 and .4: Enron-Spam 4.5 and 4.0 mails of 6,012,
4.3 % and 6.1 %; trec06c no mail, .5 % and .8 %.
"""

_LEAST_WITHOUT_WORDS = 10


class Verdict(NamedTuple):
    """The filter's verdict on one mail.

    Attributes
    ----------
    label : str
        A label, or ``unsure``.
    probability : float
        P(spam | mail); with labels other than ham and spam, that of the most probable one.
    log_odds : float
        In nats: log P(spam | mail) / P(ham | mail); with other labels, of the most probable one
        against the next.
    reason : str
        Why the verdict is unsure, else ``""``.
    """

    label: str
    probability: float
    log_odds: float
    reason: str = ""


class Decision:
    """Decides the verdict from the log-odds, at the least expected cost.

    With a passed spam at 1, the verdict spam is expected to cost λ (1 - P), ham P, and unsure u:
    the reject rule of Chow (IEEE Trans. Inf. Theory 16, 1970; Bishop, section 1.5.3).  So spam is
    said where P ≥ 1 - u / λ, ham where P < u, unsure between; where u ≥ λ / (1 + λ) unsure is never
    the cheapest, and that is the one threshold.

    Attributes
    ----------
    cost : float
        λ: how many times as bad a lost ham is as a passed spam, ≥ 1.  The default of 9 is that of
        Androutsopoulos et al. (SIGIR 2000) for a filter whose spam goes to a folder that somebody
        may look at.
    unsure_cost : float
        u: how bad an unsure mail is, a passed spam being 1; > 0 and ≤ 1, since who is given an
        unsure mail is no worse off than with a passed spam.  See `UNSURE_COST`.
    least_known : float
        The share of a mail's different words that must be known.  Below it the few known ones
        are an accident: a Chinese mail before an English model.  At 1/3, five-fold cross-validation
        on the first halves makes .46 % (SpamAssassin), .35 % (trec06c) and .34 % (Enron) of the
        mails unsure (2026-11, textbook multinomial).
    spam_from, ham_below : float
        The log-odds, in nats, from which on spam is said and below which ham is.

    Raises
    ------
    ParameterError
        When a cost is invalid.
    """

    def __init__(
        self, cost: float = 9.0, unsure_cost: float = UNSURE_COST, least_known: float = 1 / 3
    ) -> None:
        if not 1 <= cost < float("inf"):
            raise ParameterError("cost", "a finite number ≥ 1", cost)
        if not 0 < unsure_cost <= 1:
            raise ParameterError("unsure-cost", "a number > 0 and ≤ 1", unsure_cost)
        self.cost = cost
        self.unsure_cost = unsure_cost
        self.least_known = least_known
        self.spam_from = self.ham_below = log(cost)
        if unsure_cost < cost / (1 + cost):
            # In logarithms, since cost / unsure_cost may be too large for a number.
            self.spam_from = max(self.spam_from, log(cost - unsure_cost) - log(unsure_cost))
            self.ham_below = min(self.ham_below, log(unsure_cost) - log1p(-unsure_cost))
        low, high = logistic(self.ham_below), logistic(self.spam_from)
        self._between = f"P(spam) is between {low:.3g} and {high:.3g}"

    def too_little_known(self, n_known: int, n_words: int, n_known_tokens: int) -> str:
        """Return why there is too little to judge by, or ``""``.

        Parameters
        ----------
        n_known, n_words : int
            How many different words of a mail are known, and how many it has.
        n_known_tokens : int
            How many different tokens of any kind are known: a mail without a word, such as one of
            a picture, is judged by its headers and structure.
        """
        if not n_known and (n_words or n_known_tokens < _LEAST_WITHOUT_WORDS):
            return "no known words"
        if n_known < self.least_known * n_words:
            return f"only {n_known} of {n_words} words are known"
        return ""

    def verdict(self, log_odds: float, too_little: str = "") -> Verdict:
        """Return the verdict for log-odds of spam against ham.

        Parameters
        ----------
        log_odds : float
            In nats.
        too_little : str
            Why there is too little to judge by, or ``""``.
        """
        label, reason = self.label(log_odds)
        if too_little:
            label, reason = UNSURE, too_little
        return Verdict(label, logistic(log_odds), log_odds, reason)

    def label(self, log_odds: float) -> tuple[str, str]:
        """Return the label for log-odds of spam against ham, and why it is unsure."""
        if log_odds >= self.spam_from:
            return "spam", ""
        if log_odds < self.ham_below:
            return "ham", ""
        return UNSURE, self._between


def logistic(log_odds: float) -> float:
    """Return the probability of log-odds, without overflow at either end."""
    if log_odds >= 0 or not isfinite(log_odds):
        return 1.0 / (1.0 + exp(-log_odds))
    odds = exp(log_odds)
    return odds / (1.0 + odds)
