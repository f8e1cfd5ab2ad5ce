"""How figures leave the house: the one place where they are rounded. Nothing is ever computed from these."""

from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.kit.rounding import round_half_away
from sightline.metrics.compare import Change, Verdict
from sightline.metrics.intervals import Interval
from sightline.metrics.measure import Measure
from sightline.metrics.position import Standing
from sightline.metrics.trend import Reason

Number = float | int


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A metric with its interval and what it is based on. A value that was not measured is null, never 0."""

    value: Annotated[Number | None, Meta(description="Value of the metric. Null if it was not measured.")]
    low: Annotated[Number | None, Meta(description="Lower end of the 95% interval. Null if there is no interval.")]
    high: Annotated[Number | None, Meta(description="Upper end of the 95% interval. Null if there is no interval.")]
    n: Annotated[int, Meta(description="Number of answers that the value is based on.")]
    numerator: Annotated[Number | None, Meta(description="What was counted. Null if the value is not a quotient.")]
    denominator: Annotated[
        Number | None, Meta(description="What the count is divided by. Null if the value is not a quotient.")
    ]
    early_reading: Annotated[
        bool, Meta(description="Whether the value is based on so few answers that it may still change a lot.")
    ]
    incomplete: Annotated[bool, Meta(description="Whether answers failed that the value should be based on.")]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a metric: plain counts, how certain it is, and one verdict."""

    against_scan_id: Annotated[str, Meta(description="Scan that the figure is compared with.")]
    trend_only: Annotated[
        bool,
        Meta(description="Whether the change is directional rather than exact, because more than the answers differs."),
    ]
    reasons: Annotated[tuple[Reason, ...], Meta(description="What differs other than the answers.")]
    matched_cells: Annotated[int, Meta(description="Number of cells with a valid answer in both scans.")]
    gained: Annotated[int, Meta(description="Number of cells that name the brand now and did not before.")]
    lost: Annotated[int, Meta(description="Number of cells that named the brand before and do not now.")]
    delta: Annotated[Number, Meta(description="Change over the matched cells.")]
    low: Annotated[Number, Meta(description="Lower end of the 95% interval of the change.")]
    high: Annotated[Number, Meta(description="Upper end of the 95% interval of the change.")]
    p: Annotated[float, Meta(description="Probability that chance alone causes a change this large.")]
    verdict: Annotated[Verdict, Meta(description="`up`, `down` or `no_clear_change`.")]


def show_number(value: float | None, digits: int = 1) -> Number | None:
    """One decimal, half away from zero. A whole count stays whole.

    The last bits of binary arithmetic go first: a sum that should be 46.25 and came out as 46.249999999999993 is the
    tie that people see.
    """
    if value is None or isinstance(value, int):
        return value
    return round_half_away(round(value, 9), digits)


def show_measure(measure: Measure) -> Figure:
    low, high = _ends(measure.interval)
    return Figure(
        value=show_number(measure.value),
        low=low,
        high=high,
        n=measure.n,
        # Four decimals let a reader divide again and get the value; one would not.
        numerator=show_number(_whole(measure.numerator), 4),
        denominator=show_number(_whole(measure.denominator), 4),
        early_reading=measure.early_reading,
        incomplete=measure.incomplete,
    )


def show_market(measure: Measure) -> tuple[Number | None, Number | None]:
    """The market interval, for the detail of a figure."""
    return _ends(measure.market)


def show_position(standing: Standing | None) -> Figure:
    """The position with its range for an interval, and "of n" for a denominator."""
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
    )


def show_change(change: Change | None, *, against_scan_id: str, reasons: tuple[Reason, ...] = ()) -> Comparison | None:
    """Null without a matched cell: there is then nothing to compare."""
    if change is None:
        return None
    return Comparison(
        against_scan_id=against_scan_id,
        trend_only=bool(reasons),
        reasons=reasons,
        matched_cells=change.matched_cells,
        gained=change.gained,
        lost=change.lost,
        delta=_shown(change.delta),
        low=_shown(change.interval.low),
        high=_shown(change.interval.high),
        p=round_half_away(round(change.p, 9), 4),
        verdict=change.verdict,
    )


def _ends(interval: Interval | None) -> tuple[Number | None, Number | None]:
    return (None, None) if interval is None else (show_number(interval.low), show_number(interval.high))


def _shown(value: float) -> float:
    return round_half_away(round(value, 9))


def _whole(value: float) -> float:
    """Sums of counts come as floats; people know them as whole numbers."""
    return int(value) if float(value).is_integer() else value
