"""Brands compared by one figure: a bar for each in its own color, with a whisker where there is an interval."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from sightline.metrics.figure import Figure, Number
from sightline.presentation.charts.bar_charts import BrandShare
from sightline.presentation.charts.spec import Spec, frame_chart, name_axis, rows_height
from sightline.presentation.numbers import add_unit, format_number
from sightline.presentation.palette import LIGHT, Palette
from sightline.presentation.ranges import format_range

ROW_HEIGHT = 30
_MAX_NAME_WIDTH = 120


class ChartedBrand(BrandShare, Protocol):
    """One row of the ranking."""

    @property
    def score(self) -> Figure: ...


class BrandBar(msgspec.Struct, frozen=True, kw_only=True):
    """One brand in the chart. `place` decides its color; 0 is the measured brand."""

    name: str
    place: int
    value: Number | None
    low: Number | None = None
    high: Number | None = None


def list_score_bars(brands: Sequence[ChartedBrand], places: Mapping[str, int]) -> list[BrandBar]:
    """Return the Visibility Score of each brand, in the order of the ranking."""
    return [
        BrandBar(
            name=brand.name,
            place=0 if brand.is_own else places[brand.name],
            value=brand.score.value,
            low=brand.score.low,
            high=brand.score.high,
        )
        for brand in brands
    ]


def list_share_bars(
    brands: Sequence[BrandShare], places: Mapping[str, int], own_interval: tuple[Number | None, Number | None]
) -> list[BrandBar]:
    """Return the Share of Voice of each brand, in the order of the ranking. Only the measured brand has an interval."""
    return [
        BrandBar(
            name=brand.name,
            place=0 if brand.is_own else places[brand.name],
            value=brand.share_of_voice_pct,
            low=own_interval[0] if brand.is_own else None,
            high=own_interval[1] if brand.is_own else None,
        )
        for brand in brands
    ]


def build_head_to_head_chart(bars: Sequence[BrandBar], unit: str, palette: Palette = LIGHT) -> Spec:
    rows = [_build_row(bar, unit) for bar in bars if bar.value is not None]
    highest = max((row["end"] for row in rows), default=0) or 1
    y = name_axis(rows, _MAX_NAME_WIDTH)
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, highest * 1.22], "nice": False},
        "axis": {"title": None, "tickCount": 4},
    }
    color: Spec = {
        "field": "name",
        "type": "nominal",
        "scale": {
            "domain": [bar.name for bar in bars],
            "range": [palette.competitor(bar.place) if bar.place else palette.own for bar in bars],
        },
        "legend": None,
    }
    ranged = {"data": {"values": [row for row in rows if row["low"] is not None]}}
    tip = {"tooltip": {"field": "tip", "type": "nominal"}}
    layers: list[Spec] = [
        {
            "mark": {"type": "bar", "height": {"band": 0.56}, "opacity": 0.36},
            "encoding": {"y": y, "x": {"field": "value", **x}, "color": color, **tip},
        },
        {
            **ranged,
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {"y": y, "x": {"field": "low", **x}, "x2": {"field": "high"}, "color": color},
        },
        *(
            {
                **ranged,
                "mark": {"type": "tick", "thickness": 2, "size": 10},
                "encoding": {"y": y, "x": {"field": end, **x}, "color": color},
            }
            for end in ("low", "high")
        ),
        {
            "mark": {"type": "text", "align": "left", "dx": 6, "color": palette.ink, "fontSize": 12},
            "encoding": {"y": y, "x": {"field": "end", **x}, "text": {"field": "label", "type": "nominal"}},
        },
    ]
    height = rows_height(rows, ROW_HEIGHT)
    return frame_chart(palette, {"data": {"values": rows}, "height": height, "layer": layers})


def _build_row(bar: BrandBar, unit: str) -> Spec:
    label = add_unit(format_number(bar.value), unit)
    value, low, high = label, None, None
    if bar.low is not None and bar.high is not None:
        low, high = bar.low, bar.high
        value = f"{label} ({add_unit(format_range(low, high), unit)})"
    return {
        "name": bar.name,
        "value": bar.value,
        "low": low,
        "high": high,
        "end": (bar.value if high is None else high) or 0,
        "label": label,
        "tip": f"{bar.name}: {value}",
    }
