"""Looking at the queue, and deciding about jobs that are held after too many failures."""

from datetime import datetime
from typing import Literal

import asyncpg
import msgspec

from sightline.db.engine import Database, Reader, columns, to_row_or_none, to_rows

JobState = Literal["waiting", "scheduled", "running", "held"]
RetryResult = Literal["retried", "already_queued", "not_held"]

_STATE = """CASE WHEN failed_at IS NOT NULL THEN 'held' WHEN worker_id IS NOT NULL THEN 'running'
                 WHEN run_after > now() THEN 'scheduled' ELSE 'waiting' END"""


class QueuedJob(msgspec.Struct, frozen=True):
    """A job as operators see it. Its payload stays where it is: it may hold an address or a link."""

    id: int
    kind: str
    state: JobState
    attempts: int
    run_after: datetime
    failed_at: datetime | None
    failure: str | None
    """The last error, if the job has failed before."""


_QUEUED = columns(QueuedJob).replace("state", f"{_STATE} AS state")


async def list_jobs(
    db: Reader, *, state: JobState | None = None, kind: str | None = None, limit: int = 100
) -> list[QueuedJob]:
    """List jobs: held ones first, the latest on top, then the others in the order in which they are due."""
    rows = await db.fetch(
        f"""SELECT * FROM (SELECT {_QUEUED} FROM jobs WHERE $2::text IS NULL OR kind = $2) j
            WHERE $1::text IS NULL OR state = $1 ORDER BY failed_at DESC NULLS LAST, run_after, id LIMIT $3""",
        state,
        kind,
        limit,
    )
    return to_rows(QueuedJob, rows)


async def find_job(db: Reader, job_id: int) -> QueuedJob | None:
    return to_row_or_none(QueuedJob, await db.fetchrow(f"SELECT {_QUEUED} FROM jobs WHERE id = $1", job_id))


async def retry_job(db: Database, job_id: int) -> RetryResult:
    """Put a held job back into the queue, with no attempts counted. A job that is not held stays as it is.

    One worker claims it, and handlers tolerate running again, so no credits are charged twice. If the same work has
    been queued in the meantime, the held job stays as it is.
    """
    try:
        retried = await db.fetchval(
            """UPDATE jobs SET failed_at = NULL, attempts = 0, run_after = now()
               WHERE id = $1 AND failed_at IS NOT NULL RETURNING pg_notify('jobs', '')::text""",
            job_id,
        )
    except asyncpg.UniqueViolationError:
        return "already_queued"
    return "not_held" if retried is None else "retried"


async def drop_held_job(db: Database, job_id: int) -> str | None:
    """Delete a held job, and return its kind. None if there is no held job of this id."""
    kind: str | None = await db.fetchval(
        "DELETE FROM jobs WHERE id = $1 AND failed_at IS NOT NULL RETURNING kind", job_id
    )
    return kind
