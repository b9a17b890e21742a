"""The command line: options and exit statuses; work is done below, drawing in `render`."""

from spamnb.cli.main import main

__all__ = ["main"]
