"""Tables of measures for a person, or the same as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from spamnb.cli.output.console import STYLES, console_of, percent, plain_table, show
from spamnb.cli.output.lines import to_json
from spamnb.cli.terminal import printable

if TYPE_CHECKING:
    from spamnb.evaluation.comparison import Difference
    from spamnb.evaluation.intervals import Interval
    from spamnb.evaluation.online import OnlineCurve
    from spamnb.evaluation.ranking import RankingMeasures
    from spamnb.evaluation.report import Report

_T = TypeVar("_T")

_VERDICT_STYLES = {"better": "green", "worse": "red"}


class _Row(NamedTuple):
    """How a measure is shown: times ``scale``, with a number of digits, and the unit after it."""

    name: str
    scale: float
    digits: int
    unit: str = ""

    def number(self, value: float, sign: str = "") -> str:
        # Adding 0 makes 0 of -0.
        return f"{round(self.scale * value, self.digits) + 0.0:{sign}.{self.digits}f}"

    def interval(self, interval: Interval, sign: str = "") -> str:
        return f"[{self.number(interval.low, sign)}, {self.number(interval.high, sign)}]"


_ROWS = {
    "one_minus_roca": _Row("1-ROCA %", 100, 4),
    "spam_missed": _Row("spam missed at {} % ham lost", 100, 2, " %"),
    "ham_called_spam": _Row("ham called spam", 100, 2, " %"),
    "spam_not_called_spam": _Row("spam not called spam", 100, 2, " %"),
    "ham_error": _Row("ham error at P = 0.5", 100, 2, " %"),
    "spam_error": _Row("spam error at P = 0.5", 100, 2, " %"),
    "lam": _Row("lam %", 100, 3),
    "log_loss": _Row("log loss, nats", 1, 4),
    "brier": _Row("Brier", 1, 4),
    "ece": _Row("ECE", 1, 4),
}


def evaluation(
    reports: Sequence[Report], *, as_json: bool, to_stderr: bool, details: bool = False
) -> None:
    """Print the measures of one filter, or of several side by side.

    Parameters
    ----------
    reports : sequence of Report
        At least one.
    as_json : bool
        All of it, as one JSON object, or a list of several.
    to_stderr : bool
        On standard error, when something else is on standard output.
    details : bool
        With the reliability and threshold tables.
    """
    console = console_of(to_stderr)
    if as_json:
        data = [item.to_dict() for item in reports]
        text = to_json(data[0] if len(data) == 1 else data)
        print(text, file=sys.stderr if to_stderr else sys.stdout)
        return
    for item in reports:
        _confusion(console, item)
    ranked = [item for item in reports if item.ranking is not None]
    if ranked:
        _measures(console, ranked)
    compared = [item for item in ranked if item.comparison is not None]
    if compared:
        _comparison(console, compared)
    for item in ranked:
        if item.learning is not None:
            _learning_curve(console, item, item.learning)
    for item in ranked if details else []:
        _reliability(console, item)
        _thresholds(console, item)


def _learning_curve(console: Console, item: Report, curve: OnlineCurve) -> None:
    console.print()
    table = _titled(console, f"learning: {_title(item)}, errors on all mails so far")
    for name in ("mails", "ham", "spam", "ham error", "spam error", "1-ROCA %"):
        table.add_column(name, justify="right")
    columns = (curve.n_mails, curve.n_ham, curve.n_spam)
    errors = (curve.ham_error, curve.spam_error, curve.one_minus_roca)
    rows = zip(*(column.tolist() for column in (*columns, *errors)), strict=True)
    for n_mails, n_ham, n_spam, ham_error, spam_error, ranking in rows:
        counts = [f"{count:,}" for count in (n_mails, n_ham, n_spam)]
        roca = "–" if ranking != ranking else f"{100 * ranking:.4f}"
        table.add_row(*counts, percent(ham_error), percent(spam_error), roca)
    show(console, table)


def _confusion(console: Console, item: Report) -> None:
    table = _titled(console, _title(item))
    table.add_column("mail")
    for verdict in item.verdicts:
        table.add_column(f"called {printable(verdict)}", justify="right")
    for name in ("precision", "recall", "F1"):
        table.add_column(name, justify="right")
    for label, row in zip(item.labels, item.confusion, strict=True):
        found = item.per_label[label]
        shares = (found.precision, found.recall, found.f1)
        cells = [f"{count:,}" for count in row] + [percent(share) for share in shares]
        table.add_row(Text(printable(label), style=STYLES.get(label, "cyan")), *cells)
    show(console, table)
    console.print()


def _measures(console: Console, reports: Sequence[Report]) -> None:
    columns = [_measure_cells(item) for item in reports]
    width = max(map(len, columns[0])) + sum(
        2 + max(len("  ".join(cell)) for cell in column.values()) for column in columns
    )
    # Where the intervals have no room beside the values, they go below them.
    between = "  " if width <= console.width else "\n"
    table = plain_table(show_header=True)
    table.add_column("measure")
    for item in reports:
        table.add_column(printable(item.name), justify="right")
    for name in columns[0]:
        table.add_row(name, *(between.join(column[name]) for column in columns))
    show(console, table)
    notes = []
    if reports[0].deviations is not None:
        notes.append(f"mean ± standard deviation of {reports[0].n_repeats} repeats")
    if reports[0].intervals is not None:
        notes.append("in brackets the 95 % interval")
    if notes:
        console.print("; ".join(notes), style="dim")


def _measure_cells(item: Report) -> dict[str, list[str]]:
    """Return value and interval of one filter, by the name of the measure."""
    assert item.ranking is not None
    intervals = _flat(item.intervals) if item.intervals is not None else {}
    deviations = _flat(item.deviations) if item.deviations is not None else {}
    cells = {}
    for (field, loss), value in _flat(item.ranking).items():
        row = _ROWS[field]
        cell = row.number(value)
        if deviations:
            cell += f" ± {row.number(deviations[field, loss])}"
        own = cells[row.name.format(f"{100 * loss:g}")] = [cell + row.unit]
        if intervals:
            own.append(row.interval(intervals[field, loss]))
    return cells


def _flat(measures: RankingMeasures[_T]) -> dict[tuple[str, float], _T]:
    """Return the items by their measure and the share of ham lost, in the order of the rows."""
    flat: dict[tuple[str, float], _T] = {}
    for field in _ROWS:
        item = getattr(measures, field)
        for loss, own in item.items() if field == "spam_missed" else [(0.0, item)]:
            flat[field, loss] = own
    return flat


def _comparison(console: Console, reports: Sequence[Report]) -> None:
    assert reports[0].comparison is not None
    console.print()
    against = printable(reports[0].comparison.against)
    table = _titled(console, f"difference to {against}, on the same mails")
    table.add_column("filter")
    table.add_column("measure")
    for name in ("difference", "95 % interval"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for item in reports:
        assert item.comparison is not None
        for number, (field, difference) in enumerate(item.comparison.differences.items()):
            table.add_row("" if number else printable(item.name), *_difference(field, difference))
    show(console, table)


def _difference(field: str, difference: Difference) -> list[str | Text]:
    row = _ROWS[field]
    verdict = Text(difference.verdict, style=_VERDICT_STYLES.get(difference.verdict, ""))
    shown = row.number(difference.value, "+"), row.interval(difference.interval, "+")
    return [row.name, *shown, verdict]


def _reliability(console: Console, item: Report) -> None:
    console.print()
    table = _titled(console, f"reliability: {_title(item)}")
    for name in ("P(spam)", "mails", "mean P", "share of spam", "95 % interval"):
        table.add_column(name, justify="right")
    for row in item.reliability:
        if row.n_mails:
            table.add_row(
                f"{row.low:.3f}–{row.high:.3f}",
                f"{row.n_mails:,}",
                f"{row.mean_probability:.4f}",
                f"{row.spam_share:.4f}",
                f"[{row.interval.low:.4f}, {row.interval.high:.4f}]",
            )
    show(console, table)


def _thresholds(console: Console, item: Report) -> None:
    console.print()
    table = _titled(console, f"thresholds: {_title(item)}")
    columns = ("cost λ", "spam from P", "ham lost", "", "spam passed", "", "cost per mail")
    for name in columns:
        table.add_column(name, justify="right")
    table.add_column("")
    for row in item.thresholds:
        table.add_row(
            f"{row.cost:g}",
            f"{row.probability:.4g}",
            f"{row.ham_lost:,}",
            percent(row.ham_lost_share),
            f"{row.spam_passed:,}",
            percent(row.spam_passed_share),
            f"{row.cost_per_mail:.4f}",
            "the filter's own" if row.is_own else "",
        )
    show(console, table)
    spam, ham = item.per_label["spam"].n, item.per_label["ham"].n
    note = f"cost per mail counts in passed spam; without a filter it is {spam / (spam + ham):.4f}"
    console.print(note, style="dim")


def _title(item: Report) -> str:
    if item.n_repeats == 1:
        return printable(item.name)
    return f"{printable(item.name)}, the mails of all {item.n_repeats} repeats"


def _titled(console: Console, title: str) -> Table:
    """Print a title, which may be wider than its table, and return the table to fill."""
    console.print(title, style="italic")
    return plain_table(show_header=True)
