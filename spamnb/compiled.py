"""A linear filter that was compiled to a table: verdicts without numpy, and nothing else.

It says what `SpamFilter` says of the same tokens, to a billionth of a nat; a process that is
started for one mail has its verdict before numpy would be imported.
"""

from __future__ import annotations

from collections import Counter
from math import inf, isfinite, log1p, sqrt
from typing import Any

from spamnb.features.groups import BODY, TokenGroups, group_number
from spamnb.mail.message import Message
from spamnb.memo import Memo
from spamnb.table import Entry, WeightTable
from spamnb.text.analyzer import Analyzer
from spamnb.verdict import HAM_OR_SPAM, Decision, Verdict

Known = list[tuple[Entry, int]]

VIEWS = ("counts", "presence", "grouped")
"""How a linear model sees the count n of a token: as n, as 1, or as log(1 + n) times a scale, with
Euclidean length 1 in each group of tokens (`spamnb.bayes.grouped.GroupedNB`)."""

UNIT = 2.0**-20
"""What the weights of grouped naive Bayes are whole multiples of."""

# What a process remembers of the tokens that it has looked up, 300 bytes each at most.
_N_REMEMBERED = 1 << 17
_LONGEST_TOKEN = 90


class CompiledFilter:
    """A filter that gives verdicts on ham and spam.

    Parameters
    ----------
    analyzer : Analyzer
        Turns messages into tokens.
    table : WeightTable
        The weights.
    view : str
        One of `VIEWS`.
    intercept : float
        The log-odds before any token is seen, in nats.
    decision : Decision
        Which verdict follows from the odds.
    """

    labels = HAM_OR_SPAM

    def __init__(
        self,
        analyzer: Analyzer,
        table: WeightTable,
        view: str,
        intercept: float,
        decision: Decision,
    ) -> None:
        self.analyzer = analyzer
        self.decision = decision
        self._table = table
        self._view = view
        self._intercept = intercept
        self._entries: Memo[Entry | None] = Memo(table.get, _N_REMEMBERED, _LONGEST_TOKEN)

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process without what this one remembers."""
        parts = (self.analyzer, self._table, self._view, self._intercept, self.decision)
        return CompiledFilter, parts

    def classify(self, message: Message) -> Verdict:
        """Return the verdict on one message."""
        return self.judge(self.analyzer.groups(message))

    def judge(self, groups: TokenGroups) -> Verdict:
        """Return the verdict on a mail.

        Parameters
        ----------
        groups : dict of str to list of str
            Its tokens, as the filter's own analyzer groups them.

        Raises
        ------
        ModelFormatError
            When the table is damaged.
        """
        by_number: dict[int, Known] = {}
        for group, tokens in groups.items():
            by_number.setdefault(group_number(group), []).extend(self._look_up(tokens))
        log_odds = self._intercept + sum(map(self._log_odds, by_number.values()))
        if not isfinite(log_odds):
            raise self._table.damaged()
        n_known = sum(map(len, by_number.values()))
        words = {token for token in groups.get(BODY, ()) if ":" not in token}
        n_known_words = sum(self._entries[word] is not None for word in words)
        too_little = self.decision.too_little_known(n_known_words, len(words), n_known)
        return self.decision.verdict(log_odds, too_little)

    def _look_up(self, tokens: list[str]) -> Known:
        """Return the entries of the known tokens among some, and how often each stands there."""
        counts = Counter(tokens)
        entries = map(self._entries.__getitem__, counts)
        return [
            (entry, n)
            for entry, n in zip(entries, counts.values(), strict=True)
            if entry is not None
        ]

    def _log_odds(self, known: Known) -> float:
        """Return what the known tokens of one group add to the log-odds."""
        if self._view == "counts":
            return sum(weight * n for (weight, _), n in known)
        if self._view == "presence":
            return sum(weight for (weight, _), _ in known)
        if not known:
            return 0.0
        values = [scale * log1p(n) for (_, scale), n in known]
        length = sqrt(sum([value * value for value in values]))
        if not 0.0 < length < inf:
            raise self._table.damaged()
        steps = 1.0 / (length * UNIT)
        rounded = [max(round(value * steps), 1) for value in values]
        return UNIT * sum([n * weight for n, ((weight, _), _) in zip(rounded, known, strict=True)])
