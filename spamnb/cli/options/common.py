"""Options that several commands share: the model, the number of processes."""

from __future__ import annotations

import click

model_option = click.option(
    "-m",
    "--model",
    metavar="PATH",
    help="The model's folder. [default: $SPAMNB_MODEL, else ~/.local/share/spamnb/model]",
)

jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="How many processes work. [default: one per core]",
)

verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Say on standard error which model is used, and more."
)


def check_writable(path: str) -> None:
    """Check that a file can be written, before the work that would fill it.

    Raises
    ------
    OutputWriteError
        When it cannot be.
    """
    from spamnb.errors import OutputWriteError, reason_of

    try:
        with open(path, "a", encoding="utf-8"):
            pass
    except OSError as error:
        raise OutputWriteError(path, reason_of(error)) from None
