"""Why a verdict was reached, token by token."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from spamnb.filter.verdict import Verdict

METHODS = ("additive", "leave-one-out")
"""How contributions are found."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one token adds to the log-odds.

    Attributes
    ----------
    token : str
        The token.
    count : float
        How often it occurs in the mail, as the estimator counts it.
    naive_bayes : float
        Count times calibrated weight, in nats.
    refinement : float
        Count times weight of the refinement, in nats; 0 where there is none.
    view : str
        Which of several views the token belongs to, else ``""``.
    """

    token: str
    count: float
    naive_bayes: float
    refinement: float = 0.0
    view: str = ""

    @property
    def nats(self) -> float:
        """Both together."""
        return self.naive_bayes + self.refinement


class TreeRow(NamedTuple):
    """A word in a tree.

    Attributes
    ----------
    token : str
        The word.
    nats : float
        Its mutual information with its parent given the label; 0 for the root.
    depth : int
        How many ancestors it has.
    """

    token: str
    nats: float
    depth: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a verdict was reached: ``intercept`` and the contributions sum to the log-odds.

    Attributes
    ----------
    verdict : Verdict
        The verdict.
    towards, against : str
        The labels that positive and negative contributions speak for.
    intercept : float
        The log-odds before any token is seen, in nats.
    intercept_meaning : str
        What the intercept stands for.
    contributions : tuple of Contribution
        Every known token of the mail, the strongest first; of models that count what is absent
        too, all that they know.
    n_unknown : int
        How many different tokens of the mail the model does not know.
    is_refined : bool
        Whether the model has a refinement.
    method : str
        One of `METHODS`: ``additive`` where the log-odds are a sum over the tokens;
        ``leave-one-out`` where a contribution is how much they change without the token.
    views : dict of str to float
        What the tokens of each of several views add together.
    """

    verdict: Verdict
    towards: str
    against: str
    intercept: float
    intercept_meaning: str
    contributions: tuple[Contribution, ...]
    n_unknown: int
    is_refined: bool
    method: str = METHODS[0]
    views: dict[str, float] = field(default_factory=dict)
