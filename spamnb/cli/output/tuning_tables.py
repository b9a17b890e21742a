"""The table of ``spamnb tune``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spamnb.cli.output.console import console_of, percent, plain_table, show
from spamnb.cli.output.lines import to_json

if TYPE_CHECKING:
    from spamnb.evaluation.report import Report
    from spamnb.evaluation.tuning import Tuning


_COLUMNS = ("log loss", "1-ROCA %", "ham called spam", "spam not called spam", "against the best")


def tuning_report(tuning: Tuning, *, as_json: bool) -> None:
    """Print what was tried, the best first, and how to train the best."""
    if as_json:
        tried = [
            {"arguments": candidate.arguments, **report.to_dict()}
            for candidate, report in zip(tuning.candidates, tuning.reports, strict=True)
        ]
        print(to_json({"mails": tuning.n_mails, "best": tried[0]["arguments"], "tried": tried}))
        return
    console = console_of()
    console.print(f"cross-validation on {tuning.n_mails:,} mails, the best first", style="italic")
    table = plain_table(show_header=True)
    table.add_column("options", overflow="fold")
    is_ranking = tuning.reports[0].ranking is not None
    for name in _COLUMNS if is_ranking else ("right",):
        table.add_column(name, justify="right")
    for report in tuning.reports:
        cells = _ranking_cells(report) if is_ranking else [percent(_share_right(report))]
        table.add_row(report.name, *cells)
    show(console, table)
    console.print(f"\nto use the best: spamnb train {tuning.candidates[0].arguments} …, or --apply")


def _ranking_cells(report: Report) -> list[str]:
    assert report.ranking is not None
    compared = report.comparison
    return [
        f"{report.ranking.log_loss:.4f}",
        f"{100 * report.ranking.one_minus_roca:.4f}",
        percent(report.ranking.ham_called_spam),
        percent(report.ranking.spam_not_called_spam),
        "" if compared is None else compared.differences["log_loss"].verdict,
    ]


def _share_right(report: Report) -> float:
    right = sum(
        row[report.verdicts.index(label)]
        for label, row in zip(report.labels, report.confusion, strict=True)
    )
    return right / sum(map(sum, report.confusion))
