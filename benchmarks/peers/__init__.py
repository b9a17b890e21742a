"""Other filters on the same mails: what is not installed is left out.

Another peer is a class with what `Peer` has, in a module of its own, and a line in `PEERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from peers.bogofilter import Bogofilter
from peers.peer import NotInstalledError, Peer, PeerFilter
from peers.scikit import Scikit
from peers.spamprobe import SpamProbe

__all__ = ["PEERS", "NotInstalledError", "Peer", "PeerFilter"]

PEERS: dict[str, Callable[[Path], Peer]] = {
    "bogofilter": Bogofilter,
    "spamprobe": SpamProbe,
    "sklearn-multinomial": partial(Scikit, "MultinomialNB"),
    "sklearn-bernoulli": partial(Scikit, "BernoulliNB"),
    "sklearn-logistic": partial(Scikit, "LogisticRegression"),
}
"""How to make each peer, given an empty folder; raises `NotInstalledError`."""
