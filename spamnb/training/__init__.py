"""Labelled token lists, one at a time → a trained `SpamFilter`."""

from spamnb.training.learn import LabelledTokens, Training, train
from spamnb.training.options import COUNTS, REFINE, SEMI, TrainingOptions
from spamnb.training.semi import UNLABELLED

__all__ = [
    "COUNTS",
    "REFINE",
    "SEMI",
    "UNLABELLED",
    "LabelledTokens",
    "Training",
    "TrainingOptions",
    "train",
]
