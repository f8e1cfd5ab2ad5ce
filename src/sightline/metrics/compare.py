"""Is a change real? Matched cells, paired (metrics 3.3). When two results may be compared at all is in `trend.py`."""

import math
import random
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Literal

import msgspec

from sightline.metrics.intervals import Interval, Z
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_unbranded
from sightline.metrics.visibility import value_answer

Verdict = Literal["up", "down", "no_clear_change"]

SIGNIFICANT_BELOW = 0.05
LEAST_CELLS = 3
LEAST_SHARE = 0.05
EXACT_UP_TO = 12
DRAWS = 9_999
# Fixed, so that the same two checks give the same p today and next year.
_SEED = 20_260_101
# Sums of the same numbers in another order differ by less, real differences by more.
_HAIR = 1e-9


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """At full precision, in the unit of the metric (percentage points or a count)."""

    matched_cells: int
    gained: int
    lost: int
    delta: float
    interval: Interval
    p: float
    verdict: Verdict


def match_cells(before: Sequence[Observation], now: Sequence[Observation]) -> list[tuple[Observation, Observation]]:
    """The cells with a valid headline answer on both sides. Only they can say that something changed."""
    earlier = {answer.cell: answer for answer in select_unbranded(before).answers}
    return [(earlier[answer.cell], answer) for answer in select_unbranded(now).answers if answer.cell in earlier]


def compare_coverage(before: Sequence[Observation], now: Sequence[Observation]) -> Change | None:
    """None without a matched cell."""
    differences = _differences(before, now, lambda answer: float(answer.mentioned))
    return _compare_flips(differences, scale=100) if differences else None


def compare_mentions(before: Sequence[Observation], now: Sequence[Observation]) -> Change | None:
    """The same cells and the same test as for coverage; the delta is a number of answers."""
    differences = _differences(before, now, lambda answer: float(answer.mentioned))
    return _compare_flips(differences, scale=len(differences)) if differences else None


def compare_visibility(before: Sequence[Observation], now: Sequence[Observation]) -> Change | None:
    differences = _differences(before, now, value_answer)
    return _change(differences, find_sign_flip_p(differences), scale=100) if differences else None


def compare_flips(lost: int, gained: int, cells: int) -> Change:
    """From counts alone, in percentage points."""
    return _compare_flips([-1.0] * lost + [1.0] * gained + [0.0] * (cells - lost - gained), scale=100)


def find_mcnemar_p(lost: int, gained: int) -> float:
    """Exact and two-sided, in whole numbers until the last division: min(1, 2·P(Bin(l + g, 1/2) <= min(l, g)))."""
    flips = lost + gained
    tail = sum(math.comb(flips, index) for index in range(min(lost, gained) + 1))
    return min(1.0, 2 * tail / (1 << flips))


def find_sign_flip_p(differences: Sequence[float]) -> float:
    """Two-sided: how often random signs give a sum as far from 0 as the one seen.

    Only the sizes matter, and they are sorted: neither the order of cells nor the direction of the change can move p.
    """
    sizes = sorted(abs(difference) for difference in differences if abs(difference) > _HAIR)
    seen = abs(math.fsum(differences)) - _HAIR
    if len(sizes) <= EXACT_UP_TO:
        sums = [0.0]
        for size in sizes:
            sums = [total + sign for total in sums for sign in (size, -size)]
        return sum(abs(total) >= seen for total in sums) / len(sums)
    return (1 + _count_extreme_draws(sizes, seen)) / (1 + DRAWS)


def find_paired_interval(differences: Sequence[float]) -> Interval:
    """The mean difference give or take z standard errors, as shares; for flips SE = sqrt(l + g - (l - g)²/n)/n."""
    cells = len(differences)
    total = math.fsum(differences)
    squares = math.fsum(difference * difference for difference in differences)
    half = Z * math.sqrt(max(0.0, squares - total * total / cells)) / cells
    return Interval(max(-1.0, total / cells - half), min(1.0, total / cells + half))


def judge_change(share: float, cells: int, p: float) -> Verdict:
    """Established and large enough to matter, else "No clear change", which is never coloured."""
    large = abs(share) >= max(LEAST_CELLS / cells, LEAST_SHARE) - _HAIR
    if p >= SIGNIFICANT_BELOW or not large:
        return "no_clear_change"
    return "up" if share > 0 else "down"


def find_cells_for_power(share: float, *, flipping: float = 0.25, power: float = 0.8) -> int:
    """Cells needed to see a change of this size, when so many cells flip anyway (Connor's formula; 3.4)."""
    beta = NormalDist().inv_cdf(power)
    return math.ceil((Z * math.sqrt(flipping) + beta * math.sqrt(flipping - share**2)) ** 2 / share**2)


def _differences(
    before: Sequence[Observation], now: Sequence[Observation], worth: Callable[[Observation], float]
) -> list[float]:
    return [worth(later) - worth(earlier) for earlier, later in match_cells(before, now)]


def _compare_flips(differences: Sequence[float], *, scale: float) -> Change:
    lost, gained = sum(step < 0 for step in differences), sum(step > 0 for step in differences)
    return _change(differences, find_mcnemar_p(lost, gained), scale=scale)


def _change(differences: Sequence[float], p: float, *, scale: float) -> Change:
    cells = len(differences)
    share = math.fsum(differences) / cells
    return Change(
        matched_cells=cells,
        gained=sum(step > _HAIR for step in differences),
        lost=sum(step < -_HAIR for step in differences),
        delta=share * scale,
        interval=find_paired_interval(differences).scaled(scale),
        p=p,
        verdict=judge_change(share, cells, p),
    )


def _count_extreme_draws(sizes: Sequence[float], seen: float) -> int:
    """Python's own generator gives the bits, for its stream is promised to stay; numpy only does the sums."""
    import numpy as np

    draw = random.Random(_SEED)  # noqa: S311  a reproducible test, no secret
    weights = np.asarray(sizes)
    width = -(-len(sizes) // 8)
    extreme, left = 0, DRAWS
    while left:
        rows = min(left, 1_000)
        bits = np.frombuffer(draw.randbytes(rows * width), dtype=np.uint8).reshape(rows, width)
        signs = np.unpackbits(bits, axis=1, count=len(sizes)) * 2.0 - 1.0
        extreme += int((np.abs(signs @ weights) >= seen).sum())
        left -= rows
    return extreme
