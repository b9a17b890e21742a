"""A trained filter and the record of its training: what the store keeps."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import date, datetime, timezone

from spamnb.bayes.model_selection import AlphaSearch
from spamnb.errors import ParameterError
from spamnb.features.collector import Forgotten
from spamnb.filter.spam_filter import SpamFilter
from spamnb.training.options import TrainingOptions
from spamnb.training.semi import SemiReport


@dataclass(frozen=True, slots=True)
class Training:
    """A trained filter and how it was trained; `spamnb.save_model` keeps all of it.

    Attributes
    ----------
    spam_filter : SpamFilter
        The filter.
    options : TrainingOptions
        How it was trained.
    mails : dict of str to int
        The number of mails of each label.
    n_seen : int
        The size of the vocabulary before pruning.
    trained : datetime.date
        The day, in UTC; that of ``SOURCE_DATE_EPOCH`` where that is set
        (https://reproducible-builds.org/specs/source-date-epoch/).
    about : str
        A sentence for users of the model who did not train it.
    alpha_searches : dict of str to AlphaSearch
        How alpha was chosen, for each classifier for which it was.
    semi : SemiReport, optional
        How unlabeled mail was used, if there was any.
    forgotten : Forgotten, optional
        Which tokens were forgotten while it learned, where memory was short.
    n_sampled : int, optional
        How many mails it was calibrated and refined on, when only a sample was used.
    """

    spam_filter: SpamFilter
    options: TrainingOptions
    mails: dict[str, int]
    n_seen: int
    trained: date
    about: str = ""
    alpha_searches: dict[str, AlphaSearch] = field(default_factory=dict)
    semi: SemiReport | None = None
    forgotten: Forgotten | None = None
    n_sampled: int | None = None

    @property
    def n_features(self) -> int:
        """The size of the vocabulary."""
        return len(self.spam_filter.vectorizer)

    @property
    def classifier(self) -> str:
        """The name of the classifier."""
        return self.options.classifier

    @property
    def alpha_search(self) -> AlphaSearch | None:
        """How alpha was chosen for the only classifier that has one, when it was."""
        return next(iter(self.alpha_searches.values()), None)


def day_of_training() -> date:
    """Return the day, in UTC, that goes into a model which is trained now.

    Raises
    ------
    ParameterError
        When ``SOURCE_DATE_EPOCH`` is not a number of seconds.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        return datetime.now(timezone.utc).date()
    try:
        return datetime.fromtimestamp(int(given), timezone.utc).date()
    except (ValueError, OverflowError, OSError):
        expected = "a number of seconds since 1970"
        raise ParameterError("SOURCE_DATE_EPOCH", expected, given) from None
