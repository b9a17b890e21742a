"""Sampling documents as bags of tokens."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spamnb.bayes.checks import generator, numbers
from spamnb.bayes.discrete import DiscreteNB
from spamnb.errors import ParameterError
from spamnb.features.matrix import CountMatrix, Floats, Ints


class TokenNB(DiscreteNB):
    """The base of the estimators whose samples are bags of tokens."""

    def sample(
        self,
        n_samples: int = 1,
        random_state: int | np.random.Generator | None = None,
        *,
        lengths: ArrayLike = 100,
    ) -> tuple[CountMatrix, NDArray[Any]]:
        """Draw documents from the model: the class, the length, then token after token.

        The model says nothing about lengths, so they are given.

        Parameters
        ----------
        n_samples, random_state
            As in `NaiveBayes.sample`.
        lengths : int or array-like of int
            The number of tokens, or numbers to draw from, such as those of real documents.

        Returns
        -------
        X : CountMatrix of shape (n_samples, n_features)
            The counts.
        y : ndarray of shape (n_samples,)
            The labels.

        Raises
        ------
        NotFittedError, ParameterError
        """
        rng = generator(random_state)
        index = self._sample_classes(n_samples, rng)
        return self._sample_features(index, rng, lengths), self.classes_[index]

    def _sample_features(
        self, index: Ints, rng: np.random.Generator, lengths: ArrayLike = 100
    ) -> CountMatrix:
        return draw_tokens(
            self._token_log_prob(), index, draw_lengths(lengths, len(index), rng), rng
        )

    @abstractmethod
    def _token_log_prob(self) -> Floats:
        """Return log P(token | class), of shape (n_classes, n_features)."""


def draw_lengths(lengths: ArrayLike, n_samples: int, rng: np.random.Generator) -> Ints:
    """Return a length for each sample.

    Parameters
    ----------
    lengths : int or array-like of int
        One length for all, or lengths to draw from, such as those of real documents.
    n_samples : int
        How many.
    rng : numpy.random.Generator

    Raises
    ------
    ParameterError
    """
    expected = "one or more whole numbers ≥ 0"
    choices = numbers("lengths", lengths, expected).ravel()
    if not len(choices) or np.any(choices % 1):
        raise ParameterError("lengths", expected, lengths)
    return rng.choice(choices.astype(np.int64), size=n_samples)


def draw_tokens(
    log_prob: Floats, index: Ints, lengths: Ints, rng: np.random.Generator
) -> CountMatrix:
    """Draw documents as bags of tokens, in a time that grows with the tokens alone.

    Parameters
    ----------
    log_prob : ndarray of shape (n_classes, n_features)
        The log of each class's distribution over the features.
    index : ndarray of shape (n_samples,)
        The class of each document.
    lengths : ndarray of shape (n_samples,)
        Its number of tokens.
    rng : numpy.random.Generator

    Returns
    -------
    CountMatrix of shape (n_samples, n_features)
    """
    n_features = log_prob.shape[1]
    positions = [np.empty(0, np.int64)]
    for k, logs in enumerate(log_prob):
        members = np.flatnonzero(index == k)
        prob = np.exp(logs)
        if not prob.any():  # a class of empty documents
            continue
        rows = np.repeat(members, lengths[members])
        positions.append(
            rows * n_features + rng.choice(n_features, size=len(rows), p=prob / prob.sum())
        )
    return _from_positions(np.concatenate(positions), (len(index), n_features))


def _from_positions(positions: Ints, shape: tuple[int, int]) -> CountMatrix:
    """Count how often each position, row · n_features + column, was sampled."""
    unique, counts = np.unique(positions, return_counts=True)
    rows, columns = np.divmod(unique, max(shape[1], 1))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=shape[0]))))
    return CountMatrix(counts, columns, indptr, shape)
