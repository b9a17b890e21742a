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
from spamnb.training.parents import IdleWords, find_idle_words, read_parents
from spamnb.training.semi import UNLABELLED
from spamnb.training.trainer import LabelledTokens, Training, learn, train

__all__ = [
    "COUNTS",
    "GROWING",
    "OF_VALUES",
    "REFINE",
    "SEMI",
    "UNLABELLED",
    "IdleWords",
    "LabelledTokens",
    "Training",
    "TrainingOptions",
    "check_used",
    "find_idle_words",
    "learn",
    "read_parents",
    "train",
]
