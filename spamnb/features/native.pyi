from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

class TokenNumbers:
    def __init__(self, tokens: list[str]) -> None: ...
    def add(self, tokens: Sequence[str]) -> NDArray[np.int64]: ...

def transposed(
    data: NDArray[np.float64],
    indices: NDArray[np.int64],
    indptr: NDArray[np.int64],
    n_columns: int,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]: ...
def gathered(
    text: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.uint8]: ...
