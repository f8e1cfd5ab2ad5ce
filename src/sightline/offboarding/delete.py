"""The deletion of a workspace: requested by an owner, canceled within the grace, and carried out by the worker.

The worker closes the workspace first: from then on, nobody can open it and no key works. Then it deletes the rows of
every table, the payloads in every store, and last the workspace itself. Each step can be repeated, so a worker that is
killed leaves nothing behind: the next one continues. Backups with the workspace end with their age, and saved copies
of reads after a day.
"""

import uuid
from datetime import datetime

import structlog

from sightline.accounts.members import lock_and_read_member
from sightline.accounts.models import Actor, Role, build_operator_actor
from sightline.accounts.queries import delete_empty_workspace
from sightline.accounts.users import forget_user
from sightline.accounts.workspaces import close_workspace, read_profile
from sightline.api_keys.issue import revoke_all_keys
from sightline.audit.record import record_audit
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.jobs.queue import NewJob, drop_jobs_of_workspace, enqueue
from sightline.jobs.retry import Retry
from sightline.kit.crash import crash_point
from sightline.offboarding import queries
from sightline.offboarding.emails import enqueue_deleted, enqueue_deletion_canceled, enqueue_deletion_requested
from sightline.offboarding.models import ERASE_JOB, GRACE, EraseJob, WorkspaceDeletion
from sightline.offboarding.owned_tables import sort_for_deletion
from sightline.scans.payloads.object_store import PayloadStores
from sightline.scans.sealed.seal import delete_sealed_files
from sightline.scans.sealed.store import SealedMonths
from sightline.settings import Settings

log = structlog.get_logger()

_BATCH = 5_000
_RETRY_SECONDS = 30.0
_PASSES = 10  # triggers can write rows of bookkeeping while others are deleted
# Deleted in the last transaction: until then they say that the deletion is under way.
_LAST = frozenset({"workspace_deletions"})


async def request_deletion(
    tx: Transaction, settings: Settings, actor: Actor, confirmed_name: str, *, now: datetime
) -> WorkspaceDeletion:
    """Plan the deletion after the grace, and stop scheduled checks. Requesting it again changes nothing.

    Refused: anyone but an owner (403), and a name that is not that of the workspace (422).
    """
    owner = await lock_and_read_member(tx, actor, needed=Role.OWNER)
    workspace = await read_profile(tx, actor)
    if confirmed_name.split() != workspace.name.split():
        raise invalid_field("name", "must be the name of the workspace, to confirm the deletion", "mismatch")
    deletion = WorkspaceDeletion(actor.workspace_id, actor.user_id, now, now + GRACE)
    if await queries.insert_deletion(tx, deletion):
        await record_audit(tx, actor.workspace_id, "deletion_requested", due_at=deletion.due_at.isoformat())
        await enqueue_deletion_requested(tx, settings, deletion, by=owner.name)
    known = await queries.find_deletion(tx, actor.workspace_id)
    assert known is not None
    return known


async def cancel_deletion(tx: Transaction, settings: Settings, actor: Actor, *, now: datetime) -> None:
    """Cancel the deletion. Canceling again changes nothing. Refused: anyone but an owner, and one that is due (409)."""
    await lock_and_read_member(tx, actor, needed=Role.OWNER)
    known = await queries.find_deletion(tx, actor.workspace_id, lock=True)
    if known is None:
        return
    if known.due_at <= now:
        raise Problem("deletion_under_way")
    await queries.delete_deletion(tx, actor.workspace_id)
    await record_audit(tx, actor.workspace_id, "deletion_canceled")
    await enqueue_deletion_canceled(tx, settings, actor.workspace_id)


async def find_deletion(db: Reader, workspace_id: uuid.UUID) -> WorkspaceDeletion | None:
    return await queries.find_deletion(db, workspace_id)


async def enqueue_due_deletions_any_workspace(tx: Transaction, *, now: datetime) -> None:
    """Enqueue the job of each deletion that is due. One whose job was lost gets another."""
    for workspace_id in await queries.list_due_deletions_any_workspace(tx, now=now):
        await enqueue(tx, NewJob(kind=ERASE_JOB, payload=EraseJob(workspace_id), key=f"erase:{workspace_id}"))


async def erase_workspace(
    db: Database, settings: Settings, stores: PayloadStores, sealed: SealedMonths, job: EraseJob, *, now: datetime
) -> None:
    """Delete a workspace whose deletion is due. One that was canceled or is deleted already is left alone.

    Raises `Retry` while jobs of the workspace still run, and while another process writes sealed months.
    """
    workspace_id = job.workspace_id
    async with db.transaction() as tx:
        deletion = await queries.find_deletion(tx, workspace_id, lock=True)
        if deletion is None or deletion.due_at > now:
            return
        await _close(tx, settings, deletion, now=now)
        running = await drop_jobs_of_workspace(tx, workspace_id, but=ERASE_JOB)
    crash_point("after_workspace_closed")
    if running:
        raise Retry(_RETRY_SECONDS)
    await _delete_payloads(stores, workspace_id, now=now)
    if not await delete_sealed_files(db, sealed, workspace_id):
        raise Retry(_RETRY_SECONDS)
    await _delete_rows(db, workspace_id)
    crash_point("before_workspace_deleted")
    if await queries.list_demonstrations_in(db, workspace_id):
        async with db.transaction() as tx:
            await enqueue_due_deletions_any_workspace(tx, now=now)
        raise Retry(_RETRY_SECONDS)
    async with db.transaction() as tx:
        await queries.delete_deletion(tx, workspace_id)
        await delete_empty_workspace(tx, workspace_id)
    log.info("workspace_deleted", category="security", workspace_id=str(workspace_id))


async def _close(tx: Transaction, settings: Settings, deletion: WorkspaceDeletion, *, now: datetime) -> None:
    """Lock everybody out, once. People who belong to no other workspace are forgotten with it.

    Demonstrations that the workspace shows are deleted next, as workspaces of their own.
    """
    workspace_id = deletion.workspace_id
    if await queries.is_closed(tx, workspace_id):
        return
    await enqueue_deleted(tx, settings, workspace_id)
    await revoke_all_keys(tx, build_operator_actor(workspace_id), now=now)
    await close_workspace(tx, workspace_id, now=now)
    for user_id in await queries.list_people_without_other_workspace(tx, workspace_id):
        await forget_user(tx, user_id)
    for shown in await queries.list_demonstrations_in(tx, workspace_id):
        await queries.insert_deletion(tx, WorkspaceDeletion(shown, deletion.requested_by, now, now))


async def _delete_payloads(stores: PayloadStores, workspace_id: uuid.UUID, *, now: datetime) -> None:
    for folder in stores.folders:
        for scan_id in await folder.list_scans_of(workspace_id):
            await folder.delete_scan(workspace_id, scan_id)
            await folder.delete_unfinished(workspace_id, scan_id, before=now)


async def _delete_rows(db: Database, workspace_id: uuid.UUID) -> None:
    """Empty every table of the workspace, until a pass over all of them finds nothing."""
    owned = [table for table in await queries.list_owned_tables(db) if table.name not in _LAST]
    for _ in range(_PASSES):
        deleted = 0
        for table in sort_for_deletion(owned):
            while count := await queries.delete_rows(db, table, workspace_id, limit=_BATCH):
                deleted += count
                crash_point("after_rows_deleted")
        if not deleted:
            return
    raise RuntimeError("rows of a workspace appear while it is deleted")
