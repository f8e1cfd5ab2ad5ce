"""The job queue. A job is enqueued in the transaction that causes it, so it exists if and only if its cause does."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal, Protocol

import msgspec
from pgqueuer.adapters.persistence.qb import QueryQueueBuilder
from pgqueuer.domain.settings import DBSettings, Durability

# Given in full, so that no environment variable that the library happens to read moves our tables.
_NAMES = DBSettings(
    prefix="",
    db_schema="jobs",
    channel="ch_pgqueuer",
    function="fn_pgqueuer_changed",
    statistics_table="pgqueuer_statistics",
    queue_status_type="pgqueuer_status",
    queue_table="pgqueuer",
    queue_table_log="pgqueuer_log",
    trigger="tg_pgqueuer_changed",
    schedules_table="pgqueuer_schedules",
    durability=Durability.balanced,
)
CHANNEL = str(_NAMES.channel)
TABLE = _NAMES.qualified.queue_table
# An arbitrary number that no other advisory lock of this database uses.
_HOUSEKEEPING = 7_410_302_304
LOG_TABLE = _NAMES.qualified.queue_table_log
_LIBRARY = QueryQueueBuilder(_NAMES)

JobOutcome = Literal["successful", "failed"]


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


class WorkerShare(msgspec.Struct, frozen=True, kw_only=True):
    """How many jobs of a kind one of several workers may claim.

    Each worker gets its fraction of the waiting jobs, those in the queue and those it has claimed but not begun, so
    that the next job is at hand when a slot becomes free. Once fewer jobs wait than there are slots, no worker claims
    what it cannot begin: otherwise one worker would run the last jobs one after the other while another is idle.

    Where `waiting` is None, nothing stays in the queue: each worker gets its fraction of all jobs of the kind,
    including those that run now. Counting these takes longer.
    """

    fraction: float
    free: int
    """Jobs that this worker would begin at once."""
    waiting: int | None = None
    """Jobs that it has claimed and not begun."""
    slots: int = 0
    """Jobs that it runs at the same time."""


class JobClaim(msgspec.Struct, frozen=True):
    """The jobs that a worker has claimed in one go."""

    jobs: list[Job]
    left: Mapping[str, int]
    """How many jobs of each kind that has a share were left to other workers."""


class NewJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job to enqueue. `kind` selects its handler. At most one job with the same `key` waits or runs at a time."""

    kind: str
    payload: msgspec.Struct
    key: str | None = None
    priority: int = 0
    delay: timedelta = timedelta(0)


# Like the library's own statement, but without the log row for each waiting job and without returning the ids: we need
# neither.
_ENQUEUE = f"""
INSERT INTO {TABLE} (entrypoint, payload, priority, execute_after, dedupe_key, status)
SELECT kind, payload, priority, now() + delay, key, 'queued'
FROM unnest($1::text[], $2::bytea[], $3::integer[], $4::interval[], $5::text[])
    AS t (kind, payload, priority, delay, key)
ON CONFLICT (dedupe_key) WHERE status IN ('queued', 'picked') AND dedupe_key IS NOT NULL DO NOTHING
"""


async def enqueue(tx: Connection, *jobs: NewJob) -> None:
    await enqueue_many(tx, jobs)


async def enqueue_many(tx: Connection, jobs: Sequence[NewJob]) -> None:
    """Enqueue jobs. One whose key already waits or runs is left out, so requesting the same work twice does it once."""
    if not jobs:
        return
    await tx.execute(
        _ENQUEUE,
        [job.kind for job in jobs],
        [msgspec.json.encode(job.payload) for job in jobs],
        [job.priority for job in jobs],
        [job.delay for job in jobs],
        [job.key for job in jobs],
    )


# Like the library's own statement, but with one limit per kind. The library's limit is for all kinds together: a worker
# with capacity for two jobs of a kind would get fifty while another worker is idle.
_CLAIM = f"""
WITH picked AS MATERIALIZED (
    SELECT entrypoint, count(*) AS picked, count(*) FILTER (WHERE queue_manager_id = $3) AS own
    FROM {TABLE} WHERE status = 'picked' GROUP BY entrypoint
), wanted AS MATERIALIZED (
    SELECT kind, queued, CASE
        WHEN share IS NULL THEN room
        WHEN queued = 0 THEN 0
        WHEN waiting IS NULL THEN least(room, greatest(free, coalesce(
            (SELECT ceil(share * (queued + picked))::integer - own FROM picked WHERE entrypoint = kind),
            ceil(share * queued)::integer)))
        WHEN queued + waiting < places THEN least(room, free)
        ELSE least(room, greatest(free, ceil(share * (queued + waiting))::integer - waiting)) END AS room
    FROM unnest($1::text[], $2::integer[], $4::double precision[], $5::integer[], $6::integer[], $7::integer[])
        AS t (kind, room, share, waiting, free, places)
    CROSS JOIN LATERAL (
        SELECT CASE WHEN share IS NOT NULL THEN (
            SELECT count(*) FROM {TABLE} q WHERE q.entrypoint = kind AND q.status = 'queued') END AS queued
    ) counted
), due AS (
    SELECT job.id FROM wanted CROSS JOIN LATERAL (
        SELECT q.id FROM {TABLE} q
        WHERE q.entrypoint = wanted.kind AND q.status = 'queued' AND q.execute_after < now()
        ORDER BY q.priority DESC, q.id LIMIT wanted.room FOR UPDATE SKIP LOCKED
    ) job
), claimed AS (
    UPDATE {TABLE} SET status = 'picked', updated = now(), heartbeat = now(), queue_manager_id = $3
    WHERE id IN (SELECT id FROM due)
    RETURNING id, entrypoint, payload, attempts, priority
)
SELECT id, entrypoint, payload, attempts, priority, NULL AS queued FROM claimed
UNION ALL SELECT NULL, kind, NULL, NULL, NULL, queued FROM wanted WHERE queued > 0
ORDER BY priority DESC NULLS FIRST, id
"""


