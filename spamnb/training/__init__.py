"""Labelled token lists, one at a time → a trained `SpamFilter`."""

from spamnb.training.learn import LabelledTokens, Training, train
from spamnb.training.options import COUNTS, OF_VALUES, REFINE, SEMI, TrainingOptions, check_used
from spamnb.training.semi import UNLABELLED

__all__ = [
    "COUNTS",
    "OF_VALUES",
    "REFINE",
    "SEMI",
    "UNLABELLED",
    "LabelledTokens",
    "Training",
    "TrainingOptions",
    "check_used",
    "train",
]
