"""The workers that are alive. The jobs and platform slots of a dead one are free again.

A worker reports every second and holds a lock in a database session of its own. PostgreSQL releases the lock when the
process dies, whatever killed it. So a worker that is merely slow keeps its jobs, and a dead one loses them in seconds.
"""

import uuid
from datetime import timedelta

import asyncpg
import structlog

from sightline import __version__
from sightline.db.connect import connect
from sightline.db.engine import Database
from sightline.db.failures import UNAVAILABLE, to_unavailable
from sightline.jobs.queue import Connection

log = structlog.get_logger()

REPORT_SECONDS = 1.0
# An arbitrary number that no other advisory lock of this database uses.
_HOUSEKEEPING = 7_410_302_304
_HUNG_AFTER = timedelta(minutes=5)  # after this, even a worker that still has its session loses its jobs
_LOCK = "hashtextextended({}::text, 0)"
# A machine that vanishes without closing its connections is noticed within seconds as well.
_KEEPALIVE = {"tcp_keepalives_idle": "3", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "3"}


async def open_session(database_url: str, worker_id: uuid.UUID) -> "asyncpg.Connection[asyncpg.Record]":
    """Open the session whose end means that the worker is dead."""
    session = await connect(database_url, timeout=5, server_settings=_KEEPALIVE)
    try:
        await session.execute(f"SELECT pg_advisory_lock({_LOCK.format('$1')})", str(worker_id))
    except UNAVAILABLE as error:
        session.terminate()
        raise to_unavailable(error) from error
    return session


async def report_alive(db: Database, worker_id: uuid.UUID, *, timeout: float) -> None:
    """Record that the worker is alive, and free the jobs of workers that are not.

    After a restart of PostgreSQL all sessions are gone, and every worker needs a moment to report again.
    """
    async with db.transaction() as tx:
        await tx.execute(
            """INSERT INTO workers (id, seen_at, version) VALUES ($1, now(), $2)
               ON CONFLICT (id) DO UPDATE SET seen_at = now()""",
            worker_id,
            __version__,
        )
        dead = await tx.fetch(
            f"""DELETE FROM workers WHERE greatest(seen_at, pg_postmaster_start_time()) < now() - $1::interval
                  AND (seen_at < now() - $2::interval OR pg_try_advisory_xact_lock({_LOCK.format("id")}))
                RETURNING id""",
            timedelta(seconds=timeout),
            _HUNG_AFTER,
        )
        if dead:
            await free_abandoned_jobs(tx)
            log.warning("workers_died", workers=[str(row[0]) for row in dead])


async def free_abandoned_jobs(tx: Connection) -> None:
    await tx.execute(
        "UPDATE jobs SET worker_id = NULL WHERE worker_id IS NOT NULL AND worker_id NOT IN (SELECT id FROM workers)"
    )


async def claim_housekeeping(tx: Connection) -> bool:
    """Return whether this transaction may do the housekeeping; at most one does at a time."""
    return bool((await tx.fetch("SELECT pg_try_advisory_xact_lock($1)", _HOUSEKEEPING))[0][0])


async def sign_off(db: Database, worker_id: uuid.UUID) -> None:
    """Remove a worker that stops. Its platform slots are free at once, and so is any job that it could not put back."""
    async with db.transaction() as tx:
        await tx.execute("DELETE FROM workers WHERE id = $1", worker_id)
        await free_abandoned_jobs(tx)
