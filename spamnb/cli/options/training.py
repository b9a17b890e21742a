"""The options that say how to train."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import click

from spamnb.cli.options.gathered import gathered

if TYPE_CHECKING:
    from spamnb.training import TrainingOptions

# The names of layers below, spelled out, so that --help need not import numpy; a test holds
# them equal.
CLASSIFIERS = (
    "grouped", "multinomial", "bernoulli", "complement",
    "gaussian", "categorical", "aode", "tan", "spode", "ode",
)  # fmt: skip
OF_VALUES = ("gaussian", "categorical")
PRESETS = ("full", "textbook")
TOKENIZERS = ("auto", "whitespace", "jieba", "chars")
COUNTS = ("binary", "frequency")
REFINE = ("auto", "on", "off")
SEMI = ("em", "self-training")


class Size(click.ParamType[int]):
    """A number of bytes, such as 4096, 64K or 32M."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        match = re.fullmatch(r"(\d{1,12})([kKmMgG]?)", str(value))
        if match is None or not int(match[1]):
            self.fail(f"{value!r} is not a size such as 4096, 64K or 32M.", param, ctx)
        return int(match[1]) * {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}[match[2].lower()]


def make_training_options(
    classifier: str,
    alpha: float | str | None,
    prior: str | dict[str, float],
    counts: str,
    calibrate: bool,
    refine: str,
    features: int | None,
    parents: str | None,
    discretize: bool,
    semi: str | None,
    unlabeled_weight: float,
    cost: float,
    unsure_cost: float,
    preset: str,
    tokenizer: str,
    stop_words: str | None,
    min_df: int,
    max_features: int | None,
    max_memory: int,
    max_raw: int,
    max_text: int,
    max_parts: int,
    max_depth: int,
) -> TrainingOptions:
    """Return the training options that the command line's options stand for.

    Raises
    ------
    InputNotFoundError, InputReadError
        When the file of stop words or of parents cannot be read.
    CorpusFormatError
        When that of parents has a wrong line.
    """
    from spamnb.mail.limits import Limits
    from spamnb.text.analyzer import AnalyzerConfig
    from spamnb.text.stop_words import default_stop_words, read_stop_words
    from spamnb.training import TrainingOptions, read_parents

    if stop_words is None:
        words = default_stop_words() if preset == "textbook" else ()
    else:
        words = () if stop_words == "none" else read_stop_words(stop_words)
    return TrainingOptions(
        classifier=classifier,
        alpha=alpha,
        prior=prior,
        counts=counts,
        calibrate=calibrate,
        refine=refine,
        features=features,
        parents=None if parents is None else read_parents(parents),
        discretize=discretize,
        semi=semi,
        unlabelled_weight=unlabeled_weight,
        cost=cost,
        unsure_cost=unsure_cost,
        min_df=min_df,
        max_features=max_features,
        max_memory=max_memory,
        analyzer=AnalyzerConfig(
            preset,
            tokenizer,
            words,
            Limits(max_raw, max_text, max_parts, max_depth),
            with_values=reads_values(classifier),
        ),
    )


def reads_values(classifier: str) -> bool:
    """Tell whether a classifier, or one of several joined by +, reads numbers or facts."""
    return bool(set(classifier.split("+")) & set(OF_VALUES))


def check_classifier(classifier: str) -> None:
    """Refuse a name that is none of a classifier, or one of several joined by +.

    Raises
    ------
    click.BadParameter
    """
    for name in classifier.split("+"):
        if name not in CLASSIFIERS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(CLASSIFIERS)}.")


