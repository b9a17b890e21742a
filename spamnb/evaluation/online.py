"""The learning curve of a filter that scores each mail and then learns it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spamnb.errors import ParameterError
from spamnb.evaluation import measures
from spamnb.features.matrix import Floats, Ints

_N_POINTS = 30
_FIRST_POINT = 10


@dataclass(frozen=True)
class OnlineCurve:
    """The errors of a filter on all mails so far, as in the TREC Spam Track's online runs.

    All arrays have the shape (n_points,).  An error is NaN as long as there was no mail of its
    label.

    Attributes
    ----------
    n_mails : ndarray of int
        How many mails had been seen, growing geometrically; the last is all of them.
    n_ham, n_spam : ndarray of int
        How many of them were ham and spam.
    ham_error : ndarray
        The share of the ham with P(spam) ≥ 0.5.
    spam_error : ndarray
        The share of the spam with P(spam) < 0.5.
    one_minus_roca : ndarray
        The share of (ham, spam) pairs ranked the wrong way.
    """

    n_mails: Ints
    n_ham: Ints
    n_spam: Ints
    ham_error: Floats
    spam_error: Floats
    one_minus_roca: Floats

    @classmethod
    def from_scores(
        cls, labels: NDArray[np.str_], scores: Floats, probabilities: Floats
    ) -> OnlineCurve:
        """Compute the curve of mails in the order in which they came.

        Parameters
        ----------
        labels : ndarray of str, shape (n_mails,)
            ``ham`` or ``spam``; at least one mail.
        scores : ndarray of shape (n_mails,)
            What each mail was given before it was learned; larger is more spam.
        probabilities : ndarray of shape (n_mails,)
            P(spam), likewise.

        Returns
        -------
        OnlineCurve
            At about 30 points, from the tenth mail on.

        Raises
        ------
        ParameterError
            When there is no mail, or one of another label.
        """
        if not len(labels) or not np.all(np.isin(labels, ("ham", "spam"))):
            raise ParameterError("labels", "ham and spam, at least one", "others")
        is_spam = np.asarray(labels == "spam")
        at = _points(len(labels))
        n_spam = np.cumsum(is_spam)[at - 1]
        ham_errors = np.cumsum(~is_spam & (probabilities >= 0.5))[at - 1]
        spam_errors = np.cumsum(is_spam & (probabilities < 0.5))[at - 1]
        with np.errstate(invalid="ignore"):
            ham_error, spam_error = ham_errors / (at - n_spam), spam_errors / n_spam
        ranking = [_one_minus_roca(is_spam[:n], scores[:n]) for n in at.tolist()]
        return cls(at, at - n_spam, n_spam, ham_error, spam_error, np.array(ranking))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return plain data for JSON, a list for each array; NaN becomes None."""
        columns = {field.name: getattr(self, field.name).tolist() for field in fields(self)}
        return {
            name: [None if value != value else value for value in column]
            for name, column in columns.items()
        }


def _points(n_mails: int) -> Ints:
    """Return some numbers of mails, growing geometrically and ending with all."""
    first = min(_FIRST_POINT, n_mails)
    return np.unique(np.rint(np.geomspace(first, n_mails, _N_POINTS)).astype(np.int64))


def _one_minus_roca(is_spam: NDArray[np.bool_], scores: Floats) -> float:
    ham, spam = np.sort(scores[~is_spam]), np.sort(scores[is_spam])
    if not len(ham) or not len(spam):
        return float("nan")
    return measures.one_minus_roca(ham, spam)
