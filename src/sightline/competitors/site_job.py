"""Enqueueing the job that reads a competitor's own site. Its handler is in `read_site`."""

import uuid

import msgspec

from sightline.db.engine import Transaction
from sightline.jobs.queue import NewJob, enqueue

JOB = "competitor.site"


class SiteJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    competitor_id: uuid.UUID


async def enqueue_site_read(tx: Transaction, workspace_id: uuid.UUID, competitor_id: uuid.UUID) -> None:
    """Enqueue the job, in the transaction that confirms a competitor without a name of its own."""
    await enqueue(tx, NewJob(kind=JOB, payload=SiteJob(workspace_id, competitor_id), key=f"{JOB}:{competitor_id}"))
