"""Storing the rows of a check, which are built when it is completed and each time its answers are analyzed again."""

import uuid
from collections.abc import Mapping

from sightline.db.engine import Transaction
from sightline.tables import queries


async def store_scan_rows(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID, rows: Mapping[str, str]
) -> None:
    """Store the rows of a check, JSON by the name of the table. Rows that it had before and lacks now are removed."""
    before = await queries.list_row_ids(tx, workspace_id, scan_id)
    await queries.replace_scan_rows(tx, workspace_id, scan_id, rows)
    if before:
        now = await queries.list_row_ids(tx, workspace_id, scan_id)
        await queries.record_removed_rows(
            tx, workspace_id, domain_id, scan_id, removed=sorted(before - now), present=sorted(now - before)
        )
