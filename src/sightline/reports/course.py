"""The large chart of a figure over time: Full Checks as points in their interval band, Daily Checks as a light line,
competitors as thin lines, and marks where something happened. Straight lines only: nothing is known between two checks.
"""

from collections.abc import Sequence

import msgspec

from sightline.kit.clock import Timestamp
from sightline.kit.counting import count
from sightline.metrics.figure import Figure, Number
from sightline.reports.bars import say_value
from sightline.reports.charts import Spec, frame_chart
from sightline.reports.palette import LIGHT, Palette
from sightline.reports.words import say_number

HEIGHT = 260
_MOST_TICKS = 7
_MOST_TOLD = 120  # a longer course is read by its lines: nobody points at one day of it, and each would weigh
_GAP = 0.055  # between two labels at the end of lines, as a part of the height


class Moment(msgspec.Struct, frozen=True):
    """A figure as one check measured it."""

    at: Timestamp
    figure: Figure


class Rival(msgspec.Struct, frozen=True):
    """`place` among the competitors as they are measured, counted from 1: it decides the colour, here and elsewhere."""

    name: str
    place: int
    values: tuple[tuple[Timestamp, Number], ...]


class Mark(msgspec.Struct, frozen=True):
    """`is_alert`: else another model answers on a platform since then."""

    at: Timestamp
    words: str
    is_alert: bool = False


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """What the chart shows of one metric."""

    brand: str
    unit: str
    """"%" or nothing."""
    is_rank: bool
    full: Sequence[Moment]
    daily: Sequence[Moment] = ()
    rivals: Sequence[Rival] = ()
    marks: Sequence[Mark] = ()


def chart_course(course: Course, palette: Palette = LIGHT) -> Spec:
    full = [_row(each, "Full Check", course) for each in course.full if each.figure.value is not None]
    daily = [_row(each, "Daily Check", course) for each in course.daily if each.figure.value is not None]
    rivals = [_rival_rows(rival, course) for rival in _shown(course)]
    if len(daily) > _MOST_TOLD:
        daily, rivals = _hush(daily), [_hush(rows) for rows in rivals]
    top = _top(course, [*full, *daily, *(row for rows in rivals for row in rows)])
    x, y = _axes(course, full or daily, top)
    value = {"x": x, "y": {"field": "value", **y}}
    data = {"full": full, "daily": daily, **{f"rival-{place}": rows for place, rows in enumerate(rivals)}}
    touch = {**value, "tooltip": {"field": "tip", "type": "nominal"}}
    layers: list[Spec] = []
    for rival in _shown(course):
        color = palette.rival(rival.place)
        layers.append(
            _layer(f"rival-{len(layers)}", {"type": "line", "color": color, "strokeWidth": 1, "opacity": 0.85}, value)
        )
    layers += [
        _layer(
            "full",
            {"type": "area", "color": palette.own, "opacity": 0.16},
            {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}},
        ),
        _layer("daily", {"type": "line", "color": palette.other, "strokeWidth": 1.25}, value),
        _layer("full", {"type": "line", "color": palette.own, "strokeWidth": 2}, value),
        *_labels(course, full or daily, rivals, top, palette, x, y),
        *_marks(course.marks, palette, x),
        *(
            _layer(name, {"type": "point", "filled": True, "size": 90, "opacity": 0}, touch, f"touch-{name}")
            for name, rows in data.items()
            if name != "full" and "tip" in (rows or [{}])[0]
        ),
        _layer("full", {"type": "point", "filled": True, "size": 64, "opacity": 1, "color": palette.own}, touch),
    ]
    return frame_chart(palette, {"height": HEIGHT, "datasets": data, "layer": layers})


def _axes(course: Course, rows: Sequence[Spec], top: Number) -> tuple[Spec, Spec]:
    x: Spec = {
        "field": "at",
        "type": "temporal",
        "scale": {"type": "utc"},
        "axis": {"title": None, "format": "%-d %b", "values": _ticks(rows), "grid": False, "labelFlush": True},
    }
    ranks = {"domain": [1, max(top, 2)], "reverse": True, "nice": False}
    ticks = {"tickMinStep": 1, "format": "d"} if course.is_rank else {"tickCount": 5}
    y: Spec = {
        "type": "quantitative",
        "scale": ranks if course.is_rank else {"domain": [0, top], "nice": True},
        "axis": {"title": None, "grid": True, **ticks},
    }
    return x, y


