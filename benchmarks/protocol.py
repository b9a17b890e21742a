"""What the accuracy benchmarks share: corpora in a folder, options, filters, the machine."""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from spamnb import __version__
from spamnb.bayes.classifiers import CLASSIFIERS
from spamnb.errors import ParameterError
from spamnb.filter.documents import analyze
from spamnb.filter.pipeline import judge_batches
from spamnb.filter.protocols import Filter as OwnFilter
from spamnb.filter.verdict import HAM_OR_SPAM, Verdict
from spamnb.mail.corpora import Corpus, IndexCorpus, LabeledMail, TsvCorpus
from spamnb.mail.sources import RawMail
from spamnb.store.files import save_model
from spamnb.store.opening import open_filter
from spamnb.text.analyzer import PRESETS, AnalyzerConfig
from spamnb.text.tokenizers import TOKENIZERS
from spamnb.training import LabeledTokens, TrainingOptions, train_on_tokens
from spamnb.training.options import REFINE


class Filter(Protocol):
    """Any spam filter that can be measured; trained once.

    Attributes
    ----------
    name : str
        As the table shows it.
    """

    name: str

    def train(self, mails: Sequence[LabeledMail]) -> None:
        """Learn from mail."""

    def judge(self, mails: Sequence[RawMail]) -> list[Verdict]:
        """Return the verdict on each mail, in their order."""


class Spamnb:
    """The filter of this project as `spamnb classify` has it, by its library, on one process.

    Parameters
    ----------
    options : TrainingOptions
        How to train.
    """

    def __init__(self, options: TrainingOptions) -> None:
        self.name = f"spamnb {__version__}"
        self._options = options
        self._filter: OwnFilter | None = None

    def train(self, mails: Sequence[LabeledMail]) -> None:
        """Learn from mail."""
        documents = analyze(mails, self._options.analyzer)
        tokens = (LabeledTokens(document.label, document.tokens) for document in documents)
        training = train_on_tokens(tokens, HAM_OR_SPAM, self._options)
        with tempfile.TemporaryDirectory() as scratch:
            path = str(Path(scratch) / "model")
            save_model(path, training)
            self._filter = open_filter(path)  # stays mapped when the file is gone

    def judge(self, mails: Sequence[RawMail]) -> list[Verdict]:
        """Return the verdict on each mail, in their order."""
        assert self._filter is not None, "not trained"
        labeled = (LabeledMail("", mail) for mail in mails)
        batches = judge_batches(labeled, self._filter)
        return [judged.verdict for batch in batches for judged in batch]


def find_corpora(folder: str, names: str | None = None) -> dict[str, Corpus]:
    """Return the corpora of ham and spam in a folder by their names, ``*.index`` and ``*.tsv``.

    Parameters
    ----------
    folder : str
        Its subfolders are not looked into.
    names : str, optional
        The wanted ones, with commas between, instead of all.
    """
    corpora: dict[str, Corpus] = {}
    for path in sorted(Path(folder).glob("*.index")):
        corpora[path.stem] = IndexCorpus(str(path))
    for path in sorted(Path(folder).glob("*.tsv")):
        corpora[path.name] = TsvCorpus(str(path))
    corpora = {name: corpus for name, corpus in corpora.items() if corpus.labels == HAM_OR_SPAM}
    wanted = names.split(",") if names else list(corpora)
    if not wanted or not set(wanted) <= set(corpora):
        found = ", ".join(corpora) or "nothing"
        raise SystemExit(f"{folder}: no {names or 'corpora of ham and spam'}; found: {found}")
    return {name: corpora[name] for name in wanted}


def halves(mails: Sequence[LabeledMail]) -> tuple[list[LabeledMail], list[LabeledMail]]:
    """Return the first half of a corpus in its order, rounded down, and the rest."""
    middle = len(mails) // 2
    return list(mails[:middle]), list(mails[middle:])


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser for the folder, the seed and the options of training."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = TrainingOptions()
    parser.add_argument("folder", metavar="FOLDER", help="where *.index and *.tsv are")
    parser.add_argument("--classifier", choices=CLASSIFIERS, default=default.classifier)
    parser.add_argument("--preset", choices=PRESETS, default=default.analyzer.preset)
    parser.add_argument("--tokenizer", choices=TOKENIZERS, default=default.analyzer.tokenizer)
    parser.add_argument("--refine", choices=REFINE, default=default.refine)
    parser.add_argument("--alpha", type=_alpha, metavar="NUMBER|auto")
    parser.add_argument("--min-df", type=int, default=default.min_df)
    parser.add_argument("--seed", type=int, default=0, help="for whatever is drawn")
    return parser


def training_options(args: argparse.Namespace) -> TrainingOptions:
    """Return the training options that the command line asks for."""
    analyzer = AnalyzerConfig.textbook() if args.preset == "textbook" else AnalyzerConfig()
    try:
        return TrainingOptions(
            classifier=args.classifier,
            alpha=args.alpha,
            refine=args.refine,
            min_df=args.min_df,
            analyzer=analyzer._replace(tokenizer=args.tokenizer),
        )
    except ParameterError as error:
        raise SystemExit(str(error)) from None


def machine() -> str:
    """Return the date, the version of spamnb and what it runs on."""
    cpu = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
        cpu = next(names, cpu)
    return (
        f"{datetime.date.today()}, spamnb {__version__}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, {cpu}"
    )


def _alpha(text: str) -> float | str:
    return text if text == "auto" else float(text)
