"""The tests that decide which drops are worth an alert (metrics 3.5). The steps of an alert are in `alert_steps.py`.

One lost cell is no alert: of ten cells that flip a coin, one "loss" is seen 94% of the time (3.4).
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from sightline.metrics.compare import SIGNIFICANT_BELOW, compare_flips

Direction = Literal["up", "down"]

MIN_POINTS = 10
MIN_NET_CELLS = 3
RAISE_BELOW = 0.01
HISTORY = 7
MIN_EARLIER_DAILIES = 5
PRIOR_ANSWERS = 2
DISCOVERY_RATE = 0.10
CELL_BELOW = 0.05


class Finding(msgspec.Struct, frozen=True):
    """The result of one test on one day: whether it holds, how surely, and in which direction."""

    holds: bool
    p: float
    direction: Direction | None = None


class CellHistory(msgspec.Struct, frozen=True):
    """One cell with a valid answer today: `named` of the `asked` valid answers of the last seven Dailies."""

    named: int
    asked: int
    named_today: bool


def run_rule_a(lost: int, gained: int, cells: int) -> Finding:
    """Compare with the previous Daily Check: significant, at least 10 points, and at least 3 cells net."""
    if cells == 0:
        return Finding(holds=False, p=1.0)
    change = compare_flips(lost, gained, cells)
    net = gained - lost
    large = 100 * abs(net) >= MIN_POINTS * cells and abs(net) >= MIN_NET_CELLS
    return Finding(change.p < SIGNIFICANT_BELOW and large, change.p, _direction(net))


def run_rule_b(cells: Sequence[CellHistory], *, earlier_dailies: int) -> Finding:
    """Test whether there are too few mentions today, compared with the last seven Daily Checks.

    It never holds with fewer than five earlier ones, because the shares of the cells would be guesses.
    """
    if not cells or earlier_dailies < MIN_EARLIER_DAILIES:
        return Finding(holds=False, p=1.0)
    named_today = sum(cell.named_today for cell in cells)
    p = find_lower_tail(expected_shares(cells), named_today)
    return Finding(p < RAISE_BELOW, p, "down")


def expected_shares(cells: Sequence[CellHistory]) -> list[float]:
    """Return each cell's share over its history, shrunk towards the mean of all with the weight of two answers."""
    asked = sum(cell.asked for cell in cells)
    overall = sum(cell.named for cell in cells) / asked if asked else 0.0
    return [(cell.named + PRIOR_ANSWERS * overall) / (cell.asked + PRIOR_ANSWERS) for cell in cells]


def find_lower_tail(shares: Sequence[float], mentions: int) -> float:
    """Return P(K <= mentions) for cells with these shares: the Poisson binomial by exact convolution."""
    import numpy as np  # heavy, and needed only for alerts

    # Only the lower part is needed: what moves beyond it never comes back.
    chances = np.zeros(mentions + 1)
    chances[0] = 1.0
    for share in shares:
        chances[1:] = chances[1:] * (1 - share) + chances[:-1] * share
        chances[0] *= 1 - share
    return min(1.0, float(chances.sum()))


def run_cell_alert(named: int, asked: int, misses: int) -> Finding:
    """Test a single cell that named the brand `named` of `asked` times, then missed `misses` times in a row."""
    p = 1.0
    for step in range(misses):
        p *= (1 + asked - named + step) / (2 + asked + step)
    return Finding(p < CELL_BELOW, p, "down")


def select_discoveries(p_values: Sequence[float], *, rate: float = DISCOVERY_RATE) -> tuple[bool, ...]:
    """Apply Benjamini-Hochberg to the day's tests: in the long run at most this rate of them is false."""
    count = len(p_values)
    ordered = sorted(p_values)
    passing = [p for place, p in enumerate(ordered, start=1) if p * count <= rate * place]
    limit = max(passing, default=-1.0)
    return tuple(p <= limit for p in p_values)


def is_platform_wide(falls: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether half of all tracked brands drop on one platform the same day.

    `falls` are (lost, gained, cells) of each tracked brand there, the own one included. A brand drops if it loses what
    rule A requires, without its test: the many brands are the test. At least two must, or a brand would excuse itself.
    """
    fallen = sum(
        lost - gained >= MIN_NET_CELLS and 100 * (lost - gained) >= MIN_POINTS * cells for lost, gained, cells in falls
    )
    return fallen >= 2 and 2 * fallen >= len(falls)


def _direction(net: int) -> Direction | None:
    if net == 0:
        return None
    return "up" if net > 0 else "down"
