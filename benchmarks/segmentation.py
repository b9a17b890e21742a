"""The segmentation of Chinese beside jieba's own: whether it is the same, and what it costs.

Run as ``python benchmarks/segmentation.py INDEX`` (a TREC index such as trec06c's); prints Markdown
tables, and ends with status 1 where a single word differs.  What is cut is what the subject and the
texts of each mail have: its runs of Chinese characters, as `--preset full` takes them, and its
chunks between white space that have any, Latin letters, digits and signs among them.  Times are of
mails in the order of the index, each by all in turn, so that a noisy machine disturbs all alike.

rjieba (jieba in Rust, https://pypi.org/project/rjieba) takes part where it is installed.
"""

from __future__ import annotations

import datetime
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from spamnb.filter.pipeline import read_message
from spamnb.mail.corpora import IndexCorpus
from spamnb.text.reading import read
from spamnb.text.segmentation import load_segmenter
from spamnb.text.tokenizers import HAN_CHARACTERS

Cut = Callable[[str, bool], Sequence[str]]

LONGEST = 500  # as spamnb.text.tokenizers cuts
HAN = re.compile(f"[{HAN_CHARACTERS}]+")
COLD = {
    "bare python": "pass",
    "re": "import re",
    "spamnb.text.tokenizers": "import spamnb.text.tokenizers",
    "a mail of 600 characters": "from spamnb.text.tokenizers import make_segmenter\n"
    "segment = make_segmenter('jieba')\nfor run in {runs!r}: segment(run)",
    "the same with jieba": "import jieba\nfor run in {runs!r}: list(jieba.cut(run))",
}


def jieba_cut() -> Cut:
    """Return jieba's own segmentation, without its cache and its messages."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return lambda text, model: list(tokenizer.cut(text, HMM=model))


def rjieba_cut() -> Cut | None:
    """Return rjieba's segmentation where it is installed; it refuses lone surrogates."""
    try:
        import rjieba
    except ImportError:
        return None
    rjieba.cut("中", True)  # loads its dictionary
    return lambda text, model: rjieba.cut(text.encode("utf-8", "replace").decode(), model)


def texts_of(index: str) -> Iterator[list[str]]:
    """Yield the subject and the texts of each mail."""
    for labeled in IndexCorpus(index).mails():
        reading = read(read_message(labeled.mail))
        yield [reading.subject, *reading.texts]


def pieces(text: str, kind: str) -> Iterator[str]:
    """Yield what is cut of a text, none longer than ``LONGEST``."""
    found = HAN.findall(text) if kind == "runs" else filter(HAN.search, text.split())
    for run in found:
        yield from (run[i : i + LONGEST] for i in range(0, len(run), LONGEST))


@dataclass
class Row:
    """What has been found out about one kind of pieces, with or without the character model."""

    kind: str
    model: bool
    cuts: dict[str, Cut]
    n_pieces: int = 0
    n_characters: int = 0
    distinct: set[str] = field(default_factory=set)
    seconds: Counter[str] = field(default_factory=Counter)
    different: dict[str, set[str]] = field(default_factory=dict)

    def add(self, mail: list[str]) -> None:
        """Cut the pieces of a mail with each segmenter."""
        self.n_pieces += len(mail)
        self.n_characters += sum(map(len, mail))
        self.distinct.update(mail)
        right: list[Sequence[str]] = []
        for name, cut in self.cuts.items():  # jieba first
            started = time.process_time()
            words = [cut(piece, self.model) for piece in mail]
            self.seconds[name] += time.process_time() - started
            right = right or words
            wrong = (p for p, a, b in zip(mail, right, words, strict=True) if list(a) != list(b))
            self.different.setdefault(name, set()).update(wrong)

    def lines(self, n_mails: int) -> Iterator[str]:
        """Yield the lines of the table, one for each segmenter."""
        for name, wrong in self.different.items():
            yield (
                f"| {self.kind} | {'on' if self.model else 'off'} | {self.n_pieces:,} "
                f"| {len(self.distinct):,} | {self.n_characters:,} | {name} "
                f"| {1e6 * self.seconds[name] / n_mails:,.0f} | {len(wrong):,} |"
            )


def compare(index: str) -> int:
    """Print the comparison, and return in how many pieces spamnb differs from jieba."""
    others = {"jieba": jieba_cut(), "rjieba": rjieba_cut()}
    cuts = {name: cut for name, cut in others.items() if cut is not None}
    rows = [
        Row(kind, model, cuts | {"spamnb": load_segmenter().cut})
        for kind in ("runs", "chunks")
        for model in (True, False)
    ]
    n_mails = 0
    for texts in texts_of(index):
        n_mails += 1
        for row in rows:
            row.add([piece for text in texts for piece in pieces(text, row.kind)])
    print(f"{n_mails:,} mails\n")
    print("| pieces | HMM | number | distinct | characters | segmenter | µs a mail | differ |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print("\n".join(row.lines(n_mails)))
    return sum(len(row.different["spamnb"]) for row in rows)


def cold_start(index: str) -> None:
    """Print how long a process takes, with spamnb's table made before."""
    mails = (list(pieces("\n".join(texts), "runs")) for texts in texts_of(index))
    runs = next(mail for mail in mails if 550 <= sum(map(len, mail)) <= 650)
    times: dict[str, list[float]] = {name: [] for name in COLD}
    with tempfile.TemporaryDirectory() as folder:
        # jieba's own cache would go there too.
        environment = os.environ | {"XDG_CACHE_HOME": folder, "TMPDIR": folder}
        for turn in range(16):
            for name, code in COLD.items():
                command = [sys.executable, "-W", "ignore", "-c", code.format(runs=runs)]
                started = time.perf_counter()
                subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)
                if turn:  # the first makes the tables
                    times[name].append(1e3 * (time.perf_counter() - started))
    bare = statistics.median(times["bare python"])
    print("\n| process | ms | over bare python |\n|---|---|---|")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"| {name} | {median:.0f} | {median - bare:.0f} |")


def main() -> int:
    """Compare and measure."""
    print(f"{datetime.date.today()}, Python {platform.python_version()}, {os.cpu_count()} cores, ")
    n_different = compare(sys.argv[1])
    cold_start(sys.argv[1])
    return int(n_different > 0)


if __name__ == "__main__":
    sys.exit(main())
