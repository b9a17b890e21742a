"""The command line: options and exit statuses; work is done below, drawing in `render`."""

from __future__ import annotations

import sys
from typing import NoReturn

from spamnb.cli import exit_status, process


def main() -> NoReturn:
    """Run the command line and exit: the entry point of the ``spamnb`` script."""
    try:
        process.set_encodings()
        from spamnb.cli import quick

        status = quick.attempt(sys.argv[1:])
        if status is None:
            from spamnb.cli.main import run

            status = run()
        sys.stdout.flush()
    except BrokenPipeError:
        status = process.closed_pipe()
    except KeyboardInterrupt:
        status = exit_status.INTERRUPTED
    except Exception as error:  # the last resort: a sentence and a status, not a traceback
        status = process.failure(error)
    sys.exit(status)
