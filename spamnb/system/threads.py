"""Work on the cores of the machine, for what numpy computes without Python's lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")


def n_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_threads(
    function: Callable[[Item], Result], items: Iterable[Item], n_threads: int | None = None
) -> Iterator[Result]:
    """Yield what a function returns for each item, in the order of the items.

    Parameters
    ----------
    function : callable
        Called for several items at once.
    items : iterable
        Read only a few items ahead, so that never more than a few results are in memory.
    n_threads : int, optional
        One for each core by default.
    """
    n_threads = n_cores() if n_threads is None else n_threads
    if n_threads < 2:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # not to count the cores

    with ThreadPoolExecutor(n_threads) as executor:
        under_way: deque[Future[Result]] = deque()
        try:
            for item in items:
                under_way.append(executor.submit(function, item))
                if len(under_way) > n_threads:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
