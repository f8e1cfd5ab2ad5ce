"""The map: prompts by platforms, a square for each answer, outlined where the brand was gained or lost."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sightline.platforms.names import platform_name, short_platform_name
from sightline.scoreboard.history.prompt_changes import (
    PromptChange,
    PromptChanges,
    compare_prompts,
    read_prompt_changes,
)
from sightline.scoreboard.models import CheckRow
from sightline.scoreboard.schemas import BoardPrompt
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.web.page_context import PageContext
from sightline.web.pages.dashboard.heat_strips import Square, build_cell_square, build_empty_square


class MapColumn(NamedTuple):
    key: str
    name: str
    short: str


class MapRow(NamedTuple):
    """One prompt. `before` is how many platforms named the brand in the check before; None if that is not known."""

    id: uuid.UUID
    prompt: str
    squares: Sequence[Square]
    named: int
    before: int | None


class PromptMap(NamedTuple):
    columns: Sequence[MapColumn]
    rows: Sequence[MapRow]
    total: int
    since: datetime | None = None
    """The check that the rows are compared with."""


def build_map(shown: FilteredBoard, changes: PromptChanges | None, *, limit: int) -> PromptMap:
    """Build the map of the prompts that count, the worst change first and then the largest."""
    prompts = [row for row in shown.board.prompts if row.cells and row.in_headline]
    columns = list_columns(shown.board.prompts)
    by_prompt = changes.by_prompt if changes else {}
    rows = [_build_row(row, by_prompt.get(row.prompt_id), columns) for row in prompts]
    rows.sort(key=_order)
    return PromptMap(columns, rows[:limit], len(shown.board.prompts), changes.before if changes else None)


def _order(row: MapRow) -> tuple[int, int]:
    change = 0 if row.before is None else row.named - row.before
    return (min(change, 0), -change)


def list_columns(prompts: Sequence[BoardPrompt]) -> list[MapColumn]:
    """Return the platforms that have an answer to any of the prompts, in the order of the board."""
    keys = dict.fromkeys(cell.platform for row in prompts for cell in row.cells)
    return [MapColumn(key, platform_name(key), short_platform_name(key)) for key in keys]


def build_squares(
    prompt_id: uuid.UUID, measured: BoardPrompt | None, change: PromptChange | None, platforms: Sequence[str]
) -> list[Square]:
    """Build one square for each platform. An outline that the latest answer contradicts is left out."""
    cells = {cell.platform: cell for cell in measured.cells} if measured else {}
    squares = []
    for key in platforms:
        cell = cells.get(key)
        if cell is None:
            squares.append(build_empty_square(key))
            continue
        is_named = cell.state == "named"
        gained = change is not None and key in change.gained and is_named
        lost = change is not None and key in change.lost and not is_named
        outline = "gained" if gained else "lost" if lost else ""
        square = build_cell_square(cell, outline)
        squares.append(square._replace(path=f"cells/{prompt_id}/{key}") if square.path else square)
    return squares


def _build_row(measured: BoardPrompt, change: PromptChange | None, columns: Sequence[MapColumn]) -> MapRow:
    squares = build_squares(measured.prompt_id, measured, change, [column.key for column in columns])
    named = sum(cell.state == "named" for cell in measured.cells)
    outlines = [square.outline for square in squares]
    before = None if change is None else named - outlines.count("gained") + outlines.count("lost")
    return MapRow(measured.prompt_id, measured.prompt, squares, named, before)


async def read_map_changes(ctx: PageContext, shown: FilteredBoard) -> PromptChanges | None:
    """Return the changes between the checks that the filter compares, or else between the two latest Full Checks."""
    assert ctx.domain is not None
    at, platform = (ctx.db, ctx.actor.workspace_id, ctx.domain.id), shown.filter.platform
    if not (shown.filter.against or shown.is_past):
        return await read_prompt_changes(*at, platform=platform)
    if shown.compared is None:
        return None
    now, before = (
        CheckRow(each.id, each.completed_at or each.created_at, each.measurement_scope) for each in shown.compared
    )
    return await compare_prompts(*at, before, now, platform=platform)
