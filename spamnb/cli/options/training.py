"""The options that say how to train; their names and defaults are those of `TrainingOptions`."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import click

from spamnb.bayes.classifiers import CLASSIFIERS
from spamnb.cli.options.gathered import Decorator, gathered
from spamnb.mail.limits import Limits
from spamnb.text.analyzer import PRESETS, AnalyzerConfig
from spamnb.text.tokenizers import TOKENIZERS
from spamnb.training.memory import LEAST_MEMORY
from spamnb.training.options import COUNTS, PRIORS, REFINE, SEMI, TrainingOptions

_LIMITS = {
    "max_raw": "raw_bytes",
    "max_text": "text_bytes",
    "max_parts": "parts",
    "max_depth": "depth",
}
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


class Size(click.ParamType[int]):
    """A number of bytes, such as 4096, 64K or 32M."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        match = re.fullmatch(r"(\d{1,12})([kKmMgG]?)", str(value))
        if match is None or not int(match[1]):
            self.fail(f"{value!r} is not a size such as 4096, 64K or 32M.", param, ctx)
        return int(match[1]) * _UNITS[match[2].lower()]

    @staticmethod
    def spelled(size: int) -> str:
        """Return a number of bytes in the largest unit that leaves no rest."""
        unit = max((unit for unit in _UNITS if size % _UNITS[unit] == 0), key=_UNITS.__getitem__)
        return f"{size // _UNITS[unit]}{unit.upper()}"


def make_training_options(
    *,
    parents: str | None,
    preset: str,
    tokenizer: str,
    stop_words: str | None,
    **values: Any,
) -> TrainingOptions:
    """Return the training options that the command line's options stand for.

    Parameters
    ----------
    parents, stop_words : str, optional
        Files.
    preset, tokenizer : str
        As in `AnalyzerConfig`.
    **values
        Limits, and what `TrainingOptions` takes as it is.

    Raises
    ------
    InputNotFoundError, InputReadError
        When the file of stop words or of parents cannot be read.
    CorpusFormatError
        When that of parents has a wrong line.
    """
    limits = Limits(**{name: values.pop(option) for option, name in _LIMITS.items()})
    if parents is not None:
        from spamnb.training import read_parents

        values["parents"] = read_parents(parents)
    words = _words_to_leave_out(stop_words, preset)
    return TrainingOptions(analyzer=AnalyzerConfig(preset, tokenizer, words, limits), **values)


def _words_to_leave_out(stop_words: str | None, preset: str) -> tuple[str, ...]:
    from spamnb.text.stop_words import default_stop_words, read_stop_words

    if stop_words is None:
        return default_stop_words() if preset == "textbook" else ()
    return () if stop_words == "none" else read_stop_words(stop_words)


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
    if value in PRIORS:
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
    if value < LEAST_MEMORY:
        least = Size.spelled(LEAST_MEMORY)
        raise click.BadParameter(f"{value} bytes are too few: give {least} or more.")
    return value


def _default(name: str) -> Any:
    """Return the default that an option has in `TrainingOptions` or in what is part of it."""
    if name in _LIMITS:
        return Limits._field_defaults[_LIMITS[name]]
    if name in AnalyzerConfig._field_defaults and name != "stop_words":
        return AnalyzerConfig._field_defaults[name]
    return next((each.default for each in fields(TrainingOptions) if each.name == name), None)


def training_option(*names: str, **settings: Any) -> Decorator:
    """Return an option of click with the default of training, shown where it says something."""
    default = _default(names[-1].split("/")[0].lstrip("-").replace("-", "_"))
    if default is not None:
        is_size = isinstance(settings.get("type"), Size)
        settings["default"] = Size.spelled(default) if is_size else default
        settings["show_default"] = not settings.get("is_flag")
    return click.option(*names, **settings)


cost_option = training_option(
    "--cost",
    type=click.FloatRange(min=1),
    help="How many times as bad a lost ham is as a passed spam.",
)

unsure_cost_option = training_option(
    "--unsure-cost",
    type=click.FloatRange(min=0, min_open=True, max=1),
    help="How bad an unsure mail is, a passed spam being 1: spam is said from P(spam) ="
    " 1 - UNSURE_COST/COST, ham below UNSURE_COST; from COST/(COST+1) on, no mail is unsure by its"
    " P(spam).",
)

