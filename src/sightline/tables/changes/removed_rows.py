"""Finding the rows of a scan that a new analysis of its answers makes disappear."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.db.engine import Transaction
from sightline.tables import queries
from sightline.tables.catalog import TABLES
from sightline.tables.changes.queries import replace_removed_rows
from sightline.tables.models import Extent, TableRead, TableSource

_TABLES = ("mentions", "citations", "sources", "competitors")
"""The tables of scans whose ids depend on the analysis. The ids of the others depend on the plan alone."""


@asynccontextmanager
async def record_removed_rows(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID
) -> AsyncIterator[None]:
    """Record which rows of a completed scan are gone after the block, which rewrites its answers and results."""
    source = TableSource(workspace_id=workspace_id, domain_id=domain_id)
    reads = [TableRead(table=TABLES[name], source=source, extent=Extent(), since=None) for name in _TABLES]
    before = [set(await queries.list_row_ids(tx, read, [scan_id])) for read in reads]
    yield
    for read, former in zip(reads, before, strict=True):
        present = set(await queries.list_row_ids(tx, read, [scan_id]))
        await replace_removed_rows(
            tx,
            workspace_id,
            domain_id,
            scan_id,
            read.table.name,
            removed=sorted(former - present),
            present=sorted(present - former),
        )
