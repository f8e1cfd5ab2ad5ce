"""Pictures of worked examples as SVG: tiles for answers, bars for values. Nothing in them needs a style sheet."""

from html import escape
from typing import NamedTuple

_WIDTH = 640
_ROW = 36
_LABEL = 260
_TEXT = 'font-family="system-ui, sans-serif" font-size="15"'
_INK, _GROUND, _LINE = "#1a2327", "#ffffff", "#dde3e6"
_FILLS = {"yes": "#0f6b78", "part": "#7fb8c0", "no": "#dde3e6", "failed": "#f3d3cf"}


class Tile(NamedTuple):
    """An answer: what it shows, in a word, and how it counts (`yes`, `part`, `no` or `failed`)."""

    text: str
    kind: str


class Bar(NamedTuple):
    label: str
    value: float
    text: str
    kind: str = "yes"


def draw_tiles(rows: list[tuple[str, list[Tile]]], result: str) -> str:
    """Return rows of answers with a label each, and what follows from them below."""
    columns = max(len(tiles) for _, tiles in rows)
    label_width = 150 if any(label for label, _ in rows) else 0
    width = min(110, (_WIDTH - 32 - label_width) // columns)
    parts = []
    for line, (label, tiles) in enumerate(rows):
        top = 16 + line * (_ROW + 8)
        if label:
            parts.append(_write(16, top + 23, label, _INK))
        for place, tile in enumerate(tiles):
            left = 16 + label_width + place * width
            parts.append(
                f'<rect x="{left}" y="{top}" width="{width - 6}" height="{_ROW}" rx="6" fill="{_FILLS[tile.kind]}"/>'
            )
            ink = _GROUND if tile.kind == "yes" else _INK
            parts.append(_write(left + (width - 6) / 2, top + 23, tile.text, ink, anchor="middle"))
    return _frame(parts, 16 + len(rows) * (_ROW + 8), result)


def draw_bars(bars: list[Bar], result: str, *, highest: float | None = None) -> str:
    """Return one bar for each value, and what follows from them below."""
    highest = highest or max(bar.value for bar in bars)
    room = _WIDTH - _LABEL - 130
    parts = []
    for line, bar in enumerate(bars):
        top = 16 + line * (_ROW + 4)
        length = round(room * bar.value / highest, 1) if highest else 0
        parts += [
            _write(16, top + 23, bar.label, _INK),
            f'<rect x="{_LABEL}" y="{top + 6}" width="{room}" height="{_ROW - 12}" rx="4" fill="#f5f7f8"/>',
            f'<rect x="{_LABEL}" y="{top + 6}" width="{length}" height="{_ROW - 12}" rx="4" fill="{_FILLS[bar.kind]}"/>',
            _write(_LABEL + room + 12, top + 23, bar.text, _INK),
        ]
    return _frame(parts, 16 + len(bars) * (_ROW + 4), result)


def _frame(parts: list[str], bottom: int, result: str) -> str:
    height = bottom + 48
    line = f'<line x1="16" y1="{bottom + 4}" x2="{_WIDTH - 16}" y2="{bottom + 4}" stroke="{_LINE}"/>'
    drawn = [*parts, line, _write(16, bottom + 30, result, _INK, weight=600)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">'
    )
    ground = f'<rect width="{_WIDTH}" height="{height}" fill="{_GROUND}"/>'
    return "\n".join([head, ground, *drawn, "</svg>"]) + "\n"


def _write(x: float, y: float, text: str, fill: str, *, anchor: str = "start", weight: int = 400) -> str:
    return f'<text x="{x:g}" y="{y:g}" {_TEXT} font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">{escape(text)}</text>'
