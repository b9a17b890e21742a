"""The options of training on the command line are those of the layers below."""

import inspect

import click
import pytest
from click.testing import CliRunner

from spamnb.bayes.aode import AODE
from spamnb.bayes.classifiers import CLASSIFIERS, classifier
from spamnb.bayes.grouped import GroupedNB
from spamnb.cli.options import training as options
from spamnb.training import TrainingOptions


def options_of(*arguments: str) -> TrainingOptions:
    """Return what a command gets that takes the options of training."""
    made: list[TrainingOptions] = []
    command = click.command(options.how_to_train(lambda training: made.append(training())))
    CliRunner().invoke(command, arguments, catch_exceptions=False)
    return made[0]


def test_training_without_options_is_that_of_the_library() -> None:
    assert options_of() == TrainingOptions()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--unlabeled-weight 0.5", {"unlabeled_weight": 0.5}),
        ("--no-calibrate", {"calibrate": False}),
        ("--max-memory 64M --min-df 3", {"max_memory": 64 << 20, "min_df": 3}),
        ("--classifier gaussian --discretize", {"classifier": "gaussian", "discretize": True}),
        ("--prior ham=.4,spam=.6", {"prior": {"ham": 0.4, "spam": 0.6}}),
    ],
)
def test_options_reach_the_library(arguments: str, expected: dict[str, object]) -> None:
    assert options_of(*arguments.split()) == TrainingOptions(**expected)  # type: ignore[arg-type]


def test_limits_and_the_tokenizer_are_those_of_the_analyzer() -> None:
    made = options_of("--max-raw", "1K", "--max-depth", "3", "--tokenizer", "chars").analyzer
    assert (made.limits.raw_bytes, made.limits.depth, made.tokenizer) == (1024, 3, "chars")


def test_the_help_tells_the_defaults_of_the_estimators() -> None:
    def default(estimator: type, parameter: str) -> object:
        return inspect.signature(estimator).parameters[parameter].default

    (alpha, features) = (
        each.help
        for each in click.command(options.how_to_train(lambda training: None)).params
        if each.name in {"alpha", "features"}
    )
    assert f"[default: {default(GroupedNB, 'alpha')} for grouped, else 1]" in alpha
    assert f"[default: {default(AODE, 'k')}]" in features
    for name in CLASSIFIERS:
        estimator = classifier(name)
        if "alpha" in estimator.options:
            assert default(estimator, "alpha") == (0.003 if name == "grouped" else 1)
        if "features" in estimator.options:
            assert default(estimator, "k") == default(AODE, "k")
            assert name in features


@pytest.mark.parametrize("size", [1, 4096, 1 << 20, 3 << 30, 1000])
def test_a_size_is_spelled_as_it_is_read(size: int) -> None:
    assert options.Size().convert(options.Size.spelled(size), None, None) == size


def test_training_parameters_are_all_named() -> None:
    from spamnb.cli.commands.evaluate import evaluate
    from spamnb.cli.commands.train import train

    train_names = {parameter.name for parameter in train.params}
    assert set(options.TRAINING_PARAMETERS) <= train_names
    assert set(options.TRAINING_PARAMETERS) <= {p.name for p in evaluate.params}
    others = {"spam", "ham", "labels", "indexes", "tsvs", "model", "jobs", "about", "unlabeled"}
    assert train_names == others | set(options.TRAINING_PARAMETERS)
