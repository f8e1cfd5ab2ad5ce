"""Small charts as SVG: a sparkline, and a value with its range. Thirty of them on a page cost nothing.

Their colors are those of the palette, so the style sheet of charts shows them in the dark theme, too. They repeat what
stands next to them in words, and are hidden from screen readers.
"""

from collections.abc import Sequence

from markupsafe import Markup

from sightline.metrics.figure import Number
from sightline.presentation.palette import LIGHT

_PAD = 4.0


def draw_sparkline(values: Sequence[Number], *, width: int = 96, height: int = 24) -> Markup:
    """Draw a line through values from 0 to 100, with a dot at the last one. The scale fits the values."""
    if not values:
        return Markup("")
    low, high = min(values), max(values)
    span = max(high - low, 10)  # a change of a point is not a mountain
    middle = (low + high) / 2
    step = (width - 2 * _PAD) / max(1, len(values) - 1)
    points = [
        (width - _PAD - step * (len(values) - 1 - place), height / 2 - (value - middle) / span * (height - 2 * _PAD))
        for place, value in enumerate(values)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    marks = Markup('<polyline points="{}" fill="none" stroke="{}" stroke-width="1.5"/>').format(line, LIGHT.own)
    return _draw(width, height, marks + _draw_dot(x, y, 2.5, LIGHT.own))


def draw_range(
    value: Number, ends: tuple[Number, Number] | None, color: str, *, width: int = 200, top: Number = 100
) -> Markup:
    """Draw a value as a dot in its range, on a scale from 0 to `top`."""
    scale = (width - 2 * _PAD) / top

    def place(number: Number) -> float:
        return _PAD + scale * min(max(number, 0), top)

    marks = _draw_bar(_PAD, width - _PAD, 2, LIGHT.grid)
    if ends is not None:
        marks += _draw_bar(place(ends[0]), place(ends[1]), 4, color, opacity=0.45)
    return _draw(width, 22, marks + _draw_dot(place(value), 11, 5.5, color))


def draw_slope(
    before: Number, now: Number, color: str, *, width: int = 96, height: int = 40, top: Number = 100
) -> Markup:
    """Draw two shares as a line from the left to the right."""
    ends = [
        (x, height - _PAD - number / top * (height - 2 * _PAD)) for x, number in ((8.0, before), (width - 8.0, now))
    ]
    (x, y), (other_x, other_y) = ends
    line = Markup('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="2"/>')
    dots = _draw_dot(x, y, 4, color) + _draw_dot(other_x, other_y, 4, color)
    return _draw(width, height, line.format(x, y, other_x, other_y, color) + dots)


def _draw(width: int, height: int, marks: Markup) -> Markup:
    return Markup(
        '<svg class="chart small" viewBox="0 0 {} {}" width="{}" height="{}" aria-hidden="true">{}</svg>'
    ).format(width, height, width, height, marks)


def _draw_bar(start: float, end: float, thickness: int, color: str, *, opacity: float = 1) -> Markup:
    faded = Markup(' opacity="{}"').format(opacity) if opacity != 1 else ""
    bar = Markup('<rect x="{:.1f}" y="{}" width="{:.1f}" height="{}" rx="2" fill="{}"{}/>')
    return bar.format(start, 11 - thickness / 2, max(end - start, 1), thickness, color, faded)


def _draw_dot(x: float, y: float, radius: float, color: str) -> Markup:
    return Markup('<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="{}"/>').format(x, y, radius, color)