async def claim_jobs(
    db: Connection,
    worker_id: uuid.UUID,
    capacities: Mapping[str, int],
    shares: Mapping[str, WorkerShare] | None = None,
) -> JobClaim:
    """Claim the next jobs of each kind, up to its capacity and, where it has a share, no more than that."""
    by_kind = [(shares or {}).get(kind) for kind in capacities]
    rows = await db.fetch(
        _CLAIM,
        list(capacities),
        list(capacities.values()),
        worker_id,
        [share and share.fraction for share in by_kind],
        [share and share.waiting for share in by_kind],
        [share and share.free for share in by_kind],
        [share and share.slots for share in by_kind],
    )
    jobs = [Job(*row[:4]) for row in rows if row[0] is not None]
    claimed = Counter(job.kind for job in jobs)
    left = {row[1]: row[5] - claimed[row[1]] for row in rows if row[0] is None}
    return JobClaim(jobs, {kind: count for kind, count in left.items() if count > 0})


async def free_stale_jobs(db: Connection, *, heartbeat: timedelta) -> None:
    """Return jobs to the queue whose worker has sent no heartbeat for so long.

    This is separate from claiming, which happens all the time: there it would read through the dead rows of every job
    that has ended since the last vacuum.
    """
    await db.execute(
        f"""UPDATE {TABLE} SET status = 'queued', queue_manager_id = NULL, updated = now() WHERE id IN (
                SELECT id FROM {TABLE} WHERE status = 'picked' AND heartbeat < now() - $1::interval
                ORDER BY id FOR UPDATE SKIP LOCKED)""",
        heartbeat,
    )


async def renew_heartbeats(db: Connection, ids: Sequence[int]) -> None:
    """Record that the worker of these jobs is alive.

    A job that is being settled at this moment needs no heartbeat and is skipped: two transactions that lock the same
    rows in different orders would wait for each other.
    """
    await db.execute(
        f"""UPDATE {TABLE} SET heartbeat = now() WHERE id IN (
                SELECT id FROM {TABLE} WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE SKIP LOCKED)""",
        ids,
    )


async def put_back(db: Connection, job_id: int, delay: timedelta) -> None:
    """Return a job to the queue and count the attempt."""
    await db.execute(_LIBRARY.build_retry_job_query(), job_id, delay, None)


async def end_jobs(db: Connection, ended: Sequence[tuple[int, JobOutcome]]) -> None:
    """End jobs after their effect: failed ones are held, the others are removed, and the log records both."""
    ids, statuses = [job_id for job_id, _ in ended], [outcome for _, outcome in ended]
    await db.execute(_LIBRARY.build_log_job_query(), ids, statuses, [None] * len(ended))


async def settle_jobs(tx: Connection, ids: Sequence[int]) -> None:
    """Remove jobs from the queue in the transaction of their effect: a crash leaves both or neither.

    The library removes a job after its effect has been committed, so a crash in between would repeat the work.
    """
    await tx.execute(f"DELETE FROM {TABLE} WHERE id = ANY($1::bigint[])", ids)


async def drop_job(tx: Connection, key: str) -> None:
    """Remove a job that has not begun from the queue, in the transaction that does its work in another way."""
    await tx.execute(f"DELETE FROM {TABLE} WHERE dedupe_key = $1 AND status = 'queued'", key)


async def claim_housekeeping(tx: Connection) -> bool:
    """Return whether this transaction may do the housekeeping; at most one does at a time."""
    rows = await tx.fetch("SELECT pg_try_advisory_xact_lock($1)", _HOUSEKEEPING)
    return bool(rows[0][0])


async def delete_old_log(tx: Connection) -> None:
    """Delete old entries of the library's log of every step of every job. One hour is enough to investigate."""
    await tx.execute(f"DELETE FROM {LOG_TABLE} WHERE created < now() - interval '1 hour'")
