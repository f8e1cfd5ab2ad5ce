"""Whether a change is real: paired tests over matched cells (metrics 3.3).

`trend.py` decides whether two results may be compared at all.
"""

import math
import random
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Literal

import msgspec

from sightline.metrics.intervals import Interval, Z
from sightline.metrics.observation import Observation, is_same_surface
from sightline.metrics.panel import Panel, select_all, select_unbranded
from sightline.metrics.visibility import value_answer

Verdict = Literal["up", "down", "no_clear_change"]

SIGNIFICANT_BELOW = 0.05
MIN_CELLS = 3
MIN_SHARE = 0.05
EXACT_UP_TO = 12
DRAWS = 9_999
# Fixed, so that the same two scans give the same p today and next year.
_SEED = 20_260_101
# Sums of the same numbers in another order differ by less than this, real differences by more.
_EPSILON = 1e-9


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change at full precision, in the unit of the metric (percentage points or a count)."""

    matched_cells: int
    gained: int
    lost: int
    delta: float
    interval: Interval
    p: float
    verdict: Verdict


def match_cells(before: Sequence[Observation], now: Sequence[Observation]) -> list[tuple[Observation, Observation]]:
    """Return the cells with a valid headline answer of the same surface on both sides.

    Only they can show that something changed.
    """
    return _match_panels(select_unbranded(before), select_unbranded(now))


def compare_coverage(before: Sequence[Observation], now: Sequence[Observation]) -> Change | None:
    """Compare the coverage over matched cells. None without a matched cell."""
    differences = _differences(before, now, lambda answer: float(answer.mentioned))
    return _compare_flips(differences, scale=100) if differences else None


def compare_mentions(before: Sequence[Observation], now: Sequence[Observation]) -> Change | None:
    """Compare the mentions: same cells and test as for coverage, but the delta is a number of answers."""
    differences = _differences(before, now, lambda answer: float(answer.mentioned))
    return _compare_flips(differences, scale=len(differences)) if differences else None


def compare_visibility(before: Sequence[Observation], now: Sequence[Observation]) -> Change | None:
    differences = _differences(before, now, value_answer)
    if not differences:
        return None
    return build_change(differences, find_sign_flip_p(differences), scale=100, whole=len(differences))


def compare_citations(before: Sequence[Observation], now: Sequence[Observation]) -> Change | None:
    """Compare the citations over matched cells, branded prompts included; the delta is a number of cited pages."""
    pairs = _match_panels(select_all(before), select_all(now))
    differences = [float(len(later.cited_urls) - len(earlier.cited_urls)) for earlier, later in pairs]
    if not differences:
        return None
    # An answer may cite several pages, so the mean difference has no bound.
    return build_change(
        differences, find_sign_flip_p(differences), scale=len(differences), whole=len(differences), bound=math.inf
    )


def compare_flips(lost: int, gained: int, cells: int) -> Change:
    """Compare from counts alone, in percentage points."""
    return _compare_flips([-1.0] * lost + [1.0] * gained + [0.0] * (cells - lost - gained), scale=100)


def find_mcnemar_p(lost: int, gained: int) -> float:
    """Return the exact two-sided p: min(1, 2·P(Bin(l + g, 1/2) <= min(l, g))).

    It is computed in integers until the last division.
    """
    flips = lost + gained
    tail = sum(math.comb(flips, index) for index in range(min(lost, gained) + 1))
    return min(1.0, 2 * tail / (1 << flips))


def find_sign_flip_p(differences: Sequence[float]) -> float:
    """Return how often random signs give a sum as far from 0 as the observed one (two-sided).

    Only the sizes matter, and they are sorted: neither the order of cells nor the direction of the change affects p.
    """
    sizes = sorted(abs(difference) for difference in differences if abs(difference) > _EPSILON)
    observed = abs(math.fsum(differences)) - _EPSILON
    if len(sizes) <= EXACT_UP_TO:
        sums = [0.0]
        for size in sizes:
            sums = [total + sign for total in sums for sign in (size, -size)]
        return sum(abs(total) >= observed for total in sums) / len(sums)
    return (1 + _count_extreme_draws(sizes, observed)) / (1 + DRAWS)


def find_paired_interval(differences: Sequence[float]) -> Interval:
    """Return the mean difference ± z standard errors, as shares; for flips SE = sqrt(l + g - (l - g)²/n)/n."""
    return _find_interval(differences, len(differences), bound=1.0)


def _find_interval(differences: Sequence[float], whole: float, *, bound: float) -> Interval:
    total = math.fsum(differences)
    squares = math.fsum(difference * difference for difference in differences)
    half = Z * math.sqrt(max(0.0, squares - total * total / len(differences))) / whole
    return Interval(max(-bound, total / whole - half), min(bound, total / whole + half))


def find_verdict(share: float, cells: float, p: float) -> Verdict:
    """Return the direction of a change that is significant and large enough, else "no_clear_change"."""
    if p >= SIGNIFICANT_BELOW or not is_large(share, cells):
        return "no_clear_change"
    return "up" if share > 0 else "down"


def is_large(share: float, cells: float) -> bool:
    """Return whether a change is at least five points and three answers."""
    return abs(share) >= max(MIN_CELLS / cells, MIN_SHARE) - _EPSILON


def find_cells_for_power(share: float, *, flipping: float = 0.25, power: float = 0.8) -> int:
    """Return the cells needed to see a change of this size if this share flips anyway (Connor; 3.4)."""
    beta = NormalDist().inv_cdf(power)
    return math.ceil((Z * math.sqrt(flipping) + beta * math.sqrt(flipping - share**2)) ** 2 / share**2)


def _differences(
    before: Sequence[Observation], now: Sequence[Observation], value_of: Callable[[Observation], float]
) -> list[float]:
    return [value_of(later) - value_of(earlier) for earlier, later in match_cells(before, now)]


def _match_panels(before: Panel, now: Panel) -> list[tuple[Observation, Observation]]:
    earlier = {answer.cell: answer for answer in before.answers}
    return [
        (known, answer)
        for answer in now.answers
        if (known := earlier.get(answer.cell)) is not None and is_same_surface(known.surface, answer.surface)
    ]


def _compare_flips(differences: Sequence[float], *, scale: float) -> Change:
    lost, gained = sum(step < 0 for step in differences), sum(step > 0 for step in differences)
    return build_change(differences, find_mcnemar_p(lost, gained), scale=scale, whole=len(differences))


def build_change(differences: Sequence[float], p: float, *, scale: float, whole: float, bound: float = 1.0) -> Change:
    """Build the change of a figure from one difference for each cell.

    Their sum is divided by `whole`, which is the number of cells unless the figure is a share of something else.
    """
    share = math.fsum(differences) / whole
    return Change(
        matched_cells=len(differences),
        gained=sum(step > _EPSILON for step in differences),
        lost=sum(step < -_EPSILON for step in differences),
        delta=share * scale,
        interval=_find_interval(differences, whole, bound=bound).scaled(scale),
        p=p,
        verdict=find_verdict(share, whole, p),
    )


def _count_extreme_draws(sizes: Sequence[float], observed: float) -> int:
    """Count the random draws that are at least as extreme as the observed sum.

    The bits come from Python's own generator, whose stream is guaranteed to stay the same; numpy only adds.
    """
    import numpy as np  # heavy, and needed only for many matched cells

    draw = random.Random(_SEED)  # noqa: S311 - a reproducible test, no secret
    weights = np.asarray(sizes)
    width = -(-len(sizes) // 8)
    extreme, left = 0, DRAWS
    while left:
        rows = min(left, 1_000)
        bits = np.frombuffer(draw.randbytes(rows * width), dtype=np.uint8).reshape(rows, width)
        signs = np.unpackbits(bits, axis=1, count=len(sizes)) * 2.0 - 1.0
        extreme += int((np.abs(signs @ weights) >= observed).sum())
        left -= rows
    return extreme
