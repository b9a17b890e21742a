"""How fast spamnb is, beside bogofilter, SpamProbe and scikit-learn: tables and a picture.

Run as ``python benchmarks/speed.py --index FILE``; prints Markdown.  The first half of the corpus
is for training, the second is judged.  Each repetition runs all competitors one after the other;
times are medians over repetitions, ratios medians of the ratios within a repetition, so that what
else the machine does disturbs all alike.  A program that is not installed is left out, and a line
says so.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from protocol import machine
from timing.bench import Arm, Bench
from timing.measure import progress
from timing.programs import PEERS, find_spamnb
from timing.render import markdown, together
from timing.sections import SECTIONS

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def size(text: str) -> int:
    """Return a number of bytes from such as ``500M`` or ``5G``."""
    found = re.fullmatch(r"(\d+)([kmg]?)b?", text.strip().lower())
    if not found or not int(found[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 500M or 5G")
    return int(found[1]) * _UNITS[found[2]]


def positive(text: str) -> int:
    """Return a whole number of at least 1."""
    if not text.strip().isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def sizes(text: str) -> list[int]:
    """Return several whole numbers with commas between."""
    return [positive(part) for part in text.split(",")]


def names_of(known: Iterable[str]) -> Callable[[str], list[str]]:
    """Return what makes names of a text with commas between, in the order of the known ones."""

    def names(text: str) -> list[str]:
        wanted = text.split(",")
        unknown = [name for name in wanted if name not in known]
        if unknown:
            message = f"no {unknown[0]!r}; there are {', '.join(known)}"
            raise argparse.ArgumentTypeError(message)
        return [name for name in known if name in wanted]

    return names


def picture_path(text: str) -> Path:
    """Return the path of a picture whose format can be drawn."""
    if Path(text).suffix not in (".png", ".svg"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither .png nor .svg")
    return Path(text)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--index", required=True, metavar="FILE", help="lines of 'label path'")
    parser.add_argument("--chinese-index", metavar="FILE", help="the same, of Chinese mail")
    parser.add_argument(
        "--only", type=names_of(SECTIONS), default=list(SECTIONS), metavar="NAME,NAME",
        help=f"some of {', '.join(SECTIONS)}",
    )  # fmt: skip
    parser.add_argument(
        "--peers", type=names_of(PEERS), default=list(PEERS), metavar="NAME,NAME",
        help=f"some of {', '.join(PEERS)}",
    )  # fmt: skip
    parser.add_argument("--repeat", type=positive, default=5, metavar="N", help="default: 5")
    parser.add_argument(
        "--cold-repeat", type=positive, default=20, metavar="N", help="of cold; default: 20"
    )
    parser.add_argument(
        "--spamnb", metavar="PROGRAM", help="default: the one beside this Python's interpreter"
    )
    parser.add_argument(
        "--sizes", type=sizes, default=[1_000, 10_000, 100_000], metavar="N,N",
        help="numbers of mails of scaling; default: 1000,10000,100000",
    )  # fmt: skip
    parser.add_argument(
        "--mbox-size", type=size, default=size("500M"), metavar="SIZE",
        help="of the mbox of memory, which goes through a pipe; default: 500M",
    )  # fmt: skip
    parser.add_argument("--plot", type=picture_path, metavar="FILE.png|svg", help="draw a picture")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    return parser.parse_args(arguments)


def measure(args: argparse.Namespace, scratch: Path) -> tuple[dict[str, Any], list[str]]:
    """Measure and print each section, and return the figures and what must not be."""
    command = find_spamnb(args.spamnb)
    english = Arm(args.index, command, scratch / "english", args.peers)
    chinese = None
    if args.chinese_index:
        peers = [name for name in args.peers if name == "bogofilter"]
        chinese = Arm(args.chinese_index, command, scratch / "chinese", peers)
    bench = Bench(english, chinese, args.repeat, args.cold_repeat, args.sizes, args.mbox_size)
    for arm in filter(None, (english, chinese)):
        arm.train()
    results: dict[str, Any] = {}
    failures = []
    for name in args.only:
        progress(name)
        section = SECTIONS[name](bench)
        progress("")
        for table in section.tables:
            print(markdown(table), flush=True)
        results[name] = section.figures
        failures += [section.failure] if section.failure else []
    return results, failures


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and draw."""
    args = parse(arguments)
    if args.plot:
        # Before the measuring, for it may be missing.
        try:
            from timing.picture import draw
        except ImportError:
            raise SystemExit("--plot needs matplotlib: pip install 'spamnb[plot]'") from None
    heading = machine()
    print(f"{heading}\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="spamnb-speed-") as scratch:
        results, failures = measure(args, Path(scratch))
    summary = together(results)
    if summary.rows:
        print(markdown(summary))
    if args.json:
        figures = {"machine": heading, "arguments": sys.argv[1:], "sections": results}
        args.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    if args.plot:
        args.plot.write_bytes(draw(results, args.plot.suffix[1:], heading))
    if failures:
        raise SystemExit("; ".join(failures))


if __name__ == "__main__":
    main()
