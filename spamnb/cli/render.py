"""Tables, bars and progress for a person; the only module that imports rich.

On a pipe nothing is coloured, wrapped or cut.  Whatever comes from a mail is untrusted: control
characters in it never reach the terminal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from spamnb.cli.output import printable, to_json
from spamnb.mail.defects import Defect

if TYPE_CHECKING:
    from spamnb.evaluation.report import RankingReport, Report
    from spamnb.mail.sources import Skipped
    from spamnb.pipeline import Document
    from spamnb.spam_filter import Explanation, Verdict
    from spamnb.training import Training

T = TypeVar("T")

_STYLES = {"spam": "bold red", "ham": "green", "unsure": "yellow"}
_BAR = 16
_PIPE_WIDTH = 10_000
_CHUNK = 500
_NARROW = 70


def progress(items: Iterable[T], doing: str) -> Iterator[T]:
    """Yield the items, with their number and the time on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(doing, total=None)
        for number, item in enumerate(items, 1):
            if number % 64 == 0:
                bar.update(task, description=f"{doing}, {number:,} mails")
            yield item


def training_report(
    training: Training,
    *,
    path: str,
    seconds: float,
    skipped: Sequence[Skipped],
    defects: Mapping[str, int],
) -> None:
    """Print what was learned."""
    rows = [("model", printable(path))]
    rows += [(printable(label), _mails(count)) for label, count in training.mails.items()]
    words = f"{training.n_features:,} words"
    if training.n_seen != training.n_features:
        words += f" of {training.n_seen:,}"
    rows.append(("vocabulary", words))
    search = training.alpha_search
    if search is not None:
        tried = ", ".join(f"{alpha:g}: {loss:.4f}" for alpha, loss in search.log_loss.items())
        rows.append(("alpha", f"{search.alpha:g} (log loss by alpha: {tried})"))
    rows.append(("time", f"{seconds:.1f} s"))
    rows.append(("skipped", _mails(len(skipped))))
    rows += [("", f"{printable(item.source)}: {item.reason}") for item in skipped]
    for number, (kind, count) in enumerate(sorted(defects.items())):
        rows.append(("" if number else "defects", f"{kind}: {_mails(count)}"))
    table = _plain_table()
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(name, value)
    _show(_console(), table)


def verdicts(
    judged: Iterable[tuple[Document, Verdict]], names: Sequence[str], *, show_defects: bool
) -> list[str]:
    """Print a table of verdicts, some hundreds of rows at a time; return the labels.

    Parameters
    ----------
    judged : iterable of (Document, Verdict)
        The rows.
    names : sequence of str
        All labels that can come.
    show_defects : bool
        Whether to name the defects of each mail.
    """
    width = max(7, *(cell_len(printable(name)) for name in names))
    console = _console()
    labels: list[str] = []
    rows = iter(progress(judged, "classifying"))
    while chunk := list(islice(rows, _CHUNK)):
        table = _plain_table(show_header=not labels)
        table.add_column("verdict", width=width, no_wrap=True)
        table.add_column("probability", justify="right", width=11)
        table.add_column("log-odds", justify="right", width=9)
        table.add_column("mail", overflow="fold")
        for document, verdict in chunk:
            labels.append(verdict.label)
            mail = Text(printable(document.source))
            if verdict.reason:
                mail.append(f"  ({verdict.reason})", style="yellow")
            if document.defects and (show_defects or Defect.CUT in document.defects):
                kinds = ", ".join(defect.value for defect in document.defects)
                mail.append(f"  [{kinds}]", style="dim")
            table.add_row(
                Text(printable(verdict.label), style=_STYLES.get(verdict.label, "cyan")),
                f"{verdict.probability:.4f}",
                f"{verdict.log_odds:+.1f}",
                mail,
            )
        _show(console, table)
    if len(labels) > 1:
        counts = ", ".join(f"{n:,} {printable(label)}" for label, n in Counter(labels).items())
        console.print(f"{len(labels):,} mails: {counts}", style="bold")
    return labels


