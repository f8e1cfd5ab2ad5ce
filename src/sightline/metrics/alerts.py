"""The tests that decide which changes are worth an alert (metrics 3.5); `alert_lifecycle.py` has the steps of an alert.

One lost cell raises no alert: if ten cells were coin tosses, at least one "loss" would be seen 94% of the time (3.4).
A bad day of a platform raises none either: both rules allow for the spread of its days (`platform_spread.py`).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from sightline.metrics.compare import SIGNIFICANT_BELOW, find_mcnemar_p
from sightline.metrics.platform_spread import Flips, list_day_effects

Direction = Literal["up", "down"]

MIN_POINTS = 10
MIN_NET_CELLS = 3
RAISE_BELOW = 0.01
HISTORY = 7
MIN_EARLIER_DAILIES = 5
PRIOR_ANSWERS = 2
DISCOVERY_RATE = 0.10
CELL_BELOW = 0.05
CLEAR_BELOW = 0.0001
SHARED_CLEAR_BELOW = 0.002
"""A confirmed alert of a segment is a clear change if both p are below the first; if a later Full Check shows the same
change, below the second. Twice these limits add 2% to the domains with a clear change in a quiet quarter [sim]."""
_ATTENUATION = 0.346  # (16·sqrt(3)/(15·pi))²: approximates the logistic curve by the normal one


class DayResult(msgspec.Struct, frozen=True):
    """The result of one test on one day: whether it holds, how certain it is, and in which direction."""

    holds: bool
    p: float
    direction: Direction | None = None


class CellHistory(msgspec.Struct, frozen=True):
    """One cell with a valid answer today: `named` of the `asked` valid answers of the last seven Dailies."""

    named: int
    asked: int
    named_today: bool
    spread: float = 0.0
    """The spread of the days of its platform, on the logit scale."""
    platform: str = ""


def run_rule_a(lost: int, gained: int, cells: int, *, by_platform: Sequence[Flips] = ()) -> DayResult:
    """Compare with the previous Daily Check: significant, at least 10 points, and at least 3 cells net.

    `by_platform` are the same flips for each platform, with the spread of its days. Without them none is assumed.
    """
    if cells == 0:
        return DayResult(holds=False, p=1.0)
    net = gained - lost
    p = find_flip_p(by_platform or [Flips(lost, gained)])
    large = 100 * abs(net) >= MIN_POINTS * cells and abs(net) >= MIN_NET_CELLS
    return DayResult(p < SIGNIFICANT_BELOW and large, p, _direction(net))


def find_flip_p(flips: Sequence[Flips]) -> float:
    """Return McNemar's exact two-sided p, averaged over how good or bad the two days may be on each platform.

    A flip is lost with chance 1/(1 + exp(-d)) if the first day is better by d on the logit scale, whatever the cell. d
    is normal with a mean of 0 and twice the variance of a day. Without a spread this is McNemar's test.
    """
    lost, gained = sum(each.lost for each in flips), sum(each.gained for each in flips)
    if not any(each.spread for each in flips):
        return find_mcnemar_p(lost, gained)
    import numpy as np  # heavy, and needed only for alerts

    chances = np.ones(1)
    for each in flips:
        total = each.lost + each.gained
        effects, weights = list_day_effects(math.sqrt(2) * each.spread)
        number = np.arange(total + 1)
        # In logarithms, because the number of ways is too large for a float from 1,030 flips on.
        ways = np.array([math.log(math.comb(total, one)) for one in range(total + 1)])
        stays = -np.log1p(np.exp(-effects))[:, None]
        falls = -np.log1p(np.exp(effects))[:, None]
        chances = np.convolve(chances, weights @ np.exp(ways + number * stays + (total - number) * falls))
    return min(1.0, 2 * float(chances[max(lost, gained) :].sum()))


def run_rule_b(cells: Sequence[CellHistory], *, earlier_dailies: int, direction: Direction = "down") -> DayResult:
    """Test whether there are too few mentions today, or too many, compared with the last seven Daily Checks.

    It never holds with fewer than five earlier ones, because the shares of the cells would be guesses.
    """
    if not cells or earlier_dailies < MIN_EARLIER_DAILIES:
        return DayResult(holds=False, p=1.0)
    counted = sum(cell.named_today == (direction == "down") for cell in cells)
    shares: dict[tuple[str, float], list[float]] = defaultdict(list)
    for cell, share in zip(cells, expected_shares(cells), strict=True):
        # The last Daily Checks had good and bad days of their own, so their mean is uncertain, too.
        spread = cell.spread * math.sqrt(1 + 1 / earlier_dailies)
        # Too many mentions are too few answers without one.
        shares[cell.platform, spread].append(share if direction == "down" else 1 - share)
    p = find_lower_tail_over_days([(found, spread) for (_, spread), found in shares.items()], counted)
    return DayResult(p < RAISE_BELOW, p, direction)


def expected_shares(cells: Sequence[CellHistory]) -> list[float]:
    """Return each cell's share over its history, shrunk towards the mean of all with the weight of two answers."""
    asked = sum(cell.asked for cell in cells)
    overall = sum(cell.named for cell in cells) / asked if asked else 0.0
    return [(cell.named + PRIOR_ANSWERS * overall) / (cell.asked + PRIOR_ANSWERS) for cell in cells]