how_to_train = gathered(
    "training",
    make_training_options,
    training_option(
        "--classifier",
        callback=parse_classifier,
        metavar="NAME[+NAME…]",
        help=f"The naive Bayes model: {', '.join(CLASSIFIERS)}. Joined by + they are independent"
        " evidence: one that reads words, gaussian (numbers such as lengths and shares of"
        " punctuation), categorical (facts of the header).",
    ),
    training_option(
        "--alpha",
        metavar="NUMBER|auto",
        callback=parse_alpha,
        help="Smoothing, ≥ 0 (0 is none); auto chooses it by cross-validation. gaussian has"
        " none. [default: 0.003 for grouped, else 1]",
    ),
    training_option(
        "--prior",
        metavar=f"{'|'.join(PRIORS)}|LABEL=P,…",
        callback=parse_prior,
        help="How probable each label is before anything is read.",
    ),
    training_option(
        "--counts",
        type=click.Choice(COUNTS),
        help="Count a word once per mail, or as often as it stands there; grouped has its own"
        " weights.",
    ),
    training_option(
        "--calibrate/--no-calibrate",
        help="Make probabilities that can be believed, or those of the textbook.",
    ),
    training_option(
        "--refine",
        type=click.Choice(REFINE),
        help="Learn by logistic regression what naive Bayes gets wrong; auto: grouped does, from"
        " 200 mails of two labels.",
    ),
    training_option(
        "--features",
        type=click.IntRange(min=1),
        metavar="K",
        help="How many words aode, tan, spode and ode choose, those that tell most. Memory and time"
        " grow with K²: for 20,000 mails 0.4 GB with 500, 1.1 GB with 2000. [default: 500]",
    ),
    training_option(
        "--parents",
        metavar="FILE",
        help="For ode: on which word each word depends, lines of 'word TAB parent', words spelled"
        " as explain shows them. [default: what the mail shows]",
    ),
    training_option(
        "--discretize",
        is_flag=True,
        help="For gaussian: learn intervals of each number instead of a bell curve.",
    ),
    training_option(
        "--semi",
        type=click.Choice(SEMI),
        help="Learn from unlabeled mail too: by expectation maximization, or by taking the surest"
        " verdicts for labels.",
    ),
    training_option(
        "--unlabeled-weight",
        "unlabeled_weight",
        type=click.FloatRange(min=0, min_open=True),
        help="How much an unlabeled mail counts with --semi em, a labeled one being 1.",
    ),
    cost_option,
    unsure_cost_option,
    training_option(
        "--preset",
        type=click.Choice(PRESETS),
        help="The way from a mail to its words: everything that there is, or as in the textbook.",
    ),
    training_option(
        "--tokenizer",
        type=click.Choice(TOKENIZERS),
        help="How text is split; auto uses jieba where there is Chinese, chars single characters"
        " and pairs of them.",
    ),
    training_option(
        "--stop-words",
        metavar="FILE|none",
        help="Words to leave out, one per line. [default: lists of spamnb for textbook, else none]",
    ),
    training_option(
        "--min-df",
        type=click.IntRange(min=1),
        help="Forget words that are in fewer mails.",
    ),
    training_option(
        "--max-features",
        type=click.IntRange(min=1),
        help="Keep at most this many words, those in the most mails.",
    ),
    training_option(
        "--max-memory",
        type=Size(),
        callback=parse_memory,
        help="Take about this much memory, however much mail there is: words in few mails are"
        " forgotten when there are too many, and counts go to a temporary file ($TMPDIR).",
    ),
    training_option(
        "--max-raw",
        type=Size(),
        help="Read at most this many bytes of a mail; a larger one is cut, not skipped.",
    ),
    training_option(
        "--max-text",
        type=Size(),
        help="Read at most this many bytes of a mail's decoded text.",
    ),
    training_option(
        "--max-parts",
        type=click.IntRange(min=1),
        help="Read at most this many parts of a mail.",
    ),
    training_option(
        "--max-depth",
        type=click.IntRange(min=0),
        help="Read parts nested at most this deep.",
    ),
)
"""The options that say how to train; the command gets ``training``, to call for the options."""

TRAINING_PARAMETERS: dict[str, str] = {
    str(parameter.name): parameter.opts[0]
    for parameter in click.command(how_to_train(lambda training: None)).params
}
"""The names of their parameters, and how each is spelled."""
