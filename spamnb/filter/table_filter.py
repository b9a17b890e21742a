"""A linear filter that was compiled to a table: verdicts without numpy, and nothing else.

It says what `SpamFilter` says of the same tokens, to a billionth of a nat; a process that is
started for one mail has its verdict before numpy would be imported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import inf, isfinite, log1p, sqrt
from typing import Any

from spamnb.filter.table import Entry, WeightTable
from spamnb.filter.verdict import HAM_OR_SPAM, Decision, Verdict
from spamnb.mail.message import Message
from spamnb.memo import Memo
from spamnb.text.analyzer import Analyzer
from spamnb.text.groups import BODY, WEIGHT_UNIT, TokenGroups, group_number

VIEWS = ("counts", "presence", "grouped")
"""How a linear model sees the count n of a token: as n, as 1, or as log(1 + n) times a scale, with
Euclidean length 1 in each group of tokens (`spamnb.bayes.grouped.GroupedNB`)."""

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
    scaled_groups : iterable of int
        The groups whose tokens have scales other than 1, of the view ``grouped``.
    """

    labels = HAM_OR_SPAM

    def __init__(
        self,
        analyzer: Analyzer,
        table: WeightTable,
        view: str,
        intercept: float,
        decision: Decision,
        scaled_groups: Iterable[int] = (),
    ) -> None:
        self.analyzer = analyzer
        self.decision = decision
        self.table = table
        self.view = view
        self.intercept = intercept
        self.scaled_groups = frozenset(scaled_groups)
        self._weights: Memo[float | None] = Memo(table.weight, _N_REMEMBERED, _LONGEST_TOKEN)
        self._entries: Memo[Entry | None] = Memo(table.entry, _N_REMEMBERED, _LONGEST_TOKEN)

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process without what this one remembers."""
        model = (self.table, self.view, self.intercept, self.decision, self.scaled_groups)
        return CompiledFilter, (self.analyzer, *model)

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
        by_number: dict[int, list[str]] = {}
        for group, tokens in groups.items():
            by_number.setdefault(group_number(group), []).extend(tokens)
        log_odds, n_known = self.intercept, 0
        for number, tokens in by_number.items():
            weigh = self._scaled if number in self.scaled_groups else self._unscaled
            found, n_found = weigh(tokens)
            log_odds += found
            n_known += n_found
        words = {token for token in groups.get(BODY, ()) if ":" not in token}
        n_known_words = sum(self._weights[word] is not None for word in words)
        return self.verdict(log_odds, n_known_words, len(words), n_known)

    def verdict(self, log_odds: float, n_known_words: int, n_words: int, n_known: int) -> Verdict:
        """Return the verdict on a mail of so many known words and tokens."""
        if not isfinite(log_odds):
            raise self.table.damaged()
        too_little = self.decision.too_little_known(n_known_words, n_words, n_known)
        return self.decision.verdict(log_odds, too_little)

    def _unscaled(self, tokens: list[str]) -> tuple[float, int]:
        """Return what the tokens of a group add to the log-odds, and how many are known.

        Most tokens come once, and those weigh all the same.
        """
        counts = Counter(tokens)
        weights = list(map(self._weights.__getitem__, counts))
        known = [weight for weight in weights if weight is not None]
        repeated: list[tuple[float, int]] = []
        if len(counts) < len(tokens):
            rows = zip(weights, counts.values(), strict=True)
            repeated = [(weight, n) for weight, n in rows if n > 1 and weight is not None]
        total = sum(known, 0.0)
        if self.view == "presence" or not known:
            return total, len(known)
        if self.view == "counts":
            return total + sum([weight * (n - 1) for weight, n in repeated], 0.0), len(known)
        n_single = len(known) - len(repeated)
        squares = n_single * log1p(1) ** 2 + sum([log1p(n) ** 2 for _, n in repeated], 0.0)
        per_nat = 1.0 / (sqrt(squares) * WEIGHT_UNIT)
        total -= sum([weight for weight, _ in repeated], 0.0)
        steps = _steps(log1p(1) * per_nat) * total
        steps += sum([_steps(log1p(n) * per_nat) * weight for weight, n in repeated], 0.0)
        return WEIGHT_UNIT * steps, len(known)

    def _scaled(self, tokens: list[str]) -> tuple[float, int]:
        """Return the same, for a group whose tokens have scales."""
        counts = Counter(tokens)
        entries = map(self._entries.__getitem__, counts)
        rows = zip(entries, counts.values(), strict=True)
        known = [(entry[0], entry[1] * log1p(n)) for entry, n in rows if entry is not None]
        if not known:
            return 0.0, 0
        length = sqrt(sum([value * value for _, value in known], 0.0))
        if not 0.0 < length < inf:
            raise self.table.damaged()
        per_nat = 1.0 / (length * WEIGHT_UNIT)
        steps = sum([_steps(value * per_nat) * weight for weight, value in known], 0.0)
        return WEIGHT_UNIT * steps, len(known)


def _steps(value: float) -> int:
    """Return the whole number that stands for a value, never 0 (`GroupedNB.view`)."""
    return round(value) or 1
