"""Reports and scores → a picture; the only module that imports matplotlib (``spamnb[plot]``).

No pyplot, so no window and no list of open figures.  Colors are those of Okabe and Ito (2008),
which color-blind readers can tell apart; filters differ in the style of their line too.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from spamnb.errors import ParameterError
from spamnb.evaluation import curves
from spamnb.evaluation.online import OnlineCurve
from spamnb.evaluation.report import Report
from spamnb.evaluation.scores import Scores
from spamnb.features.matrix import Floats, Ints

FORMATS = ("png", "svg")
"""The formats that pictures can have."""

_HAM, _SPAM = "#0072B2", "#D55E00"
_FILTERS = (
    ("#000000", "-", "o"),
    ("#009E73", "--", "s"),
    ("#CC79A7", "-.", "^"),
    ("#E69F00", ":", "D"),
)
_GREY, _BAND = "#666666", "#EEEEEE"
_COSTS = np.geomspace(0.1, 10_000, 400)
_MANY_DECADES = 2.3  # with fewer on a log axis, 2 and 5 get a label too
# No mail at all, on a log axis: drawn at half a mail, in a strip between these numbers of mails.
_STRIP = (0.18, 0.71)
_STRIP_TEXT = 0.29
_STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Arial", "Helvetica", "sans-serif"],
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.fontsize": 8.5,
    "legend.frameon": True,
    "legend.framealpha": 0.9,
    "legend.edgecolor": "none",
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "spamnb",  # the same picture, the same bytes
}


def draw(
    reports: Sequence[Report],
    scores: Sequence[Scores],
    format_: str,
    learning: OnlineCurve | None = None,
) -> bytes:
    """Draw what filters do on labeled mail.

    Four panels: the ROC curves on log axes; how the scores of ham and spam are spread; how often
    mail of each P(spam) is spam; and the learning curve, or, without one, the errors at each
    threshold.  Of several filters, the ROC panel shows all and the others the first.

    Parameters
    ----------
    reports : sequence of Report
        At least one, each of ham and spam.
    scores : sequence of Scores
        What each report was made from, its repeats pooled.
    format_ : str
        One of `FORMATS`.
    learning : OnlineCurve, optional
        The learning curve of the first filter.

    Returns
    -------
    bytes
        The picture file; the same arguments give the same bytes.

    Raises
    ------
    ParameterError
        When the mails are not of ham and spam, or the format is another.
    """
    if format_ not in FORMATS:
        raise ParameterError("format", f"one of {', '.join(FORMATS)}", format_)
    if not all(item.ranking for item in reports):
        raise ParameterError("scores", "of both ham and spam", "others")
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(11.5, 9.2), layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12))
        figure.suptitle(_heading(reports, scores[0]), fontsize=13)
        grid = figure.add_gridspec(2, 2)
        _draw_roc(figure.add_subplot(grid[0, 0]), reports, scores)
        _draw_histogram(figure.add_subplot(grid[0, 1]), reports[0], scores[0])
        _draw_reliability(figure, grid[1, 0], reports[0])
        last = figure.add_subplot(grid[1, 1])
        if learning is None:
            _draw_errors_by_cost(last, reports[0], scores[0])
        else:
            _draw_learning_curve(last, learning)
        content = io.BytesIO()
        metadata = {"Date": None} if format_ == "svg" else {"Software": None}
        figure.savefig(content, format=format_, dpi=150, metadata=metadata)
    return content.getvalue()


def _heading(reports: Sequence[Report], scores: Scores) -> str:
    n_repeats = reports[0].n_repeats
    n_ham, n_spam = len(scores.ham) // n_repeats, len(scores.spam) // n_repeats
    names = ", ".join(item.name for item in reports)
    repeats = f", {n_repeats} repeats" if n_repeats > 1 else ""
    return f"{names}: {n_ham:,} ham, {n_spam:,} spam{repeats}"


def _draw_roc(axes: Axes, reports: Sequence[Report], scores: Sequence[Scores]) -> None:
    n_ham, n_spam = len(scores[0].ham), len(scores[0].spam)
    for number, (item, own) in enumerate(zip(reports, scores, strict=True)):
        assert item.ranking is not None
        color, line, marker = _FILTERS[number % len(_FILTERS)]
        lost, missed = curves.roc(own)
        label = f"{item.name}: 1-ROCA {100 * item.ranking.one_minus_roca:.4f} %"
        x, y = _percent(lost, n_ham), _percent(missed, n_spam)
        axes.plot(x, y, line, color=color, lw=1.6, label=label)
        lost_by_verdict = np.array([item.ranking.ham_called_spam * n_ham])
        missed_by_verdict = np.array([item.ranking.spam_not_called_spam * n_spam])
        point = _percent(lost_by_verdict, n_ham), _percent(missed_by_verdict, n_spam)
        axes.plot(*point, marker, color=color, ms=8, mec="white", mew=1.2, zorder=5)
    axes.plot([], [], "o", color=_GREY, ms=7, mec="white", label="at the filter's own verdict")
    _log_axis(axes, "x", 100 * _STRIP[0] / n_ham, 115)
    _log_axis(axes, "y", 100 * _STRIP[0] / n_spam, 115)
    _none_band(axes, n_ham, n_spam)
    axes.set(xlabel="ham lost (%)", ylabel="spam missed (%)", title="ROC, both axes logarithmic")
    axes.grid(color=_BAND, lw=0.8)
    axes.legend(loc="best")


def _none_band(axes: Axes, n_ham: int, n_spam: int) -> None:
    """Shade where no mail at all is lost or missed, which a log axis has no place for."""
    place: dict[str, Any] = {"color": _GREY, "fontsize": 7.5, "ha": "center", "va": "center"}
    axes.axvspan(*(100 * end / n_ham for end in _STRIP), color=_BAND, zorder=0)
    axes.axhspan(*(100 * end / n_spam for end in _STRIP), color=_BAND, zorder=0)
    x, y = 100 * _STRIP_TEXT / n_ham, 100 * _STRIP_TEXT / n_spam
    along_x, along_y = axes.get_xaxis_transform(), axes.get_yaxis_transform()
    axes.text(x, 0.5, "no ham lost", rotation=90, transform=along_x, **place)
    axes.text(0.5, y, "no spam missed", transform=along_y, **place)


def _draw_histogram(axes: Axes, item: Report, scores: Scores) -> None:
    spread = curves.histogram(scores)
    unsure = scores.decision.ham_below, scores.decision.spam_from
    axes.axvspan(*unsure, color=_BAND, zorder=0, label="verdict unsure")
    for name, counts, color in (("ham", spread.ham, _HAM), ("spam", spread.spam, _SPAM)):
        # Bins without mail end below the axis, which begins at 0.7.
        shown = np.maximum(counts, 0.5)
        label = f"{name}, {int(counts.sum()):,} in all"
        axes.stairs(shown, spread.edges, baseline=0.5, fill=True, color=color, alpha=0.35)
        axes.stairs(shown, spread.edges, baseline=0.5, color=color, lw=1.3, label=label)
    _log_axis(axes, "y", 0.7, 1.6 * max(6, *spread.ham.tolist(), *spread.spam.tolist()))
    margin = 0.02 * (spread.edges[-1] - spread.edges[0])
    axes.set_xlim(spread.edges[0] - margin, spread.edges[-1] + margin)
    beyond = "; the end bins hold all beyond" if spread.is_cut else ""
    axes.set(xlabel=f"log-odds of spam (nats{beyond})", ylabel="mails in the bin")
    axes.set_title(f"Scores: {item.name}", pad=24)
    _legend_above(axes)


def _draw_reliability(figure: Figure, place: SubplotSpec, item: Report) -> None:
    assert item.ranking is not None
    parts = place.subgridspec(2, 1, height_ratios=(3.2, 1), hspace=0.04)
    axes = figure.add_subplot(parts[0])
    below = figure.add_subplot(parts[1], sharex=axes)
    bins = [row for row in item.reliability if row.n_mails]
    x = [row.mean_probability for row in bins]
    y = [row.spam_share for row in bins]
    bars = (
        [row.spam_share - row.interval.low for row in bins],
        [row.interval.high - row.spam_share for row in bins],
    )
    axes.plot([0, 1], [0, 1], "--", color=_GREY, lw=1, label="P(spam) as it should be")
    axes.errorbar(
        x,
        y,
        bars,
        fmt="o",
        color="black",
        ms=4.5,
        lw=1.2,
        capsize=2.5,
        label="95 % interval (Wilson)",
    )
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.03, 1.03), ylabel="share of spam in the bin")
    axes.tick_params(labelbottom=False)
    axes.grid(color=_BAND, lw=0.8)
    axes.set_title(f"Reliability: {item.name} (ECE {item.ranking.ece:.4f})", pad=24)
    _legend_above(axes)
    edges = [*(row.low for row in item.reliability), 1.0]
    counts = [max(row.n_mails, 0.5) for row in item.reliability]
    below.stairs(counts, edges, baseline=0.5, fill=True, color=_GREY)
    _log_axis(below, "y", 0.7, 3 * max(counts))
    below.yaxis.set_minor_locator(NullLocator())
    below.set(xlabel="P(spam)", ylabel="mails")


def _draw_errors_by_cost(axes: Axes, item: Report, scores: Scores) -> None:
    n_ham, n_spam = len(scores.ham), len(scores.spam)
    lost, passed = curves.errors_by_cost(scores, _COSTS)
    (own,) = (row.cost for row in item.thresholds if row.is_own)
    axes.axvline(own, color=_GREY, lw=1, ls=":", label=f"the filter's own, λ = {own:g}")
    for name, errors, n, color, line in (
        ("ham lost", lost, n_ham, _HAM, "-"),
        ("spam passed", passed, n_spam, _SPAM, "--"),
    ):
        percent = _percent(errors, n)
        axes.plot(_COSTS, percent, line, color=color, lw=1.8, label=f"{name} (% of {n:,})")
        if not errors.all():
            none = np.where(errors == 0, percent, np.nan)
            label = f"no {name}, drawn at half a mail"
            axes.plot(_COSTS, none, color=color, lw=5, alpha=0.3, label=label)
    _log_axis(axes, "x", _COSTS[0], _COSTS[-1])
    _log_axis(axes, "y", 100 * _STRIP[0] / max(n_ham, n_spam), 115)
    axes.set(xlabel="cost λ of a lost ham: spam from P = λ / (1 + λ)", ylabel="errors (%)")
    axes.set_title(f"Errors at each threshold: {item.name}")
    axes.grid(color=_BAND, lw=0.8)
    axes.legend(loc="best")


def _draw_learning_curve(axes: Axes, curve: OnlineCurve) -> None:
    lines = (
        ("ham error", curve.ham_error, curve.n_ham, _HAM, "-"),
        ("spam error", curve.spam_error, curve.n_spam, _SPAM, "--"),
        ("1-ROCA", curve.one_minus_roca, curve.n_ham * curve.n_spam, "black", "-."),
    )
    is_any_zero, drawn = False, []
    with np.errstate(divide="ignore"):
        for name, share, n, color, line in lines:
            shown = 100 * np.where(share == 0, 0.5 / n, share)
            axes.plot(curve.n_mails, shown, line, marker=".", color=color, lw=1.6, label=name)
            drawn.append(shown[np.isfinite(shown)])
            none = np.where(share == 0, shown, np.nan)
            axes.plot(curve.n_mails, none, "o", mfc="white", color=color, ms=4.5)
            is_any_zero |= bool(np.any(share == 0))
    if is_any_zero:
        label = "none yet: drawn at half a mail (1-ROCA: half a pair)"
        axes.plot([], [], "o", mfc="white", color=_GREY, ms=4.5, label=label)
    _log_axis(axes, "x", curve.n_mails[0] / 1.5, curve.n_mails[-1] * 1.5)
    errors = np.concatenate(drawn)
    _log_axis(axes, "y", errors.min() / 1.5, errors.max() * 1.5)
    axes.set(xlabel="mails seen and learned", ylabel="error on all mails so far (%)")
    axes.set_title("Learning curve")
    axes.grid(color=_BAND, lw=0.8)
    axes.legend(loc="best")


def _percent(mails: Ints | Floats, n: int) -> Floats:
    """Return numbers of mails in per cent, none at all as half a mail."""
    return np.asarray(100 * np.maximum(mails, 0.5) / n)


def _log_axis(axes: Axes, name: str, low: float, high: float) -> None:
    """Make an axis logarithmic, with plain numbers."""
    axis = axes.xaxis if name == "x" else axes.yaxis
    getattr(axes, f"set_{name}scale")("log")
    getattr(axes, f"set_{name}lim")(low, high)
    if np.log10(high / low) < _MANY_DECADES:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(NullFormatter())


def _legend_above(axes: Axes) -> None:
    """Put the legend between title and axes, where what is drawn can be anywhere."""
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=3, borderaxespad=0.2)
