"""Putting jobs in the queue, in the transaction that causes them: they exist if and only if their cause does."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal, Protocol

import msgspec
from pgqueuer.adapters.persistence.qb import QueryQueueBuilder
from pgqueuer.domain.settings import DBSettings, Durability

# Given in full, so that no variable of the environment that happens to have a name of the library's moves our tables.
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
# Any number that no other lock of this database has.
_HOUSEKEEPING = 7_410_302_304
LOG_TABLE = _NAMES.qualified.queue_table_log
_LIBRARY = QueryQueueBuilder(_NAMES)

Ending = Literal["successful", "failed"]


class Connection(Protocol):
    """A pool of ours or a transaction."""

    async def fetch(self, query: str, *args: Any) -> list[Any]: ...
    async def execute(self, query: str, *args: Any) -> str: ...


class Job(msgspec.Struct, frozen=True):
    """One that a worker has claimed."""

    id: int
    kind: str
    payload: bytes
    attempts: int


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What one of several workers may have of the jobs of a kind.

    Each has its share of what waits, in the queue and with it, so that the next job is at hand when a place is free.
    Once less than a round of places is left, nobody takes what it cannot begin: one worker would do the last jobs wave
    after wave while another has nothing to do.

    Where `waiting` is None, nothing stays in the queue: each has its share of all jobs of the kind, and of those that
    are done at this moment, too. To count these takes longer.
    """

    share: float
    free: int
    """Jobs that this worker would begin at once."""
    waiting: int | None = None
    """Jobs that it has and has not begun."""
    places: int = 0
    """Jobs that it does at once."""


class Claim(msgspec.Struct, frozen=True):
    jobs: list[Job]
    left: Mapping[str, int]
    """How many of a kind of which a worker has a part were left to others."""


class NewJob(msgspec.Struct, frozen=True, kw_only=True):
    """`kind` is what the worker knows its handler by. Of jobs with one `key` that wait or run there is only one."""

    kind: str
    payload: msgspec.Struct
    key: str | None = None
    priority: int = 0
    delay: timedelta = timedelta(0)


# As the library's own way, but for two things: it also notes in its log that a job waits, which nobody asks, and tells
# the number of each.
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
    """A job whose key waits or runs already is left out: asking twice for the same work does it once."""
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


# As the library's own way to claim, but for one thing: it takes a number for all kinds together, and a worker with room
# for two of a kind would get fifty while another worker has nothing to do.
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
    db: Connection, worker_id: uuid.UUID, rooms: Mapping[str, int], parts: Mapping[str, Part] | None = None
) -> Claim:
    """The next jobs of each kind, up to its number, and of those with a part no more than that."""
    given = [(parts or {}).get(kind) for kind in rooms]
    rows = await db.fetch(
        _CLAIM,
        list(rooms),
        list(rooms.values()),
        worker_id,
        [part and part.share for part in given],
        [part and part.waiting for part in given],
        [part and part.free for part in given],
        [part and part.places for part in given],
    )
    jobs = [Job(*row[:4]) for row in rows if row[0] is not None]
    taken = Counter(job.kind for job in jobs)
    left = {row[1]: row[5] - taken[row[1]] for row in rows if row[0] is None}
    return Claim(jobs, {kind: count for kind, count in left.items() if count > 0})


async def free_stale_jobs(db: Connection, *, heartbeat: timedelta) -> None:
    """Jobs whose worker was not heard of for so long wait again. Apart from claiming, which happens all the time: there
    it would read through the remains of every job that has ended since the last vacuum."""
    await db.execute(
        f"""UPDATE {TABLE} SET status = 'queued', queue_manager_id = NULL, updated = now() WHERE id IN (
                SELECT id FROM {TABLE} WHERE status = 'picked' AND heartbeat < now() - $1::interval
                ORDER BY id FOR UPDATE SKIP LOCKED)""",
        heartbeat,
    )


async def beat(db: Connection, ids: Sequence[int]) -> None:
    """Says that their worker is alive. A job that is being settled at this moment needs no beat, and is not waited for:
    two that take the same rows in different orders would wait for each other."""
    await db.execute(
        f"""UPDATE {TABLE} SET heartbeat = now() WHERE id IN (
                SELECT id FROM {TABLE} WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE SKIP LOCKED)""",
        ids,
    )


async def put_back(db: Connection, job_id: int, delay: timedelta) -> None:
    """It waits again, and has been tried once more."""
    await db.execute(_LIBRARY.build_retry_job_query(), job_id, delay, None)


async def end_jobs(db: Connection, ended: Sequence[tuple[int, Ending]]) -> None:
    """After their effect: one that failed is held, the others are gone, and the log tells of both."""
    ids, statuses = [job_id for job_id, _ in ended], [ending for _, ending in ended]
    await db.execute(_LIBRARY.build_log_job_query(), ids, statuses, [None] * len(ended))


async def settle_jobs(tx: Connection, ids: Sequence[int]) -> None:
    """Takes jobs out of the queue in the transaction of their effect: a crash leaves both or neither.

    The library's own way runs after the effect has been committed, so a crash in between would do the work again.
    """
    await tx.execute(f"DELETE FROM {TABLE} WHERE id = ANY($1::bigint[])", ids)


async def drop_job(tx: Connection, key: str) -> None:
    """Takes a job that nobody has begun out of the queue, in the transaction that does its work otherwise."""
    await tx.execute(f"DELETE FROM {TABLE} WHERE dedupe_key = $1 AND status = 'queued'", key)


async def claim_housekeeping(tx: Connection) -> bool:
    """One process at a time; whoever is not the one has nothing to do."""
    rows = await tx.fetch("SELECT pg_try_advisory_xact_lock($1)", _HOUSEKEEPING)
    return bool(rows[0][0])


async def delete_old_log(tx: Connection) -> None:
    """The library notes every step of every job; an hour of that is enough to find out what went wrong."""
    await tx.execute(f"DELETE FROM {LOG_TABLE} WHERE created < now() - interval '1 hour'")
