"""All SQL of monitoring. It counts over all workspaces and returns none of their names or ids."""

from datetime import timedelta
from typing import Any

from sightline.db.engine import Reader, Transaction

_WAITS = "worker_id IS NULL AND failed_at IS NULL"
_AGE = "coalesce(extract(epoch FROM now() - {}), 0)::double precision"


async def limit_time(tx: Transaction, limit: timedelta) -> None:
    """Let PostgreSQL end a statement of this transaction that takes longer, and refuse writes."""
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
    """Return each platform that fails or is paused in the database: its key, and which of both it is."""
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
