"""Labelled token lists, one at a time → a trained `SpamFilter`."""

from spamnb.training.options import (
    COUNTS,
    GROWING,
    OF_VALUES,
    REFINE,
    SEMI,
    TrainingOptions,
    check_used,
)
from spamnb.training.semi import UNLABELLED
from spamnb.training.trainer import LabelledTokens, Training, learn, train

__all__ = [
    "COUNTS",
    "GROWING",
    "OF_VALUES",
    "REFINE",
    "SEMI",
    "UNLABELLED",
    "LabelledTokens",
    "Training",
    "TrainingOptions",
    "check_used",
    "learn",
    "train",
]
