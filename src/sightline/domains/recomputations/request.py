"""Requesting to analyze stored answers again, after a correction or a change of names, competitors or version.

The job is handled in `scoreboard/`. The request is written in the transaction of its cause.
"""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

from sightline.db.engine import Transaction
from sightline.domains.recomputations import queries
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.ids import new_id

JOB = "domain.recompute"

Reason = Literal["brand_changed", "competitors_changed", "competitor_named", "answer_corrected", "version_changed"]


class RecomputeJob(msgspec.Struct, frozen=True):
    """The payload of the job. `reason` is the first change; later ones wait in `recomputations`."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    reason: str


async def request_recompute(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, reason: Reason, *, now: datetime
) -> bool:
    """Request a recomputation. Return False when the domain has no completed scan.

    All changes before the work starts share one recomputation. The caller has locked the domain. The key of the job
    is taken until the job leaves the queue, so its handler removes the job under the same lock, in a transaction that
    finds nothing waiting. Otherwise a change during the run would wait for a job that does not exist.
    """
    if not await queries.has_completed_scan(tx, workspace_id, domain_id):
        return False
    await queries.insert_waiting(tx, workspace_id, new_id(), domain_id, reason, now=now)
    job = RecomputeJob(workspace_id, domain_id, reason)
    await enqueue(tx, NewJob(kind=JOB, payload=job, key=f"recompute:{domain_id}"))
    return True
