"""Bars of pages: a figure by platform with its whiskers, and API requests by day."""

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from sightline.kit.counting import count
from sightline.metrics.figure import Figure
from sightline.reports.charts import Spec, frame_chart
from sightline.reports.palette import LIGHT, Palette
from sightline.reports.words import NOTHING, platform_name, say_number, say_range, short_platform_name

_ROW = 30
_NAMES = 104


class Day(Protocol):
    """What was asked with API keys on one day."""

    @property
    def day(self) -> date: ...
    @property
    def requests(self) -> int: ...
    @property
    def errors(self) -> int: ...


def chart_platforms(rows: Sequence[tuple[str, Figure]], unit: str, palette: Palette = LIGHT) -> Spec:
    """A bar for each platform, a whisker for its interval, and the value where both end."""
    values = [_platform_row(key, figure, unit) for key, figure in rows]
    most = max((row["end"] for row in values), default=0) or 1
    y: Spec = {
        "field": "name",
        "type": "nominal",
        "sort": [row["name"] for row in values],
        "axis": {"title": None, "labelLimit": _NAMES},
    }
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, most * 1.22], "nice": False},
        "axis": {"title": None, "tickCount": 4},
    }
    tip = {"tooltip": {"field": "tip", "type": "nominal"}}
    whiskers = {"data": {"name": "ranged"}}
    ranged = [{end: row[end] for end in ("name", "low", "high")} for row in values if row["low"] is not None]
    layers: list[Spec] = [
        {
            "mark": {"type": "bar", "height": {"band": 0.56}, "color": palette.own, "opacity": 0.32},
            "encoding": {"y": y, "x": {"field": "value", **x}, **tip},
        },
        {
            **whiskers,
            "mark": {"type": "rule", "color": palette.own, "strokeWidth": 2},
            "encoding": {"y": y, "x": {"field": "low", **x}, "x2": {"field": "high"}},
        },
        *(
            {
                **whiskers,
                "mark": {"type": "tick", "color": palette.own, "thickness": 2, "size": 10},
                "encoding": {"y": y, "x": {"field": end, **x}},
            }
            for end in ("low", "high")
        ),
        {
            "mark": {"type": "text", "align": "left", "dx": 6, "color": palette.ink, "fontSize": 12},
            "encoding": {"y": y, "x": {"field": "end", **x}, "text": {"field": "label", "type": "nominal"}},
        },
    ]
    size = _ROW * max(1, len(values))
    return frame_chart(
        palette,
        {"datasets": {"all": values, "ranged": ranged}, "data": {"name": "all"}, "height": size, "layer": layers},
    )


def _platform_row(key: str, figure: Figure, unit: str) -> Spec:
    ranged = figure.value is not None and figure.low is not None and figure.high is not None
    said = "not measured" if figure.value is None else say_value(figure, unit)
    return {
        "name": short_platform_name(key),
        "value": figure.value,
        "low": figure.low if ranged else None,
        "high": figure.high if ranged else None,
        "end": (figure.high if ranged else figure.value) or 0,
        "label": NOTHING if figure.value is None else f"{say_number(figure.value)}{unit}",
        "tip": f"{platform_name(key)}: {said}\n{count(figure.n, 'answer')}",
    }


def say_platforms(rows: Sequence[tuple[str, Figure]]) -> str:
    """The finding, for those who do not see the chart. At least one platform has a value."""
    measured = [(key, figure) for key, figure in rows if figure.value is not None]
    (best, high), (worst, low) = (pick(measured, key=lambda row: row[1].value or 0) for pick in (max, min))
    best, worst = platform_name(best), platform_name(worst)
    return f"Highest on {best} with {say_value(high)}, lowest on {worst} with {say_value(low)}."


def say_value(figure: Figure, unit: str = "") -> str:
    """With its interval, where it has one."""
    said = f"{say_number(figure.value)}{unit}"
    if figure.low is None or figure.high is None or figure.low == figure.high:
        return said
    return f"{said} ({say_range(figure.low, figure.high)})"


def chart_requests(days: Sequence[Day], palette: Palette = LIGHT) -> Spec:
    """A bar for each day; the part of it that was refused or failed stands at its foot, darker."""
    rows = [
        {
            "day": each.day.isoformat(),
            "requests": each.requests,
            "errors": each.errors,
            "tip": f"{each.day.day} {each.day:%b}: {count(each.requests, 'request')}\n"
            f"{count(each.errors, 'answer')} of 400 and above",
        }
        for each in days
    ]
    x: Spec = {
        "field": "day",
        "type": "ordinal",
        "timeUnit": "utcyearmonthdate",
        "axis": {"title": None, "format": "%-d %b", "values": [row["day"] for row in rows[::-7]], "labelAngle": 0},
    }
    most = max((each.requests for each in days), default=0)
    y: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, max(most, 4)], "nice": True},
        "axis": {"title": None, "tickCount": 4, "tickMinStep": 1, "format": ",d", "grid": True},
    }
    layers: list[Spec] = [
        {
            "mark": {"type": "bar", "color": palette.own, "opacity": 0.45, "width": {"band": 0.72}},
            "encoding": {"x": x, "y": {"field": "requests", **y}},
        },
        {
            "mark": {"type": "bar", "color": palette.alert, "width": {"band": 0.72}},
            "encoding": {"x": x, "y": {"field": "errors", **y}},
        },
        {
            "name": "touch-day",
            "mark": {"type": "bar", "opacity": 0},
            "encoding": {
                "x": x,
                "y": {"value": 0},
                "y2": {"value": 160},
                "tooltip": {"field": "tip", "type": "nominal"},
            },
        },
    ]
    return frame_chart(palette, {"data": {"values": rows}, "height": 160, "layer": layers})