def _row(moment: Moment, name: str, course: Course) -> Spec:
    figure = moment.figure
    assert figure.value is not None
    told = f"{name} of {say_date(moment.at)}, {count(figure.n, 'answer')}"
    tip = f"{course.brand}: {say_value(figure, course.unit)}\n{told}"
    return {"at": moment.at, "value": figure.value, "low": figure.low, "high": figure.high, "tip": tip}


def _rival_rows(rival: Rival, course: Course) -> list[Spec]:
    return [
        {
            "at": at,
            "value": value,
            "tip": f"{rival.name}: {say_number(value)}{course.unit}\nFull Check of {say_date(at)}",
        }
        for at, value in rival.values
    ]


def _hush(rows: Sequence[Spec]) -> list[Spec]:
    return [{"at": row["at"], "value": row["value"]} for row in rows]


def say_date(at: Timestamp) -> str:
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{int(at[8:10])} {months[int(at[5:7]) - 1]} {at[:4]}"


def _top(course: Course, rows: Sequence[Spec]) -> Number:
    highest = max((row.get("high") or row["value"] for row in rows), default=1)
    if course.is_rank:
        return highest
    return min(100, highest * 1.1) if course.unit else max(highest * 1.1, 1)


def _ticks(rows: Sequence[Spec]) -> list[str]:
    """The days of checks, as many as can be read beside each other."""
    days = [str(row["at"]) for row in rows]
    step = max(1, -(-len(days) // _MOST_TICKS))
    return days[::-1][::step]


def _labels(
    course: Course,
    own: Sequence[Spec],
    rivals: Sequence[Sequence[Spec]],
    top: Number,
    palette: Palette,
    x: Spec,
    y: Spec,
) -> list[Spec]:
    """Names at the ends of the lines, moved apart where two would stand in one place."""
    ends = [
        (rows[-1], rival.name, palette.rival(rival.place), 400)
        for rows, rival in zip(rivals, _shown(course), strict=True)
    ]
    if own:
        ends.append((own[-1], course.brand, palette.own, 650))
    last = max((str(row["at"]) for row, *_ in ends), default="")
    gap = _GAP * float(top)
    at, placed = -gap, []
    for row, name, color, weight in sorted(ends, key=lambda end: end[0]["value"]):
        at = max(float(row["value"]), at + gap)
        placed.append((at, name, color, weight))
    over = max(0.0, placed[-1][0] - float(top)) if placed else 0.0
    return [
        _layer(
            [{"at": last, "value": round(at - over, 2), "name": name}],
            {
                "type": "text",
                "align": "left",
                "dx": 8,
                "fontSize": 12,
                "limit": 112,
                "color": color,
                "fontWeight": weight,
            },
            {"x": x, "y": {"field": "value", **y}, "text": {"field": "name", "type": "nominal"}},
        )
        for at, name, color, weight in placed
    ]


def _shown(course: Course) -> list[Rival]:
    return [rival for rival in course.rivals if rival.values]


def _marks(marks: Sequence[Mark], palette: Palette, x: Spec) -> list[Spec]:
    """At the upper edge: a triangle for an alert, a diamond for another model."""
    kinds = ((True, "triangle-down", palette.alert), (False, "diamond", palette.quiet))
    layers = []
    for is_alert, shape, color in kinds:
        rows = [{"at": each.at, "tip": each.words} for each in marks if each.is_alert is is_alert]
        if rows:
            mark = {"type": "point", "filled": True, "shape": shape, "size": 90, "opacity": 1, "color": color}
            encoding = {"x": x, "y": {"value": 4}, "tooltip": {"field": "tip", "type": "nominal"}}
            layers.append(_layer(rows, mark, encoding))
    return layers


def _layer(rows: Sequence[Spec] | str, mark: Spec, encoding: Spec, name: str | None = None) -> Spec:
    """Of rows of its own, or of a set that other layers share."""
    data = {"name": rows} if isinstance(rows, str) else {"values": list(rows)}
    layer: Spec = {"data": data, "mark": mark, "encoding": encoding}
    return layer if name is None else {"name": name, **layer}
