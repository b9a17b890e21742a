"""Labeled token lists, one at a time → a trained `SpamFilter`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spamnb.system.lazy import lazy_names

if TYPE_CHECKING:
    from spamnb.training.model import Training as Training
    from spamnb.training.options import TrainingOptions as TrainingOptions
    from spamnb.training.options import check_used as check_used
    from spamnb.training.parents import IdleWords as IdleWords
    from spamnb.training.parents import find_idle_words as find_idle_words
    from spamnb.training.parents import read_parents as read_parents
    from spamnb.training.semi import UNLABELED as UNLABELED
    from spamnb.training.trainer import LabeledTokens as LabeledTokens
    from spamnb.training.trainer import learn as learn
    from spamnb.training.trainer import train_on_tokens as train_on_tokens

_PLACES = {
    "IdleWords": "spamnb.training.parents:IdleWords",
    "LabeledTokens": "spamnb.training.trainer:LabeledTokens",
    "Training": "spamnb.training.model:Training",
    "TrainingOptions": "spamnb.training.options:TrainingOptions",
    "UNLABELED": "spamnb.training.semi:UNLABELED",
    "check_used": "spamnb.training.options:check_used",
    "find_idle_words": "spamnb.training.parents:find_idle_words",
    "learn": "spamnb.training.trainer:learn",
    "read_parents": "spamnb.training.parents:read_parents",
    "train_on_tokens": "spamnb.training.trainer:train_on_tokens",
}

__all__ = sorted(_PLACES)
__getattr__, __dir__ = lazy_names(__name__, _PLACES)
