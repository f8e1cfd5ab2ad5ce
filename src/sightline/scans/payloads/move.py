"""Moving payloads to the current store, and removing those whose answers are gone.

A payload is written to the new place before it is deleted from the old one, and readers look in both. So this may be
killed anywhere and run again. One process at a time moves payloads.
"""

import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from sightline.db.engine import Database, Reader, Transaction
from sightline.db.installation import read_fact, store_fact
from sightline.kit.crash import crash_point
from sightline.scans.payloads import queries
from sightline.scans.payloads.object_store import PayloadFolder, PayloadStores

_BATCH = 50
_CHECK_EVERY = timedelta(days=1)
_TOO_YOUNG = timedelta(days=1)  # the answer of a payload this young may not be stored yet


async def move_payloads_any_workspace(db: Database, stores: PayloadStores, *, limit: int, now: datetime) -> int | None:
    """Move about `limit` payloads to the current store, and return how many. 0 means that nothing is left to move.

    While another process moves or removes payloads, nothing is moved, and None is returned.
    """
    moved = 0
    try:
        async for count in _move(db, stores, now=now):
            moved += count
            if moved >= limit:
                break
    except _PayloadsLocked:
        return moved or None
    return moved


async def _move(db: Database, stores: PayloadStores, *, now: datetime) -> AsyncIterator[int]:
    """Move everything, and yield after each batch how many payloads it had."""
    if stores.current is not None:
        async for count in _move_from_database(db, stores.current):
            yield count
    if stores.former is not None:
        async for count in _move_from_folder(db, stores.former, stores.current, now=now):
            yield count


async def _move_from_database(db: Database, folder: PayloadFolder) -> AsyncIterator[int]:
    after = None
    while True:
        async with _lock(db) as tx:
            rows = await queries.list_payloads_any_workspace(tx, after=after, limit=_BATCH)
            if not rows:
                return
            for key, payload in rows:
                await folder.write(key, payload)
            await queries.delete_payloads(tx, [key for key, _ in rows])
        after = rows[-1][0]
        yield len(rows)


async def _move_from_folder(
    db: Database, source: PayloadFolder, target: PayloadFolder | None, *, now: datetime
) -> AsyncIterator[int]:
    after = None
    while scans := await source.list_scans(after):
        for after in scans:
            answers = await source.list_answers(*after)
            for start in range(0, len(answers), _BATCH):
                yield await _move_answers(db, source, target, after, answers[start : start + _BATCH], now=now)


async def _move_answers(
    db: Database,
    source: PayloadFolder,
    target: PayloadFolder | None,
    scan: tuple[uuid.UUID, uuid.UUID],
    answers: Sequence[uuid.UUID],
    *,
    now: datetime,
) -> int:
    """Copy payloads of a scan, commit, then delete those that the target has now. Return how many were deleted.

    The database accepts no payload without an answer. Such a payload is deleted once its answer can no longer arrive.
    """
    async with _lock(db) as tx:
        for answer_id in answers:
            payload = await source.read((*scan, answer_id))
            if payload is None:
                continue  # another worker was faster
            if target is None:
                await queries.insert_payload(tx, (*scan, answer_id), payload)
            else:
                await target.write((*scan, answer_id), payload)
    crash_point("after_payloads_copied")
    async with _lock(db) as tx:
        if target is None:
            copied = await queries.list_payload_ids(tx, *scan)
            copied.update(await _list_orphans(tx, scan, answers, now=now))
        else:
            copied = set(await target.list_answers(*scan))
        done = [each for each in answers if each in copied]
        await source.delete_answers(*scan, done)
    return len(done)


class _PayloadsLocked(Exception):
    """Another process moves or removes payloads."""


@asynccontextmanager
async def _lock(db: Database) -> AsyncIterator[Transaction]:
    """Open a transaction in which nobody else moves or removes payloads.

    Without it, two processes that move in opposite directions could each delete the copy that the other one relies on.
    """
    async with db.transaction() as tx:
        if not await queries.claim_payloads_any_workspace(tx):
            raise _PayloadsLocked
        yield tx


async def remove_orphans_any_workspace(db: Database, folder: PayloadFolder, *, now: datetime) -> None:
    """Remove payloads without answers: those of expired or deleted scans, and of workers that died.

    A run looks at 200 scans of any workspaces, and the next run continues from there. A new search starts once a day.
    """
    reached, ended_at = await read_fact(db, "payloads_checked_to"), await read_fact(db, "payloads_checked_at")
    if reached is None and ended_at is not None and now - ended_at < _CHECK_EVERY:
        return
    workspace, _, scan = (reached or "").partition("/")
    scans = await folder.list_scans((uuid.UUID(workspace), uuid.UUID(scan)) if scan else None)
    for workspace_id, scan_id in scans:
        stored = await folder.list_answers(workspace_id, scan_id)
        orphans = await _list_orphans(db, (workspace_id, scan_id), stored, now=now)
        await folder.delete_answers(workspace_id, scan_id, orphans)
        await folder.delete_unfinished(workspace_id, scan_id, before=now - _TOO_YOUNG)
    async with db.transaction() as tx:
        await store_fact(tx, "payloads_checked_to", "/".join(map(str, scans[-1])) if scans else None)
        if not scans:
            await store_fact(tx, "payloads_checked_at", now)


async def _list_orphans(
    db: Reader, scan: tuple[uuid.UUID, uuid.UUID], stored: Sequence[uuid.UUID], *, now: datetime
) -> list[uuid.UUID]:
    """Return the stored payloads of a scan that have no answer and will not get one."""
    present = await queries.list_answer_ids(db, *scan)
    return [each for each in stored if each not in present and now - _made_at(each) > _TOO_YOUNG]


def _made_at(answer_id: uuid.UUID) -> datetime:
    """Return when a UUIDv7 was made."""
    return datetime.fromtimestamp((answer_id.int >> 80) / 1000, UTC)
