"""What the database contains once nothing is running any more."""

import hashlib
from typing import Any

import asyncpg
import msgspec

from sightline.webhooks.deliveries.models import JOB as DELIVERY

_SCANS_PATH = hashlib.sha256(b"/api/v1/console/scans").digest()


_JOB_STATE = "CASE WHEN failed_at IS NOT NULL THEN 'failed' WHEN worker_id IS NULL THEN 'waiting' ELSE 'claimed' END"


class ScanFact(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    workspace: str
    status: str
    was_started: bool
    charged: int
    refunded: int
    platforms: int
    total: int
    completed: int
    failed: int
    answers: int
    cells: int
    """Different ones among the answers."""


class EntryFact(msgspec.Struct, frozen=True, kw_only=True):
    workspace: str
    delta: int
    reason: str
    scan: str | None = None
    payment: str | None = None


class EventFact(msgspec.Struct, frozen=True):
    id: str
    workspace: str
    type: str
    cause: str
    deliveries: list[str]
    """Their states."""


class AttemptFact(msgspec.Struct, frozen=True):
    reference: str
    workspace: str
    status: str
    credits: int
    order_status: str | None
    """Of the order at the local provider."""
    payment: str | None


class JobFact(msgspec.Struct, frozen=True):
    kind: str
    status: str
    key: str | None
    attempts: int
    is_deferred: bool


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    scans: list[ScanFact]
    entries: list[EntryFact]
    events: list[EventFact]
    attempts: list[AttemptFact]
    jobs: list[JobFact]
    balances: dict[str, int]
    stored: dict[str, str]
    """The scan of each idempotency key, according to its stored response."""
    lanes: int
    book_faults: list[str] = []
    fell: list[str] = []
    """Processes that ended without a fault by the run."""


async def is_at_rest(url: str) -> list[str]:
    """Return what is still running; empty once nothing is."""
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            f"""SELECT 'scan ' || id || ' ' || status FROM scans WHERE status IN ('pending', 'running')
                UNION ALL SELECT 'job ' || kind || ' ' || {_JOB_STATE} FROM jobs
                UNION ALL SELECT 'delivery ' || id FROM webhook_deliveries WHERE status = 'pending'"""
        )
        return [row[0] for row in rows]
    finally:
        await connection.close()


async def hurry_retries(url: str) -> None:
    """Make deliveries that wait for their second retry, 5 minutes later, due now.

    The run proves that they arrive, not how long they wait. The first retry, after 5 s, is waited for.
    """
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(
            """UPDATE jobs SET run_after = now()
               WHERE kind = $1 AND worker_id IS NULL AND run_after > now() + interval '7 seconds'""",
            DELIVERY,
        )
    finally:
        await connection.close()


async def describe_activity(url: str) -> str:
    """Return which sessions hold and await locks, to find out what is still running."""
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch(
            """SELECT pid, pg_blocking_pids(pid) AS blocked_by, state, wait_event, now() - xact_start AS in_transaction,
                      now() - state_change AS since, left(query, 200) AS query
               FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid"""
        )
        return "\n".join(str(dict(row)) for row in rows)
    finally:
        await connection.close()


async def gather_evidence(url: str, *, book_faults: list[str], fell: list[str]) -> Evidence:
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            return Evidence(
                scans=await _scans(connection),
                entries=await _entries(connection),
                events=await _events(connection),
                attempts=await _attempts(connection),
                jobs=await _jobs(connection),
                balances=await _balances(connection),
                stored=await _stored(connection),
                lanes=await connection.fetchval("SELECT count(*) FROM scan_lanes"),
                book_faults=book_faults,
                fell=fell,
            )
    finally:
        await connection.close()


async def _scans(connection: Any) -> list[ScanFact]:
    rows = await connection.fetch(
        """SELECT s.id::text, s.workspace_id::text AS workspace, s.status, s.started_at IS NOT NULL AS was_started,
                  s.credits_charged AS charged, s.answers_total AS total, s.answers_completed AS completed,
                  s.credits_refunded AS refunded, cardinality(s.selected_platforms) AS platforms,
                  s.answers_failed AS failed, count(a.id) AS answers,
                  count(DISTINCT (a.prompt_index, a.platform, a.country)) FILTER (WHERE a.id IS NOT NULL) AS cells
           FROM scans s LEFT JOIN answers a ON a.workspace_id = s.workspace_id AND a.scan_id = s.id
           GROUP BY s.workspace_id, s.id ORDER BY s.created_at"""
    )
    return [ScanFact(**row) for row in rows]


async def _entries(connection: Any) -> list[EntryFact]:
    rows = await connection.fetch(
        """SELECT workspace_id::text AS workspace, delta, reason, scan_id::text AS scan, payment_reference AS payment
           FROM credit_entries ORDER BY created_at"""
    )
    return [EntryFact(**row) for row in rows]


async def _events(connection: Any) -> list[EventFact]:
    rows = await connection.fetch(
        """SELECT e.id::text, e.workspace_id::text, e.type, e.cause,
                  coalesce(array_agg(d.status) FILTER (WHERE d.id IS NOT NULL), '{}')
           FROM events e LEFT JOIN webhook_deliveries d ON d.workspace_id = e.workspace_id AND d.event_id = e.id
           GROUP BY e.workspace_id, e.id"""
    )
    return [EventFact(*row) for row in rows]


async def _attempts(connection: Any) -> list[AttemptFact]:
    rows = await connection.fetch(
        """SELECT a.reference, a.workspace_id::text, a.status, a.credits, o.status, a.payment_reference
           FROM checkout_attempts a LEFT JOIN local_orders o USING (reference)"""
    )
    return [AttemptFact(*row) for row in rows]


async def _jobs(connection: Any) -> list[JobFact]:
    rows = await connection.fetch(f"SELECT kind, {_JOB_STATE}, key, attempts, run_after > now() FROM jobs")
    return [JobFact(*row) for row in rows]


async def _balances(connection: Any) -> dict[str, int]:
    rows = await connection.fetch("SELECT workspace_id::text, balance FROM credit_accounts WHERE livemode")
    return {row[0]: row[1] for row in rows}


async def _stored(connection: Any) -> dict[str, str]:
    rows = await connection.fetch(
        "SELECT key, body FROM idempotency_keys WHERE path_hash = $1 AND stored_at IS NOT NULL", _SCANS_PATH
    )
    return {row[0]: msgspec.json.decode(row[1])["data"]["id"] for row in rows}
