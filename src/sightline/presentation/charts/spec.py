"""What every chart has in common: its type, its frame, and the width of a phone.

A chart is 358 pixels wide at most, so it fits on a phone unscaled. Names are data: the only expressions that contain
them are those that Vega-Lite makes of a sort order.
"""

import re
from collections.abc import Sequence
from typing import Any

from sightline.presentation.charts.locale import axis_locale
from sightline.presentation.direction_controls import show_direction_controls
from sightline.presentation.palette import Palette

Spec = dict[str, Any]

WIDTH = 358
LABEL_WIDTH, VALUE_WIDTH = 108, 52  # next to the plot: names on the left, numbers on the right
PLOT_WIDTH = WIDTH - LABEL_WIDTH - VALUE_WIDTH
_ROW_HEIGHT = 26
# What XML cannot contain: the renderer ends the whole process over it. The line and paragraph separators break the
# expressions that Vega-Lite makes of a sort order.
_UNDRAWABLE = re.compile("[^\t\n\r -\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_FONT = "Inter, system-ui, 'Noto Sans', sans-serif"


def frame_chart(palette: Palette, spec: Spec) -> Spec:
    """Complete a chart with the schema, size, font, axis style and locale that all charts share."""
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
        "width": WIDTH - LABEL_WIDTH,
        "padding": {"left": 2, "right": 2, "top": 2, "bottom": 6},
        "background": None,
        **_clean_texts(spec),
        "config": {
            "font": _FONT,
            "view": {"stroke": None},
            "axis": axis,
            "axisY": {"grid": False},
            "aria": False,
            **axis_locale(),
        },
    }


def clean_text(text: str) -> str:
    """Return the text as a chart can show it: with marks for direction controls, and U+FFFD for what it cannot draw."""
    return _UNDRAWABLE.sub("\ufffd", show_direction_controls(text))


def _clean_texts(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {name: _clean_texts(each) for name, each in value.items()}
    return [_clean_texts(each) for each in value] if isinstance(value, list | tuple) else value


def name_axis(rows: Sequence[Spec], limit: int = LABEL_WIDTH - 8) -> Spec:
    """Return the vertical axis of names, in the order of the rows."""
    return {
        "field": "name",
        "type": "nominal",
        "sort": [row["name"] for row in rows],
        "axis": {"title": None, "labelLimit": limit},
    }


def rows_height(rows: Sequence[object], row_height: int = _ROW_HEIGHT) -> int:
    return row_height * max(1, len(rows))


def drop_touch_layers(spec: Spec) -> Spec:
    """Return the chart without the layers that only react to a pointer; their names begin with `touch`."""
    return {**spec, "layer": [layer for layer in spec["layer"] if not layer.get("name", "").startswith("touch")]}
