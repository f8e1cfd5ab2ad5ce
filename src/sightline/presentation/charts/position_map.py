"""A map of prompts and platforms: how early each answer names the brand, and which answers do not."""

from collections.abc import Sequence

from sightline.presentation.cell_states import CELL_STATES, MarkedCell, classify_cell, format_cell_mark
from sightline.presentation.charts.spec import Spec, frame_chart
from sightline.presentation.palette import LIGHT, Palette

_STRONG = frozenset({"first", "second"})
_MAX_WIDTH = 312
_COLUMN_WIDTH, _ROW_HEIGHT = 44, 24

PromptCells = Sequence[tuple[str, MarkedCell]]
"""The cells of one prompt, each with the name of its platform."""


def build_position_map(platforms: Sequence[str], prompts: Sequence[PromptCells], palette: Palette = LIGHT) -> Spec:
    rows = [
        {
            "prompt": f"Q{number}",
            "platform": platform,
            "state": (state := classify_cell(cell)),
            "label": format_cell_mark(cell),
            "strong": state in _STRONG,
        }
        for number, cells in enumerate(prompts, 1)
        for platform, cell in cells
    ]
    base: Spec = {
        "x": {
            "field": "platform",
            "type": "nominal",
            "sort": list(platforms),
            "axis": {"title": None, "orient": "top", "labelAngle": -50, "labelAlign": "left", "labelPadding": 4},
        },
        "y": {
            "field": "prompt",
            "type": "nominal",
            "sort": [f"Q{number}" for number in range(1, len(prompts) + 1)],
            "axis": {"title": None},
        },
    }
    colors = [getattr(palette, style.color) for style in CELL_STATES.values()]
    squares = {
        "mark": {"type": "rect", "cornerRadius": 3, "stroke": palette.grid, "strokeWidth": 1},
        "encoding": {
            **base,
            "color": {
                "field": "state",
                "type": "nominal",
                "scale": {"domain": list(CELL_STATES), "range": colors},
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
    width = min(_MAX_WIDTH, _COLUMN_WIDTH * max(1, len(platforms)))
    size: Spec = {"width": width, "height": {"step": _ROW_HEIGHT}}
    layers = {"layer": [squares, marks], "resolve": {"scale": {"color": "independent"}}}
    return frame_chart(palette, {"data": {"values": rows}, **size, **layers})
