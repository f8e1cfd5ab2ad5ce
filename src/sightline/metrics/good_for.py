"""What a figure is good for, by the width of its range for questions like these, and what would lift it.

A difference between two such figures is clear from about 1.4 half-widths on. So a decision-grade figure shows a
difference of about 4 points, a directional one of about 11, and an exploratory one only larger ones.
"""

import math
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.kit.rounding import round_half_away
from sightline.metrics.figure import Figure
from sightline.metrics.intervals import EARLY_BELOW_PROMPTS
from sightline.metrics.metric import Metric

Grade = Literal["exploratory", "directional", "decision_grade"]
# The most half-width of each grade, as a part of the scale of the metric: 3 and 8 points of a share.
_MOST: tuple[tuple[Grade, float], ...] = (("decision_grade", 0.03), ("directional", 0.08))
# The most places that a rank may range over, besides its own.
_MOST_PLACES: tuple[tuple[Grade, int], ...] = (("decision_grade", 0), ("directional", 1))
_STEP = 5  # prompts: what is missing is an estimate


class GoodFor(msgspec.Struct, frozen=True, kw_only=True):
    """What a figure is good for."""

    grade: Annotated[
        Grade,
        Meta(
            description="`decision_grade` if half the width of `market` is at most 3 points (6 for net sentiment), "
            "`directional` up to 8 points (16), else `exploratory`, as with fewer than ten prompts. For a rank: its "
            "own place only, one more place, or more."
        ),
    ]
    half_width: Annotated[
        float | None, Meta(description="Half the width of `market`, in points; for a rank, in places. Null without it.")
    ]
    more_prompts: Annotated[
        int | None,
        Meta(
            description="About how many more prompts would lift the figure to the next grade. Null for "
            "`decision_grade` and for a rank."
        ),
    ]


def judge_figure(metric: Metric, figure: Figure) -> GoodFor | None:
    """Return what a figure is good for; None for a metric without a range for questions like these, or without value.

    The prompts that are missing are estimated from the width, which shrinks with the root of their number.
    """
    if not metric.market_interval or figure.value is None:
        return None
    half = None if figure.market is None else (figure.market.high - figure.market.low) / 2
    if metric.unit == "position":
        places = math.inf if half is None else 2 * half
        ranked: Grade = next((grade for grade, most in _MOST_PLACES if places <= most), "exploratory")
        return GoodFor(grade=_cap(ranked, figure), half_width=half, more_prompts=None)
    assert metric.scale is not None and metric.scale[1] is not None  # of a share or a score
    size = metric.scale[1] - metric.scale[0]
    grade: Grade = "exploratory"
    if half is not None:
        grade = _cap(next((each for each, part in _MOST if half <= part * size), "exploratory"), figure)
    return GoodFor(
        grade=grade,
        half_width=None if half is None else round_half_away(half),
        more_prompts=_count_missing_prompts(grade, half, size, figure.prompts or 0),
    )


def _cap(grade: Grade, figure: Figure) -> Grade:
    """Return the grade, or that of an early reading: the range of a few prompts is itself uncertain."""
    return "exploratory" if figure.early_reading else grade


def _count_missing_prompts(grade: Grade, half: float | None, size: int, prompts: int) -> int | None:
    if grade == "decision_grade":
        return None
    next_part = dict(_MOST)["directional" if grade == "exploratory" else "decision_grade"]
    needed = float(EARLY_BELOW_PROMPTS)
    if half is not None:
        needed = max(needed, prompts * (half / (next_part * size)) ** 2)
    return max(1, math.ceil((needed - prompts) / _STEP)) * _STEP
