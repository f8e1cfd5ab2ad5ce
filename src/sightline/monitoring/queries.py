"""All SQL of monitoring. It counts over all workspaces and returns none of their names or ids."""

import uuid
from datetime import datetime, timedelta
from typing import Any

from sightline.db.engine import Reader, Transaction, to_rows
from sightline.monitoring.models import TableSize, WorkerState

_WAITS = "worker_id IS NULL AND failed_at IS NULL"
_AGE = "coalesce(extract(epoch FROM now() - {}), 0)::double precision"


async def limit_time(tx: Transaction, limit: timedelta) -> None:
    """Limit how long a statement of this transaction may run, and refuse writes."""
    await tx.execute("SET TRANSACTION READ ONLY")
    await tx.execute(f"SET LOCAL statement_timeout = {round(limit.total_seconds() * 1000)}")


async def count_jobs_any_workspace(db: Reader) -> list[tuple[str, int, int, int, int, float]]:
    """Return kind, due, scheduled, running and held jobs, and the seconds for which the first due one has waited."""
    rows = await db.fetch(
        f"""SELECT kind, count(*) FILTER (WHERE {_WAITS} AND run_after <= now()),
                   count(*) FILTER (WHERE {_WAITS} AND run_after > now()),
                   count(*) FILTER (WHERE worker_id IS NOT NULL), count(*) FILTER (WHERE failed_at IS NOT NULL),
                   {_AGE.format(f"min(run_after) FILTER (WHERE {_WAITS} AND run_after <= now())")}
            FROM jobs GROUP BY kind ORDER BY kind"""
    )
    return [tuple(row) for row in rows]


async def count_scans_any_workspace(db: Reader) -> list[tuple[str, int, float]]:
    """Return the number and the greatest age of pending and of running scans."""
    rows = await db.fetch(
        f"""SELECT state, count(id), {_AGE.format("min(coalesce(started_at, created_at))")}
            FROM unnest('{{pending,running}}'::text[]) state
            LEFT JOIN scans ON status = state AND status IN ('pending', 'running') GROUP BY state ORDER BY state"""
    )
    return [tuple(row) for row in rows]


async def count_deliveries_any_workspace(db: Reader) -> tuple[int, int, float]:
    """Return pending deliveries, those of them that are due, and the seconds for which the first has been due."""
    row = await db.fetchrow(
        f"""SELECT count(*), count(*) FILTER (WHERE next_attempt_at <= now()),
                   {_AGE.format("min(next_attempt_at) FILTER (WHERE next_attempt_at <= now())")}
            FROM webhook_deliveries WHERE status = 'pending'"""
    )
    return row[0], row[1], row[2]


async def find_schedule_lag_any_workspace(db: Reader) -> float:
    """Return the seconds for which the most overdue check has been due. A domain that is being checked waits."""
    found: float = await db.fetchval(
        f"""SELECT {_AGE.format("min(next_check_at)")} FROM domains d
            WHERE kind = 'tracked' AND status = 'active' AND next_check_at <= now() AND anchor_at IS NOT NULL
              AND NOT EXISTS (SELECT FROM scans s WHERE s.workspace_id = d.workspace_id AND s.domain_id = d.id
                                                    AND s.status IN ('pending', 'running'))"""
    )
    return found


async def count_open_payments_any_workspace(db: Reader) -> list[tuple[str, int, float]]:
    """Return the number of payments that an operator has to look at, by state, and the age of the oldest."""
    rows = await db.fetch(
        f"""SELECT state, count(id), {_AGE.format("min(updated_at)")}
            FROM unnest('{{reconciliation,refund_required}}'::text[]) state
            LEFT JOIN checkout_attempts ON status = state AND status IN ('reconciliation', 'refund_required')
            GROUP BY state ORDER BY state"""
    )
    return [tuple(row) for row in rows]


async def count_wrong_balances_any_workspace(db: Reader) -> int:
    found: int = await db.fetchval(
        """SELECT count(*) FROM credit_accounts a LEFT JOIN (
               SELECT workspace_id, livemode, sum(delta) AS total FROM credit_entries GROUP BY workspace_id, livemode
           ) e USING (workspace_id, livemode) WHERE a.balance <> coalesce(e.total, 0)"""
    )
    return found


