"""All SQL of deliveries and their attempts."""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.webhooks.deliveries.models import (
    AttemptOutcome,
    AttemptResult,
    DeliverJob,
    Delivery,
    DeliveryAttempt,
    FailureReason,
    PendingDelivery,
)

_ATTEMPT = columns(DeliveryAttempt)
_HEADERS = DeliveryAttempt.__struct_fields__.index("request_headers")
_DELIVERY = ", ".join(("v." if name == "body" else "d.") + name for name in Delivery.__struct_fields__)
_PENDING = """d.status, d.attempts, d.attempts_before, d.event_id, v.body, d.endpoint_id, e.status, e.kind, e.url,
              e.secret, e.old_secret, e.old_secret_until, e.failing_since"""
_WITH_EVENT = "webhook_deliveries d JOIN events v ON v.workspace_id = d.workspace_id AND v.id = d.event_id"
_SWEEP_LIMIT = 1_000
DELETE_LIMIT = 5_000

SortKey = tuple[datetime, uuid.UUID]


async def list_recipients(
    db: Reader, workspace_id: uuid.UUID, event_id: uuid.UUID, *, slack_plans: Collection[str]
) -> list[tuple[uuid.UUID, str]]:
    """List the endpoints that receive the event, with its type. That of a client hears of its domains only.

    A test event goes only to the endpoint that asked for it, so it has no recipients here.
    """
    rows = await db.fetch(
        """SELECT e.id, v.type FROM events v
           JOIN webhook_endpoints e ON e.workspace_id = v.workspace_id AND e.livemode = v.livemode
           JOIN workspaces w ON w.id = v.workspace_id
           WHERE v.workspace_id = $1 AND v.id = $2 AND v.type <> 'webhook.test' AND e.status = 'enabled'
             AND (e.events = '{}' OR v.type = ANY (e.events))
             AND (e.kind <> 'slack' OR w.plan = ANY ($3))
             AND (e.client_id IS NULL OR EXISTS (
                 SELECT FROM domains d WHERE d.workspace_id = v.workspace_id AND d.client_id = e.client_id
                   AND d.id = (convert_from(v.body, 'UTF8')::jsonb #>> '{data,domain_id}')::uuid))""",
        workspace_id,
        event_id,
        list(slack_plans),
    )
    return [(row[0], row[1]) for row in rows]


async def insert_deliveries(
    tx: Transaction,
    workspace_id: uuid.UUID,
    event_id: uuid.UUID,
    event_type: str,
    ids: Sequence[uuid.UUID],
    endpoint_ids: Sequence[uuid.UUID],
    *,
    now: datetime,
) -> list[uuid.UUID]:
    """Insert deliveries, and return the ids of new ones: an event has one delivery per endpoint."""
    rows = await tx.fetch(
        """INSERT INTO webhook_deliveries (workspace_id, id, endpoint_id, event_id, event_type, status,
                                           next_attempt_at, created_at, updated_at)
           SELECT $1, new.id, new.endpoint_id, $2, $3, 'pending', $6, $6, $6
           FROM unnest($4::uuid[], $5::uuid[]) AS new (id, endpoint_id)
           ON CONFLICT (workspace_id, event_id, endpoint_id) DO NOTHING RETURNING id""",
        workspace_id,
        event_id,
        event_type,
        ids,
        endpoint_ids,
        now,
    )
    return [row[0] for row in rows]


async def find_pending_delivery(db: Reader, workspace_id: uuid.UUID, delivery_id: uuid.UUID) -> PendingDelivery | None:
    row = await db.fetchrow(
        f"""SELECT {_PENDING} FROM {_WITH_EVENT}
            JOIN webhook_endpoints e ON e.workspace_id = d.workspace_id AND e.id = d.endpoint_id
            WHERE d.workspace_id = $1 AND d.id = $2""",
        workspace_id,
        delivery_id,
    )
    return to_row_or_none(PendingDelivery, row)


async def record_attempt(
    tx: Reader, job: DeliverJob, result: AttemptResult, outcome: AttemptOutcome, *, now: datetime
) -> bool:
    """Record the attempt and the new state of its delivery in one statement.

    Returns False when the attempt is recorded already.
    """
    recorded = await tx.fetchval(
        """WITH settled AS (
               UPDATE webhook_deliveries
               SET status = $4, attempts = $3, next_attempt_at = $5, failure_reason = $6, updated_at = $7
               WHERE workspace_id = $1 AND id = $2 AND attempts = $3 - 1 RETURNING id
           )
           INSERT INTO webhook_attempts (workspace_id, delivery_id, attempt, attempted_at, request_headers,
                                         response_status, response_body, error, duration_ms)
           SELECT $1, id, $3, $8, $9, $10, $11, $12, $13 FROM settled RETURNING true""",
        job.workspace_id,
        job.delivery_id,
        job.attempt,
        outcome.status,
        outcome.next_attempt_at,
        outcome.failure_reason,
        now,
        result.attempted_at,
        msgspec.json.encode(result.request_headers).decode(),
        result.response_status,
        result.response_body,
        result.error,
        result.duration_ms,
    )
    return recorded is not None


async def fail_delivery(
    tx: Transaction, workspace_id: uuid.UUID, delivery_id: uuid.UUID, reason: FailureReason, *, now: datetime
) -> None:
    """End a pending delivery without an attempt."""
    await tx.execute(
        """UPDATE webhook_deliveries
           SET status = 'failed', failure_reason = $3, next_attempt_at = NULL, updated_at = $4
           WHERE workspace_id = $1 AND id = $2 AND status = 'pending'""",
        workspace_id,
        delivery_id,
        reason,
        now,
    )


