"""The charts of a report: the course of a figure over the weeks, and those that every check has."""

from collections.abc import Sequence

from markupsafe import Markup

from sightline.metrics.figure import Figure
from sightline.reports.charts import Spec, chart_share_of_voice, chart_visibility, frame_chart
from sightline.reports.page import draw
from sightline.reports.palette import LIGHT, Palette
from sightline.reports.weekly.models import ReportDocument
from sightline.scoreboard.schemas import TrendPoint

_WIDTH, _HEIGHT = 304, 168
_MOST_TICKS = 5
_FEWEST_POINTS = 2  # one point is no course


def draw_charts(document: ReportDocument, *, font: str | None = None) -> dict[str, Markup]:
    """By name; what has nothing to show is not there."""
    brand, specs = document.brand, dict[str, tuple[Spec, str, str]]()
    if sum(point.scope == "full_check" for point in document.trend) >= _FEWEST_POINTS:
        told = "A point with its 95 % interval for each Full Check; Daily Checks as a light line."
        specs["visibility_trend"] = (
            chart_trend(document.trend, "visibility_score", "Visibility Score, 0 to 100"),
            f"Visibility Score of {brand} over time",
            told,
        )
        specs["coverage_trend"] = (
            chart_trend(document.trend, "brand_coverage_pct", "Answers that name the brand, %"),
            f"Share of answers that name {brand}, over time",
            told,
        )
    if any(row.visibility_score.value is not None for row in document.platforms):
        specs["platforms"] = (
            chart_visibility(document),
            f"Visibility Score of {brand} by platform",
            "A point for each platform with its 95 % interval. The table by platform holds the same numbers.",
        )
    if any(row.share_of_voice_pct is not None for row in document.competitors):
        specs["share"] = (
            chart_share_of_voice(document),
            f"Share of Voice of {brand} and its competitors",
            "A bar for each brand. The table of competitors holds the same numbers.",
        )
    return {name: draw(_in_font(spec, font), name, *texts) for name, (spec, *texts) in specs.items()}


def chart_trend(points: Sequence[TrendPoint], metric: str, title: str, palette: Palette = LIGHT) -> Spec:
    """Full Checks as points with their intervals, joined by straight lines; Daily Checks as a light line."""
    full = [_row(point, metric) for point in points if point.scope == "full_check"]
    daily = [_row(point, metric) for point in points if point.scope == "daily_check"]
    x: Spec = {
        "field": "at",
        "type": "temporal",
        "scale": {"type": "utc"},
        "axis": {"title": None, "format": "%-d %b", "values": _ticks(full), "grid": False, "labelFlush": True},
    }
    y: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, 100]},
        "axis": {"title": title, "values": [0, 25, 50, 75, 100], "grid": True, "titleAlign": "left"}
        | {"titleAngle": 0, "titleAnchor": "end", "titleX": -30, "titleY": -12, "titleBaseline": "bottom"},
    }
    value = {"x": x, "y": {"field": "value", **y}}
    layers: list[Spec] = [
        _layer(daily, {"type": "line", "color": palette.other, "strokeWidth": 1.5}, value),
        _layer(full, {"type": "line", "color": palette.own, "strokeWidth": 1.5}, value),
        _layer(
            full,
            {"type": "rule", "color": palette.own, "strokeWidth": 6, "strokeCap": "round", "opacity": 0.32},
            {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}},
        ),
        _layer(full, {"type": "point", "filled": True, "size": 56, "opacity": 1, "color": palette.own}, value),
    ]
    return frame_chart(palette, {"width": _WIDTH, "height": _HEIGHT, "layer": layers})


def _ticks(full: Sequence[Spec]) -> list[str]:
    """The days of Full Checks, as many as can be read beside each other."""
    days = [str(row["at"]) for row in full]
    step = -(-len(days) // _MOST_TICKS)
    return days[::-1][::step]


def _row(point: TrendPoint, metric: str) -> Spec:
    figure: Figure = getattr(point, metric)
    return {"at": point.completed_at, "value": figure.value, "low": figure.low, "high": figure.high}


def _layer(rows: Sequence[Spec], mark: Spec, encoding: Spec) -> Spec:
    return {"data": {"values": [row for row in rows if row["value"] is not None]}, "mark": mark, "encoding": encoding}


def _in_font(spec: Spec, font: str | None) -> Spec:
    return spec if font is None else {**spec, "config": {**spec["config"], "font": font}}
