"""A linear filter as a table of weights: verdicts without numpy, and nothing else.

It says what `SpamFilter` says of the same message, to a billionth of a nat; a process that is
started for one mail has its verdict before numpy would be imported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import inf, isfinite, log1p, sqrt
from typing import TYPE_CHECKING, Any

from spamnb.filter.table import Entry, WeightTable
from spamnb.filter.verdict import HAM_OR_SPAM, Decision, Verdict
from spamnb.mail.message import Message
from spamnb.memo import Memo
from spamnb.native.twins import has_twin
from spamnb.text.analyzer import Analyzer, AnalyzerConfig
from spamnb.text.groups import BODY, WEIGHT_UNIT, TokenGroups, body_words, group_number

if TYPE_CHECKING:
    from spamnb.filter.protocols import Filter

VIEWS = ("counts", "presence", "grouped")
"""How a linear model sees the count n of a token: as n, as 1, or as log(1 + n) times a scale, with
Euclidean length 1 in each group of tokens (`spamnb.bayes.grouped.GroupedNB`)."""

# What a process remembers of the tokens that it has looked up, 300 bytes each at most.
_N_REMEMBERED = 1 << 17
_LONGEST_TOKEN = 90


@has_twin
def make_table_filter(
    config: AnalyzerConfig, table: WeightTable, view: str, intercept: float, decision: Decision
) -> Filter:
    """Return the filter that a table holds; see `TableFilter`, of which the twin is compiled."""
    return TableFilter(config, table, view, intercept, decision)


class TableFilter:
    """A filter of ham and spam that looks its weights up in a table.

    Parameters
    ----------
    config : AnalyzerConfig
        How a message becomes tokens.
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
        config: AnalyzerConfig,
        table: WeightTable,
        view: str,
        intercept: float,
        decision: Decision,
    ) -> None:
        self.config = config
        self._model = (table, view, intercept, decision)
        self._analyzer = Analyzer(config)
        self._entries: Memo[Entry | None] = Memo(table.entry, _N_REMEMBERED, _LONGEST_TOKEN)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the cache; the other process chooses its own form."""
        return make_table_filter, (self.config, *self._model)

    def classify_all(self, messages: Iterable[Message]) -> list[Verdict]:
        """Return the verdict on each of some messages.

        Raises
        ------
        ModelFormatError
            When the table is damaged.
        """
        return list(map(self.classify, messages))

    def classify(self, message: Message) -> Verdict:
        """Return the verdict on one message; see `classify_all`."""
        return self.judge(self._analyzer.groups(message))

    def judge(self, groups: TokenGroups) -> Verdict:
        """Return the verdict on the tokens of a mail, as the analyzer groups them."""
        table, _, log_odds, decision = self._model
        by_number: dict[int, list[str]] = {}
        for group, tokens in groups.items():
            by_number.setdefault(group_number(group), []).extend(tokens)
        n_known = 0
        for tokens in by_number.values():
            counts = Counter(tokens)
            pairs = zip(map(self._entries.__getitem__, counts), counts.values(), strict=True)
            known = [(*entry, n) for entry, n in pairs if entry is not None]
            log_odds += self._evidence(known)
            n_known += len(known)
        if not isfinite(log_odds):
            raise table.damaged()
        words = body_words(groups.get(BODY, ()))
        n_known_words = sum(self._entries[word] is not None for word in words)
        return decision.verdict(
            log_odds, decision.too_little_known(n_known_words, len(words), n_known)
        )

    def _evidence(self, known: list[tuple[float, float, int]]) -> float:
        """Return what the tokens of a group add to the log-odds.

        Parameters
        ----------
        known : list of (float, float, int)
            The weight and the scale of each that is known, and how often it comes.
        """
        table, view, *_ = self._model
        if view != "grouped":
            return sum([weight * (1 if view == "presence" else n) for weight, _, n in known], 0.0)
        if not known:
            return 0.0
        values = [scale * log1p(n) for _, scale, n in known]
        length = sqrt(sum([value * value for value in values], 0.0))
        if not 0.0 < length < inf:
            raise table.damaged()
        # As whole multiples of a unit, never 0, as `GroupedNB.view` has them.
        per_nat = 1.0 / (length * WEIGHT_UNIT)
        steps = [round(value * per_nat) or 1 for value in values]
        pairs = zip(steps, known, strict=True)
        return WEIGHT_UNIT * sum([step * weight for step, (weight, *_) in pairs], 0.0)
