"""Token lists → `CountMatrix`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from spamnb.features.matrix import CountMatrix
from spamnb.features.vocabulary import Vocabulary


class CountVectorizer:
    """Counts the tokens of documents over a vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary, optional
        The known tokens; empty by default.  `learn` adds to it.
    """

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self.vocabulary = Vocabulary() if vocabulary is None else vocabulary

    def learn(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Count the tokens of documents; new tokens are added to the vocabulary.

        Parameters
        ----------
        documents : iterable of iterable of str
            The tokens of each document.

        Returns
        -------
        CountMatrix of shape (n_documents, len(vocabulary) afterwards)
        """
        add = self.vocabulary.add
        rows = [{add(token): n for token, n in Counter(tokens).items()} for tokens in documents]
        return CountMatrix.from_rows(rows, len(self.vocabulary))

    def transform(self, documents: Iterable[Iterable[str]]) -> CountMatrix:
        """Count the known tokens of documents; unknown ones are left out.

        Parameters
        ----------
        documents : iterable of iterable of str
            The tokens of each document.

        Returns
        -------
        CountMatrix of shape (n_documents, len(vocabulary))
        """
        get = self.vocabulary.get
        rows = (
            {i: n for token, n in Counter(tokens).items() if (i := get(token)) is not None}
            for tokens in documents
        )
        return CountMatrix.from_rows(rows, len(self.vocabulary))