def find_lower_tail(shares: Sequence[float], mentions: int) -> float:
    """Return P(K <= mentions) for cells with these shares: the Poisson binomial."""
    return find_lower_tail_over_days([(shares, 0.0)], mentions)


def find_lower_tail_over_days(platforms: Sequence[tuple[Sequence[float], float]], mentions: int) -> float:
    """Return P(K <= mentions), averaged over how good or bad today may be on each platform.

    Each platform has the shares of its cells and the spread of its days. All cells of a platform move together on the
    logit scale. The number of its mentions is computed exactly for each effect, from its characteristic function.
    """
    import numpy as np  # heavy, and needed only for alerts

    chances = np.ones(1)
    for shares, spread in platforms:
        effects, weights = list_day_effects(spread)
        size = len(shares) + 1
        # The chances are real, so the other half of the frequencies mirrors this one.
        turns = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size) - 1
        frequencies = np.ones((len(effects), len(turns)), dtype=complex)
        for share, cells in Counter(shares).items():
            frequencies *= (1 + _shift_share(share, spread, effects)[:, None] * turns) ** cells
        chances = np.convolve(chances, np.fft.irfft(weights @ frequencies, n=size))
    return min(1.0, max(0.0, float(chances[: mentions + 1].sum())))


def _shift_share(share: float, spread: float, effects: Any) -> Any:
    """Return the share under each effect.

    The share is an average over days already. So it is moved away from one half first, such that its average over the
    effects is the share again (Zeger, Liang and Albert 1988).
    """
    import numpy as np  # heavy, and needed only for alerts

    if not spread or share <= 0 or share >= 1:
        return np.full(len(effects), share)
    middle = math.log(share / (1 - share)) * math.sqrt(1 + _ATTENUATION * spread * spread)
    return 1 / (1 + np.exp(-(middle + effects)))


def run_cell_alert(usual: int, asked: int, turned: int, *, direction: Direction = "down") -> DayResult:
    """Test a cell that gave its usual answer `usual` of `asked` times, then the opposite `turned` times in a row.

    For a drop the usual answer names the brand; for a gain it does not.
    """
    p = 1.0
    for step in range(turned):
        p *= (1 + asked - usual + step) / (2 + asked + step)
    return DayResult(p < CELL_BELOW, p, direction)


def select_discoveries(p_values: Sequence[float], *, rate: float = DISCOVERY_RATE) -> tuple[bool, ...]:
    """Apply Benjamini-Hochberg to the day's tests: in the long run at most this share of discoveries is false."""
    count = len(p_values)
    ordered = sorted(p_values)
    passing = [p for place, p in enumerate(ordered, start=1) if p * count <= rate * place]
    limit = max(passing, default=-1.0)
    return tuple(p <= limit for p in p_values)


def is_platform_wide(changes: Sequence[tuple[int, int, int]], *, direction: Direction = "down") -> bool:
    """Return whether half of all tracked brands drop, or gain, on one platform the same day.

    `changes` are (lost, gained, cells) of each tracked brand there, the own one included. A brand counts if it loses or
    gains as much as rule A requires. It needs no test of its own, because many brands agree. At least two must, or one
    brand could explain away its own drop.
    """
    sign = 1 if direction == "down" else -1
    net = [(sign * (lost - gained), cells) for lost, gained, cells in changes]
    moved = sum(many >= MIN_NET_CELLS and 100 * many >= MIN_POINTS * cells for many, cells in net)
    return moved >= 2 and 2 * moved >= len(changes)


def _direction(net: int) -> Direction | None:
    if net == 0:
        return None
    return "up" if net > 0 else "down"
