"""Random counts, labels and documents, and the forms in which a matrix can come."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from spamnb.bayes.classifiers import CLASSIFIERS, classifier
from spamnb.features.matrix import CountMatrix

modest = settings(max_examples=60, deadline=None)
"""Enough examples to find what breaks, few enough to run on every commit."""

few = settings(max_examples=20, deadline=None)
"""For what takes long, or is tested in several ways."""

LABELS = ("ads", "ham", "spam")
TOKENS = "abcdefg"
LINEAR_CLASSIFIERS = tuple(name for name in CLASSIFIERS if classifier(name).is_linear)


def counts(min_rows=0, max_rows=8, min_columns=0, max_columns=6, max_count=4):
    """Dense matrices of small counts; rows and columns of zeros are common."""
    shapes = st.tuples(st.integers(min_rows, max_rows), st.integers(min_columns, max_columns))
    elements = st.integers(0, max_count)
    return shapes.flatmap(lambda shape: arrays(np.int64, shape, elements=elements))


@st.composite
def labeled_counts(draw, min_rows=1, min_columns=1, labels=LABELS):
    """(X, y) of at least one sample."""
    X = draw(counts(min_rows=min_rows, min_columns=min_columns))
    y = draw(st.lists(st.sampled_from(labels), min_size=len(X), max_size=len(X)))
    return X, np.array(y)


@st.composite
def documents(draw, labels=("ham", "spam"), max_size=8):
    """(label, tokens) pairs with at least one of each label."""
    tokens = st.lists(st.sampled_from(TOKENS), max_size=6)
    more = draw(st.lists(st.tuples(st.sampled_from(labels), tokens), max_size=max_size))
    return [(label, draw(tokens)) for label in labels] + more


def messy_csr(X):
    """CSR with each count as that many ones, an explicit zero in each row, columns unsorted."""
    rows, columns = np.nonzero(X)
    times = X[rows, columns]
    zeros = np.arange(X.shape[0]) if X.shape[1] else np.empty(0, np.int64)
    row_of = np.concatenate([np.repeat(rows, times)[::-1], zeros])
    indices = np.concatenate([np.repeat(columns, times)[::-1], np.zeros_like(zeros)])
    order = np.argsort(row_of, kind="stable")
    data = np.concatenate([np.ones(times.sum()), np.zeros(len(zeros))])
    indptr = np.concatenate([[0], np.cumsum(np.bincount(row_of, minlength=X.shape[0]))])
    return sparse.csr_matrix((data[order], indices[order], indptr), shape=X.shape)


FORMS = {
    "dense": np.asarray,
    "list": lambda X: X.tolist(),
    "csr_array": sparse.csr_array,
    "csr_matrix": sparse.csr_matrix,
    "messy csr": messy_csr,
    "coo": sparse.coo_array,
    "CountMatrix": CountMatrix.coerce,
}
"""The same matrix as everything that is accepted for X."""


def to_dense(matrix):
    """Return the dense equivalent of a `CountMatrix`, entry by entry."""
    dense = np.zeros(matrix.shape)
    for row in range(matrix.shape[0]):
        for at in range(matrix.indptr[row], matrix.indptr[row + 1]):
            assert dense[row, matrix.indices[at]] == 0, "a column stands twice in a row"
            assert matrix.data[at] != 0, "an explicit zero"
            dense[row, matrix.indices[at]] = matrix.data[at]
    return dense
