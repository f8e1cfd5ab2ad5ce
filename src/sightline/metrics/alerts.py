"""Which falls are worth a word (metrics 3.5): the tests. What becomes of a test that holds is in `alert_steps.py`.

One lost cell is no alert: of ten cells that flip a coin, one "loss" is seen 94 % of the time (3.4).
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from sightline.metrics.compare import SIGNIFICANT_BELOW, compare_flips

Direction = Literal["up", "down"]

LEAST_POINTS = 10
LEAST_NET = 3
RAISE_BELOW = 0.01
HISTORY = 7
FEWEST_DAILIES = 5
PRIOR_ANSWERS = 2
DISCOVERY_RATE = 0.10
CELL_BELOW = 0.05


class Finding(msgspec.Struct, frozen=True):
    """What one test says of one day: does it hold, how surely, and in which direction."""

    holds: bool
    p: float
    direction: Direction | None = None


class CellHistory(msgspec.Struct, frozen=True):
    """One cell with a valid answer today: `named` of the `asked` valid answers of the last seven Dailies."""

    named: int
    asked: int
    named_today: bool


def run_rule_a(lost: int, gained: int, cells: int) -> Finding:
    """Against the previous Daily: significant, at least 10 points, and at least 3 cells net."""
    if cells == 0:
        return Finding(holds=False, p=1.0)
    change = compare_flips(lost, gained, cells)
    net = gained - lost
    large = 100 * abs(net) >= LEAST_POINTS * cells and abs(net) >= LEAST_NET
    return Finding(change.p < SIGNIFICANT_BELOW and large, change.p, _direction(net))


def run_rule_b(cells: Sequence[CellHistory], *, earlier_dailies: int) -> Finding:
    """Against the last seven Dailies: are there too few mentions today for what these cells use to give?

    Silent with fewer than five earlier Dailies, for then the cells' own shares are guesses.
    """
    if not cells or earlier_dailies < FEWEST_DAILIES:
        return Finding(holds=False, p=1.0)
    named_today = sum(cell.named_today for cell in cells)
    p = find_lower_tail(expect_cells(cells), named_today)
    return Finding(p < RAISE_BELOW, p, "down")


def expect_cells(cells: Sequence[CellHistory]) -> list[float]:
    """Each cell's share over its history, drawn towards the mean of all by two answers' weight."""
    asked = sum(cell.asked for cell in cells)
    overall = sum(cell.named for cell in cells) / asked if asked else 0.0
    return [(cell.named + PRIOR_ANSWERS * overall) / (cell.asked + PRIOR_ANSWERS) for cell in cells]


def find_lower_tail(shares: Sequence[float], mentions: int) -> float:
    """P(K <= mentions) for cells with these shares: the Poisson binomial by exact convolution."""
    import numpy as np

    # Only the lower part is needed; what grows beyond it never comes back.
    chances = np.zeros(mentions + 1)
    chances[0] = 1.0
    for share in shares:
        chances[1:] = chances[1:] * (1 - share) + chances[:-1] * share
        chances[0] *= 1 - share
    return min(1.0, float(chances.sum()))


def run_cell_alert(named: int, asked: int, misses: int) -> Finding:
    """A single cell that named the brand `named` of `asked` times, and then missed `misses` times running."""
    p = 1.0
    for step in range(misses):
        p *= (1 + asked - named + step) / (2 + asked + step)
    return Finding(p < CELL_BELOW, p, "down")


def select_discoveries(p_values: Sequence[float], *, rate: float = DISCOVERY_RATE) -> tuple[bool, ...]:
    """Benjamini-Hochberg over the day's tests: of what passes, at most the given share is false in the long run."""
    count = len(p_values)
    ordered = sorted(p_values)
    passing = [p for place, p in enumerate(ordered, start=1) if p * count <= rate * place]
    limit = max(passing, default=-1.0)
    return tuple(p <= limit for p in p_values)


def is_platform_wide(falls: Sequence[tuple[int, int, int]]) -> bool:
    """ "Platform-wide change, not you": half of all tracked brands fall on one platform the same day.

    `falls`: (lost, gained, cells) of each tracked brand there, the own one included. To fall is to lose what rule A
    asks for, without its test: the many brands are the test. At least two must, or a brand would excuse itself.
    """
    fallen = sum(
        lost - gained >= LEAST_NET and 100 * (lost - gained) >= LEAST_POINTS * cells for lost, gained, cells in falls
    )
    return fallen >= 2 and 2 * fallen >= len(falls)


def _direction(net: int) -> Direction | None:
    if net == 0:
        return None
    return "up" if net > 0 else "down"
