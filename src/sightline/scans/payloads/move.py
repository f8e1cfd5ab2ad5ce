"""Moving payloads to the current store, and removing those whose answers are gone.

A payload is written to the new place before it is deleted from the old one, and readers look in both. So this may be
killed anywhere and run again.
"""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sightline.db.engine import Database
from sightline.scans.payloads import queries
from sightline.scans.payloads.object_store import PayloadFolder, PayloadKey, PayloadStores

_BATCH = 50
_CHECK_EVERY = timedelta(days=1)
_SCANS_CHECKED = 200  # in one run
_TOO_YOUNG = timedelta(days=1)  # the answer of a payload this young may not be stored yet


async def move_payloads_any_workspace(db: Database, stores: PayloadStores, *, limit: int) -> int:
    """Move up to so many payloads to the current store, and return how many. 0 means that nothing is left to move."""
    moved = 0
    if stores.current is not None:
        moved += await _move_from_database(db, stores.current, limit)
    if stores.former is not None and moved < limit:
        moved += await _move_from_folder(db, stores.former, stores.current, limit - moved)
    return moved


async def _move_from_database(db: Database, folder: PayloadFolder, limit: int) -> int:
    moved, after = 0, None
    while moved < limit:
        rows = await queries.list_payloads_any_workspace(db, after=after, limit=_BATCH)
        if not rows:
            break
        for key, payload in rows:
            await folder.write(key, payload)
        async with db.transaction() as tx:
            await queries.delete_payloads(tx, [key for key, _ in rows])
        moved, after = moved + len(rows), rows[-1][0]
    return moved


async def _move_from_folder(db: Database, source: PayloadFolder, target: PayloadFolder | None, limit: int) -> int:
    moved, after = 0, None
    while moved < limit and (scans := await source.list_scans(after)):
        for after in scans:
            answers = await source.list_answers(*after)
            for answer_id in answers:
                await _copy(db, source, target, (*after, answer_id))
            await source.delete_answers(*after, answers)
            moved += len(answers)
            if moved >= limit:
                break
    return moved


async def _copy(db: Database, source: PayloadFolder, target: PayloadFolder | None, key: PayloadKey) -> None:
    payload = await source.read(key)
    if payload is None:
        return  # another worker was faster
    if target is not None:
        await target.write(key, payload)
        return
    async with db.transaction() as tx:
        await queries.insert_payload(tx, key, payload)


async def remove_orphans_any_workspace(db: Database, folder: PayloadFolder, *, now: datetime) -> None:
    """Remove payloads without answers: those of expired or deleted scans, and of workers that died. Once a day.

    A run looks at a limited number of scans; the next one continues where it ended.
    """
    place, ended_at = await queries.find_checked_place_any_workspace(db)
    if place is None and ended_at is not None and now - ended_at < _CHECK_EVERY:
        return
    scans = await folder.list_scans(place)
    for workspace_id, scan_id in scans[:_SCANS_CHECKED]:
        stored = await folder.list_answers(workspace_id, scan_id)
        present = await queries.list_answer_ids(db, workspace_id, scan_id)
        orphans = [each for each in stored if each not in present and now - _made_at(each) > _TOO_YOUNG]
        await folder.delete_answers(workspace_id, scan_id, orphans)
    async with db.transaction() as tx:
        await queries.store_checked_place_any_workspace(tx, _find_last(scans), now=now)


def _find_last(scans: Sequence[tuple[uuid.UUID, uuid.UUID]]) -> tuple[uuid.UUID, uuid.UUID] | None:
    return scans[:_SCANS_CHECKED][-1] if scans else None


def _made_at(answer_id: uuid.UUID) -> datetime:
    """Return when a UUIDv7 was made."""
    return datetime.fromtimestamp((answer_id.int >> 80) / 1000, UTC)