async def count_workers(db: Reader) -> int:
    found: int = await db.fetchval("SELECT count(*) FROM workers")
    return found


async def list_platform_faults(db: Reader, *, min_calls: int) -> list[tuple[str, bool, bool]]:
    """Return each platform that fails or is paused in the database: its key, and which of the two it is."""
    rows = await db.fetch(
        """SELECT platform, f.platform IS NOT NULL, p.platform IS NOT NULL
           FROM (SELECT platform FROM platform_failures WHERE calls >= $1) f
           FULL JOIN platform_pauses p USING (platform) ORDER BY platform""",
        min_calls,
    )
    return [tuple(row) for row in rows]


async def measure_database(db: Reader) -> int:
    found: Any = await db.fetchval("SELECT pg_database_size(current_database())")
    return int(found)


async def list_workers(db: Reader) -> list[WorkerState]:
    """List the workers that are alive, the longest running first, with the number of jobs that each runs."""
    rows = await db.fetch(
        """SELECT w.id, w.version, w.started_at, w.seen_at, count(j.id)
           FROM workers w LEFT JOIN jobs j ON j.worker_id = w.id GROUP BY w.id ORDER BY w.started_at, w.id"""
    )
    return to_rows(WorkerState, rows)


async def count_schedule_any_workspace(db: Reader, *, now: datetime) -> tuple[int, int, datetime | None]:
    """Return how many domains are checked on a schedule, how many of them within a day, and when the next one is."""
    row = await db.fetchrow(
        """SELECT count(*), count(*) FILTER (WHERE next_check_at < $1::timestamptz + interval '1 day'),
                  min(next_check_at)
           FROM domains WHERE kind = 'tracked' AND status = 'active' AND next_check_at IS NOT NULL""",
        now,
    )
    return row[0], row[1], row[2]


async def count_failed_scans_any_workspace(
    db: Reader, *, since: datetime, created_after: uuid.UUID
) -> list[tuple[str, int]]:
    """Return why scans failed since a time, and how many. Scans with an id below `created_after` are not read."""
    rows = await db.fetch(
        """SELECT coalesce(error_message, 'No reason was recorded.'), count(*) FROM scans
           WHERE id >= $2 AND answers_expired_at IS NULL AND status = 'failed' AND completed_at >= $1
           GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20""",
        since,
        created_after,
    )
    return [(row[0], row[1]) for row in rows]


async def count_failed_deliveries_any_workspace(
    db: Reader, *, since: datetime, created_after: datetime
) -> list[tuple[str, int]]:
    """Return why webhook deliveries failed for good since a time, and how many."""
    rows = await db.fetch(
        """SELECT failure_reason, count(*) FROM webhook_deliveries
           WHERE created_at >= $2 AND status = 'failed' AND updated_at >= $1 GROUP BY 1 ORDER BY 2 DESC, 1""",
        since,
        created_after,
    )
    return [(row[0], row[1]) for row in rows]


async def list_table_sizes(db: Reader) -> list[TableSize]:
    """List the tables with their size and estimated rows, the largest first. Partitions count as one table."""
    rows = await db.fetch(
        """SELECT coalesce(p.relname, c.relname)::text, sum(pg_total_relation_size(c.oid))::bigint,
                  (sum(c.reltuples) FILTER (WHERE c.reltuples >= 0))::bigint
           FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
           WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace GROUP BY 1 ORDER BY 2 DESC"""
    )
    return to_rows(TableSize, rows)


async def count_answers_any_workspace(db: Reader, *, created_after: uuid.UUID) -> int:
    """Count the answers of the scans whose id is `created_after` or higher."""
    found: int = await db.fetchval(
        """SELECT coalesce(sum(answers_completed + answers_failed), 0)::bigint FROM scans
           WHERE id >= $1 AND answers_expired_at IS NULL""",
        created_after,
    )
    return found


async def read_versions(db: Reader) -> tuple[str, str]:
    """Return the version of PostgreSQL and the revision of the schema."""
    row = await db.fetchrow("SELECT current_setting('server_version'), version_num FROM alembic_version")
    return row[0], row[1]
