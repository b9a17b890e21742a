"""What each dependency costs: time to import it, beside a bare interpreter, and its size on disk.

Run as ``python benchmarks/import_cost.py``; prints a Markdown table.  Medians of 15 processes each,
taken in turn so that a noisy machine disturbs all alike.
"""

import datetime
import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import time

DEPENDENCIES = ("click", "numpy", "joblib", "rich", "jieba", "matplotlib")
CODE = {
    "(bare python)": "pass",
    "click": "import click",
    "numpy": "import numpy",
    "joblib": "import joblib",
    "rich": "import rich.console, rich.table, rich.progress",
    "jieba": "import jieba",
    "matplotlib": "import matplotlib.figure, matplotlib.backends.backend_agg",
    "(first Chinese text)": "from spamnb.text.tokenizers import make_tokenizer\n"
    "make_tokenizer('jieba')('中')",
    "(spamnb --help)": "import sys; sys.argv = ['spamnb', '--help']\n"
    "from spamnb.cli import main; main()",
}


def run_ms(code: str) -> float:
    """Return the wall time of one process, in milliseconds."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True)
    return 1000 * (time.perf_counter() - started)


def size_mb(name: str) -> float:
    """Return the size of a distribution's files, in megabytes."""
    files = importlib.metadata.files(name) or []
    paths = [file.locate() for file in files]
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path)) / 1e6


def main() -> None:
    """Measure and print."""
    times: dict[str, list[float]] = {name: [] for name in CODE}
    for _ in range(15):
        for name, code in CODE.items():
            times[name].append(run_ms(code))
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"{datetime.date.today()}, Python {platform.python_version()}, {platform.machine()},")
    print(f"{os.cpu_count()} cores\n")
    print("| | version | process, ms | over bare python, ms | size, MB |")
    print("|---|---|---|---|---|")
    for name in CODE:
        known = name in DEPENDENCIES
        version = importlib.metadata.version(name) if known else ""
        size = f"{size_mb(name):.1f}" if known else ""
        extra = median[name] - median["(bare python)"]
        print(f"| {name} | {version} | {median[name]:.0f} | {extra:.0f} | {size} |")


if __name__ == "__main__":
    main()
