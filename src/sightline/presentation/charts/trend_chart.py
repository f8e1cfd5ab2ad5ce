"""The chart of a figure over time, on the Overview and in reports.

Full Checks are points in their interval band, Daily Checks a light line, competitors thin lines, and marks show where
something happened. Lines are straight, because nothing is known between two scans.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from sightline.kit.clock import Timestamp
from sightline.metrics.figure import Figure, Number
from sightline.presentation.charts.locale import axis_day_format
from sightline.presentation.charts.spec import Spec, frame_chart
from sightline.presentation.dates import format_date, to_utc_day
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import add_unit, format_number
from sightline.presentation.palette import LIGHT, Palette
from sightline.presentation.phrases import count_answers
from sightline.presentation.ranges import format_figure

# A longer trend is read by its lines: nobody points at a single day, and a tip for each would make the page heavy.
_MAX_TIPS = 120
_FULL_SOURCE = translatable("Full Check of %(date)s, %(answers)s")
_IMPORT_SOURCE = translatable("Imported week until %(date)s, %(answers)s")
_DAILY_SOURCE = translatable("Daily Check of %(date)s, %(answers)s")
_NAME_HEIGHT = 15  # of a name at the end of a line, in pixels
_AXIS_HEIGHT = 36  # of the days below the lines, in a chart that fills its place


class DatedFigure(msgspec.Struct, frozen=True):
    """A figure as one scan measured it."""

    at: Timestamp
    figure: Figure
    link: str = ""
    """Where a click on its point leads."""
    is_imported: bool = False
    """Whether it is a week of an imported history instead of a check."""


class CompetitorLine(msgspec.Struct, frozen=True):
    """The values of one competitor. `place` counts the measured competitors from 1, and decides the color.

    None is gray, and 0 the color of a competitor with a clear change.
    """

    name: str
    place: int | None
    values: tuple[tuple[Timestamp, Number], ...]


class TrendMark(msgspec.Struct, frozen=True):
    """Something that happened: an alert, or otherwise a new model on a platform or a completed action."""

    at: Timestamp
    words: str
    is_alert: bool = False
    label: str = ""
    """What is written next to the mark."""


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """What the chart shows of one metric."""

    brand: str
    unit: str = ""
    """`%` or empty."""
    is_rank: bool = False
    full: Sequence[DatedFigure]
    daily: Sequence[DatedFigure] = ()
    competitors: Sequence[CompetitorLine] = ()
    marks: Sequence[TrendMark] = ()
    breaks: Sequence[Timestamp] = ()
    """Where a new line starts, because what comes later does not compare with what was before."""


class TrendLayout(msgspec.Struct, frozen=True, kw_only=True):
    """How large the chart is, and what it shows apart from the data."""

    height: int
    width: int | None = None
    """None where the chart fills its place."""
    max_ticks: int
    percent_title: str | None = None
    """The title of a fixed scale from 0 to 100, which may be empty. With None the scale fits the data."""
    has_names: bool = True
    """Whether the lines have names at their ends."""


PAGE_LAYOUT = TrendLayout(height=260, max_ticks=7)


class _Plot(NamedTuple):
    x: Spec
    y: Spec
    top: Number
    height: int
    palette: Palette


def build_trend_chart(trend: Trend, layout: TrendLayout = PAGE_LAYOUT, palette: Palette = LIGHT) -> Spec:
    full = [
        _build_row(each, _IMPORT_SOURCE if each.is_imported else _FULL_SOURCE, trend)
        for each in trend.full
        if each.figure.value is not None
    ]
    daily = [_build_row(each, _DAILY_SOURCE, trend) for each in trend.daily if each.figure.value is not None]
    lines = [line for line in trend.competitors if line.values]
    competitors = [_build_competitor_rows(line, trend) for line in lines]
    if len(daily) > _MAX_TIPS:
        daily, competitors = _drop_tips(daily), [_drop_tips(rows) for rows in competitors]
    top = (
        100
        if layout.percent_title is not None
        else _find_top(trend, [*full, *daily, *(row for rows in competitors for row in rows)])
    )
    height = layout.height - (_AXIS_HEIGHT if layout.width is None else 0)
    plot = _Plot(_build_x_axis(full or daily, layout), _build_y_axis(trend, layout, top), top, height, palette)
    data = {"full": full, "daily": daily, **{f"rival-{place}": rows for place, rows in enumerate(competitors)}}
    value = {"x": plot.x, "y": {"field": "value", **plot.y}}
    band = {"x": plot.x, "y": {"field": "low", **plot.y}, "y2": {"field": "high"}}
    if trend.breaks:
        for row in (*full, *daily, *(row for rows in competitors for row in rows)):
            row["line"] = sum(at <= row["at"] for at in trend.breaks)
        part = {"detail": {"field": "line", "type": "nominal"}}
        value, band = value | part, band | part
    touch = {**value, "tooltip": {"field": "tip", "type": "nominal"}}
    linked = {**touch, "href": {"field": "href", "type": "nominal"}}
    daily_line = {"type": "line", "color": palette.other, "strokeWidth": 1.25}
    layers = [
        *(
            _build_layer(
                f"rival-{place}",
                {
                    "type": "line",
                    "color": _find_color(line, palette),
                    "strokeWidth": 2 if line.place == 0 else 1.25,
                    "opacity": 0.85,
                },
                value,
            )
            for place, line in enumerate(lines)
        ),
        _build_layer(
            "full",
            {"type": "area", "color": palette.own, "opacity": 0.16},
            band,
        ),
        *([_build_layer("daily", daily_line, value)] if daily else ()),  # Vega warns of a line without points
        _build_layer("full", {"type": "line", "color": palette.own, "strokeWidth": 2}, value),
        *(_build_names(trend, full or daily, lines, plot) if layout.has_names else ()),
        *_build_marks(trend.marks, plot),
        *(
            _build_layer(name, {"type": "point", "filled": True, "size": 90, "opacity": 0}, touch, f"touch-{name}")
            for name, rows in data.items()
            if name != "full" and "tip" in (rows or [{}])[0]
        ),
        _build_layer("full", {"type": "point", "filled": True, "size": 48, "opacity": 1, "color": palette.own}, touch),
        *(
            [_build_layer("full", {"type": "point", "filled": True, "size": 300, "opacity": 0}, linked, "touch-links")]
            if any(each.link for each in trend.full)
            else ()
        ),
    ]
    size: Spec = {"height": layout.height} | ({} if layout.width is None else {"width": layout.width})
    return frame_chart(palette, {**size, "datasets": data, "layer": layers})


def _build_x_axis(rows: Sequence[Spec], layout: TrendLayout) -> Spec:
    """Build the axis of time. It has the days of scans as ticks, as many as fit next to each other."""
    days = [str(row["at"]) for row in rows]
    step = max(1, -(-len(days) // layout.max_ticks))
    return {
        "field": "at",
        "type": "temporal",
        "scale": {"type": "utc"},
        "axis": {
            "title": None,
            "format": axis_day_format(),
            "values": days[::-1][::step],
            "grid": False,
            "labelFlush": True,
            "labelSeparation": 8,
        },
    }


def _build_y_axis(trend: Trend, layout: TrendLayout, top: Number) -> Spec:
    if layout.percent_title is not None:
        title = {"titleAlign": "left", "titleAngle": 0, "titleAnchor": "end", "titleX": -30, "titleY": -12}
        ticks = {"values": [0, 25, 50, 75, 100], "grid": True}
        return {
            "type": "quantitative",
            "scale": {"domain": [0, 100]},
            "axis": {"title": layout.percent_title or None, **ticks, **title, "titleBaseline": "bottom"},
        }
    if trend.is_rank:
        scale: Spec = {"domain": [1, max(top, 2)], "reverse": True, "nice": False}
        return {
            "type": "quantitative",
            "scale": scale,
            "axis": {"title": None, "grid": True, "tickMinStep": 1, "format": "d"},
        }
    return {
        "type": "quantitative",
        "scale": {"domain": [0, top], "nice": True},
        "axis": {"title": None, "grid": True, "tickCount": 5},
    }


def _build_row(dated: DatedFigure, source: str, trend: Trend) -> Spec:
    figure = dated.figure
    where = gettext(source, date=format_date(to_utc_day(dated.at)), answers=count_answers(figure.n))
    tip = f"{trend.brand}: {format_figure(figure, trend.unit)}\n{where}"
    row = {"at": dated.at, "value": figure.value, "low": figure.low, "high": figure.high, "tip": tip}
    return row | ({"href": dated.link} if dated.link else {})


def _build_competitor_rows(line: CompetitorLine, trend: Trend) -> list[Spec]:
    return [
        {
            "at": at,
            "value": value,
            "tip": f"{line.name}: {add_unit(format_number(value), trend.unit)}\n"
            + gettext("Full Check of %(date)s", date=format_date(to_utc_day(at))),
        }
        for at, value in line.values
    ]


def _drop_tips(rows: Sequence[Spec]) -> list[Spec]:
    return [{"at": row["at"], "value": row["value"]} for row in rows]


def _find_top(trend: Trend, rows: Sequence[Spec]) -> Number:
    """Return the upper end of a scale that fits the data."""
    highest = max((row.get("high") or row["value"] for row in rows), default=1)
    if trend.is_rank:
        return highest
    return min(100, highest * 1.1) if trend.unit else max(highest * 1.1, 1)


def _build_names(trend: Trend, own: Sequence[Spec], lines: Sequence[CompetitorLine], plot: _Plot) -> list[Spec]:
    """Build the names at the ends of the lines, moved apart where two would overlap."""
    ends = [
        (*line.values[-1], line.name, _find_color(line, plot.palette), 600 if line.place == 0 else 400)
        for line in lines
    ]
    if own:
        ends.append((own[-1]["at"], own[-1]["value"], trend.brand, plot.palette.own, 650))
    last_day = max((at for at, *_ in ends), default="")
    gap = _NAME_HEIGHT / plot.height * float(plot.top)
    height, placed = -gap, []
    for _, value, name, color, weight in sorted(ends, key=lambda end: end[1]):
        height = max(float(value), height + gap)
        placed.append((height, name, color, weight))
    overflow = max(0.0, placed[-1][0] - float(plot.top)) if placed else 0.0
    return [
        _build_layer(
            [{"at": last_day, "value": round(height - overflow, 2), "name": name}],
            {
                "type": "text",
                "align": "left",
                "dx": 8,
                "fontSize": 12,
                "limit": 112,
                "color": color,
                "fontWeight": weight,
            },
            {"x": plot.x, "y": {"field": "value", **plot.y}, "text": {"field": "name", "type": "nominal"}},
        )
        for height, name, color, weight in placed
    ]


def _find_color(line: CompetitorLine, palette: Palette) -> str:
    if line.place is None:
        return palette.other
    return palette.move if line.place == 0 else palette.competitor(line.place)


def _build_marks(marks: Sequence[TrendMark], plot: _Plot) -> list[Spec]:
    """Build the marks at the upper edge: a triangle for an alert, a diamond for a new model."""
    # Neighbors are at two heights, because their labels may be long. The triangles of alerts are above all of them.
    pins = sorted((mark for mark in marks if mark.label), key=lambda mark: mark.at)
    first = any(mark.is_alert for mark in marks)
    labeled = [
        {"at": mark.at, "label": mark.label, "top": 4 + _NAME_HEIGHT * (first + place % 2)}
        for place, mark in enumerate(pins)
    ]
    kinds = ((True, "triangle-down", plot.palette.alert), (False, "diamond", plot.palette.quiet))
    layers = []
    if labeled:
        rule = {"type": "rule", "strokeDash": [2, 3], "color": plot.palette.other}
        text = {"type": "text", "align": "left", "dx": 8, "fontSize": 11, "limit": 120, "color": plot.palette.quiet}
        top = {"x": plot.x, "y": {"field": "top", "type": "quantitative", "scale": None}}
        top["text"] = {"field": "label", "type": "nominal"}
        layers += [_build_layer(labeled, rule, {"x": plot.x}), _build_layer(labeled, text, top)]
    for is_alert, shape, color in kinds:
        rows = [{"at": mark.at, "tip": mark.words} for mark in marks if mark.is_alert is is_alert]
        if rows:
            point = {"type": "point", "filled": True, "shape": shape, "size": 90, "opacity": 1, "color": color}
            encoding = {"x": plot.x, "y": {"value": 4}, "tooltip": {"field": "tip", "type": "nominal"}}
            layers.append(_build_layer(rows, point, encoding))
    return layers


def _build_layer(rows: Sequence[Spec] | str, mark: Spec, encoding: Spec, name: str | None = None) -> Spec:
    """Build a layer of its own rows, or of a named dataset that other layers share."""
    data = {"name": rows} if isinstance(rows, str) else {"values": list(rows)}
    layer: Spec = {"data": data, "mark": mark, "encoding": encoding}
    return layer if name is None else {"name": name, **layer}
