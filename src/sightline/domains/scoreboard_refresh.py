"""Requesting that the scoreboard of a domain is built again. The job is handled in `scoreboard/`."""

import uuid

import msgspec

from sightline.db.engine import Transaction
from sightline.jobs.queue import NewJob, enqueue

JOB = "scoreboard.refresh"


class RefreshJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    domain_id: uuid.UUID


async def enqueue_scoreboard_refresh(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Enqueue a refresh, in the transaction that changed what the scoreboard holds.

    While a refresh is queued, another request has no effect. So the handler locks the domain, and removes the job
    from the queue in the same transaction.
    """
    job = RefreshJob(workspace_id, domain_id)
    await enqueue(tx, NewJob(kind=JOB, payload=job, key=f"refresh:{domain_id}"))
