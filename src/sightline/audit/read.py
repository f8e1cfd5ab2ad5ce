"""Reading the audit log of a workspace: page by page, or all of it as CSV."""

import csv
import io
import uuid
from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import msgspec

from sightline.audit import queries
from sightline.audit.models import AuditEntry, AuditFilter
from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import invalid_field
from sightline.kit.clock import to_iso
from sightline.kit.ids import parse_id
from sightline.kit.text import guard_formula

CSV_COLUMNS = (
    "id", "recorded_at", "action", "by_type", "by_id", "by_name", "name", "details", "address", "request_id",
)  # fmt: skip
_BATCH = 1_000


async def list_entries(
    db: Reader, workspace_id: uuid.UUID, wanted: AuditFilter, *, after: queries.SortKey | None, page_size: int
) -> Slice[AuditEntry]:
    """Return entries, newest first."""
    rows = await queries.list_entries(db, workspace_id, wanted, after=after, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (to_iso(row.recorded_at), str(row.id)))


async def write_csv(db: Reader, workspace_id: uuid.UUID, wanted: AuditFilter) -> AsyncGenerator[bytes, None]:
    """Yield the entries as RFC 4180 CSV, newest first. Each batch is a statement of its own, so none runs for long."""
    yield _to_csv([CSV_COLUMNS])
    after: queries.SortKey | None = None
    while True:
        rows = await queries.list_entries(db, workspace_id, wanted, after=after, limit=_BATCH)
        if rows:
            yield _to_csv([_to_cells(row) for row in rows])
        if len(rows) < _BATCH:
            return
        after = (rows[-1].recorded_at, rows[-1].id)


def _to_cells(entry: AuditEntry) -> tuple[str, ...]:
    values = (getattr(entry, column) for column in CSV_COLUMNS)
    return tuple(guard_formula(_to_text(value)) for value in values)


def _to_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return to_iso(value)
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else str(value)


def _to_csv(rows: list[tuple[str, ...]]) -> bytes:
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


def name_csv(now: datetime) -> str:
    return f"sightline-audit-{now:%Y-%m-%d}.csv"


def parse_time(text: str | None, field: str) -> datetime | None:
    """Return the time of a filter; a day is its start in UTC. Refused: anything else (422)."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text.replace(" ", "+"))  # an unescaped + in an address is a space
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise invalid_field(field, "must be a day or a time, such as 2026-11-01 or 2026-11-01T00:00:00Z") from error


def require_filter_value(name: str, value: str) -> None:
    """Refuse a value that a filter cannot have (422)."""
    if name == "by" and parse_id(value) is None:
        raise invalid_field(name, "must be the id of a person or a key")
    if name in {"since", "before"}:
        parse_time(value, name)
