"""Sealing: the answers of a past month are written as Parquet, read back, marked, and only then dropped.

One transaction marks what was written and records the files. A process that dies before leaves files that nothing
names, which the next run deletes, and one that dies later leaves a partition that the next run drops.
"""

import asyncio
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from sightline.db.engine import Database
from sightline.kit.clock import start_of_month, start_of_next_month
from sightline.kit.crash import crash_point
from sightline.kit.ids import new_id
from sightline.scans.partitions import first_id_at
from sightline.scans.payloads.object_store import PayloadFolder
from sightline.scans.retention import queries as retention
from sightline.scans.retention.remove import drop_month, list_past_months
from sightline.scans.sealed import queries
from sightline.scans.sealed.parquet import SealedFile, SealedTable, SealedWriter, count_rows
from sightline.scans.sealed.queries import ScanToSeal, SealedMonth
from sightline.scans.sealed.store import SealedMonths, build_path, find_month

log = structlog.get_logger()

_MAX_SCANS = 2_000  # of one seal
_MAX_ANSWERS = 50_000  # of one seal, unless one scan has more
_BATCH = 500
_MAX_REMOVED = 200  # seals, in one run
_STORED: Sequence[SealedTable] = ("mentions", "citations", "cells")


class _Changed(Exception):
    """Answers were analyzed again while they were written. The next run writes them again."""


class SealFailed(Exception):
    """What was read back differs from what was written, or from what the database has."""


async def seal_old_answers_any_workspace(
    db: Database, months: SealedMonths, days: int | None, *, now: datetime
) -> None:
    """Seal the months that ended more than this many days ago, the oldest first. None seals nothing."""
    if days is None:
        return
    before = now - timedelta(days=days)
    while (oldest := await queries.find_oldest_scan_any_workspace(db)) is not None:
        month = datetime.combine(find_month(oldest), datetime.min.time(), UTC)
        if start_of_next_month(month) > before:
            break
        if months.fault is not None:
            log.warning("answers_not_sealed", reason=months.fault)
            return
        if not await _seal_month(db, months, month, now=now):
            return  # the rest of it follows in the next run
    for month in await list_past_months(db, "answers", before):
        if not await drop_month(db, month):
            return


async def _seal_month(db: Database, months: SealedMonths, month: datetime, *, now: datetime) -> bool:
    """Seal a month, one workspace after the other. Return whether all of it is sealed."""
    since, before = first_id_at(month), first_id_at(start_of_next_month(month))
    after: uuid.UUID | None = None
    while workspace_id := await queries.find_workspace_to_seal_any_workspace(
        db, since=since, before=before, after=after
    ):
        try:
            has_sealed = await _seal_next(db, months, workspace_id, month, now=now)
        except _Changed:
            has_sealed = False
        if not has_sealed:
            after = workspace_id  # what is left of it can be sealed later
    return not await retention.has_answers_any_workspace(db, since=since, before=before)


async def _seal_next(
    db: Database, months: SealedMonths, workspace_id: uuid.UUID, month: datetime, *, now: datetime
) -> bool:
    """Seal answers of a workspace and month, up to a limit. Return False if nothing could be sealed.

    The transaction is open meanwhile, to hold its lock: only its owner writes or deletes files. It has read nothing,
    so it keeps no row and no table from others.
    """
    since, before = first_id_at(month), first_id_at(start_of_next_month(month))
    folder = months.folders[0]
    async with db.transaction() as tx:
        if not await queries.claim_sealing_any_workspace(tx):
            return False
        listed = await queries.list_scans_to_seal(db, workspace_id, since=since, before=before, limit=_MAX_SCANS)
        scans = _limit(listed)
        if not scans:
            return False
        await _delete_unnamed(db, folder, workspace_id)
        sealed = SealedMonth(workspace_id, month.date(), new_id(), len(scans), {}, now)
        with tempfile.TemporaryDirectory(prefix="sightline-seal-") as place:
            files = await _write_files(db, Path(place), folder, sealed, scans)
        crash_point("after_sealed_files_written")
        if not await retention.claim_retention_any_workspace(tx):
            return False
        marked = await queries.mark_sealed(tx, workspace_id, scans, now=now)
        if len(marked) != len(scans):
            raise _Changed
        ids = [each.id for each in scans]
        stored = await queries.count_stored(tx, workspace_id, ids)
        if stored != {name: file.rows for name, file in files.items()}:
            raise SealFailed(f"month {month:%Y-%m}: {stored} in the database, and {files} in the files")
        await queries.insert_sealed_month(
            tx, SealedMonth(workspace_id, sealed.month, sealed.seal, sealed.scans, files, now)
        )
        await retention.drop_copies(tx, [(workspace_id, scan_id) for scan_id in ids])
        if not await retention.has_partition(tx, f"answers_{month:%Y_%m}"):
            for each in scans:
                await retention.delete_answers(tx, workspace_id, each.domain_id, each.id)
    crash_point("after_answers_sealed")
    log.info("answers_sealed", workspace_id=str(workspace_id), month=f"{month:%Y-%m}", answers=files["answers"].rows)
    return True