def explanation(source: str, subject: str, explained: Explanation, top: int) -> None:
    """Print the words that decided on one mail."""
    console = _console()
    verdict = explained.verdict
    heading = Text(printable(source), style="bold")
    if subject:
        heading.append(f"  {printable(subject)}", style="not bold")
    console.print(heading)
    line = Text(printable(verdict.label), style=_STYLES.get(verdict.label, "cyan"))
    line.append(f"  probability {verdict.probability:.4f}, log-odds {verdict.log_odds:+.2f} nats")
    if verdict.reason:
        line.append(f"  ({verdict.reason})", style="yellow")
    console.print(line)
    shown = explained.contributions[:top]
    rest = explained.contributions[len(shown) :]
    table = _plain_table(show_header=True)
    table.add_column("word", overflow="fold", min_width=6)
    table.add_column("count", justify="right", min_width=5)
    table.add_column("nats", justify="right", min_width=10)
    if console.width >= _NARROW:
        ends = [printable(label) for label in (explained.against, explained.towards)]
        table.add_column(f"{ends[0]:>{_BAR}} │ {ends[1]}", no_wrap=True)
    strongest = max((abs(item.nats) for item in shown), default=0.0)
    for item in shown:
        bars = [_bar(item.nats, strongest)] if console.width >= _NARROW else []
        table.add_row(printable(item.token), f"{item.count:g}", f"{item.nats:+.4f}", *bars)
    if rest:
        total = sum(item.nats for item in rest)
        table.add_row(Text(f"{len(rest):,} more", style="dim"), "", f"{total:+.4f}")
    table.add_row(Text(f"({explained.intercept_meaning})"), "", f"{explained.intercept:+.4f}")
    table.add_row(Text("sum", style="bold"), "", Text(f"{verdict.log_odds:+.4f}", style="bold"))
    _show(console, table)
    if explained.n_unknown:
        console.print(f"{explained.n_unknown:,} words are unknown to the model", style="dim")


def evaluation(reports: Sequence[Report], *, as_json: bool, to_stderr: bool) -> None:
    """Print the measures of one filter, or of several side by side."""
    console = _console(to_stderr)
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
    table = _plain_table(show_header=True)
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
        cells = [f"{count:,}" for count in row] + [_percent(share) for share in shares]
        table.add_row(Text(printable(label), style=_STYLES.get(label, "cyan")), *cells)
    _show(console, table)
    console.print()


def _ranking(console: Console, rankings: Sequence[tuple[str, RankingReport]]) -> None:
    table = _plain_table(show_header=True)
    table.add_column("measure")
    for name, _ in rankings:
        table.add_column(printable(name), justify="right")
    columns = [_measures(ranking) for _, ranking in rankings]
    for name in columns[0]:
        table.add_row(name, *(column[name] for column in columns))
    _show(console, table)


def _measures(ranking: RankingReport) -> dict[str, str]:
    rows = {"1-ROCA %": f"{100 * ranking.one_minus_roca:.4f}"}
    for loss, missed in ranking.spam_missed.items():
        rows[f"spam missed at {100 * loss:g} % ham lost"] = _percent(missed)
    rows["ham called spam"] = _percent(ranking.ham_called_spam)
    rows["spam not called spam"] = _percent(ranking.spam_not_called_spam)
    rows["ham error at P = 0.5"] = _percent(ranking.ham_error)
    rows["spam error at P = 0.5"] = _percent(ranking.spam_error)
    rows["lam %"] = f"{100 * ranking.lam:.3f}"
    rows["log loss, nats"] = f"{ranking.log_loss:.4f}"
    rows["Brier"] = f"{ranking.brier:.4f}"
    rows["ECE"] = f"{ranking.ece:.4f}"
    return rows


def _mails(count: int) -> str:
    return f"{count:,} mail{'s' * (count != 1)}"


def _percent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.2f} %"


def _bar(nats: float, strongest: float) -> Text:
    """Draw a bar from the middle: to the right for a positive number of nats, to the left else."""
    share = abs(nats) / strongest if 0 < strongest < float("inf") else float(nats != 0)
    length = max(1, round(min(share, 1.0) * _BAR)) if nats else 0
    if nats > 0:
        return Text.assemble(" " * _BAR, " │ ", ("█" * length, "red"))
    return Text.assemble(" " * (_BAR - length), ("█" * length, "green"), " │")


def _plain_table(*, show_header: bool = False) -> Table:
    return Table(box=None, show_header=show_header, header_style="dim", pad_edge=False)


def _show(console: Console, table: Table) -> None:
    """Print a table; on a pipe without the white space that fills its last column."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as captured:
        console.print(table)
    lines = captured.get().splitlines()
    console.file.write("".join(line.rstrip() + "\n" for line in lines))


def _console(to_stderr: bool = False) -> Console:
    stream = sys.stderr if to_stderr else sys.stdout
    width = None if stream.isatty() else _PIPE_WIDTH
    return _PipeConsole(file=stream, width=width, highlight=False, markup=False, emoji=False)


class _PipeConsole(Console):
    """A console that leaves closed pipes to `spamnb.cli.main`: rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
