"""Which model a command uses, and what is said of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spamnb.cli.process import say
from spamnb.system.resources import resource

if TYPE_CHECKING:
    from spamnb.filter.spam_filter import SpamFilter
    from spamnb.store.manifest import ModelInfo


def own_model_path(given: str | None) -> str:
    """Return where the user's own model is, or will be."""
    if given or os.environ.get("SPAMNB_MODEL"):
        return given or os.environ["SPAMNB_MODEL"]
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(data, "spamnb", "model")


def model_path(given: str | None) -> str:
    """Return where the model to use is: the given one, the user's own, or the starter model."""
    path = own_model_path(given)
    is_named = given or os.environ.get("SPAMNB_MODEL")
    return path if is_named or os.path.exists(path) else resource("models", "starter")


def load_filter(given: str | None, *, verbose: bool, quiet: bool = False) -> SpamFilter:
    """Load the model to use, and say what `describe` does.

    Raises
    ------
    ModelNotFoundError, ModelFormatError
    """
    from spamnb.store.files import info_of, load_model

    path = model_path(given)
    model = load_model(path)
    describe(path, info_of(model), verbose=verbose, quiet=quiet)
    return model.spam_filter


def describe(path: str, info: ModelInfo, *, verbose: bool, quiet: bool) -> None:
    """Say on standard error what a starter model is worth, and with ``verbose`` which one it is."""
    if verbose:
        mails = ", ".join(f"{count} {label}" for label, count in info.mails.items())
        say(f"model {path}: {info.classifier}, trained on {mails}, {info.trained}")
    if info.about and not quiet:
        say(info.about)
