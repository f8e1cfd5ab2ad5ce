"""The latencies of the realistic case, and the time that they take on an ideal engine."""

import heapq
import random
from collections.abc import Iterable

DRAWN = "drawn"
"""The name of these latencies on the command line of the fake platforms."""
CALLS = 2_000
"""The calls to each platform in the longest form."""
USUAL_SECONDS, SLOW_SECONDS = 2.0, 10.0
_SLOW_CALLS = CALLS // 20


def draw_latencies(seed: int) -> list[float]:
    """Return the seconds that each call to a platform takes, in the order of the calls.

    One in twenty is slow. Only the order depends on the seed: with the same sum for every platform, none of them can
    hide that another one is late.
    """
    latencies = [SLOW_SECONDS] * _SLOW_CALLS + [USUAL_SECONDS] * (CALLS - _SLOW_CALLS)
    random.Random(seed).shuffle(latencies)
    return latencies


def first_come_seconds(latencies: Iterable[float], at_once: int) -> float:
    """Return when the last call ends if each call starts as soon as fewer than `at_once` are in flight."""
    ends = [0.0] * at_once  # a heap
    for latency in latencies:
        heapq.heapreplace(ends, ends[0] + latency)
    return max(ends)
