"""Looking up search volumes: a port with one vendor behind it, and the job that uses it.

The figures are statistical estimates from search data. They do not count conversations with assistants, and every place
that shows them says so. While no source is configured, every prompt stays `pending`.
"""

import uuid
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Protocol

import msgspec

from sightline.db.engine import Database, Transaction
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import Clock
from sightline.prompts.volumes import queries
from sightline.prompts.volumes.models import DuePrompt, Estimate, Market

JOB = "prompt.volumes"
LIFETIME = timedelta(days=30)
# After a failure the source is asked again sooner, but not by every job.
PAUSE_AFTER_FAILURE = timedelta(days=1)
_BATCH_SIZE = 1_000


class VolumesJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    domain_id: uuid.UUID


class VolumeSource(Protocol):
    async def estimate_volumes(self, market: Market, prompts: Sequence[str]) -> list[Estimate]:
        """Return one estimate per prompt, in their order, for at most 1,000 prompts.

        Never raises for a fault of the vendor: that is the state `failed`.
        """
        ...


async def enqueue_volume_lookup(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Enqueue a lookup of the domain's prompts that are due. While one is queued, another changes nothing."""
    await enqueue(tx, NewJob(kind=JOB, payload=VolumesJob(workspace_id, domain_id), key=f"volumes:{domain_id}"))


async def refresh_volumes(db: Database, source: VolumeSource | None, job: VolumesJob, *, clock: Clock) -> None:
    """Look up volumes that are missing or older than 30 days (one day after a failure), market by market.

    Each batch is stored as it arrives, so a second run only asks for what is left. No transaction is open while the
    vendor is asked. Without a source nothing changes.
    """
    while source is not None and (
        due := await queries.list_due(db, job.workspace_id, job.domain_id, now=clock(), limit=_BATCH_SIZE)
    ):
        for market, batch in _by_market(due):
            found = await source.estimate_volumes(market, [each.prompt for each in batch])
            now = clock()
            kept = [(prompt.id, each, now + _lifetime(each)) for prompt, each in zip(batch, found, strict=True)]
            async with db.transaction() as tx:
                await queries.store_estimates(tx, job.workspace_id, kept)


def _lifetime(found: Estimate) -> timedelta:
    return LIFETIME if found.searched and found.state != "failed" else PAUSE_AFTER_FAILURE


def _by_market(due: Sequence[DuePrompt]) -> Iterator[tuple[Market, list[DuePrompt]]]:
    """Group prompts that are sorted by market."""
    for market, prompts in groupby(due, key=lambda each: each.market):
        yield market, list(prompts)
