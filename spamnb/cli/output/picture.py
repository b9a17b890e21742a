"""The picture file of ``spamnb evaluate --plot``: checked before the work, written after it."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from spamnb.evaluation.report import Report
    from spamnb.evaluation.scores import Scores


def check_picture(path: str, labels: Sequence[str]) -> None:
    """Check that a picture can be drawn and written, before the work that it shows.

    Parameters
    ----------
    path : str
        Where it goes.
    labels : sequence of str
        The labels of the mail.

    Raises
    ------
    click.UsageError
        When matplotlib is missing, or the labels are not ham and spam.
    OutputWriteError
        When the place cannot be written to.
    """
    from spamnb.errors import OutputWriteError
    from spamnb.filter.verdict import HAM_OR_SPAM

    if importlib.util.find_spec("matplotlib") is None:
        raise click.UsageError("--plot needs matplotlib: run pip install 'spamnb[plot]' first.")
    if tuple(sorted(labels)) != HAM_OR_SPAM:
        raise click.UsageError("--plot draws ham against spam: give mail of both, and no other.")
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise OutputWriteError(path, f"there is no folder {folder}")
    if os.path.isdir(path):
        raise OutputWriteError(path, "it is a folder; choose a file")
    if not os.access(folder, os.W_OK):
        raise OutputWriteError(path, "nothing can be written to its folder")


def write_picture(path: str, reports: Sequence[Report], scores: Sequence[Scores]) -> None:
    """Draw a picture and write it in one step, so that nobody reads half of it.

    Parameters
    ----------
    path : str
        Where it goes; its ending is the format.
    reports : sequence of Report
        What to draw.
    scores : sequence of Scores
        What each report was made from.

    Raises
    ------
    TrainingDataError
        When there is nothing to draw.
    OutputWriteError
        When it cannot be written.
    """
    from spamnb.errors import OutputWriteError, TrainingDataError, reason_of
    from spamnb.evaluation.plots import draw
    from spamnb.system.atomic import replace_file

    if not all(item.ranking for item in reports):
        raise TrainingDataError("no picture without both ham and spam scored", "give more mail")
    content = draw(reports, scores, os.path.splitext(path)[1][1:].lower(), reports[0].learning)
    try:
        replace_file(path, content)
    except OSError as error:
        raise OutputWriteError(path, reason_of(error)) from None
