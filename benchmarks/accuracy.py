"""How well filters judge mail: every corpus in a folder, one Markdown table.

Run as ``python benchmarks/accuracy.py FOLDER``.  Each ``*.index`` and ``*.tsv`` of ham and spam is
measured: the first half of it is for training, the rest is scored.  The seconds are of processor
time, so that what else the machine does matters little: of one process that has the mail in memory,
or of a program of its own and handing it the mail in files.
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from peers import PEERS, NotInstalledError, PeerFilter
from protocol import (
    Filter,
    Spamnb,
    find_corpora,
    halves,
    machine,
    make_parser,
    training_options,
)

from spamnb.evaluation.report import Report, report
from spamnb.evaluation.scores import Scores
from spamnb.filter.pipeline import read_message
from spamnb.filter.verdict import HAM_OR_SPAM
from spamnb.mail.corpora import Corpus, LabeledMail
from spamnb.text.reading import read

COLUMNS = (
    "corpus", "filter", "mails", "1-ROCA %", "95 %", "spam missed at .1 % ham lost", "at .5 %",
    "lam %", "log loss", "ECE", "ham called spam %", "spam not called spam %", "training s",
    "mails/s",
)  # fmt: skip

Maker = Callable[[Path], Filter]
Mails = list[LabeledMail]


def letters(mail: LabeledMail) -> str:
    """Return the letters of a mail's body and nothing else, by which copies are known."""
    texts = read(read_message(mail.mail)).texts
    return "".join(filter(str.isalpha, "".join(texts).lower()))


def without_known(training: Sequence[LabeledMail], test: Sequence[LabeledMail]) -> Mails:
    """Return the test mails whose letters do not stand in the training half as well."""
    known = set(map(letters, training)) - {""}
    return [mail for mail in test if letters(mail) not in known]


def shuffled(mails: Sequence[LabeledMail], seed: int) -> Mails:
    """Return the mails with their labels dealt out anew."""
    labels = [mail.label for mail in mails]
    random.Random(seed).shuffle(labels)
    return [LabeledMail(label, mail.mail) for label, mail in zip(labels, mails, strict=True)]


def experiments(
    corpora: dict[str, Corpus], args: argparse.Namespace
) -> Iterator[tuple[Mails, dict[str, Mails]]]:
    """Yield what to train on, and under which names what to score with it."""
    if args.cross:
        for name, corpus in corpora.items():
            tests = {f"{name} → {other}": other for other in corpora if other != name}
            mails = {title: list(corpora[other].mails()) for title, other in tests.items()}
            yield list(corpus.mails()), mails
        return
    for name, corpus in corpora.items():
        first, second = halves(list(corpus.mails()))
        yield first, {name: second}
        if args.swap:
            yield second, {f"{name}, swapped": first}
        for seed in range(args.seed, args.seed + args.shuffle):
            yield shuffled(first, seed), {f"{name}, shuffled labels {seed}": second}


def makers(args: argparse.Namespace) -> Iterator[Maker]:
    """Yield how to make each filter that is asked for; say which ones are not installed."""
    for name in ("spamnb", *PEERS) if args.filters == "all" else args.filters.split(","):
        if name == "spamnb":
            yield lambda scratch: Spamnb(training_options(args))
        elif name not in PEERS:
            raise SystemExit(f"no filter {name!r}; there are spamnb, {', '.join(PEERS)}")
        else:
            try:
                with tempfile.TemporaryDirectory() as scratch:
                    PEERS[name](Path(scratch))
                yield functools.partial(_make_peer, name)
            except NotInstalledError as error:
                print(f"{name} is left out: {error}.\n")


def _make_peer(name: str, scratch: Path) -> Filter:
    return PeerFilter(PEERS[name](scratch))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print, each row as soon as it is known."""
    parser = make_parser(__doc__)
    parser.add_argument("--filters", default="spamnb", help="names with commas between, or all")
    parser.add_argument("--corpora", help="names with commas between, instead of all")
    parser.add_argument("--swap", action="store_true", help="also train on the second half")
    parser.add_argument(
        "--shuffle", type=int, nargs="?", const=1, default=0, metavar="N",
        help="also train on shuffled labels, so often: the mean must be near 50",
    )  # fmt: skip
    parser.add_argument("--cross", action="store_true", help="train on one, score another")
    parser.add_argument("--drop-known", action="store_true", help="no copies of training mail")
    args = parser.parse_args(arguments)
    corpora = find_corpora(args.folder, args.corpora)
    print(f"{machine()}\n")
    chosen = list(makers(args))
    print("| " + " | ".join(COLUMNS) + " |\n|---|---" + "|---:" * (len(COLUMNS) - 2) + "|")
    for training, tests in experiments(corpora, args):
        if args.drop_known:
            tests = {f"{title}, nd": without_known(training, it) for title, it in tests.items()}
        for make in chosen:
            with tempfile.TemporaryDirectory() as scratch:
                for line in measured(make(Path(scratch)), training, tests):
                    print(line, flush=True)


def seconds_worked() -> float:
    """Return the processor time of this process and of those it has started and waited for."""
    return sum(os.times()[:4])


def measured(
    spam_filter: Filter, training: Sequence[LabeledMail], tests: dict[str, Mails]
) -> Iterator[str]:
    """Train one filter and yield a row of the table for each test."""
    started = seconds_worked()
    spam_filter.train(training)
    training_seconds = seconds_worked() - started
    for title, test in tests.items():
        if {mail.label for mail in test} != set(HAM_OR_SPAM):
            yield f"| {title} | {spam_filter.name} | no ham or no spam left to score |"
            continue
        started = seconds_worked()
        verdicts = spam_filter.judge([mail.mail for mail in test])
        seconds = max(seconds_worked() - started, 0.01)  # the clock's own step
        rows = ((mail.label, mail.mail.source) for mail in test)
        scores = Scores.collect((*row, it) for row, it in zip(rows, verdicts, strict=True))
        yield row_of(
            (title, spam_filter.name, f"{len(training):,} → {len(test):,}"),
            report(title, scores),
            (f"{training_seconds:.1f}", f"{len(test) / seconds:,.0f}"),
        )


def row_of(before: Sequence[str], measures: Report, after: Sequence[str]) -> str:
    """Return a row of the table."""
    assert measures.ranking is not None
    assert measures.intervals is not None
    ranking, interval = measures.ranking, measures.intervals.one_minus_roca
    cells = (
        f"{100 * ranking.one_minus_roca:.4f}",
        f"{100 * interval.low:.4f} to {100 * interval.high:.4f}",
        f"{100 * ranking.spam_missed[0.001]:.2f}",
        f"{100 * ranking.spam_missed[0.005]:.2f}",
        f"{100 * ranking.lam:.2f}",
        f"{ranking.log_loss:.4f}",
        f"{ranking.ece:.4f}",
        f"{100 * ranking.ham_called_spam:.2f}",
        f"{100 * ranking.spam_not_called_spam:.2f}",
    )
    return "| " + " | ".join((*before, *cells, *after)) + " |"


if __name__ == "__main__":
    main()
