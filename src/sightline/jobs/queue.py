"""The job queue: one table. A job is enqueued in the transaction that causes it, so it exists only if its cause does.

A job without a worker waits. A claimed job belongs to its worker until it is deleted, put back or given up, or until
the worker dies. Statements that put back, give up or end a job name its worker: one that was taken for dead cannot
change a job that another worker has claimed since. Only `settle_jobs` names none. It commits with the effect of the
job, after which no worker has anything left to do for it.
"""

import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Protocol

import msgspec

from sightline.db.engine import Transaction, columns
from sightline.jobs.shares import WaitingShare
from sightline.kit.tracing import current_traceparent

CHANNEL = "jobs"
_WAITING = "worker_id IS NULL AND failed_at IS NULL"
LONGEST_DELAY = timedelta(hours=12)  # more than any retry waits


class Connection(Protocol):
    """A database pool or a transaction."""

    async def fetch(self, query: str, *args: Any) -> list[Any]: ...
    async def execute(self, query: str, *args: Any) -> str: ...


class Job(msgspec.Struct, frozen=True):
    """A job that a worker has claimed."""

    id: int
    kind: str
    payload: bytes
    attempts: int
    worker_id: uuid.UUID
    share: str = ""
    traceparent: str | None = None
    """The trace of the cause, as W3C writes it."""


_CLAIMED = columns(Job)


class NewJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job to enqueue. `kind` selects its handler. At most one job with the same `key` waits or runs at a time.

    `share` is `workspace/endpoint` for kinds whose places a worker shares evenly (`jobs/shares.py`).
    """

    kind: str
    payload: msgspec.Struct
    key: str | None = None
    priority: int = 0
    delay: timedelta = timedelta(0)
    share: str = ""
    traceparent: str | None = None
    """None stands for the trace in which the job is enqueued."""


async def enqueue(tx: Connection, *jobs: NewJob) -> None:
    """Enqueue jobs. One whose key already waits or runs is left out, so requesting the same work twice does it once."""
    if not jobs:
        return
    current = current_traceparent()
    await tx.execute(
        f"""WITH new AS (
                INSERT INTO jobs (kind, payload, priority, run_after, key, share, traceparent)
                SELECT kind, payload, priority, now() + delay, key, share, traceparent
                FROM unnest($1::text[], $2::bytea[], $3::integer[], $4::interval[], $5::text[], $6::text[], $7::text[])
                    AS t (kind, payload, priority, delay, key, share, traceparent)
                ON CONFLICT (key) WHERE failed_at IS NULL DO NOTHING RETURNING id
            ) SELECT pg_notify('{CHANNEL}', '') WHERE EXISTS (SELECT FROM new)""",
        [job.kind for job in jobs],
        [msgspec.json.encode(job.payload) for job in jobs],
        [job.priority for job in jobs],
        [job.delay for job in jobs],
        [job.key for job in jobs],
        [job.share for job in jobs],
        [job.traceparent or current for job in jobs],
    )


async def insert_claimed(tx: Connection, worker_id: uuid.UUID, jobs: Sequence[NewJob]) -> list[Job]:
    """Insert jobs as claimed by a worker, which starts them at once, in this order."""
    rows = await tx.fetch(
        f"""INSERT INTO jobs (kind, payload, priority, run_after, key, worker_id, traceparent)
            SELECT kind, payload, 0, now(), key, $4, traceparent
            FROM unnest($1::text[], $2::bytea[], $3::text[], $5::text[]) AS t (kind, payload, key, traceparent)
            ON CONFLICT (key) WHERE failed_at IS NULL DO NOTHING RETURNING {_CLAIMED}""",
        [job.kind for job in jobs],
        [msgspec.json.encode(job.payload) for job in jobs],
        [job.key for job in jobs],
        worker_id,
        [job.traceparent for job in jobs],
    )
    return [Job(*row) for row in rows]


async def wake_workers(tx: Connection) -> None:
    """Let idle workers look for work as soon as the transaction is committed."""
    await tx.execute("SELECT pg_notify($1, '')", CHANNEL)


async def claim_jobs(db: Connection, worker_id: uuid.UUID, capacities: Mapping[str, int]) -> list[Job]:
    """Claim the next jobs of each kind, up to its capacity. A worker that is not registered gets none."""
    rows = await db.fetch(
        f"""WITH due AS (
                SELECT job.id FROM unnest($1::text[], $2::integer[]) AS t (kind, capacity) CROSS JOIN LATERAL (
                    SELECT id FROM jobs
                    WHERE jobs.kind = t.kind AND worker_id IS NULL AND failed_at IS NULL AND run_after <= now()
                    ORDER BY priority DESC, id LIMIT t.capacity FOR UPDATE SKIP LOCKED
                ) job
                WHERE EXISTS (SELECT FROM workers WHERE id = $3)
            ), claimed AS (
                UPDATE jobs SET worker_id = $3 WHERE id IN (SELECT id FROM due)
                RETURNING {_CLAIMED}, priority
            )
            SELECT * FROM claimed ORDER BY priority DESC, id""",
        list(capacities),
        list(capacities.values()),
        worker_id,
    )
    return [Job(*row[:7]) for row in rows]


async def list_waiting_shares(db: Connection, kind: str, *, limit: int) -> list[WaitingShare]:
    """List the shares of a kind that have due jobs; at most `limit` jobs of each are counted.

    The query steps from share to share in the index, so that a long queue in one share costs nothing.
    """
    rows = await db.fetch(
        f"""WITH RECURSIVE shares AS (
                (SELECT share FROM jobs WHERE kind = $1 AND {_WAITING} ORDER BY share LIMIT 1)
                UNION ALL
                SELECT (SELECT jobs.share FROM jobs
                        WHERE kind = $1 AND {_WAITING} AND jobs.share > shares.share ORDER BY jobs.share LIMIT 1)
                FROM shares WHERE shares.share IS NOT NULL
            )
            SELECT shares.share, due.since, due.count FROM shares CROSS JOIN LATERAL (
                SELECT min(run_after) AS since, count(*) AS count FROM (
                    SELECT run_after FROM jobs
                    WHERE kind = $1 AND {_WAITING} AND jobs.share = shares.share AND run_after <= now()
                    ORDER BY run_after LIMIT $2
                ) first
            ) due
            WHERE shares.share IS NOT NULL AND due.count > 0""",
        kind,
        limit,
    )
    return [WaitingShare(*row) for row in rows]


async def claim_shares(db: Connection, worker_id: uuid.UUID, kind: str, places: Mapping[str, int]) -> list[Job]:
    """Claim up to `places` jobs of each share of a kind, earliest due first. An unregistered worker gets none."""
    rows = await db.fetch(
        f"""WITH due AS (
                SELECT job.id FROM unnest($2::text[], $3::integer[]) AS t (share, places) CROSS JOIN LATERAL (
                    SELECT id FROM jobs
                    WHERE kind = $1 AND jobs.share = t.share AND {_WAITING} AND run_after <= now()
                    ORDER BY run_after, id LIMIT t.places FOR UPDATE SKIP LOCKED
                ) job
                WHERE EXISTS (SELECT FROM workers WHERE id = $4)
            ), claimed AS (
                UPDATE jobs SET worker_id = $4 WHERE id IN (SELECT id FROM due)
                RETURNING {_CLAIMED}, run_after
            )
            SELECT * FROM claimed ORDER BY run_after, id""",
        kind,
        list(places),
        list(places.values()),
        worker_id,
    )
    return [Job(*row[:7]) for row in rows]


async def put_back(db: Connection, job: Job, delay: timedelta, failure: str | None = None) -> None:
    """Return a job to the queue and count the attempt. `failure` is what went wrong, if anything did."""
    await db.execute(
        """UPDATE jobs SET worker_id = NULL, attempts = attempts + 1, run_after = now() + $3,
               failure = coalesce($4, failure) WHERE id = $1 AND worker_id = $2""",
        job.id,
        job.worker_id,
        delay,
        failure,
    )


async def bring_forward_jobs(tx: Connection) -> None:
    """Make jobs due now that are due later than any delay allows: they were enqueued while a clock was ahead."""
    await tx.execute(
        f"UPDATE jobs SET run_after = now() WHERE {_WAITING} AND run_after > now() + $1::interval",
        LONGEST_DELAY,
    )


async def put_back_others(db: Connection, worker_id: uuid.UUID, known: Sequence[int]) -> None:
    """Return to the queue a worker's jobs that it does not know, because the reply to its claim was lost."""
    await db.execute(
        "UPDATE jobs SET worker_id = NULL WHERE worker_id = $1 AND id <> ALL($2::bigint[])", worker_id, known
    )


