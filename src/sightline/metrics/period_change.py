"""Which shares of answers changed over fixed periods of Full Checks, and how clearly (metrics 3.6) [prop].

Two checks are compared by the answers that were lost and gained. Over a longer period the test is for a trend: the
slope through the shares of its checks. Both tests look at matched cells, so that prompts and platforms with different
levels do not matter, and both allow for good and bad days of a platform (`platform_spread.py`).

The brand and its rivals are one family of tests, the brand on each platform and for each prompt are the other. In each
family and period Benjamini-Hochberg selects the changes of each tier. `bench/changes.py` has the simulations.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from sightline.metrics.alerts import find_flip_p, select_discoveries
from sightline.metrics.compare import is_large
from sightline.metrics.platform_spread import Flips, estimate_spreads

Period = Literal["last_check", "four_weeks", "twelve_weeks"]
Tier = Literal["clear", "watch", "rest"]
Subject = Literal["brand", "platform", "prompt"]
DAYS: Mapping[Period, int] = {"last_check": 0, "four_weeks": 28, "twelve_weeks": 84}
MIN_CHECKS: Mapping[Period, int] = {"last_check": 2, "four_weeks": 4, "twelve_weeks": 8}
CLEAR_RATE = 0.002
"""At this rate of false discoveries in each family, period and check, at most 5% of the domains without any change have
a clear change in a quarter [sim]."""
WATCH_RATE = 0.02
"""At this rate about one in five changes worth watching is chance if every second domain changes in a quarter [sim]."""
GRACE_DAYS = 1
"""A check may start late."""
# Until the checks of a domain show how much the days of its platforms differ, they are assumed to differ by this.
USUAL_SPREAD = 0.5


class Checks(NamedTuple):
    """Full Checks, oldest first, as rows of cells and columns of checks."""

    days: Sequence[float]
    """When each check was completed, in days."""
    platforms: Sequence[str]
    """The platform of each cell."""
    named: Any
    """An array of cells and checks: 1 if the answer names the brand, 0 if not, nan without a valid answer."""

    def select(self, cells: Any = None, *, checks: slice = slice(None)) -> "Checks":
        """Return some of the checks; `cells` is an array that is true for the cells to keep."""
        if cells is None:
            return Checks(self.days[checks], self.platforms, self.named[:, checks])
        platforms = [platform for platform, is_kept in zip(self.platforms, cells, strict=True) if is_kept]
        return Checks(self.days[checks], platforms, self.named[cells, checks])


class PeriodChange(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers name a brand at the end of a period, and at its beginning, over matched cells."""

    checks: int
    """The number of checks that each of the two ends has."""
    cells: int
    before: int
    before_answers: int
    now: int
    now_answers: int
    p: float

    @property
    def points(self) -> float:
        return 100 * (self.now / self.now_answers - self.before / self.before_answers)

    @property
    def is_large(self) -> bool:
        """Return whether the change is at least five points and three answers in each check (metrics 3.3)."""
        return is_large(self.points / 100, self.now_answers / self.checks)


class TestedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change of one subject over one period, with its tier."""

    subject: Subject
    name: str
    """The brand, the key of the platform or the id of the prompt."""
    period: Period
    change: PeriodChange
    tier: Tier


def find_period_changes(brands: Mapping[str, Checks], prompts: Sequence[str]) -> list[TestedChange]:
    """Test all brands, and the first of them by platform and by prompt, over each period that has enough checks.

    `prompts` are the prompts of the cells. The brands have the same cells and checks.
    """
    own = next(iter(brands.values()))
    if len(own.days) < MIN_CHECKS["last_check"]:
        return []
    families: list[dict[tuple[Subject, str], Checks]] = [
        {("brand", name): checks for name, checks in brands.items()},
        {
            **{
                ("platform", name): own.select(_find_cells(own.platforms, name))
                for name in dict.fromkeys(own.platforms)
            },
            **{("prompt", name): own.select(_find_cells(prompts, name)) for name in dict.fromkeys(prompts)},
        },
    ]
    spreads = estimate_check_spreads(brands.values())
    # The last check must not explain itself: what it lost on a platform would pass for the spread of its days.
    earlier = estimate_check_spreads([each.select(checks=slice(0, -1)) for each in brands.values()])
    found = []
    for period in DAYS:
        checks = select_period(own.days, period)
        if checks is None:
            continue
        for family in families:
            found += _test_family(
                {key: each.select(checks=checks) for key, each in family.items()},
                period,
                earlier if period == "last_check" else spreads,
            )
    return found


def _test_family(
    family: Mapping[tuple[Subject, str], Checks], period: Period, spreads: Mapping[str, float]
) -> list[TestedChange]:
    changes = {key: change for key, each in family.items() if (change := measure_change(each, spreads)) is not None}
    p_values = [change.p for change in changes.values()]
    tiers: dict[tuple[Subject, str], Tier] = {}
    rates: tuple[tuple[Tier, float], ...] = (("watch", WATCH_RATE), ("clear", CLEAR_RATE))
    for tier, rate in rates:
        for (key, change), is_selected in zip(changes.items(), select_discoveries(p_values, rate=rate), strict=True):
            if is_selected and change.is_large:
                tiers[key] = tier
    return [
        TestedChange(subject=key[0], name=key[1], period=period, change=change, tier=tiers.get(key, "rest"))
        for key, change in changes.items()
    ]


def select_period(days: Sequence[float], period: Period) -> slice | None:
    """Return the checks of a period that ends with the last one; None if there are too few of them."""
    if period == "last_check":
        first = len(days) - 2
    else:
        begin = days[-1] - DAYS[period] - GRACE_DAYS
        first = next(place for place, day in enumerate(days) if day >= begin)
    return slice(first, len(days)) if first >= 0 and len(days) - first >= MIN_CHECKS[period] else None


def estimate_check_spreads(brands: Iterable[Checks]) -> dict[str, float]:
    """Return the spread of the days of each platform, from what all brands lost and gained from check to check."""
    changes: dict[str, list[Flips]] = {}
    for brand in brands:
        for platform, flips in list_flips(brand).items():
            changes.setdefault(platform, []).extend(flips)
    return estimate_spreads(changes, usual=USUAL_SPREAD)


def list_flips(checks: Checks) -> dict[str, list[Flips]]:
    """Count the cells lost and gained on each platform, from each check to the next."""
    before, now = checks.named[:, :-1], checks.named[:, 1:]
    lost, gained = (before == 1) & (now == 0), (before == 0) & (now == 1)
    found = {}
    for platform in dict.fromkeys(checks.platforms):
        own = _find_cells(checks.platforms, platform)
        found[platform] = [
            Flips(*pair) for pair in zip(lost[own].sum(axis=0).tolist(), gained[own].sum(axis=0).tolist(), strict=True)
        ]
    return found


def measure_change(checks: Checks, spreads: Mapping[str, float]) -> PeriodChange | None:
    """Test for a change over these checks. None without a matched cell."""
    import numpy as np  # heavy, and needed only after a Full Check

    total = len(checks.days)
    size = -(-total // 3)
    valid = ~np.isnan(checks.named)
    matched = (valid.sum(axis=1) * 2 > total) & valid[:, :size].any(axis=1) & valid[:, -size:].any(axis=1)
    if not matched.any():
        return None
    own = checks.select(matched)
    before, now = own.named[:, :size], own.named[:, -size:]
    return PeriodChange(
        checks=size,
        cells=int(matched.sum()),
        before=int(np.nansum(before)),
        before_answers=int((~np.isnan(before)).sum()),
        now=int(np.nansum(now)),
        now_answers=int((~np.isnan(now)).sum()),
        p=_find_pair_p(own, spreads) if total == 2 else find_trend_p(own, spreads),
    )


def _find_pair_p(pair: Checks, spreads: Mapping[str, float]) -> float:
    return find_flip_p(
        [
            msgspec.structs.replace(flips, spread=spreads.get(platform, USUAL_SPREAD))
            for platform, (flips,) in list_flips(pair).items()
        ]
    )


def find_trend_p(checks: Checks, spreads: Mapping[str, float]) -> float:
    """Return the two-sided p of the slope through the checks, each cell measured from its own mean.

    Without a trend the answers of a cell could stand in any order. That gives the variance of the slope by chance.
    A day of a platform moves all its cells together, each in proportion to its variance, and adds its own variance.
    """
    import numpy as np  # heavy, and needed only after a Full Check

    valid = ~np.isnan(checks.named)
    number = valid.sum(axis=1, keepdims=True)
    answers = np.where(valid, checks.named, 0.0)
    times = np.where(valid, np.asarray(checks.days, dtype=float), 0.0)
    steps = np.where(valid, times - times.sum(axis=1, keepdims=True) / number, 0.0)
    means = answers.sum(axis=1, keepdims=True) / number
    variances = (np.where(valid, answers - means, 0.0) ** 2).sum(axis=1) / np.maximum(number[:, 0] - 1, 1)
    slope = float((steps * answers).sum())
    variance = float((variances[:, None] * steps**2).sum())
    for platform in dict.fromkeys(checks.platforms):
        own = _find_cells(checks.platforms, platform)
        moved = (variances[own, None] * steps[own]).sum(axis=0)
        variance += spreads.get(platform, USUAL_SPREAD) ** 2 * float((moved**2).sum())
    return math.erfc(abs(slope) / math.sqrt(2 * variance)) if variance else 1.0


def _find_cells(names: Sequence[str], name: str) -> Any:
    import numpy as np  # heavy, and needed only after a Full Check

    return np.array([each == name for each in names])
