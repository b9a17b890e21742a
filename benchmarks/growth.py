"""How training grows with the mail: time, memory and vocabulary for 1,000 mails and ever more.

Run as ``python benchmarks/growth.py CORPUS.index`` (or a TSV file); prints a Markdown table.  The
mails of the corpus are repeated as often as is needed.  In each repetition but the first a quarter
of the different tokens is replaced by new ones, so that the vocabulary grows as it does with
strange mail, and no mail comes twice.  Each size is trained in a process of its own, from tokens
that were found before; what it takes to read these and to make new ones is measured and left out
of the rate.  ``--raw`` trains on mails in files by ``spamnb train`` instead, with all that belongs
to it, for sizes up to that of the corpus.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from protocol import machine

from spamnb.filter.documents import analyze
from spamnb.filter.spam_filter import HAM_OR_SPAM
from spamnb.mail.corpora import Corpus, IndexCorpus, LabeledMail, TsvCorpus
from spamnb.store.files import load_model, save_model
from spamnb.training import LabeledTokens, TrainingOptions, train_on_tokens

SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
COLUMNS = (
    *("mails", "seconds", "mails/s", "peak MB", "tokens seen", "kept", "forgotten below"),
    "calibrated on",
)
_FRESH = 64  # of 256: in the corpora n times the mail has about n^0.8 times the tokens
_STEP = 37


def main(arguments: list[str] | None = None) -> None:
    args = _parser().parse_args(arguments)
    if args.child:
        print(json.dumps(_train(args.corpus, args.child, args.max_memory, args.model)))
        return
    sizes = [*(args.sizes or SIZES), *([MILLION] if args.million else [])]
    rows = []
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---:" * len(COLUMNS) + "|")
    with tempfile.TemporaryDirectory() as scratch:
        tokens = os.path.join(scratch, "tokens")
        if not args.raw:
            write_tokens(_corpus(args.corpus), tokens)
        for size in sizes:
            row = _raw(args, size, scratch) if args.raw else _of_tokens(args, size, tokens)
            rows.append(row)
            print(line(row), flush=True)
    if args.json:
        text = json.dumps({"machine": machine(), "max_memory": args.max_memory, "rows": rows})
        Path(args.json).write_text(text + "\n", "utf-8")
    print(f"\n{machine()}; --max-memory {args.max_memory >> 20}M")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", metavar="CORPUS", help="an index or a TSV file")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="other numbers of mails")
    parser.add_argument("--million", action="store_true", help="1,000,000 mails too")
    parser.add_argument("--raw", action="store_true", help="train on files, by spamnb train")
    default = TrainingOptions().max_memory
    parser.add_argument("--max-memory", type=int, default=default, metavar="BYTES")
    parser.add_argument("--json", metavar="FILE", help="write the rows for a picture too")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--model", help=argparse.SUPPRESS)
    return parser


def _corpus(path: str) -> Corpus:
    return TsvCorpus(path) if path.endswith(".tsv") else IndexCorpus(path)


def line(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    threshold, sampled = row["threshold"], row["calibrated_on"]
    cells = (
        f"{row['mails']:,}",
        f"{row['seconds']:.1f}",
        f"{row['mails'] / row['seconds']:,.0f}",
        f"{row['peak_bytes'] / 1e6:,.0f}",
        f"{row['seen']:,}",
        f"{row['kept']:,}",
        "–" if threshold is None else f"{threshold + 1:,} mails",
        "all" if sampled is None else f"{sampled:,}",
    )
    return "| " + " | ".join(cells) + " |"


# Tokens that were found before


def write_tokens(corpus: Corpus, path: str) -> None:
    """Write the label and the tokens of each mail, and to which of 256 parts each token belongs."""
    mails = corpus.mails(lambda skipped: None, 32 << 20)
    with open(path, "wb") as file:
        for document in analyze(mails, TrainingOptions().analyzer, None):
            parts = bytes(zlib.crc32(t.encode("utf-8", "replace")) & 255 for t in document.tokens)
            pickle.dump((document.label, list(document.tokens), parts), file)


def read_tokens(path: str) -> Iterator[LabeledTokens]:
    """Yield the mails again and again, a quarter of their tokens new each time but the first."""
    repetition = 0
    while True:
        new = {(repetition * _STEP + i) & 255 for i in range(_FRESH if repetition else 0)}
        with open(path, "rb") as file:
            while True:
                try:
                    label, tokens, parts = pickle.load(file)
                except EOFError:
                    break
                if new:
                    tokens = [
                        f"{token}~{repetition}" if part in new else token
                        for token, part in zip(tokens, parts, strict=True)
                    ]
                yield LabeledTokens(label, tokens)
        repetition += 1


class Stopwatch:
    """Passes items on, and knows how long it waited for them."""

    def __init__(self, items: Iterator[LabeledTokens]) -> None:
        self.seconds = 0.0
        self._items = items

    def __iter__(self) -> Stopwatch:
        return self

    def __next__(self) -> LabeledTokens:
        started = time.perf_counter()
        item = next(self._items)
        self.seconds += time.perf_counter() - started
        return item


def _train(path: str, size: int, max_memory: int, model: str) -> dict[str, Any]:
    """Train on a number of mails and write the model; what the child process does."""
    options = TrainingOptions(max_memory=max_memory)
    documents = Stopwatch(islice(read_tokens(path), size))
    started = time.perf_counter()
    training = train_on_tokens(documents, HAM_OR_SPAM, options)
    save_model(model, training)
    forgotten = training.forgotten
    return {
        "mails": size,
        "seconds": time.perf_counter() - started - documents.seconds,
        "making_seconds": documents.seconds,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "seen": training.n_seen,
        "kept": training.n_features,
        "threshold": None if forgotten is None else forgotten.threshold,
        "times_forgotten": 0 if forgotten is None else forgotten.times,
        "calibrated_on": training.n_sampled,
    }


def _of_tokens(args: argparse.Namespace, size: int, tokens: str) -> dict[str, Any]:
    memory = ("--max-memory", str(args.max_memory))
    command = [sys.executable, __file__, tokens, "--child", str(size), *memory]
    done = subprocess.run(
        [*command, "--model", f"{tokens}-model"], stdout=subprocess.PIPE, check=True
    )
    return dict(json.loads(done.stdout))


# Mails in files


def _raw(args: argparse.Namespace, size: int, scratch: str) -> dict[str, Any]:
    """Train by the command on the first mails of the corpus."""
    mails = list(islice(_corpus(args.corpus).mails(lambda skipped: None, 32 << 20), size))
    folder, model = Path(scratch, f"raw-{size}"), Path(scratch, f"model-{size}")
    _write_mails(mails, folder)
    command = [sys.executable, "-m", "spamnb", "train", "--index", str(folder / "index")]
    started = time.perf_counter()
    child = subprocess.Popen(
        [*command, "-m", str(model), "--max-memory", str(args.max_memory)],
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(child.returncode)
    training = load_model(str(model))
    forgotten = training.forgotten
    return {
        "mails": len(mails),
        "seconds": seconds,
        "making_seconds": 0.0,
        "peak_bytes": usage.ru_maxrss * 1024,
        "seen": training.n_seen,
        "kept": training.n_features,
        "threshold": forgotten and forgotten.threshold,
        "times_forgotten": forgotten.times if forgotten else 0,
        "calibrated_on": training.n_sampled,
    }


def _write_mails(mails: list[LabeledMail], folder: Path) -> None:
    folder.mkdir()
    lines = []
    for number, (label, mail) in enumerate(mails):
        (folder / str(number)).write_bytes(mail.data)
        lines.append(f"{label} {number}\n")
    (folder / "index").write_text("".join(lines))


if __name__ == "__main__":
    main()
