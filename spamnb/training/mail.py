"""Labeled mail → a trained filter, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.text.analyzer import AnalyzerConfig
from spamnb.text.counting import MOST_SHARED, make_counter
from spamnb.training.model import Training
from spamnb.training.options import TrainingOptions
from spamnb.training.semi import Progress
from spamnb.training.trainer import LabeledTokens, train_on_tokens


def train(
    mails: Iterable[tuple[str, bytes | Message]],
    options: TrainingOptions | None = None,
    *,
    about: str = "",
    progress: Progress | None = None,
) -> Training:
    r"""Train a filter on labeled mail.

    The same mails give the same filter, in any order.  Of more mail than fits into memory hand in
    an iterator: each mail is read once and then let go.

    Parameters
    ----------
    mails : iterable of (str, bytes or Message)
        The label of each mail, such as ``ham`` and ``spam``, and the mail; the label ``""`` for
        mail of unknown label, from which to learn with the option ``semi``.
    options : TrainingOptions, optional
        How to train.
    about : str
        A sentence for users of the model who did not train it.
    progress : callable, optional
        Called with a line for each iteration of learning from unlabeled mail.

    Returns
    -------
    Training
        The filter, as ``spam_filter``, and how it was trained; for `spamnb.save_model`.

    Raises
    ------
    TrainingDataError
        When there is mail of fewer than two labels.
    ParameterError
        When an option is invalid.

    Examples
    --------
    >>> import spamnb
    >>> mails = [
    ...     ("ham", b"Subject: lunch\n\nShall we meet at one?"),
    ...     ("spam", b"Subject: pills\n\nCheap pills, buy now!"),
    ... ]
    >>> training = spamnb.train(mails * 10, spamnb.TrainingOptions(min_df=2))
    >>> training.mails
    {'ham': 10, 'spam': 10}
    >>> training.spam_filter.classify(spamnb.parse(b"Subject: pills\n\nbuy now")).label
    'spam'
    """
    options = options or TrainingOptions()
    training = train_on_tokens(_tokens_of(mails, options.analyzer), None, options, progress)
    return replace(training, about=about)


def _tokens_of(
    mails: Iterable[tuple[str, bytes | Message]], config: AnalyzerConfig
) -> Iterator[LabeledTokens]:
    count = make_counter(config)
    for label, mail in mails:
        message = mail if isinstance(mail, Message) else parse(mail, config.limits)
        tokens = count(message)
        yield LabeledTokens(label, tokens)
        if len(tokens.shared) > MOST_SHARED:
            count = make_counter(config)
