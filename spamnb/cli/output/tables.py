"""Tables, bars and progress for a person; measures are in `evaluation_tables`.

On a pipe nothing is colored, wrapped or cut.  Whatever comes from a mail is untrusted: control
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
from rich.text import Text

from spamnb.cli.output.console import STYLES, console_of, plain_table, show
from spamnb.cli.terminal import printable
from spamnb.mail.defects import Defect

if TYPE_CHECKING:
    from spamnb.features.collector import Forgotten
    from spamnb.filter.explanation import Explanation, TreeRow
    from spamnb.filter.pipeline import Judged
    from spamnb.mail.sources import Skipped
    from spamnb.training import IdleWords, Training
    from spamnb.training.semi import SemiReport

T = TypeVar("T")

_BAR = 16
_CHUNK = 500
_NARROW = 70
_WIDE = 100


def progress(items: Iterable[T], doing: str) -> Iterator[T]:
    """Yield the items, with their number and the time on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    # What is printed meanwhile goes where standard output goes, not above the bar.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
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
    to_stderr: bool = False,
) -> None:
    """Print what was learned."""
    rows = [("model", printable(path))]
    rows += [(printable(label), _mails(count)) for label, count in training.mails.items()]
    rows.append(("classifier", _classifier(training)))
    reads_words = training.spam_filter.vectorizer.vocabulary is not None
    words = f"{training.n_features:,} {'tokens' if reads_words else 'values'}"
    if training.n_seen != training.n_features:
        words += f" of {training.n_seen:,}"
    rows.append(("vocabulary", words))
    if training.forgotten is not None:
        rows.append(("forgotten", _forgotten(training.forgotten)))
    if training.n_sampled is not None:
        rows.append(("calibrated on", f"{_mails(training.n_sampled)}, as memory allows"))
    for name, search in training.alpha_searches.items():
        tried = ", ".join(f"{alpha:g}: {loss:.4f}" for alpha, loss in search.log_loss.items())
        of = f" of {name}" if len(training.alpha_searches) > 1 else ""
        rows.append((f"alpha{of}", f"{search.alpha:g} (log loss by alpha: {tried})"))
    if training.semi is not None:
        rows.append(("unlabeled", _semi(training.semi)))
    rows.append(("time", f"{seconds:.1f} s"))
    rows.append(("skipped", _mails(len(skipped))))
    rows += [("", f"{printable(item.source)}: {item.reason}") for item in skipped]
    for number, (kind, count) in enumerate(sorted(defects.items())):
        rows.append(("" if number else "defects", f"{kind}: {_mails(count)}"))
    table = plain_table()
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(name, value)
    show(console_of(to_stderr), table)


def _forgotten(forgotten: Forgotten) -> str:
    return (
        f"{forgotten.tokens:,} tokens in {_mails(forgotten.threshold)} or fewer,"
        f" {forgotten.times:,} times, as memory allows; see --max-memory"
    )


def _classifier(training: Training) -> str:
    model = training.spam_filter.model
    words = [training.classifier]
    if not model.calibration.slope:
        return f"{words[0]}; the words tell nothing of the labels, so every mail gets the prior"
    if model.is_calibrated:
        words.append("calibrated")
    if model.refinement is not None:
        words.append("refined")
    return ", ".join(words)


def verdicts(judged: Iterable[Judged], names: Sequence[str], *, show_defects: bool) -> list[str]:
    """Print a table of verdicts, some hundreds of rows at a time; return the labels.

    Parameters
    ----------
    judged : iterable of Judged
        The rows.
    names : sequence of str
        All labels that can come.
    show_defects : bool
        Whether to name the defects of each mail.
    """
    width = max(7, *(cell_len(printable(name)) for name in names))
    console = console_of()
    labels: list[str] = []
    rows = iter(progress(judged, "classifying"))
    while chunk := list(islice(rows, _CHUNK)):
        table = plain_table(show_header=not labels)
        table.add_column("verdict", width=width, no_wrap=True)
        table.add_column("probability", justify="right", width=11)
        table.add_column("log-odds", justify="right", width=9)
        table.add_column("mail", overflow="fold")
        for source, defects, verdict in chunk:
            labels.append(verdict.label)
            mail = Text(printable(source))
            if verdict.reason:
                mail.append(f"  ({verdict.reason})", style="yellow")
            if defects and (show_defects or Defect.CUT in defects):
                kinds = ", ".join(defect.value for defect in defects)
                mail.append(f"  [{kinds}]", style="dim")
            table.add_row(
                Text(printable(verdict.label), style=STYLES.get(verdict.label, "cyan")),
                f"{verdict.probability:.4f}",
                f"{verdict.log_odds:+.1f}",
                mail,
            )
        show(console, table)
    if len(labels) > 1:
        counts = ", ".join(f"{n:,} {printable(label)}" for label, n in Counter(labels).items())
        console.print(f"{len(labels):,} mails: {counts}", style="bold")
    return labels


def profile(shares: Mapping[str, float], seconds: float) -> None:
    """Print on standard error where the time went.

    Parameters
    ----------
    shares : mapping of str to float
        The share of each stage.
    seconds : float
        The processor time of all together.
    """
    table = plain_table(show_header=True)
    table.add_column("stage")
    table.add_column("share", justify="right")
    table.add_column("ms", justify="right")
    for stage, share in shares.items():
        table.add_row(stage, f"{100 * share:.1f} %", f"{1000 * share * seconds:,.1f}")
    table.add_row("together", "", f"{1000 * seconds:,.1f}", style="bold")
    show(console_of(to_stderr=True), table)


