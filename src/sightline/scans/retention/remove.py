"""Removing old answers and payloads: a whole month by dropping its partition, the rest scan by scan.

Each step is one transaction, and the next run goes on where the last one ended, however it ended. A scan is marked
before or together with the deletion of its answers, so nobody mistakes an expired scan for an empty one.
"""

import uuid
from datetime import UTC, datetime, timedelta

import structlog

from sightline.db.engine import Database
from sightline.kit.clock import start_of_next_month
from sightline.kit.crash import crash_point
from sightline.scans.partitions import PARTITIONED, first_id_at
from sightline.scans.payloads.object_store import PayloadStores
from sightline.scans.payloads.queries import claim_payloads_any_workspace
from sightline.scans.retention import queries

log = structlog.get_logger()

# What one run does at most. Runs follow each other every minute.
_MAX_MARKED = 20_000
_MAX_SCANS = 100
_FIRST_ID = uuid.UUID(int=0)


async def remove_old_answers_any_workspace(db: Database, days: int | None, *, now: datetime) -> None:
    """Remove the answers of scans that are older than this many days. None keeps them forever."""
    if days is None:
        return
    before = now - timedelta(days=days)
    for month in await list_past_months(db, "answers", before):
        if not await _remove_month(db, month, now=now):
            break  # the rest of it follows in the next run, or scan by scan below
    for _ in range(_MAX_SCANS):
        async with db.transaction() as tx:
            if not await queries.claim_retention_any_workspace(tx):
                return
            marked = await queries.mark_expired_any_workspace(
                tx, since=_FIRST_ID, before=first_id_at(before), limit=1, now=now
            )
            if not marked:
                return
            await queries.delete_answers(tx, *marked[0])
            crash_point("before_answers_expire")


async def _remove_month(db: Database, month: datetime, *, now: datetime) -> bool:
    """Mark the scans of a month, then drop its partitions. Return whether the month is gone."""
    since, before = first_id_at(month), first_id_at(start_of_next_month(month))
    async with db.transaction() as tx:
        if not await queries.claim_retention_any_workspace(tx):
            return False
        await queries.mark_expired_any_workspace(tx, since=since, before=before, limit=_MAX_MARKED, now=now)
    crash_point("after_month_marked")
    return await drop_month(db, month)


async def drop_month(db: Database, month: datetime) -> bool:
    """Drop the partitions of a month whose scans are all marked. Return whether the month is gone."""
    since, before = first_id_at(month), first_id_at(start_of_next_month(month))
    async with db.transaction() as tx:
        if not (await queries.claim_retention_any_workspace(tx) and await claim_payloads_any_workspace(tx)):
            return False
        if await queries.has_answers_any_workspace(tx, since=since, before=before):
            return False
        for table in PARTITIONED:
            await queries.drop_partition(tx, f"{table}_{month:%Y_%m}")
    log.info("month_of_answers_dropped", month=f"{month:%Y-%m}")
    return True


async def remove_old_payloads_any_workspace(
    db: Database, payloads: PayloadStores, days: int | None, *, now: datetime
) -> None:
    """Remove the payloads of scans that are older than this many days. None keeps them as long as their answers.

    While another process moves payloads, nothing is removed: the copy that it writes would stay.
    """
    if days is None:
        return
    before = now - timedelta(days=days)
    for month in await list_past_months(db, "answer_payloads", before):
        async with db.transaction() as tx:
            if not await claim_payloads_any_workspace(tx):
                return
            await queries.drop_partition(tx, f"answer_payloads_{month:%Y_%m}")
        log.info("month_of_payloads_dropped", month=f"{month:%Y-%m}")
    for workspace_id, scan_id in await queries.list_payload_scans_any_workspace(
        db, before=first_id_at(before), limit=_MAX_SCANS
    ):
        async with db.transaction() as tx:
            if not await claim_payloads_any_workspace(tx):
                return
            for folder in payloads.folders:
                await folder.delete_scan(workspace_id, scan_id)
            await queries.delete_payloads(tx, workspace_id, scan_id)


async def list_past_months(db: Database, table: str, before: datetime) -> list[datetime]:
    """Return the months that have a partition and ended before, the oldest first."""
    names = [name.removeprefix(f"{table}_") for name in await queries.list_partitions(db, table)]
    months = [datetime.strptime(name, "%Y_%m").replace(tzinfo=UTC) for name in names if name != "default"]
    return [month for month in months if start_of_next_month(month) <= before]
