"""Tokens as bytes and numbers, and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from spamnb.bayes.refinement import row_product
from spamnb.features.matrix import CountMatrix, transposed
from spamnb.features.packed import PackedTokens, fingerprints, gathered
from spamnb.features.vocabulary import numbering
from tests.native.cases.case import Case, Form
from tests.strategies import counts
from tests.text.native.strategies import BASES

TOKENS = st.lists(
    st.text(st.characters() | st.sampled_from("ab\0é发\U0001f600\ud800\udfff"), max_size=9)
)
LENGTHS = st.lists(st.integers(0, 40) | st.sampled_from([127, 128, 129, 137, 300]), max_size=6)
SEEDS = st.integers(0, 2**32 - 1)


def taken(tokens: list[str], seed: int) -> tuple[Any, ...]:
    """Return the bytes of some tokens, and where some of them are, in any order."""
    packed = PackedTokens(tokens)
    chosen = np.random.default_rng(seed).integers(0, max(len(tokens), 1), len(tokens))
    return packed.text, packed.starts[chosen], packed.lengths[chosen]


def arrays_of(dense: Any) -> tuple[Any, ...]:
    """Return the arrays of a matrix, and how many columns it has."""
    matrix = CountMatrix.coerce(dense)
    return matrix.data, matrix.indices, matrix.indptr, matrix.shape[1]


def product(form: Form, lengths: list[int], seed: int) -> Any:
    """Return the product of a matrix with rows of some lengths, and of one of them alone."""
    random = np.random.default_rng(seed)
    n, n_columns = sum(lengths), 1_200
    columns = [random.choice(n_columns, length, replace=False) for length in lengths]
    indices = np.concatenate([np.empty(0, np.int64), *columns])
    shape = (len(lengths), n_columns)
    X = CountMatrix(random.normal(size=n), indices, np.cumsum([0, *lengths]), shape)
    found = np.empty(len(lengths))
    form(X)(random.normal(size=n_columns), found)
    return found


def number_all(form: Form, tokens: list[str], batches: list[list[str]]) -> Any:
    """Return the numbers of the tokens of each batch, and all tokens after it."""
    known = list(dict.fromkeys(tokens))
    number = form(known)
    return [(number(batch), list(known)) for batch in batches]


CASES = {
    gathered: Case(st.builds(taken, TOKENS, SEEDS)),
    fingerprints: Case(
        st.builds(lambda *drawn: (*taken(*drawn[:2]), drawn[2]), TOKENS, SEEDS, BASES),
        ((*taken(["é" * 255, "", "b" * 1_000], 4), 2**64 - 1),),
    ),
    numbering: Case(st.tuples(TOKENS, st.lists(TOKENS, max_size=4)), call=number_all),
    transposed: Case(counts().map(arrays_of)),
    row_product: Case(
        st.tuples(LENGTHS, SEEDS), (([1_100, 0, 1, 9, 8, 1_200], 5), ([], 0)), call=product
    ),
}
