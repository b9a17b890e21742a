"""Figures of ``cold`` and ``bulk`` → one picture of horizontal bars (needs matplotlib).

Colors are those of Okabe and Ito (2008), which color-blind readers can tell apart; the numbers
stand at the bars, so that nothing depends on them.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from timing.bench import CHINESE

_OWN, _OTHER, _TEXT = "#0072B2", "#B8B8B8", "#333333"
_STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Arial", "Helvetica", "sans-serif"],
    "font.size": 12,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "spamnb",  # the same picture, the same bytes
}
_BAR_INCHES = 0.33
_TITLE_BARS = 1.8  # the place of a title, in bars
_FOOT_INCHES = 0.45
_LABEL_SHARE = 0.36  # of the width
_MOST_TIMES = 2.5  # as long as the second is the longest bar at most


def draw(results: Mapping[str, Any], format_: str, heading: str) -> bytes:
    """Draw what was measured of cold start and bulk.

    Parameters
    ----------
    results : mapping of str to dict
        The figures of the sections.
    format_ : str
        ``png`` or ``svg``.
    heading : str
        The date and the machine.

    Raises
    ------
    SystemExit
        When neither section was measured.
    """
    panels = [panel for panel in _panels(results) if panel[1]]
    if not panels:
        raise SystemExit("--plot shows cold and bulk; neither was measured")
    heights = [len(values) + _TITLE_BARS for _, values, _ in panels]
    with matplotlib.rc_context(_STYLE):
        inches = _BAR_INCHES * sum(heights) + _FOOT_INCHES
        figure = Figure(figsize=(9.5, inches))
        top = 1.0
        for (title, values, is_more), height in zip(panels, heights, strict=True):
            bars = len(values) * _BAR_INCHES / inches
            bottom = top - height * _BAR_INCHES / inches
            axes = figure.add_axes((_LABEL_SHARE, bottom, 0.92 - _LABEL_SHARE, bars))
            figure.text(0.015, bottom + bars + 0.1 / inches, title, fontsize=14, weight="bold")
            _draw_bars(axes, values, is_more)
            top = bottom
        figure.text(0.985, 0.1 / inches, heading, ha="right", fontsize=10, color=_TEXT)
        content = io.BytesIO()
        metadata = {"Date": None} if format_ == "svg" else {"Software": None}
        figure.savefig(content, format=format_, dpi=150, metadata=metadata)
    return content.getvalue()


def _panels(results: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, float], bool]]:
    """Yield the title of each panel, its bars, and whether more is better."""
    speed = results.get("bulk", {}).get("mails_per_second", {})
    english = {name: value for name, value in speed.items() if not name.endswith(CHINESE)}
    chinese = {name: value for name, value in speed.items() if name.endswith(CHINESE)}
    yield "Mails per second (more is better)", english, True
    yield "Mails per second, Chinese mail", _without_ending(chinese), True
    cold = results.get("cold", {}).get("ms", {})
    yield "One mail in a fresh process, ms (less is better)", cold, False


def _without_ending(values: Mapping[str, float]) -> dict[str, float]:
    return {name.removesuffix(CHINESE): value for name, value in values.items()}


def _draw_bars(axes: Axes, values: Mapping[str, float], is_more: bool) -> None:
    """Draw the best on top; a bar that would make all others tiny is broken off."""
    names = sorted(values, key=values.__getitem__, reverse=is_more)
    numbers = [values[name] for name in names]
    longest = _longest(numbers)
    lengths = [min(number, longest) for number in numbers]
    colors = [_OWN if "spamnb" in name else _OTHER for name in names]
    bars = axes.barh(names, lengths, color=colors, height=0.72)
    axes.bar_label(bars, [f"{number:,.0f}" for number in numbers], padding=5, color=_TEXT)
    for place, number in enumerate(numbers):
        if number > longest:
            x = (0.93 * longest, 0.95 * longest)
            axes.fill_betweenx((place - 0.4, place + 0.4), x[0], x[1], color="white")
    axes.set(xlim=(0, longest), ylim=(len(names) - 0.5, -0.5))
    axes.xaxis.set_visible(False)  # the numbers stand at the bars
    axes.tick_params(left=False)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    for label, name in zip(axes.get_yticklabels(), names, strict=True):
        label.set_fontweight("bold" if name == "spamnb" else "normal")


def _longest(numbers: Sequence[float]) -> float:
    """Return how long the longest bar is drawn."""
    *others, most = sorted(numbers)
    return min(most, _MOST_TIMES * others[-1]) if others else most
