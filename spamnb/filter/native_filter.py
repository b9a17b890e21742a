"""Verdicts in compiled code: what `CompiledFilter.classify` says, in a quarter of the time."""

from __future__ import annotations

from spamnb.filter.native.table_filter import NativeJudge
from spamnb.filter.table_filter import CompiledFilter
from spamnb.filter.verdict import Verdict
from spamnb.mail.message import Message
from spamnb.text.keys import KeyAnalyzer


class NativeFilter:
    """Gives the verdicts of a compiled filter of the preset ``full``.

    Parameters
    ----------
    compiled : CompiledFilter
        The filter.
    """

    def __init__(self, compiled: CompiledFilter) -> None:
        self._analyze = KeyAnalyzer(compiled.analyzer.config, compiled.table.form.base)
        self._judge = NativeJudge(compiled)

    def classify(self, message: Message) -> Verdict:
        """Return the verdict on one message; see `CompiledFilter.classify`."""
        keys, others = self._analyze(message)
        return self._judge.judge(keys, others)
