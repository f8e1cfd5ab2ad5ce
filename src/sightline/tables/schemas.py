"""Schemas of tables in the Data API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp
from sightline.kit.examples import (
    CHECK_ANSWER_ID,
    CHECK_ID,
    CHECKED_PROMPT,
    CHECKED_PROMPT_ID,
    TRACKED_DOMAIN_ID,
    Example,
)
from sightline.tables.catalog import TABLES
from sightline.tables.models import Column, ColumnType, DataTable


class TableColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column of a table."""

    name: Annotated[str, Meta(description="Name of the column.")]
    type: Annotated[
        ColumnType,
        Meta(description="Type of the values. A `uuid`, `date` or `timestamp` is a string in JSON and CSV."),
    ]
    description: Annotated[str, Meta(description="Meaning of the values, and of null.")]
    on_request: Annotated[bool, Meta(description="Whether the column is returned only with `text=yes`.")]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a tracked domain."""

    name: Annotated[str, Meta(description="Name of the table, as in its address.")]
    description: Annotated[str, Meta(description="What a row is.")]
    key: Annotated[
        tuple[str, ...],
        Meta(
            description="Columns that identify a row. If a later read returns a row again, replace your copy with it."
        ),
    ]
    columns: Annotated[tuple[TableColumn, ...], Meta(description="Columns in the order of the CSV and Parquet files.")]


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a table. In addition to these fields, it has one for each further column of the table."""

    row_id: Annotated[str, Meta(description="Unique in the table and the same in every read.")]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Id of the check that produced the row.")]
    measured_at: Annotated[Timestamp, Meta(description="When the check was completed.")]
    updated_at: Annotated[Timestamp, Meta(description="When the row was last written.")]
    removed_at: Annotated[Timestamp | None, Meta(description="When the row was removed. Null if it exists.")]
    metrics_version: Annotated[str | None, Meta(description="Version of the formulas. Null if the row was removed.")]
    extractor_version: Annotated[str | None, Meta(description="Version of the analyzer. Null if the row was removed.")]


def list_tables() -> list[Table]:
    return [_to_table(table) for table in TABLES.values()]


def _to_table(table: DataTable) -> Table:
    return Table(
        name=table.name,
        description=table.meaning,
        key=("row_id",),
        columns=tuple(map(_to_column, table.columns)),
    )


def _to_column(column: Column) -> TableColumn:
    return TableColumn(name=column.name, type=column.type, description=column.meaning, on_request=column.on_request)


# Examples


class _Mention(TableRow, frozen=True, kw_only=True):
    """A row of the table `mentions`, with its own columns."""

    scope: str
    answers_source: str
    answer_id: uuid.UUID
    prompt_id: uuid.UUID
    prompt: str
    language: str | None
    country: str | None
    branded: bool
    platform: str
    surface: str | None
    brand_id: str
    brand: str
    is_own: bool
    mentioned: bool
    occurrences: int
    rank: int | None
    stance: str | None
    sentiment: float | None
    sentiment_label: str | None
    cited_pages: int
    visibility: float


EXAMPLE_ROW = _Mention(
    row_id=f"{CHECK_ANSWER_ID}/acme.com",
    domain_id=TRACKED_DOMAIN_ID,
    scan_id=CHECK_ID,
    measured_at="2026-11-14T09:32:41.530922+00:00",
    updated_at="2026-11-14T09:32:41.530922+00:00",
    removed_at=None,
    metrics_version="2",
    extractor_version="12",
    scope="full_check",
    answers_source="live",
    answer_id=CHECK_ANSWER_ID,
    prompt_id=CHECKED_PROMPT_ID,
    prompt=CHECKED_PROMPT,
    language="en",
    country=None,
    branded=False,
    platform="chatgpt",
    surface="api",
    brand_id="acme.com",
    brand="Acme",
    is_own=True,
    mentioned=True,
    occurrences=2,
    rank=1,
    stance="neutral",
    sentiment=72.5,
    sentiment_label="positive",
    cited_pages=1,
    visibility=1.0,
)

PATH_IDS = {"data": {"table_name": "mentions"}}

EXAMPLES = {
    "list_domain_tables": Example([next(each for each in list_tables() if each.name == "mentions")]),
    "read_table": Example([EXAMPLE_ROW]),
}
