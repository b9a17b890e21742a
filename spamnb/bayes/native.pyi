import numpy as np
from numpy.typing import NDArray

class RowProduct:
    def __init__(
        self,
        data: NDArray[np.float64],
        indices: NDArray[np.int32],
        indptr: NDArray[np.int64],
        n_features: int,
    ) -> None: ...
    def __call__(self, weights: NDArray[np.float64], product: NDArray[np.float64]) -> None: ...

def dot(left: NDArray[np.float64], right: NDArray[np.float64]) -> float: ...
def add_multiple(
    vector: NDArray[np.float64], other: NDArray[np.float64], factor: float
) -> None: ...
