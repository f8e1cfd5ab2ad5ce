"""When the reports of a client are sent: reading and changing its schedule, and starting what is due.

Every worker looks for due schedules every few seconds. The job is enqueued in the transaction that moves the schedule
to its next time, so that each time causes one job, whichever process dies.
"""

import uuid
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.accounts.workspaces import read_time_zone
from sightline.clients.manage import read_client
from sightline.clients.schemas import ClientRow
from sightline.db.engine import Database, Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem, invalid_field
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import to_iso
from sightline.plans.entitlements import require_clients
from sightline.reports.mailings import queries
from sightline.reports.mailings.due import find_next_time
from sightline.reports.mailings.models import MAILING_JOB, EmailRow, MailingJob, ScheduleInput, ScheduleRow

_AT_ONCE = 50


async def read_schedule(db: Reader, actor: Actor, client_id: uuid.UUID | None) -> ScheduleRow:
    """Return the schedule of a client. Refused: a client without one (404)."""
    client = await read_client(db, actor, client_id)
    found = await queries.find_schedule(db, actor.workspace_id, client.id)
    if found is None:
        raise Problem("not_found", "The client has no schedule.")
    return found


async def set_schedule(
    tx: Transaction, actor: Actor, client_id: uuid.UUID | None, wanted: ScheduleInput, *, now: datetime
) -> ScheduleRow:
    """Send the reports of a client on a schedule. Refused: a plan without clients (403), a weekday above 7."""
    require_clients(actor.plan)
    client = await read_client(tx, actor, client_id)
    if wanted.rhythm == "weekly" and wanted.day > 7:
        raise invalid_field("day", "must be from 1 for Monday to 7 for Sunday, if weekly")
    zone = client.timezone or await read_time_zone(tx, actor.workspace_id)
    next_at = find_next_time(wanted.rhythm, wanted.day, wanted.hour, zone, after=now)
    await queries.upsert_schedule(
        tx, ScheduleRow(actor.workspace_id, client.id, wanted.rhythm, wanted.day, wanted.hour, zone, next_at)
    )
    return await read_schedule(tx, actor, client.id)


async def remove_schedule(tx: Transaction, actor: Actor, client_id: uuid.UUID | None) -> uuid.UUID:
    """Send no more reports, and return the client's id. Possible on every plan."""
    client = await read_client(tx, actor, client_id)
    if not await queries.delete_schedule(tx, actor.workspace_id, client.id):
        raise Problem("not_found", "The client has no schedule.")
    return client.id


async def stop_schedule(tx: Transaction, actor: Actor, client_id: uuid.UUID) -> None:
    """Send no more reports; nothing changes if none were sent."""
    await queries.delete_schedule(tx, actor.workspace_id, client_id)


async def list_emails(
    db: Reader, actor: Actor, client: ClientRow, *, after: queries.SortKey | None, page_size: int
) -> Slice[EmailRow]:
    """List the e-mails to the recipients of a client, the latest first."""
    rows = await queries.list_emails(db, actor.workspace_id, client.id, after=after, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def start_due_mailings_any_workspace(db: Database, *, now: datetime) -> int:
    """Enqueue a job for each schedule that is due, and return how many. Safe in any number of processes at once.

    Times that passed while no worker ran become one. A schedule whose client moved to another time zone keeps its hour.
    """
    async with db.transaction() as tx:
        due = 0
        for row, zone in await queries.lock_due_any_workspace(tx, now=now, limit=_AT_ONCE):
            if row.next_at <= now:
                due += 1
                job = MailingJob(row.workspace_id, row.client_id, row.next_at)
                key = f"{MAILING_JOB}:{row.client_id}:{to_iso(row.next_at)}"
                await enqueue(tx, NewJob(kind=MAILING_JOB, payload=job, key=key))
            next_at = find_next_time(row.rhythm, row.day, row.hour, zone, after=now)
            await queries.set_next_time(tx, row, zone, next_at)
        return due
