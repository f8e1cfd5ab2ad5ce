"""Asking for stored answers to be read again, because whom a domain is measured as, or against, has changed.

Reading them is in `scoreboard/`: there the job is handled. Here is only the wish, written with its cause.
"""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

from sightline.db.engine import Reader, Transaction
from sightline.domains.models import Recomputation
from sightline.domains.recomputations import queries
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.ids import new_id

JOB = "domain.recompute"

Reason = Literal["brand_changed", "competitors_changed", "competitor_named"]


class RecomputeJob(msgspec.Struct, frozen=True):
    """`reason` is that of the change which put the job in the queue; later ones wait in `recomputations`."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    reason: str


async def request_recompute(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, reason: Reason, *, now: datetime
) -> bool:
    """Whether there is anything to read again. Any number of changes before the work begins are one piece of work.

    The caller holds the domain's lock. The job's key is free again only when the job has left the queue: whoever
    handles it lets go of it under that same lock, in a transaction that finds nothing waiting. Otherwise a change that
    comes while it runs would wait for a job that nobody has.
    """
    if not await queries.has_completed_scan(tx, workspace_id, domain_id):
        return False
    await queries.insert_waiting(tx, workspace_id, new_id(), domain_id, reason, now=now)
    job = RecomputeJob(workspace_id, domain_id, reason)
    await enqueue(tx, NewJob(kind=JOB, payload=job, key=f"recompute:{domain_id}"))
    return True


async def read_recomputation(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Recomputation | None:
    """How far it is. None: nothing waits, and the figures stand on the names of today."""
    return await queries.find_open(db, workspace_id, domain_id)
