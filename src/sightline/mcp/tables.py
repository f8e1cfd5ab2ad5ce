"""Tables as tools return them: columns with their units once, then rows, cut to a size, and a cursor for the rest."""

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from sightline.mcp.figures import UNITS
from sightline.mcp.source import Reply, Source
from sightline.metrics.metric import Direction
from sightline.metrics.registry import REGISTRY

Cell = str | float | int | bool | list[str] | None
ROW_BYTES = 7_000
"""The largest size of a table's rows. An output holds its content twice, once as text. With columns and figures it
stays below 25 KB."""


class Column(BaseModel):
    """What the values of a column are."""

    name: str
    unit: Annotated[str | None, Field(description="Null for text and ids.")] = None
    direction: Annotated[Direction | None, Field(description="Null if neither is better.")] = None
    meaning: str | None = None


class Table(BaseModel):
    """Rows in the order of `columns`."""

    columns: list[Column]
    rows: list[list[Cell]]
    next_cursor: Annotated[str | None, Field(description="Send it as `cursor` for more rows. Null at the end.")] = None


class PagePosition(NamedTuple):
    """Where a page begins: at the cursor of the API, after some rows."""

    cursor: str | None
    skipped: int


class ListPage(NamedTuple):
    """One page of a list of the API, starting at the row that the caller's cursor names."""

    reply: Reply
    items: list[dict[str, Any]]
    position: PagePosition


def name_column(name: str, meaning: str | None = None, *, metric: str | None = None, unit: str | None = None) -> Column:
    """Return a column. With a metric, its unit and direction come from the registry."""
    if metric is None:
        return Column(name=name, unit=unit, meaning=meaning)
    known = REGISTRY[metric]
    return Column(name=name, unit=unit or UNITS[known.unit], direction=known.direction, meaning=meaning)


async def read_page(
    source: Source,
    operation: str,
    cursor: str | None,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, str | None] | None = None,
) -> ListPage:
    position = decode_position(cursor)
    reply = await source.call(operation, path=path, query={**(query or {}), "cursor": position.cursor})
    return ListPage(reply, reply.data[position.skipped :], position)


def build_table(columns: Sequence[Column], page: ListPage, to_row: Callable[[dict[str, Any]], list[Cell]]) -> Table:
    """Return as many rows of the page as fit, and the cursor for what follows them."""
    rows = take_rows(map(to_row, page.items))
    following = PagePosition(page.reply.next_cursor, 0) if page.reply.next_cursor else None
    if len(rows) < len(page.items):
        following = PagePosition(page.position.cursor, page.position.skipped + len(rows))
    return Table(columns=list(columns), rows=rows, next_cursor=following and encode_position(following))


def build_whole_table(columns: Sequence[Column], rows: Sequence[list[Cell]], cursor: str | None = None) -> Table:
    """Return one page of a list whose rows are all known."""
    skipped = decode_position(cursor).skipped
    taken = take_rows(rows[skipped:])
    end = skipped + len(taken)
    following = encode_position(PagePosition(None, end)) if end < len(rows) else None
    return Table(columns=list(columns), rows=taken, next_cursor=following)


def take_rows(rows: Iterable[list[Cell]], size: int = ROW_BYTES) -> list[list[Cell]]:
    """Return the first rows that together have at most this size, but at least one."""
    taken: list[list[Cell]] = []
    for row in rows:
        size -= len(msgspec.json.encode(row)) + 1
        if size < 0 and taken:
            break
        taken.append(row)
    return taken


def take_text(text: str, size: int) -> str:
    """Return the beginning of a text that has at most this size as JSON."""
    part = text[:size]
    while len(msgspec.json.encode(part)) > size:
        part = part[: len(part) * 9 // 10]
    return part


def cut_text(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def encode_position(position: PagePosition) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(position)).decode().rstrip("=")


def decode_position(cursor: str | None) -> PagePosition:
    if not cursor:
        return PagePosition(None, 0)
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        position = msgspec.json.decode(raw, type=PagePosition)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise _build_invalid_cursor() from error
    if position.skipped < 0:
        raise _build_invalid_cursor()
    return position


def _build_invalid_cursor() -> ToolError:
    return ToolError(
        "This cursor is not valid. Send `next_cursor` of the previous page unchanged, or no cursor to start again."
    )
