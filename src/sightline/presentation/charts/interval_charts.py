"""A figure by platform as a point with its interval, on a scale from 0 to 100."""

from collections.abc import Sequence

from sightline.metrics.figure import Figure
from sightline.presentation.charts.spec import PLOT_WIDTH, VALUE_WIDTH, Spec, frame_chart, name_axis, rows_height
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number
from sightline.presentation.palette import LIGHT, Palette

NamedFigure = tuple[str, Figure]


def build_visibility_chart(platforms: Sequence[NamedFigure], palette: Palette = LIGHT) -> Spec:
    return _build_interval_chart(platforms, gettext("Visibility Score, 0 to 100"), palette)


def build_coverage_chart(platforms: Sequence[NamedFigure], brand: str, palette: Palette = LIGHT) -> Spec:
    return _build_interval_chart(platforms, gettext("Answers that name %(brand)s, %%", brand=brand), palette)


def _build_interval_chart(figures: Sequence[NamedFigure], title: str, palette: Palette) -> Spec:
    rows = [_build_row(name, figure) for name, figure in figures]
    y = name_axis(rows)
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, 100]},
        "axis": {"title": title, "values": [0, 25, 50, 75, 100]},
    }
    intervals = {
        "mark": {"type": "rule", "strokeWidth": 6, "strokeCap": "round", "opacity": 0.32, "color": palette.own},
        "encoding": {"y": y, "x": {"field": "low", **x}, "x2": {"field": "high"}},
    }
    points = {
        "mark": {"type": "point", "filled": True, "size": 64, "opacity": 1, "color": palette.own},
        "encoding": {"y": y, "x": {"field": "value", **x}},
    }
    values = {
        "mark": {"type": "text", "align": "right", "color": palette.ink, "fontSize": 12},
        "encoding": {
            "y": y,
            "x": {"value": PLOT_WIDTH + VALUE_WIDTH - 4},
            "text": {"field": "label", "type": "nominal"},
        },
    }
    size: Spec = {"width": PLOT_WIDTH, "height": rows_height(rows)}
    return frame_chart(palette, {"data": {"values": rows}, **size, "layer": [intervals, points, values]})


def _build_row(name: str, figure: Figure) -> Spec:
    return {
        "name": name,
        "value": figure.value,
        "low": figure.low,
        "high": figure.high,
        "label": format_number(figure.value),
    }
