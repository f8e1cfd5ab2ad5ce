"""How figures leave the house: the one place where they are rounded. Nothing is ever computed from these."""

import msgspec

from sightline.kit.rounding import round_half_away
from sightline.metrics.compare import Change, Verdict
from sightline.metrics.intervals import Interval
from sightline.metrics.measure import Measure
from sightline.metrics.position import Standing
from sightline.metrics.trend import Reason

Number = float | int

VERDICT_WORDS: dict[Verdict, str] = {"up": "Up", "down": "Down", "no_clear_change": "No clear change"}


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """The outward shape of a metric. A value that was not measured is null, never 0."""

    value: Number | None
    low: Number | None
    high: Number | None
    n: int
    numerator: Number | None
    denominator: Number | None
    early_reading: bool
    incomplete: bool


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The outward shape of a change: the plain counts, how sure it is, and one verdict."""

    against_scan_id: str
    trend_only: bool
    reasons: tuple[Reason, ...]
    matched_cells: int
    gained: int
    lost: int
    delta: Number
    low: Number
    high: Number
    p: float
    verdict: Verdict


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
