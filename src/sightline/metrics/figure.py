"""Figures as people and the API see them: the only place where they are rounded.

Nothing is ever computed from a rounded figure.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.kit.rounding import round_half_away
from sightline.metrics.compare import Change, Verdict
from sightline.metrics.intervals import Interval
from sightline.metrics.measure import Measure
from sightline.metrics.position import Standing
from sightline.metrics.trend import REASONS_MEANING, Reason

Number = float | int
INCOMPLETE_MEANING = (
    "Whether more than 20% of the answers failed or are missing, overall or on one platform. Cases in which a platform "
    "showed no AI answer (`no_surface`) are left out."
)
VISIBILITY_SCORE_MEANING = (
    "Visibility Score, 0 to 100: how often and how early answers name the brand, and how often they cite it"
)


class Range(msgspec.Struct, frozen=True):
    """A range of values."""

    low: Annotated[Number, Meta(description="Lower end of the range.")]
    high: Annotated[Number, Meta(description="Upper end of the range.")]


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A metric with its two ranges and its number of answers. A value that was not measured is null, never 0."""

    value: Annotated[Number | None, Meta(description="Value of the metric. Null if it was not measured.")]
    low: Annotated[
        Number | None,
        Meta(
            description="Lower end of the 95% range, in which the value would lie if the same prompts were asked "
            "again. Null if there is no range."
        ),
    ]
    high: Annotated[
        Number | None,
        Meta(description="Upper end of the 95% range. Null if there is no range."),
    ]
    n: Annotated[int, Meta(description="Number of answers that the value is based on.")]
    numerator: Annotated[
        Number | None,
        Meta(
            description="Numerator of a share, such as the number of answers that name the brand. For the Visibility "
            "Score, the sum of the scores of the answers, each from 0 to 1. For a count, the count itself. Null for a "
            "rank."
        ),
    ]
    denominator: Annotated[
        Number | None,
        Meta(
            description="Denominator of a share. For the Visibility Score and for a count, the number of valid "
            "answers. For a rank, the number of ranked brands, or null without a ranking."
        ),
    ]
    early_reading: Annotated[
        bool, Meta(description="Whether the value is based on fewer than ten prompts, so it is uncertain.")
    ]
    incomplete: Annotated[
        bool,
        Meta(
            description="Whether more than 20% of the answers for the value failed or are missing, in total or on one "
            "platform. Cases without an AI answer (`no_surface`) are left out."
        ),
    ]
    prompts: Annotated[
        int | None,
        Meta(
            description="Number of prompts that the value is based on. Null for a rank without competitors, "
            "and in results with `metrics_version` 1."
        ),
    ] = None
    market: Annotated[
        Range | None,
        Meta(
            description="95% range in which the value would lie if other, similar prompts were asked. At least as wide "
            "as the range from `low` to `high`. Null with fewer than five prompts, for figures without such a range "
            "(such as counts), and in results with `metrics_version` 1."
        ),
    ] = None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a metric: counts, certainty and a verdict."""

    against_scan_id: Annotated[str, Meta(description="Check that the figure is compared with.")]
    trend_only: Annotated[
        bool,
        Meta(
            description="Whether the change shows a direction only, because the two checks were not measured in "
            "the same way."
        ),
    ]
    reasons: Annotated[
        tuple[Reason, ...],
        Meta(description=f"Why the two checks were not measured in the same way. {REASONS_MEANING}"),
    ]
    matched_cells: Annotated[
        int,
        Meta(
            description="Number of matched cells. A cell is one prompt on one platform. It is matched if it has a "
            "valid answer in both checks."
        ),
    ]
    gained: Annotated[
        int,
        Meta(
            description="Number of matched cells whose value rose. For `brand_coverage_pct` and `ai_mentions`: they "
            "name the brand now and did not before. For `citation_count`: they cite more pages of the brand. For "
            "`share_of_voice_pct`: the brand has a larger share of their mentions. For `visibility_score` and "
            "`market_position`: they add more to the Visibility Score."
        ),
    ]
    lost: Annotated[int, Meta(description="Number of matched cells whose value fell; see `gained`.")]
    delta: Annotated[
        Number,
        Meta(
            description="Change over the matched cells, in the unit of the metric. For `market_position`, it is "
            "in places: a negative number means a better rank. Share of Voice and Market Position "
            "are compared over the competitors that both checks measured."
        ),
    ]
    low: Annotated[Number, Meta(description="Lower end of the 95% interval of the change.")]
    high: Annotated[Number, Meta(description="Upper end of the 95% interval of the change.")]
    p: Annotated[float, Meta(description="Probability that chance alone causes a change at least this large.")]
    verdict: Annotated[
        Verdict,
        Meta(
            description="`up`, `down` or `no_clear_change`. For `market_position`, `up` is a better rank, with a "
            "negative `delta`."
        ),
    ]


def round_value(value: float | None, digits: int = 1) -> Number | None:
    """Round to one decimal, half away from zero. An integer stays as it is.

    The last bits of binary arithmetic are removed first: a sum that should be 46.25 and came out as 46.249999999999993
    is the tie that people see.
    """
    if value is None or isinstance(value, int):
        return value
    return round_half_away(round(value, 9), digits)


def to_figure(measure: Measure) -> Figure:
    low, high = _round_ends(measure.interval)
    return Figure(
        value=round_value(measure.value),
        low=low,
        high=high,
        n=measure.n,
        # With four decimals a reader can divide again and get the value; with one they could not.
        numerator=round_value(_to_int_if_whole(measure.numerator), 4),
        denominator=round_value(_to_int_if_whole(measure.denominator), 4),
        early_reading=measure.early_reading,
        incomplete=measure.incomplete,
        prompts=measure.prompts,
        market=_to_range(measure.market),
    )


def to_position_figure(standing: Standing | None) -> Figure:
    """Return the position, with its range as the interval and the number of brands as the denominator."""
    ranked = standing is not None and standing.position is not None
    return Figure(
        value=standing.position if standing else None,
        low=standing.best if standing and ranked else None,
        high=standing.worst if standing and ranked else None,
        n=standing.score.n if standing else 0,
        numerator=None,
        denominator=standing.of if standing else None,
        early_reading=bool(standing and standing.score.early_reading),
        incomplete=bool(standing and standing.score.incomplete),
        prompts=standing.score.prompts if standing else None,
        market=Range(*standing.market) if standing and standing.market and ranked else None,
    )


def to_comparison(
    change: Change | None, *, against_scan_id: str, reasons: tuple[Reason, ...] = ()
) -> Comparison | None:
    """Return a rounded comparison. None without a matched cell, as there is nothing to compare."""
    if change is None:
        return None
    return Comparison(
        against_scan_id=against_scan_id,
        trend_only=bool(reasons),
        reasons=reasons,
        matched_cells=change.matched_cells,
        gained=change.gained,
        lost=change.lost,
        delta=_round(change.delta),
        low=_round(change.interval.low),
        high=_round(change.interval.high),
        p=round_half_away(round(change.p, 9), 4),
        verdict=change.verdict,
    )


def _round_ends(interval: Interval | None) -> tuple[Number | None, Number | None]:
    return (None, None) if interval is None else (round_value(interval.low), round_value(interval.high))


def _to_range(interval: Interval | None) -> Range | None:
    return None if interval is None else Range(_round(interval.low), _round(interval.high))


def _round(value: float) -> float:
    return round_half_away(round(value, 9))


def _to_int_if_whole(value: float) -> float:
    """Return an int for a float that is a whole number: sums of counts come as floats."""
    return int(value) if float(value).is_integer() else value
