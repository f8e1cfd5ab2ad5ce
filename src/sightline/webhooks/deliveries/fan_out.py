"""Fan-out: one delivery, with a job, for each endpoint that receives an event."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from sightline.db.engine import Database, Transaction
from sightline.events import EventJob
from sightline.jobs.queue import enqueue
from sightline.kit.ids import new_id
from sightline.plans.table import PLANS_WITH_CLIENTS
from sightline.webhooks.deliveries import queries
from sightline.webhooks.deliveries.models import build_delivery_job

_LOST_AFTER = timedelta(minutes=1)


async def fan_out(db: Database, job: EventJob, *, now: datetime) -> None:
    """Create the deliveries of an event; this is the worker's handler of `events.JOB`.

    Deliveries and their jobs commit together, and a second run creates none.
    """
    found = await queries.list_recipients(db, job.workspace_id, job.event_id, slack_plans=PLANS_WITH_CLIENTS)
    if not found:
        return
    event_type = found[0][1]
    async with db.transaction() as tx:
        await add_deliveries(tx, job.workspace_id, job.event_id, event_type, [row[0] for row in found], now=now)


async def add_deliveries(
    tx: Transaction,
    workspace_id: uuid.UUID,
    event_id: uuid.UUID,
    event_type: str,
    endpoint_ids: Sequence[uuid.UUID],
    *,
    now: datetime,
) -> list[uuid.UUID]:
    """Add deliveries and their jobs, and return the ids of the new ones."""
    endpoints = {new_id(): endpoint_id for endpoint_id in endpoint_ids}
    made = await queries.insert_deliveries(
        tx, workspace_id, event_id, event_type, list(endpoints), list(endpoints.values()), now=now
    )
    await enqueue(tx, *(build_delivery_job(workspace_id, endpoints[each], each, 1, before=0) for each in made))
    return made


async def sweep_deliveries_any_workspace(tx: Transaction, *, now: datetime) -> int:
    """Enqueue jobs for deliveries that have been due for a minute and have no job. Return how many."""
    lost = await queries.list_lost_deliveries_any_workspace(tx, due_before=now - _LOST_AFTER)
    jobs = (
        build_delivery_job(workspace_id, endpoint_id, delivery_id, attempts + 1, before=before)
        for workspace_id, endpoint_id, delivery_id, attempts, before in lost
    )
    await enqueue(tx, *jobs)
    return len(lost)