async def give_up(db: Connection, job: Job, failure: str) -> None:
    """Hold a job that fails again and again for an operator to look at. No worker claims it again."""
    await db.execute(
        "UPDATE jobs SET worker_id = NULL, failed_at = now(), failure = $3 WHERE id = $1 AND worker_id = $2",
        job.id,
        job.worker_id,
        failure,
    )


async def end_job(db: Connection, job: Job) -> bool:
    """Delete a job after or with its effect, and return False if another worker has taken it over.

    A crash after the effect was committed repeats the job.
    """
    return await db.execute("DELETE FROM jobs WHERE id = $1 AND worker_id = $2", job.id, job.worker_id) != "DELETE 0"


async def settle_jobs(tx: Connection, ids: Sequence[int]) -> None:
    """Delete jobs in the transaction of their effect: a crash leaves both or neither."""
    await tx.execute("DELETE FROM jobs WHERE id = ANY($1::bigint[])", ids)


async def drop_job(tx: Connection, key: str) -> None:
    """Delete a job that nobody has claimed, in the transaction that does its work in another way."""
    await tx.execute("DELETE FROM jobs WHERE key = $1 AND worker_id IS NULL AND failed_at IS NULL", key)


async def drop_jobs_of_workspace(tx: Transaction, workspace_id: uuid.UUID, *, but: str) -> int:
    """Delete the jobs that name a workspace, except those of one kind, and return how many a worker is running now.

    Those stay: their worker ends them. E-mails that wait name it in their links.
    """
    of_workspace = "strpos(convert_from(payload, 'UTF8'), $1) > 0 AND kind <> $2"
    await tx.execute(f"DELETE FROM jobs WHERE {of_workspace} AND worker_id IS NULL", str(workspace_id), but)
    running: int = await tx.fetchval(f"SELECT count(*) FROM jobs WHERE {of_workspace}", str(workspace_id), but)
    return running
