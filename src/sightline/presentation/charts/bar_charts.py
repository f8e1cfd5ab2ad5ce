"""Bar charts: a figure by platform, Share of Voice by brand, and API requests by day."""

from collections.abc import Sequence
from datetime import date
from typing import Protocol

import msgspec

from sightline.metrics.figure import Figure, Number
from sightline.presentation.charts.locale import axis_day_format
from sightline.presentation.charts.spec import Spec, frame_chart, name_axis, rows_height
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import NOT_MEASURED, add_unit, format_number, format_percent
from sightline.presentation.palette import LIGHT, Palette
from sightline.presentation.phrases import count_answers
from sightline.presentation.ranges import format_figure

_ROW_HEIGHT = 30
_MAX_NAME_WIDTH = 104


class PlatformFigure(msgspec.Struct, frozen=True):
    """A figure on one platform, with the platform's name for the tip and its short name for the axis."""

    name: str
    short_name: str
    figure: Figure


class BrandShare(Protocol):
    """The Share of Voice of one brand."""

    @property
    def name(self) -> str: ...
    @property
    def is_own(self) -> bool: ...
    @property
    def share_of_voice_pct(self) -> Number | None: ...


class DailyRequests(Protocol):
    """The API requests of one day."""

    @property
    def day(self) -> date: ...
    @property
    def requests(self) -> int: ...
    @property
    def errors(self) -> int: ...


def build_platform_chart(platforms: Sequence[PlatformFigure], unit: str, palette: Palette = LIGHT) -> Spec:
    """Build a bar for each platform, with its interval as a whisker and its value at the end."""
    rows = [_build_platform_row(each, unit) for each in platforms]
    highest = max((row["end"] for row in rows), default=0) or 1
    y = name_axis(rows, _MAX_NAME_WIDTH)
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, highest * 1.22], "nice": False},  # room for the value at the end of the bar
        "axis": {"title": None, "tickCount": 4, "labelExpr": _label_up_to(highest)},
    }
    tip = {"tooltip": {"field": "tip", "type": "nominal"}}
    whiskers = {"data": {"name": "ranged"}}
    ranged = [{end: row[end] for end in ("name", "low", "high")} for row in rows if row["low"] is not None]
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
    height = rows_height(rows, _ROW_HEIGHT)
    return frame_chart(
        palette,
        {"datasets": {"all": rows, "ranged": ranged}, "data": {"name": "all"}, "height": height, "layer": layers},
    )


def _label_up_to(highest: float) -> str:
    """Return the labels of an axis without those above 100 that no value reaches: scores and shares end there."""
    return f"datum.value > {max(highest, 100)} ? '' : datum.label"


def _build_platform_row(platform: PlatformFigure, unit: str) -> Spec:
    figure = platform.figure
    has_interval = figure.value is not None and figure.low is not None and figure.high is not None
    value = gettext("not measured") if figure.value is None else format_figure(figure, unit)
    return {
        "name": platform.short_name,
        "value": figure.value,
        "low": figure.low if has_interval else None,
        "high": figure.high if has_interval else None,
        "end": (figure.high if has_interval else figure.value) or 0,
        "label": NOT_MEASURED if figure.value is None else add_unit(format_number(figure.value), unit),
        "tip": f"{platform.name}: {value}\n{count_answers(figure.n)}",
    }


def describe_platforms(platforms: Sequence[PlatformFigure]) -> str:
    """Describe the finding of the chart in one sentence. At least one platform must have a value."""
    measured = [each for each in platforms if each.figure.value is not None]
    best, worst = (pick(measured, key=lambda each: each.figure.value or 0) for pick in (max, min))
    return gettext(
        "Highest on %(best)s with %(highest)s, lowest on %(worst)s with %(lowest)s.",
        best=best.name,
        highest=format_figure(best.figure),
        worst=worst.name,
        lowest=format_figure(worst.figure),
    )


def build_share_of_voice_chart(brands: Sequence[BrandShare], palette: Palette = LIGHT) -> Spec:
    """Build a bar for the share of each brand in all mentions, with the measured brand in the accent color."""
    rows = [_build_share_row(brand) for brand in brands if brand.share_of_voice_pct is not None]
    rows.sort(key=lambda row: -row["value"])
    base: Spec = {
        "y": name_axis(rows),
        "x": {
            "field": "value",
            "type": "quantitative",
            "scale": {"domain": [0, max([10.0, *(row["value"] * 1.3 for row in rows)])]},
            "axis": {"title": gettext("Share of all mentions, %%"), "tickCount": 5, "labelExpr": _label_up_to(100)},
        },
    }
    color = {"condition": {"test": "datum.own", "value": palette.own}, "value": palette.other}
    bars = {
        "mark": {"type": "bar", "height": {"band": 0.62}},
        "encoding": {**base, "color": color, "tooltip": {"field": "tip", "type": "nominal"}},
    }
    labels = {
        "mark": {"type": "text", "align": "left", "dx": 4, "color": palette.ink, "fontSize": 12},
        "encoding": {**base, "text": {"field": "label", "type": "nominal"}},
    }
    return frame_chart(palette, {"data": {"values": rows}, "height": rows_height(rows), "layer": [bars, labels]})


def _build_share_row(brand: BrandShare) -> Spec:
    label = format_percent(brand.share_of_voice_pct)
    tip = f"{brand.name}: {label}\n" + gettext("of all mentions of tracked brands")
    return {"name": brand.name, "value": brand.share_of_voice_pct, "label": label, "own": brand.is_own, "tip": tip}


def build_request_chart(days: Sequence[DailyRequests], palette: Palette = LIGHT) -> Spec:
    """Build a bar for each day; the requests that were refused or failed are its darker lower part."""
    rows = [
        {
            "day": each.day.isoformat(),
            "requests": each.requests,
            "errors": each.errors,
            "tip": f"{format_short_date(each.day)}: {_count_requests(each.requests)}\n{_count_errors(each.errors)}",
        }
        for each in days
    ]
    x: Spec = {
        "field": "day",
        "type": "ordinal",
        "timeUnit": "utcyearmonthdate",
        "axis": {
            "title": None,
            "format": axis_day_format(),
            "values": [row["day"] for row in rows[::-7]],
            "labelAngle": 0,
        },
    }
    highest = max((each.requests for each in days), default=0)
    y: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, max(highest, 4)], "nice": True},
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


def _count_requests(number: int) -> str:
    return ngettext("%(number)s request", "%(number)s requests", number, number=format_number(number))


def _count_errors(number: int) -> str:
    return ngettext(
        "%(number)s response with status 400 or above",
        "%(number)s responses with status 400 or above",
        number,
        number=format_number(number),
    )