async def fail_pending_deliveries(
    tx: Transaction, workspace_id: uuid.UUID, endpoint_id: uuid.UUID, reason: FailureReason, *, now: datetime
) -> None:
    """End all pending deliveries of an endpoint that the caller has locked."""
    await tx.execute(
        """UPDATE webhook_deliveries
           SET status = 'failed', failure_reason = $3, next_attempt_at = NULL, updated_at = $4
           WHERE workspace_id = $1 AND endpoint_id = $2 AND status = 'pending'""",
        workspace_id,
        endpoint_id,
        reason,
        now,
    )


async def restart_delivery(
    tx: Transaction, workspace_id: uuid.UUID, endpoint_id: uuid.UUID, delivery_id: uuid.UUID, *, now: datetime
) -> bool:
    """Start a new round of attempts, whose numbers continue. Return False when there is no such delivery."""
    restarted = await tx.fetchval(
        """UPDATE webhook_deliveries
           SET status = 'pending', attempts_before = attempts, next_attempt_at = $4, failure_reason = NULL,
               updated_at = $4
           WHERE workspace_id = $1 AND endpoint_id = $2 AND id = $3 RETURNING true""",
        workspace_id,
        endpoint_id,
        delivery_id,
        now,
    )
    return restarted is not None


# History


async def list_deliveries(
    db: Reader, workspace_id: uuid.UUID, endpoint_id: uuid.UUID, *, after: SortKey | None, limit: int
) -> list[Delivery]:
    rows = await db.fetch(
        f"""SELECT {_DELIVERY} FROM {_WITH_EVENT}
            WHERE d.workspace_id = $1 AND d.endpoint_id = $2
              AND ($3::timestamptz IS NULL OR (d.created_at, d.id) < ($3, $4::uuid))
            ORDER BY d.created_at DESC, d.id DESC LIMIT $5""",
        workspace_id,
        endpoint_id,
        *(after or (None, None)),
        limit,
    )
    return to_rows(Delivery, rows)


async def find_delivery(db: Reader, workspace_id: uuid.UUID, delivery_id: uuid.UUID) -> Delivery | None:
    row = await db.fetchrow(
        f"SELECT {_DELIVERY} FROM {_WITH_EVENT} WHERE d.workspace_id = $1 AND d.id = $2", workspace_id, delivery_id
    )
    return to_row_or_none(Delivery, row)


async def list_attempts(
    db: Reader, workspace_id: uuid.UUID, delivery_ids: list[uuid.UUID], *, latest: int
) -> list[DeliveryAttempt]:
    """List the latest attempts of each delivery, oldest first."""
    rows = await db.fetch(
        f"""SELECT {columns(DeliveryAttempt, "a")} FROM webhook_deliveries d
            JOIN webhook_attempts a ON a.workspace_id = d.workspace_id AND a.delivery_id = d.id
            WHERE d.workspace_id = $1 AND d.id = ANY ($2::uuid[]) AND a.attempt > d.attempts - $3
            ORDER BY a.delivery_id, a.attempt""",
        workspace_id,
        delivery_ids,
        latest,
    )
    return [_to_attempt(row) for row in rows]


def _to_attempt(record: tuple[object, ...]) -> DeliveryAttempt:
    values = list(record)
    values[_HEADERS] = msgspec.json.decode(values[_HEADERS], type=dict[str, str])  # type: ignore[call-overload]
    return DeliveryAttempt(*values)  # type: ignore[arg-type]


async def list_lost_deliveries_any_workspace(
    db: Reader, *, due_before: datetime
) -> list[tuple[uuid.UUID, uuid.UUID, uuid.UUID, int, int]]:
    """List deliveries that are due and have no job.

    Each as workspace, endpoint, delivery, attempts, and attempts of earlier rounds.
    """
    rows = await db.fetch(
        f"""SELECT d.workspace_id, d.endpoint_id, d.id, d.attempts, d.attempts_before FROM webhook_deliveries d
            WHERE d.status = 'pending' AND d.next_attempt_at < $1
              AND NOT EXISTS (
                  SELECT FROM jobs WHERE failed_at IS NULL
                    AND key = 'webhook:' || d.id || ':' || d.attempts + 1 || ':' || d.attempts_before)
            ORDER BY d.next_attempt_at LIMIT {_SWEEP_LIMIT}""",
        due_before,
    )
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


async def delete_deliveries_any_workspace(tx: Transaction, *, before: datetime) -> int:
    """Delete ended deliveries with their attempts."""
    return _parse_count(
        await tx.execute(
            f"""DELETE FROM webhook_deliveries WHERE (workspace_id, id) IN (
                    SELECT workspace_id, id FROM webhook_deliveries
                    WHERE created_at < $1 AND status <> 'pending' ORDER BY created_at LIMIT {DELETE_LIMIT})""",
            before,
        )
    )


async def delete_endpoints_any_workspace(tx: Transaction, *, before: datetime) -> int:
    """Delete removed endpoints whose history is gone."""
    return _parse_count(
        await tx.execute(
            """DELETE FROM webhook_endpoints e
               WHERE e.status = 'removed' AND e.updated_at < $1 AND NOT EXISTS (
                   SELECT FROM webhook_deliveries d WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.id)""",
            before,
        )
    )


def _parse_count(status: str) -> int:
    return int(status.rpartition(" ")[2])
