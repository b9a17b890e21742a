"""A filter made of a Python library, as a program of its own that `speed.py` starts.

Run as ``python library_filter.py sklearn|spambayes train|one|many MODEL``.  Standard
input is an index of labels and paths for ``train``, a mail for ``one``, a list of paths for
``many``, which prints a line per mail, and on standard error the seconds that it took without the
start.  Nothing of spamnb is imported.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


class Scikit:
    """Words of the undivided mail, counted, and multinomial naive Bayes, both by default."""

    def train(self, labeled: Iterable[tuple[str, bytes]]) -> None:
        """Learn from pairs of a label and a mail."""
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.naive_bayes import MultinomialNB
        from sklearn.pipeline import make_pipeline

        labels, mails = zip(*labeled, strict=True)
        self._pipeline = make_pipeline(CountVectorizer(decode_error="replace"), MultinomialNB())
        self._pipeline.fit(mails, labels)

    def save(self, path: str) -> None:
        """Store what was learned."""
        import joblib

        joblib.dump(self._pipeline, path)

    def load(self, path: str) -> None:
        """Bring back what was learned."""
        import joblib

        self._pipeline = joblib.load(path)

    def score(self, mails: Iterable[bytes]) -> Iterator[float]:
        """Return P(spam) of each mail."""
        return (float(row[1]) for row in self._pipeline.predict_proba(mails))


class SpamBayes:
    """SpamBayes with its own way of reading mail, as `port_spambayes` makes it."""

    def train(self, labeled: Iterable[tuple[str, bytes]]) -> None:
        """Learn from pairs of a label and a mail."""
        from spambayes.classifier import Classifier

        self._classifier = Classifier()
        for label, mail in labeled:
            self._classifier.learn(self._tokens(mail), label == "spam")

    def save(self, path: str) -> None:
        """Store what was learned."""
        with open(path, "wb") as file:
            pickle.dump(self._classifier, file)

    def load(self, path: str) -> None:
        """Bring back what was learned."""
        with open(path, "rb") as file:
            self._classifier = pickle.load(file)

    def score(self, mails: Iterable[bytes]) -> Iterator[float]:
        """Return P(spam) of each mail."""
        return (self._classifier.spamprob(self._tokens(mail)) for mail in mails)

    def _tokens(self, mail: bytes) -> Any:
        from spambayes.tokenizer import tokenize

        return tokenize(mail.decode("latin-1"))


FILTERS = {"sklearn": Scikit, "spambayes": SpamBayes}


def _labeled(index: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for line in index:
        label, path = line.rstrip("\n").split(" ", 1)
        yield label, Path(path).read_bytes()


def main() -> None:
    """Do what the arguments ask for."""
    library, action, model = sys.argv[1:]
    spam_filter = FILTERS[library]()
    if action == "train":
        spam_filter.train(_labeled(sys.stdin))
        spam_filter.save(model)
        return
    spam_filter.load(model)
    started = time.perf_counter()
    if action == "one":
        paths, mails = ["-"], [sys.stdin.buffer.read()]
    else:
        paths = sys.stdin.read().splitlines()
        mails = (Path(path).read_bytes() for path in paths)
    for path, probability in zip(paths, spam_filter.score(mails), strict=True):
        print(f"{probability:.6f}\t{path}")
    print(time.perf_counter() - started, file=sys.stderr)


if __name__ == "__main__":
    main()
