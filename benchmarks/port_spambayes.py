"""Make a copy of SpamBayes for Python 3, so that `speed.py` can measure it.

Run as ``python benchmarks/port_spambayes.py SOURCE TARGET`` with a Python that has lib2to3 (3.12 at
most).  SOURCE is the unpacked source of spambayes 1.1b3 from PyPI, which is for Python 2; TARGET is
a new folder, to be put on ``PYTHONPATH``.  Of the package only what reads a mail and classifies it
is looked after, with as few changes as it takes; nothing is made faster or slower on purpose.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

# What 2to3 leaves: modules of the email package that have other names, header words and bodies that
# are bytes now, and a lock that only its own storage needs.
CHANGES = (
    (r"email\.(Message|Header|Utils|Errors)", lambda match: match[0].lower()),
    (r"get_payload\(decode=True\)", r"get_payload(decode=True).decode('latin-1')"),
    (
        r"( *)for x, subjcharset in subjcharsetlist:",
        r"\g<0>\n\1    x = x.decode('latin-1') if isinstance(x, bytes) else x",
    ),
)
LOCKFILE = "class FileLock: pass\nclass Error(Exception): pass\n"


def main() -> None:
    """Make the copy."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    package = given.target / "spambayes"
    shutil.copytree(given.source / "spambayes", package)
    files = sorted(map(str, package.glob("*.py")))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-W", "ignore", "-m", "lib2to3", "-w", "-n", *files]
    subprocess.run(command, check=True, **quiet)
    for path in map(Path, files):
        text = path.read_text(encoding="latin-1")
        for pattern, replacement in CHANGES:
            text = re.sub(pattern, replacement, text)
        path.write_text(text, encoding="latin-1")
    (given.target / "lockfile.py").write_text(LOCKFILE, encoding="ascii")
    print(f"PYTHONPATH={given.target}")


if __name__ == "__main__":
    main()
