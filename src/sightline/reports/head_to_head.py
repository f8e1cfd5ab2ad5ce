"""Brands beside each other: one figure, a bar for each in its own colour, and a whisker where there is an interval."""

from collections.abc import Mapping, Sequence

import msgspec

from sightline.metrics.figure import Number
from sightline.reports.charts import Spec, frame_chart
from sightline.reports.palette import LIGHT, Palette
from sightline.reports.words import say_number, say_range
from sightline.scans.schemas.results import CompetitorResult

ROW = 30
_NAMES = 120


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One brand. `place` gives it its colour; 0 is the measured one."""

    name: str
    place: int
    value: Number | None
    low: Number | None = None
    high: Number | None = None


def compare_scores(rows: Sequence[CompetitorResult], places: Mapping[str, int]) -> list[Standing]:
    """In the order of the ranking."""
    return [
        Standing(
            name=row.name,
            place=0 if row.is_own else places[row.name],
            value=row.score.value,
            low=row.score.low,
            high=row.score.high,
        )
        for row in rows
    ]


def compare_shares(
    rows: Sequence[CompetitorResult], places: Mapping[str, int], own: tuple[Number | None, Number | None]
) -> list[Standing]:
    """In the same order. Only the share of the measured brand has an interval, `own`."""
    return [
        Standing(
            name=row.name,
            place=0 if row.is_own else places[row.name],
            value=row.share_of_voice_pct,
            low=own[0] if row.is_own else None,
            high=own[1] if row.is_own else None,
        )
        for row in rows
    ]


def chart_standings(standings: Sequence[Standing], unit: str, palette: Palette = LIGHT) -> Spec:
    rows = [_row(each, unit) for each in standings if each.value is not None]
    most = max((row["end"] for row in rows), default=0) or 1
    y: Spec = {
        "field": "name",
        "type": "nominal",
        "sort": [row["name"] for row in rows],
        "axis": {"title": None, "labelLimit": _NAMES},
    }
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, most * 1.22], "nice": False},
        "axis": {"title": None, "tickCount": 4},
    }
    color: Spec = {
        "field": "name",
        "type": "nominal",
        "scale": {
            "domain": [each.name for each in standings],
            "range": [palette.rival(each.place) if each.place else palette.own for each in standings],
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
    return frame_chart(palette, {"data": {"values": rows}, "height": ROW * max(1, len(rows)), "layer": layers})


def _row(each: Standing, unit: str) -> Spec:
    label = f"{say_number(each.value)}{unit}"
    is_ranged = each.low is not None and each.high is not None
    said = f"{label} ({say_range(each.low, each.high)})" if is_ranged else label  # type: ignore[arg-type]
    return {
        "name": each.name,
        "value": each.value,
        "low": each.low if is_ranged else None,
        "high": each.high if is_ranged else None,
        "end": (each.high if is_ranged else each.value) or 0,
        "label": label,
        "tip": f"{each.name}: {said}",
    }