def parse_classifier(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Check ``--classifier``."""
    check_classifier(value)
    return value


def parse_alpha(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> float | str | None:
    """Turn ``--alpha`` into a number, or leave ``auto`` as it is."""
    if value is None or value == "auto":
        return value
    try:
        alpha = float(value)
    except ValueError:
        alpha = -1.0
    if not 0 <= alpha < float("inf"):
        raise click.BadParameter(f"{value!r} is neither a number ≥ 0 nor 'auto'.")
    return alpha


def parse_prior(
    _context: click.Context, _parameter: click.Parameter, value: str
) -> str | dict[str, float]:
    """Turn ``--prior`` into a name, or the probability of each label."""
    if value in {"empirical", "uniform"}:
        return value
    expected = "is neither 'empirical' nor 'uniform' nor like 'ham=0.7,spam=0.3' with the sum 1."
    prior: dict[str, float] = {}
    for item in value.split(","):
        label, _, number = item.partition("=")
        try:
            prior[label.strip()] = float(number)
        except ValueError:
            raise click.BadParameter(f"{value!r} {expected}") from None
    if not all(0 <= p <= 1 for p in prior.values()) or abs(sum(prior.values()) - 1) > 1e-6:
        raise click.BadParameter(f"{value!r} {expected}")
    return prior


def parse_memory(_context: click.Context, _parameter: click.Parameter, value: int) -> int:
    """Check ``--max-memory``."""
    if value < 1 << 20:
        raise click.BadParameter(f"{value} bytes are too few: give 1M or more.")
    return value


cost_option = click.option(
    "--cost",
    type=click.FloatRange(min=1),
    default=9.0,
    show_default=True,
    help="How many times as bad a lost ham is as a passed spam.",
)

unsure_cost_option = click.option(
    "--unsure-cost",
    type=click.FloatRange(min=0, min_open=True, max=1),
    default=0.4,
    show_default=True,
    help="How bad an unsure mail is, a passed spam being 1: spam is said from P(spam) ="
    " 1 - UNSURE_COST/COST, ham below UNSURE_COST; from COST/(COST+1) on, no mail is unsure by its"
    " P(spam).",
)

how_to_train = gathered(
    "training",
    make_training_options,
    click.option(
        "--classifier",
        callback=parse_classifier,
        metavar="NAME[+NAME…]",
        default="grouped",
        show_default=True,
        help=f"The naive Bayes model: {', '.join(CLASSIFIERS)}. Joined by + they are independent"
        " evidence: one that reads words, gaussian (numbers such as lengths and shares of signs),"
        " categorical (facts of the header).",
    ),
    click.option(
        "--alpha",
        metavar="NUMBER|auto",
        callback=parse_alpha,
        help="Smoothing, ≥ 0 (0 is none); auto chooses it by cross-validation. gaussian has"
        " none. [default: 0.003 for grouped, else 1]",
    ),
    click.option(
        "--prior",
        default="empirical",
        show_default=True,
        metavar="empirical|uniform|LABEL=P,…",
        callback=parse_prior,
        help="How probable each label is before anything is read.",
    ),
    click.option(
        "--counts",
        type=click.Choice(COUNTS),
        default="binary",
        show_default=True,
        help="Count a word once per mail, or as often as it stands there; grouped has its own"
        " weights.",
    ),
    click.option(
        "--calibrate/--no-calibrate",
        default=True,
        show_default=True,
        help="Make probabilities that can be believed, or those of the textbook.",
    ),
    click.option(
        "--refine",
        type=click.Choice(REFINE),
        default="auto",
        show_default=True,
        help="Learn by logistic regression what naive Bayes gets wrong; auto: grouped does, from"
        " 200 mails of two labels.",
    ),
    click.option(
        "--features",
        type=click.IntRange(min=1),
        metavar="K",
        help="How many words aode, tan, spode and ode choose, those that tell most. Memory and time"
        " grow with K²: for 20,000 mails 0.4 GB with 500, 1.1 GB with 2000. [default: 500]",
    ),
    click.option(
        "--parents",
        metavar="FILE",
        help="For ode: on which word each word depends, lines of 'word TAB parent', words spelled"
        " as explain shows them. [default: what the mail shows]",
    ),
    click.option(
        "--discretize",
        is_flag=True,
        help="For gaussian: learn intervals of each number instead of a bell curve.",
    ),
    click.option(
        "--semi",
        type=click.Choice(SEMI),
        help="Learn from unlabelled mail too: by expectation maximisation, or by taking the surest"
        " verdicts for labels.",
    ),
    click.option(
        "--unlabeled-weight",
        type=click.FloatRange(min=0, min_open=True),
        default=0.1,
        show_default=True,
        help="How much an unlabelled mail counts with --semi em, a labelled one being 1.",
    ),
    cost_option,
    unsure_cost_option,
    click.option(
        "--preset",
        type=click.Choice(PRESETS),
        default="full",
        show_default=True,
        help="The way from a mail to its words: everything that there is, or as in the textbook.",
    ),
    click.option(
        "--tokenizer",
        type=click.Choice(TOKENIZERS),
        default="auto",
        show_default=True,
        help="How text is split; auto uses jieba where there is Chinese, chars single characters"
        " and pairs of them.",
    ),
    click.option(
        "--stop-words",
        metavar="FILE|none",
        help="Words to leave out, one a line. [default: the shipped lists for textbook, else none]",
    ),
    click.option(
        "--min-df",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Forget words that are in fewer mails.",
    ),
    click.option(
        "--max-features",
        type=click.IntRange(min=1),
        help="Keep only so many words, those in the most mails.",
    ),
    click.option(
        "--max-memory",
        type=Size(),
        callback=parse_memory,
        default="4G",
        show_default=True,
        help="Take about so much memory, however much mail there is: words in few mails are"
        " forgotten when there are too many, and counts go to a temporary file ($TMPDIR).",
    ),
    click.option(
        "--max-raw",
        type=Size(),
        default="32M",
        show_default=True,
        help="Read so many bytes of a mail; a larger one is cut, not passed over.",
    ),
    click.option(
        "--max-text",
        type=Size(),
        default="2M",
        show_default=True,
        help="Read so many bytes of decoded text of a mail.",
    ),
    click.option(
        "--max-parts",
        type=click.IntRange(min=1),
        default=1_000,
        show_default=True,
        help="Read so many parts of a mail.",
    ),
    click.option(
        "--max-depth",
        type=click.IntRange(min=0),
        default=100,
        show_default=True,
        help="Read parts nested so deep.",
    ),
)
"""The options that say how to train; the command gets ``training``, to call for the options."""

TRAINING_PARAMETERS = tuple(inspect.signature(make_training_options).parameters)
"""The names of their parameters."""
