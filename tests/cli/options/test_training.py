"""The names that training_options.py spells out are those of the layers below."""

from spamnb.bayes.classifiers import CLASSIFIERS
from spamnb.cli.options import training as options
from spamnb.text.analyzer import PRESETS
from spamnb.text.tokenizers import TOKENIZERS
from spamnb.training import COUNTS, OF_VALUES, SEMI, TrainingOptions


def test_choices_are_those_of_the_layers_below() -> None:
    assert options.CLASSIFIERS == CLASSIFIERS
    assert options.PRESETS == PRESETS
    assert options.TOKENIZERS == TOKENIZERS
    assert options.COUNTS == COUNTS
    assert options.SEMI == SEMI
    assert set(options.OF_VALUES) == set(OF_VALUES)


def test_the_costs_are_those_of_the_layers_below() -> None:
    defaults = TrainingOptions()
    assert options.cost_option(lambda: None).__click_params__[0].default == defaults.cost
    unsure = options.unsure_cost_option(lambda: None).__click_params__[0]
    assert unsure.default == defaults.unsure_cost


def test_training_parameters_are_all_named() -> None:
    from spamnb.cli.commands.evaluate import evaluate
    from spamnb.cli.commands.train import train

    train_names = {parameter.name for parameter in train.params}
    assert set(options.TRAINING_PARAMETERS) <= train_names
    assert set(options.TRAINING_PARAMETERS) <= {p.name for p in evaluate.params}
    others = {"spam", "ham", "labels", "indexes", "tsvs", "model", "jobs", "about", "unlabeled"}
    assert train_names == others | set(options.TRAINING_PARAMETERS)
