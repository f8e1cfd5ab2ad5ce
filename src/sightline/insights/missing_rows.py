"""Building the rows in flat tables of insights that an earlier version of Sightline stored or changed."""

import uuid
from datetime import datetime

import msgspec
import structlog

from sightline.db.engine import Database, Transaction
from sightline.insights.alerts.models import AlertRow
from sightline.insights.models import RankedRow, StoredRecommendation, StoredTheme
from sightline.insights.queries import InsightKind, lock_without_table_row_any_workspace, store_table_row
from sightline.insights.table_rows import build_alert_row, build_ranked_row
from sightline.tables.queries import stamp_unit

log = structlog.get_logger()

_BATCH = 200
_KINDS: tuple[InsightKind, ...] = ("theme", "recommendation", "alert")
_decode_theme = msgspec.json.Decoder(StoredTheme).decode
_decode_action = msgspec.json.Decoder(StoredRecommendation).decode

Key = tuple[uuid.UUID, uuid.UUID]
"""A workspace and the id of an insight in it."""


async def build_missing_insight_rows_any_workspace(db: Database, *, now: datetime) -> int:  # noqa: ARG001 - periodic steps get the time
    """Build the rows of themes, recommendations and alerts without rows, and return for how many.

    Readers of changes get them. An insight that cannot be decoded is left out and logged. Any number of workers may do
    this at once, and each may die in between.
    """
    done = 0
    for kind in _KINDS:
        after: Key | None = (uuid.UUID(int=0), uuid.UUID(int=0))
        while after is not None:
            async with db.transaction() as tx:
                built, after = await _build_batch(tx, kind, after)
            done += built
    return done


async def _build_batch(tx: Transaction, kind: InsightKind, after: Key) -> tuple[int, Key | None]:
    """Build some rows; return how many, and where the next batch starts."""
    rows, built = await lock_without_table_row_any_workspace(tx, kind, after=after, limit=_BATCH), 0
    for workspace_id, domain_id, row in rows:
        try:
            table_row = _build(kind, row)
        except msgspec.DecodeError as error:
            log.warning("insight_left_out", kind=kind, scan_id=str(row.scan_id), reason=str(error))
            continue
        await store_table_row(tx, workspace_id, kind, row.id, table_row)
        await stamp_unit(tx, workspace_id, domain_id, kind, row.id)
        built += 1
    return built, (rows[-1][0], rows[-1][2].id) if rows else None


def _build(kind: InsightKind, row: RankedRow | AlertRow) -> msgspec.Struct:
    if isinstance(row, AlertRow):
        return build_alert_row(row)
    return build_ranked_row(row.place, _decode_theme(row.found) if kind == "theme" else _decode_action(row.found))
