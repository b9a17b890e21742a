"""Threads change neither the order nor what is returned, and run no further than asked."""

import threading
import time

import pytest

from spamnb.system.threads import in_threads


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_the_order_is_that_of_the_items(n_threads: int) -> None:
    def slow(number: int) -> int:
        time.sleep(0.002 * (number % 3))
        return number * number

    assert list(in_threads(slow, range(20), n_threads)) == [n * n for n in range(20)]


@pytest.mark.parametrize("n_threads", [1, 2])
def test_few_items_are_taken_ahead(n_threads: int) -> None:
    taken: list[int] = []
    results = in_threads(lambda n: n, (taken.append(n) or n for n in range(100)), n_threads)
    next(results)
    assert len(taken) <= n_threads + 2
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() < 50


@pytest.mark.parametrize("n_threads", [1, 2])
def test_an_error_comes_out(n_threads: int) -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_threads(lambda n: 1 // n, [1, 0, 1], n_threads))
