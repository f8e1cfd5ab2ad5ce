"""Reading the answers of sealed scans: one of them, a page of them, and rows for tables."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from sightline.db.engine import Reader
from sightline.scans.sealed import queries
from sightline.scans.sealed.parquet import SealedTable
from sightline.scans.sealed.store import SealedMonths
from sightline.scans.stored import AnswerRow, ScanRow
from sightline.tables.catalog import SEALED_TABLES
from sightline.tables.models import Column, ReadSealed
from sightline.tables.queries import find_stored_columns

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ANSWER = """scan_id, answer_id, prompt_index, platform, country, status, text, record, epoch_us(answered_at)"""


async def find_sealed_answer(db: Reader, sealed: SealedMonths, scan: ScanRow, answer_id: uuid.UUID) -> AnswerRow | None:
    rows = await sealed.fetch(
        db,
        scan.workspace_id,
        [scan.id],
        ["answers"],
        f"SELECT {_ANSWER} FROM answers WHERE scan_id = ? AND answer_id = ?",
        [str(scan.id), str(answer_id)],
    )
    return _to_row(rows[0]) if rows else None


async def list_sealed_answers(
    db: Reader, sealed: SealedMonths, scan: ScanRow, *, after: tuple[int, int] | None, limit: int
) -> list[AnswerRow]:
    """List answers in the order of the plan: by prompt, then by position in the selected platforms."""
    rows = await sealed.fetch(
        db,
        scan.workspace_id,
        [scan.id],
        ["answers"],
        f"""SELECT {_ANSWER} FROM (SELECT *, list_position(?::text[], platform) AS place FROM answers WHERE scan_id = ?)
            WHERE prompt_index > ? OR prompt_index = ? AND place > ? ORDER BY prompt_index, place LIMIT ?""",
        [scan.selected_platforms, str(scan.id), *(after or (-1, -1))[:1] * 2, (after or (-1, -1))[1], limit],
    )
    return [_to_row(row) for row in rows]


def to_moment(microseconds: int) -> datetime:
    """Return a time that DuckDB gave as a number: its own times need another package."""
    return _EPOCH + timedelta(microseconds=microseconds)


def _to_row(row: Sequence[Any]) -> AnswerRow:
    scan_id, answer_id, prompt_index, platform, country, status, text, record, answered_at = row
    return AnswerRow(
        scan_id=uuid.UUID(scan_id),
        id=uuid.UUID(answer_id),
        prompt_index=prompt_index,
        platform=platform,
        country=country,
        status=status,
        text=text,
        record=record.encode(),
        answered_at=to_moment(answered_at),
    )


def read_sealed_rows(db: Reader, sealed: SealedMonths, workspace_id: uuid.UUID) -> ReadSealed:
    """Return the function that reads the sealed rows of a workspace for tables."""
    return partial(_read_rows, db, sealed, workspace_id)


async def _read_rows(
    db: Reader,
    sealed: SealedMonths,
    workspace_id: uuid.UUID,
    name: SealedTable,
    scan_ids: Sequence[uuid.UUID],
    *,
    text: bool,
) -> Mapping[uuid.UUID, str]:
    """Return the rows of those checks that are sealed, as JSON, in the form in which the database stores them."""
    assert name in SEALED_TABLES
    found = await queries.list_sealed_scans(db, workspace_id, scan_ids)
    if not found:
        return {}
    fields = [f"{each.name} := {_as_stored(each)}" for each in find_stored_columns(name)]
    if text and name == "answers":
        fields.append("sealed_text := text")
    rows = await sealed.fetch(
        db,
        workspace_id,
        found,
        [name],
        f"""SELECT scan_id, to_json(list(struct_pack({", ".join(fields)}))) FROM {name}
            WHERE row_id IS NOT NULL AND list_contains(?, scan_id) GROUP BY scan_id""",
        [[str(each) for each in found]],
    )
    return {uuid.UUID(row[0]): row[1] for row in rows}


def _as_stored(column: Column) -> str:
    if column.type == "timestamp":
        return f"strftime(make_timestamp(epoch_us({column.name})), '%Y-%m-%dT%H:%M:%S.%f+00:00')"
    return column.name
