"""scikit-learn, as its tutorials use it: words of the undivided mail, headers and all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from peers.peer import NotInstalledError
from spamnb.mail.charsets import decode
from spamnb.mail.sources import LabeledMail, RawMail


class Scikit:
    """A vectorizer and a classifier of scikit-learn with their defaults.

    Parameters
    ----------
    classifier : str
        ``MultinomialNB`` or ``BernoulliNB`` on counts, ``LogisticRegression`` on tf-idf.
    scratch : Path
        Not needed.
    """

    spam_from = 0.5

    def __init__(self, classifier: str, scratch: Path) -> None:
        try:
            import sklearn
        except ImportError:
            raise NotInstalledError("there is no module sklearn") from None
        from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.naive_bayes import BernoulliNB, MultinomialNB
        from sklearn.pipeline import make_pipeline

        steps: dict[str, tuple[Any, Any]] = {
            "MultinomialNB": (CountVectorizer(), MultinomialNB()),
            "BernoulliNB": (CountVectorizer(), BernoulliNB()),
            "LogisticRegression": (TfidfVectorizer(), LogisticRegression(max_iter=1_000)),
        }
        self.name = f"scikit-learn {sklearn.__version__} {classifier}"
        self._pipeline = make_pipeline(*steps[classifier])

    def train(self, mails: Sequence[LabeledMail]) -> None:
        """Learn from mail."""
        labels = [mail.label for mail in mails]
        self._pipeline.fit(_texts([mail.mail for mail in mails]), labels)

    def score(self, mails: Sequence[RawMail]) -> list[float]:
        """Return the log-odds."""
        if hasattr(self._pipeline, "decision_function"):
            return [float(odds) for odds in self._pipeline.decision_function(_texts(mails))]
        return [float(spam - ham) for ham, spam in self._pipeline.predict_log_proba(_texts(mails))]


def _texts(mails: Sequence[RawMail]) -> Iterator[str]:
    return (decode(mail.data).text for mail in mails)
