"""How much the days of a platform differ (metrics 3.5) [prop]: a bad day lowers the chances of all its cells together.

The spread is the standard deviation of a day's effect on the logit scale. It is estimated from the cells that are lost
and gained from one Daily Check to the next. If days do not differ, each flip is a loss or a gain by the toss of a coin,
and (l - g)² is l + g on average. What is beyond that comes from the days.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

# With fewer changes from day to day the spread would be a guess, and none is assumed.
MIN_CHANGES = 4
# Anything beyond is not a bad day, but a change that people want to know about.
MAX_SPREAD = 1.0
# The weight of all platforms together in the spread of one platform, in pairs of flips.
SHARED_PAIRS = 300
_NODES = 121
_REACH = 4.5
_STEPS = 600


class Flips(msgspec.Struct, frozen=True):
    """The cells lost and gained on one platform between two days, and the spread of its days."""

    lost: int
    gained: int
    spread: float = 0.0


def estimate_spreads(changes: Mapping[str, Sequence[Flips]], *, usual: float | None = None) -> dict[str, float]:
    """Return the spread of each platform, from its flips between consecutive checks.

    One platform has few flips, so its excess is shrunk towards that of all platforms. That is shrunk towards the excess
    of a usual spread if there is one; if not, there is no spread without flips.
    """
    sums = {platform: _sum_excess(flips) for platform, flips in changes.items() if usual or len(flips) >= MIN_CHANGES}
    all_pairs = sum(pairs for _, pairs in sums.values())
    all_excess = float(sum(excess for excess, _ in sums.values()))
    if usual:
        all_pairs, all_excess = all_pairs + SHARED_PAIRS, all_excess + SHARED_PAIRS * find_expected_excess(usual)
    together = all_excess / all_pairs if all_pairs else 0.0
    return {
        platform: find_spread((excess + SHARED_PAIRS * together) / (pairs + SHARED_PAIRS))
        for platform, (excess, pairs) in sums.items()
    }


def _sum_excess(changes: Sequence[Flips]) -> tuple[int, int]:
    """Return the sum of (l - g)² - (l + g), and the number of pairs of flips, which is its maximum."""
    flips = [each.lost + each.gained for each in changes]
    squares = [(each.lost - each.gained) ** 2 for each in changes]
    return sum(squares) - sum(flips), sum(number * (number - 1) for number in flips)


def find_spread(excess: float) -> float:
    """Return the spread that causes this excess for each pair of flips, at most `MAX_SPREAD`."""
    import numpy as np  # heavy, and needed only for alerts

    return float(np.interp(excess, *_list_expected_excesses()))


def find_expected_excess(spread: float) -> float:
    """Return E[tanh²(d/2)] for the difference d of two days: how strongly two flips agree in direction."""
    import numpy as np  # heavy, and needed only for alerts

    effects, weights = list_day_effects(math.sqrt(2) * spread)
    return float(weights @ np.tanh(effects / 2) ** 2)


@cache
def _list_expected_excesses() -> tuple[list[float], list[float]]:
    """Return a table of excesses and their spreads."""
    spreads = [MAX_SPREAD * step / _STEPS for step in range(_STEPS + 1)]
    return [find_expected_excess(spread) for spread in spreads], spreads


def list_day_effects(spread: float) -> tuple[Any, Any]:
    """Return effects on the logit scale and their weights: a fine grid over a normal distribution."""
    nodes, weights = _list_nodes(_NODES if spread else 1)
    return nodes * spread, weights


@cache
def _list_nodes(number: int) -> tuple[Any, Any]:
    """Return evenly spaced nodes. A platform with many cells needs close ones: its mentions follow the day sharply."""
    import numpy as np  # heavy, and needed only for alerts

    nodes = np.linspace(-_REACH, _REACH, number) if number > 1 else np.zeros(1)
    weights = np.exp(-nodes * nodes / 2)
    return nodes, weights / weights.sum()
