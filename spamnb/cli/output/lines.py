"""Lines for programs to read, tab-separated values and JSON; text made safe for a terminal."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spamnb.cli.terminal import one_line

if TYPE_CHECKING:
    from spamnb.filter.explanation import Explanation
    from spamnb.filter.pipeline import Judged


def verdict_tsv(mail: Judged, source: str) -> str:
    """Return ``label TAB probability TAB log-odds TAB source``.

    The source comes last, so that a tab in a file name does no harm; line ends in it are escaped.
    """
    verdict = mail.verdict
    numbers = f"{verdict.probability:.6f}\t{verdict.log_odds:.6f}"
    return f"{verdict.label}\t{numbers}\t{one_line(source)}"


def verdict_json(mail: Judged, source: str) -> str:
    """Return one JSON object on one line."""
    verdict = mail.verdict
    return to_json(
        {
            "source": source,
            "label": verdict.label,
            "probability": verdict.probability,
            "log_odds": verdict.log_odds,
            "reason": verdict.reason,
            "defects": [defect.value for defect in mail.defects],
        }
    )


VERDICT_FORMATS: dict[str, Callable[[Judged, str], str]] = {
    "tsv": verdict_tsv,
    "jsonl": verdict_json,
}
"""The formats of one line for each mail, for programs to read."""


def explanation_dict(source: str, explanation: Explanation, top: int | None) -> dict[str, Any]:
    """Return an explanation as data; the contributions, the rest and the intercept sum up."""
    shown = explanation.contributions[:top]
    rest = explanation.contributions[len(shown) :]
    return {
        "source": source,
        "label": explanation.verdict.label,
        "probability": explanation.verdict.probability,
        "log_odds": explanation.verdict.log_odds,
        "reason": explanation.verdict.reason,
        "towards": explanation.towards,
        "against": explanation.against,
        "intercept": explanation.intercept,
        "intercept_meaning": explanation.intercept_meaning,
        "contributions": [
            {
                "token": item.token,
                "count": item.count,
                "contribution": item.nats,
                "naive_bayes": item.naive_bayes,
                "refinement": item.refinement,
                **({"view": item.view} if item.view else {}),
            }
            for item in shown
        ],
        "rest": {"tokens": len(rest), "contribution": sum(item.nats for item in rest)},
        "unknown_tokens": explanation.n_unknown,
        "method": explanation.method,
        "views": explanation.views,
    }


def score_line(label: str, log_odds: float, probability: float, source: str) -> str:
    """Return ``label TAB log-odds TAB probability TAB source``, with all digits."""
    return f"{label}\t{log_odds!r}\t{probability!r}\t{one_line(source)}"


def to_json(data: Any) -> str:
    """Return JSON on one line, ASCII only; an infinite number becomes the largest finite one."""
    import json  # 2 ms that a line of tab-separated values need not wait for

    return json.dumps(_finite(data), ensure_ascii=True, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        # Only alpha=0 leads here: nan is ∞ - ∞, of which nothing can be said.
        return None if math.isnan(data) else math.copysign(sys.float_info.max, data)
    return data
