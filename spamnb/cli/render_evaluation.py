"""Tables of measures for a person, or the same as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from spamnb.cli.console import STYLES, console_of, percent, plain_table, show
from spamnb.cli.output import printable, to_json

if TYPE_CHECKING:
    from spamnb.evaluation.report import RankingReport, Report


def evaluation(reports: Sequence[Report], *, as_json: bool, to_stderr: bool) -> None:
    """Print the measures of one filter, or of several side by side."""
    console = console_of(to_stderr)
    if as_json:
        data = [item.to_dict() for item in reports]
        text = to_json(data[0] if len(data) == 1 else data)
        print(text, file=sys.stderr if to_stderr else sys.stdout)
        return
    for item in reports:
        _confusion(console, item)
    rankings = [(item.name, item.ranking) for item in reports if item.ranking is not None]
    if rankings:
        _ranking(console, rankings)


def _confusion(console: Console, item: Report) -> None:
    table = plain_table(show_header=True)
    table.title = item.name
    table.title_justify = "left"
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


def _ranking(console: Console, rankings: Sequence[tuple[str, RankingReport]]) -> None:
    table = plain_table(show_header=True)
    table.add_column("measure")
    for name, _ in rankings:
        table.add_column(printable(name), justify="right")
    columns = [_measures(ranking) for _, ranking in rankings]
    for name in columns[0]:
        table.add_row(name, *(column[name] for column in columns))
    show(console, table)


def _measures(ranking: RankingReport) -> dict[str, str]:
    rows = {"1-ROCA %": f"{100 * ranking.one_minus_roca:.4f}"}
    for loss, missed in ranking.spam_missed.items():
        rows[f"spam missed at {100 * loss:g} % ham lost"] = percent(missed)
    rows["ham called spam"] = percent(ranking.ham_called_spam)
    rows["spam not called spam"] = percent(ranking.spam_not_called_spam)
    rows["ham error at P = 0.5"] = percent(ranking.ham_error)
    rows["spam error at P = 0.5"] = percent(ranking.spam_error)
    rows["lam %"] = f"{100 * ranking.lam:.3f}"
    rows["log loss, nats"] = f"{ranking.log_loss:.4f}"
    rows["Brier"] = f"{ranking.brier:.4f}"
    rows["ECE"] = f"{ranking.ece:.4f}"
    return rows
