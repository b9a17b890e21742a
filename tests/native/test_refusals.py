"""What would lead a compiled function out of the memory that it is given is refused."""

import numpy as np
import pytest

from spamnb.bayes.refinement import row_product
from spamnb.features.matrix import CountMatrix, transposed
from spamnb.features.packed import fingerprints, gathered
from spamnb.mail.fields import plain_fields
from spamnb.mail.headers import decoded_headers
from spamnb.native.twins import compiled_files, twin_of
from spamnb.text.letters import disguised_words

pytestmark = pytest.mark.skipif(not compiled_files(), reason="nothing is compiled")


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (0, 9), (3, 2)])
def test_a_place_outside_of_the_mail(start, end):
    with pytest.raises(ValueError, match=str(end)):
        twin_of(plain_fields).compiled(b"A: b", start, end, 9, 9)


@pytest.mark.parametrize(("start", "length"), [(-1, 1), (0, -1), (0, 4), (3, 1), (2**62, 2**62)])
def test_a_piece_outside_of_the_text(start, length):
    where = np.zeros(3, np.uint8), np.array([0, start]), np.array([3, length])
    with pytest.raises(ValueError, match="1"):
        twin_of(gathered).compiled(*where)
    with pytest.raises(ValueError, match="1"):
        twin_of(fingerprints).compiled(*where, 7)


def matrix(indices, indptr, n_columns) -> CountMatrix:
    """Return a matrix that nobody has checked."""
    made = CountMatrix.__new__(CountMatrix)
    made.data, made.indices, made.indptr = np.ones(2), np.array(indices), np.array(indptr)
    made.shape = len(indptr) - 1, n_columns
    return made


@pytest.mark.parametrize(
    ("indices", "indptr", "n_columns"),
    [
        ([0, 3], [0, 2], 3),
        ([0, -1], [0, 2], 3),
        ([0], [0, 2], 3),
        ([0, 1], [0, 9], 3),
        ([0, 1], [0, 2, 1, 2], 3),
        ([0, 1], [-1, 2], 3),
    ],
)
def test_a_matrix_whose_arrays_do_not_fit(indices, indptr, n_columns):
    X = matrix(indices, indptr, n_columns)
    with pytest.raises(ValueError, match=r"-?\d"):
        twin_of(row_product).compiled(X)
    with pytest.raises(ValueError, match=r"-?\d"):
        twin_of(transposed).compiled(X.data, X.indices, X.indptr, n_columns)


def test_vectors_that_do_not_fit_a_matrix():
    multiply = twin_of(row_product).compiled(matrix([0, 3], [0, 2], 4))
    for weights, product in ((np.ones(3), np.empty(1)), (np.ones(4), np.empty(2))):
        with pytest.raises(ValueError, match=r"\d"):
            multiply(weights, product)


def test_none_for_a_text():
    with pytest.raises(TypeError):
        twin_of(disguised_words).compiled(None)
    with pytest.raises(TypeError):
        twin_of(decoded_headers).compiled([("From", None)], lambda name, raw: "")
