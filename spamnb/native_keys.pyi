from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

class Keys:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...

class Base:
    number: int
    def __init__(self, number: int) -> None: ...
    def fingerprint(self, token: str) -> int: ...

def fingerprints(
    text: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64], base: int
) -> array[int]: ...