def _limit(scans: Sequence[ScanToSeal]) -> Sequence[ScanToSeal]:
    """Return the first scans whose answers fit into one seal, at least one."""
    answers = 0
    for number, each in enumerate(scans):
        answers += each.answers
        if number and answers > _MAX_ANSWERS:
            return scans[:number]
    return scans


async def _delete_unnamed(db: Database, folder: PayloadFolder, workspace_id: uuid.UUID) -> None:
    """Delete the files of a workspace that a process left behind when it died."""
    sealed = await queries.list_sealed_months(db, workspace_id)
    named = {build_path(each, name) for each in sealed for name in each.files}
    await folder.delete_files([path for path in await folder.list_files(f"{workspace_id}/sealed") if path not in named])


async def _write_files(
    db: Database, place: Path, folder: PayloadFolder, sealed: SealedMonth, scans: Sequence[ScanToSeal]
) -> Mapping[str, SealedFile]:
    """Write the files on this machine, then into the store, and read them back."""
    writer = await asyncio.to_thread(SealedWriter, place)
    for scan in scans:
        await _write_scan(db, writer, sealed.workspace_id, scan)
    files = await asyncio.to_thread(writer.close)
    for name, file in files.items():
        path = build_path(sealed, name)
        await folder.write_file(path, writer.paths[name])
        rows = await asyncio.to_thread(_count_stored_rows, folder, path)
        if (*await folder.read_digest(path), rows) != (file.bytes, file.sha256, file.rows):
            raise SealFailed(f"{path} differs from what was written")
    return files


def _count_stored_rows(folder: PayloadFolder, path: str) -> int:
    return count_rows(folder.open_file(path))


async def _write_scan(db: Database, writer: SealedWriter, workspace_id: uuid.UUID, scan: ScanToSeal) -> None:
    after: uuid.UUID | None = None
    while rows := await queries.list_answer_rows(db, workspace_id, scan.id, after=after, limit=_BATCH):
        await asyncio.to_thread(writer.write, "answers", [tuple(row)[1:] for row in rows])
        after = rows[-1][0]
    after = None
    while rows := await queries.list_facts(db, workspace_id, scan, after=after, limit=_BATCH):
        await asyncio.to_thread(writer.write, "facts", [tuple(row)[1:] for row in rows])
        after = rows[-1][0]
    for name in _STORED:
        stored = await queries.list_stored_rows(db, workspace_id, scan.id, name)
        await asyncio.to_thread(writer.write, name, [tuple(row) for row in stored])


async def remove_sealed_months_any_workspace(
    db: Database, months: SealedMonths, days: int | None, *, now: datetime
) -> None:
    """Delete the sealed months that ended more than this many days ago. None keeps them.

    Their scans are marked first, and the record of the files is deleted last: a run that dies is repeated.
    """
    if days is None:
        return
    cutoff = start_of_month(now - timedelta(days=days))  # months before it are over
    expired = await queries.list_sealed_months_any_workspace(db, before=cutoff.date(), limit=_MAX_REMOVED)
    if expired and months.fault is not None:
        log.warning("sealed_months_not_deleted", reason=months.fault)
        return
    for sealed in expired:
        month = datetime.combine(sealed.month, datetime.min.time(), UTC)
        since, before = first_id_at(month), first_id_at(start_of_next_month(month))
        async with db.transaction() as tx:
            await queries.unseal_scans(tx, sealed.workspace_id, since=since, before=before, now=now)
        crash_point("after_sealed_month_expired")
        async with db.transaction() as tx:
            if not await queries.claim_sealing_any_workspace(tx):
                return
            for folder in months.folders:
                await folder.delete_files([build_path(sealed, name) for name in sealed.files])
            await queries.delete_sealed_month(tx, sealed)


async def delete_sealed_files(db: Database, months: SealedMonths, workspace_id: uuid.UUID) -> bool:
    """Delete all sealed files of a closed workspace. Return False while another process writes or deletes some."""
    async with db.transaction() as tx:
        if not await queries.claim_sealing_any_workspace(tx):
            return False
        for folder in months.folders:
            await folder.delete_files(await folder.list_files(f"{workspace_id}/sealed"))
    return True
