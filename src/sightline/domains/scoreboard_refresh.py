"""Asking for a domain's scoreboard to be put together anew from what it holds. Doing it is in `scoreboard/`."""

import uuid

import msgspec

from sightline.db.engine import Transaction
from sightline.jobs.queue import NewJob, enqueue

JOB = "scoreboard.refresh"


class RefreshJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    domain_id: uuid.UUID


async def enqueue_scoreboard_refresh(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """In the transaction that changed what the scoreboard holds. Asking twice while one waits does it once, so whoever
    does it holds the domain's row, and takes the job out of the queue in the same transaction."""
    job = RefreshJob(workspace_id, domain_id)
    await enqueue(tx, NewJob(kind=JOB, payload=job, key=f"refresh:{domain_id}"))
