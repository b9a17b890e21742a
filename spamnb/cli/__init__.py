"""The command line: options and exit statuses; work is done below, drawing in `output`."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

from spamnb.cli import exit_status, process
from spamnb.cli.commands.request import parse


def main() -> NoReturn:
    """Run the command line and exit: the entry point of the ``spamnb`` script."""
    # One mail leaves nothing to collect: 41 ms with the collector, 40 without, and 34 without the
    # interpreter's own end, which would take apart module by module (2026-11).
    gc.disable()
    try:
        process.set_encodings()
        request = parse(sys.argv[1:])
        if request is not None:
            from spamnb.cli.commands.judging import carry_out

            process.leave(carry_out(request))
        from spamnb.cli.main import run

        gc.enable()
        status = run()
        sys.stdout.flush()
    except BrokenPipeError:
        status = process.closed_pipe()
    except KeyboardInterrupt:
        status = exit_status.INTERRUPTED
    except Exception as error:  # the last resort: a sentence and a status, not a traceback
        status = process.failure(error)
    sys.exit(status)