def explanation(source: str, subject: str, explained: Explanation, top: int) -> None:
    """Print the words that decided on one mail."""
    console = console_of()
    verdict = explained.verdict
    heading = Text(printable(source), style="bold")
    if subject:
        heading.append(f"  {printable(subject)}", style="not bold")
    console.print(heading)
    line = Text(printable(verdict.label), style=STYLES.get(verdict.label, "cyan"))
    line.append(f"  probability {verdict.probability:.4f}, log-odds {verdict.log_odds:+.2f} nats")
    if verdict.reason:
        line.append(f"  ({verdict.reason})", style="yellow")
    console.print(line)
    shown = explained.contributions[:top]
    rest = explained.contributions[len(shown) :]
    has_parts = explained.is_refined and console.width >= _WIDE
    has_bars = console.width >= _NARROW
    table = plain_table(show_header=True)
    table.add_column("token", overflow="fold", min_width=6)
    table.add_column("count", justify="right", min_width=5)
    for name in ("naive Bayes", "refinement", "nats") if has_parts else ("nats",):
        table.add_column(name, justify="right", min_width=10)
    if has_bars:
        ends = [printable(label) for label in (explained.against, explained.towards)]
        table.add_column(f"{ends[0]:>{_BAR}} │ {ends[1]}", no_wrap=True)
    strongest = max((abs(item.nats) for item in shown), default=0.0)
    for item in shown:
        parts = [f"{item.naive_bayes:+.4f}", f"{item.refinement:+.4f}"] if has_parts else []
        bars = [_bar(item.nats, strongest)] if has_bars else []
        cells: list[str | Text] = [*parts, f"{item.nats:+.4f}", *bars]
        table.add_row(printable(item.token), f"{item.count:.3g}", *cells)
    if rest:
        sums = [sum(item.naive_bayes for item in rest), sum(item.refinement for item in rest)]
        parts = [f"{part:+.4f}" for part in sums] if has_parts else []
        more = Text(f"{len(rest):,} more", style="dim")
        table.add_row(more, "", *parts, f"{sum(item.nats for item in rest):+.4f}")
    blank = ["", ""] if has_parts else []
    meaning = Text(f"({explained.intercept_meaning})")
    table.add_row(meaning, "", *blank, f"{explained.intercept:+.4f}")
    total = Text(f"{verdict.log_odds:+.4f}", style="bold")
    table.add_row(Text("sum", style="bold"), "", *blank, total)
    show(console, table)
    for name, nats in explained.views.items():
        console.print(f"{name}: {nats:+.4f} nats", style="dim")
    if explained.method != "additive":
        note = f"{explained.method}: a word's nats are what the log-odds lose without it"
        console.print(note, style="dim")
    if explained.n_unknown:
        console.print(f"{explained.n_unknown:,} tokens are unknown to the model", style="dim")


def model_tree(rows: Iterable[TreeRow]) -> None:
    """Print which word each word of a tree depends on, the strongest first."""
    console = console_of()
    for row in rows:
        weight = "" if row.depth == 0 else f"  {row.nats:.4f}"
        text = Text("  " * row.depth + printable(row.token))
        console.print(text.append(weight, style="dim"), soft_wrap=True)


def harmful_mail(semi: SemiReport) -> str:
    """Return the warning that unlabeled mail has done harm."""
    return (
        f"the unlabeled mail hurts: log loss of held-out mail {semi.log_loss:.4f} with it,"
        f" {semi.log_loss_without:.4f} without; train without it, or lower --unlabeled-weight"
    )


def idle_words(idle: IdleWords) -> Iterator[str]:
    """Yield what there is to say of words of ``--parents`` that play no part."""
    for words, reason in (
        (idle.unknown, "in no mail"),
        (idle.not_chosen, "not among the words that tell most (--features)"),
    ):
        if words:
            shown = ", ".join(map(printable, words[:5])) + ", …" * (len(words) > 5)
            yield f"{len(words)} of the words of --parents play no part, being {reason}: {shown}"


def _semi(semi: SemiReport) -> str:
    rounds = f"{semi.n_rounds} round{'s' * (semi.n_rounds != 1)}"
    losses = f"{semi.log_loss:.4f} with it, {semi.log_loss_without:.4f} without"
    return (
        f"{_mails(semi.n_unlabeled)}, {semi.method}, {rounds}"
        f" (log loss of held-out mail: {losses}, ± {semi.standard_error:.4f})"
    )


def _mails(count: int) -> str:
    return f"{count:,} mail{'s' * (count != 1)}"


def _bar(nats: float, strongest: float) -> Text:
    """Draw a bar from the middle: to the right for a positive number of nats, to the left else."""
    share = abs(nats) / strongest if 0 < strongest < float("inf") else float(nats != 0)
    length = max(1, round(min(share, 1.0) * _BAR)) if nats else 0
    if nats > 0:
        return Text.assemble(" " * _BAR, " │ ", ("█" * length, "red"))
    return Text.assemble(" " * (_BAR - length), ("█" * length, "green"), " │")
