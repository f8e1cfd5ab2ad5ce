"""The charts of a check as Vega-Lite specs: plain dicts, drawn by a browser or turned into SVG here.

Each is 358 pixels wide at most, so that it is read on a phone as it is; on a wide page several stand side by side.
Names are data throughout: no text of an answer, a brand or a prompt ever becomes part of an expression.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from sightline.metrics.figure import Figure
from sightline.reports.palette import LIGHT, Palette
from sightline.reports.words import STATES, say_number, short_platform_name, state_of
from sightline.scans.schemas.results import CompetitorResult, PlatformResult, ScanMeasurements

Spec = dict[str, Any]

WIDTH = 358
_LABELS, _VALUES = 108, 52  # beside the plot: names to the left, numbers to the right
_PLOT = WIDTH - _LABELS - _VALUES
_ROW = 26
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif"
_STRONG = frozenset({"first", "second"})


class ByPlatform(Protocol):
    """The results of a check, or a report."""

    @property
    def platforms(self) -> tuple[PlatformResult, ...]: ...


class Ranked(Protocol):
    """The same."""

    @property
    def competitors(self) -> tuple[CompetitorResult, ...]: ...


def chart_visibility(results: ByPlatform, palette: Palette = LIGHT) -> Spec:
    """The Visibility Score by platform, a point with its interval."""
    rows = [_figure_row(short_platform_name(each.platform), each.visibility_score) for each in results.platforms]
    return _intervals(rows, "Visibility Score, 0 to 100", palette)


def chart_coverage(results: ByPlatform, palette: Palette = LIGHT) -> Spec:
    """The share of answers that name the brand, by platform, a point with its interval."""
    rows = [_figure_row(short_platform_name(each.platform), each.brand_coverage_pct) for each in results.platforms]
    return _intervals(rows, "Answers that name the brand, %", palette)


def chart_share_of_voice(results: Ranked, palette: Palette = LIGHT) -> Spec:
    """The part of each tracked brand in all mentions; the measured one in the accent colour."""
    rows = [_share_row(row) for row in results.competitors if row.share_of_voice_pct is not None]
    rows.sort(key=lambda row: -row["value"])
    base: Spec = {
        "y": _names(rows),
        "x": {
            "field": "value",
            "type": "quantitative",
            "scale": {"domain": [0, max([10.0, *(row["value"] * 1.3 for row in rows)])]},
            "axis": {"title": "Share of all mentions, %", "tickCount": 5},
        },
    }
    bars = {
        "mark": {"type": "bar", "height": {"band": 0.62}},
        "encoding": {**base, "color": _own_or_other(palette), "tooltip": {"field": "tip", "type": "nominal"}},
    }
    labels = {
        "mark": {"type": "text", "align": "left", "dx": 4, "color": palette.ink, "fontSize": 12},
        "encoding": {**base, "text": {"field": "label", "type": "nominal"}},
    }
    return frame_chart(palette, {"data": {"values": rows}, "height": _height(rows), "layer": [bars, labels]})


def chart_positions(results: ScanMeasurements, palette: Palette = LIGHT) -> Spec:
    """A map of prompts and platforms: how early each answer names the brand, and where it does not."""
    rows = [
        {
            "prompt": f"Q{number}",
            "platform": short_platform_name(cell.platform),
            "state": (state := state_of(cell)),
            "label": STATES[state].mark.format(position=cell.position),
            "strong": state in _STRONG,
        }
        for number, prompt in enumerate(results.prompts, 1)
        for cell in prompt.platforms
    ]
    base: Spec = {
        "x": {
            "field": "platform",
            "type": "nominal",
            "sort": [short_platform_name(each.platform) for each in results.platforms],
            "axis": {"title": None, "orient": "top", "labelAngle": -50, "labelAlign": "left", "labelPadding": 4},
        },
        "y": {
            "field": "prompt",
            "type": "nominal",
            "sort": [f"Q{number}" for number in range(1, len(results.prompts) + 1)],
            "axis": {"title": None},
        },
    }
    colors = [getattr(palette, state.color) for state in STATES.values()]
    squares = {
        "mark": {"type": "rect", "cornerRadius": 3, "stroke": palette.grid, "strokeWidth": 1},
        "encoding": {
            **base,
            "color": {
                "field": "state",
                "type": "nominal",
                "scale": {"domain": list(STATES), "range": colors},
                "legend": None,
            },
        },
    }
    marks = {
        "mark": {"type": "text", "fontSize": 11},
        "encoding": {
            **base,
            "text": {"field": "label", "type": "nominal"},
            "color": {
                "condition": {"test": "datum.strong", "value": palette.on_strong},
                "value": palette.on_weak,
            },
        },
    }
    columns = max(1, len(results.platforms))
    size: Spec = {"width": min(312, 44 * columns), "height": {"step": 24}}
    layers = {"layer": [squares, marks], "resolve": {"scale": {"color": "independent"}}}
    return frame_chart(palette, {"data": {"values": rows}, **size, **layers})


def _figure_row(name: str, figure: Figure) -> Spec:
    label = say_number(figure.value)
    return {"name": name, "value": figure.value, "low": figure.low, "high": figure.high, "label": label}


def _share_row(row: CompetitorResult) -> Spec:
    share = row.share_of_voice_pct
    tip = f"{row.name}: {share:.1f} %\nof all mentions of tracked brands"
    return {"name": row.name, "value": share, "label": f"{share:.1f} %", "own": row.is_own, "tip": tip}


def _intervals(rows: Sequence[Spec], title: str, palette: Palette) -> Spec:
    y = _names(rows)
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, 100]},
        "axis": {"title": title, "values": [0, 25, 50, 75, 100]},
    }
    whiskers = {
        "mark": {"type": "rule", "strokeWidth": 6, "strokeCap": "round", "opacity": 0.32, "color": palette.own},
        "encoding": {"y": y, "x": {"field": "low", **x}, "x2": {"field": "high"}},
    }
    points = {
        "mark": {"type": "point", "filled": True, "size": 64, "opacity": 1, "color": palette.own},
        "encoding": {"y": y, "x": {"field": "value", **x}},
    }
    values = {
        "mark": {"type": "text", "align": "right", "color": palette.ink, "fontSize": 12},
        "encoding": {"y": y, "x": {"value": _PLOT + _VALUES - 4}, "text": {"field": "label", "type": "nominal"}},
    }
    layers = [whiskers, points, values]
    return frame_chart(palette, {"data": {"values": rows}, "width": _PLOT, "height": _height(rows), "layer": layers})


def _names(rows: Sequence[Spec]) -> Spec:
    return {
        "field": "name",
        "type": "nominal",
        "sort": [row["name"] for row in rows],
        "axis": {"title": None, "labelLimit": _LABELS - 8},
    }


def _own_or_other(palette: Palette) -> Spec:
    return {"condition": {"test": "datum.own", "value": palette.own}, "value": palette.other}


def _height(rows: Sequence[Spec]) -> int:
    return _ROW * max(1, len(rows))


def frame_chart(palette: Palette, spec: Spec) -> Spec:
    axis = {
        "labelColor": palette.ink,
        "titleColor": palette.quiet,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "gridColor": palette.grid,
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
    }
    return {
        "$schema": _SCHEMA,
        "width": WIDTH - _LABELS,
        "padding": {"left": 2, "right": 2, "top": 2, "bottom": 6},
        "background": None,
        **spec,
        "config": {"font": _FONT, "view": {"stroke": None}, "axis": axis, "axisY": {"grid": False}, "aria": False},
    }
