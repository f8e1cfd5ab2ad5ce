"""How the time of a piece of work grows with its input."""

import time
from collections.abc import Callable

_TIMES_LARGER = 8


def measure_growth(work: Callable[[str], object], build: Callable[[int], str], size: int) -> float:
    """Return how much longer eight times the input takes: about 8 when the work is linear, 64 when it is quadratic.

    The shortest of several runs counts, in processor time, so that a busy machine does not matter.
    """
    small, large = (_shortest(work, build(size * factor)) for factor in (1, _TIMES_LARGER))
    return large / small


def _shortest(work: Callable[[str], object], text: str) -> float:
    durations = []
    for _ in range(5):
        began = time.process_time()
        work(text)
        durations.append(time.process_time() - began)
    return min(durations)
