"""All SQL of webhook endpoints; that of deliveries is in `deliveries/queries.py`.

Locks are taken in one order, the endpoint before its deliveries, so that transactions cannot deadlock.
"""

import uuid
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.mail.emails import Recipient
from sightline.webhooks.models import Endpoint, EndpointHealth, EndpointKind, SealedSecrets

_ENDPOINT = columns(Endpoint)

SortKey = tuple[datetime, uuid.UUID]


async def lock_and_count_endpoints(
    tx: Transaction, workspace_id: uuid.UUID, kind: EndpointKind, *, livemode: bool
) -> int:
    """Lock the workspace, so that two registrations cannot exceed the limit, and count its endpoints."""
    await tx.execute("SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE", workspace_id)
    count: int = await tx.fetchval(
        """SELECT count(*) FROM webhook_endpoints
           WHERE workspace_id = $1 AND livemode = $2 AND kind = $3 AND status <> 'removed'""",
        workspace_id,
        livemode,
        kind,
    )
    return count


async def insert_endpoint(tx: Transaction, workspace_id: uuid.UUID, endpoint: Endpoint, secret: bytes) -> None:
    await tx.execute(
        f"""INSERT INTO webhook_endpoints (workspace_id, {_ENDPOINT}, secret)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)""",
        workspace_id,
        *(getattr(endpoint, name) for name in Endpoint.__struct_fields__),
        secret,
    )


async def list_endpoints(
    db: Reader, workspace_id: uuid.UUID, kind: EndpointKind, *, livemode: bool, after: SortKey | None, limit: int
) -> list[Endpoint]:
    rows = await db.fetch(
        f"""SELECT {_ENDPOINT} FROM webhook_endpoints
            WHERE workspace_id = $1 AND livemode = $2 AND kind = $6 AND status <> 'removed'
              AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
            ORDER BY created_at DESC, id DESC LIMIT $5""",
        workspace_id,
        livemode,
        *(after or (None, None)),
        limit,
        kind,
    )
    return to_rows(Endpoint, rows)


async def find_endpoint(
    db: Reader,
    workspace_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    kind: EndpointKind,
    *,
    livemode: bool,
    lock: bool = False,
) -> Endpoint | None:
    row = await db.fetchrow(
        f"""SELECT {_ENDPOINT} FROM webhook_endpoints
            WHERE workspace_id = $1 AND id = $2 AND livemode = $3 AND kind = $4 AND status <> 'removed'
            {"FOR NO KEY UPDATE" if lock else ""}""",
        workspace_id,
        endpoint_id,
        livemode,
        kind,
    )
    return to_row_or_none(Endpoint, row)


async def update_endpoint(
    tx: Transaction, workspace_id: uuid.UUID, endpoint: Endpoint, *, forget_failures: bool
) -> None:
    await tx.execute(
        """UPDATE webhook_endpoints
           SET url = $3, description = $4, events = $5, status = $6, disabled_reason = $7, updated_at = $8,
               client_id = $10, failing_since = CASE WHEN $9 THEN NULL ELSE failing_since END
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        endpoint.id,
        endpoint.url,
        endpoint.description,
        endpoint.events,
        endpoint.status,
        endpoint.disabled_reason,
        endpoint.updated_at,
        forget_failures,
        endpoint.client_id,
    )


async def replace_secret(
    tx: Transaction,
    workspace_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    secret: bytes,
    *,
    old_until: datetime,
    now: datetime,
) -> None:
    await tx.execute(
        """UPDATE webhook_endpoints
           SET old_secret = secret, old_secret_until = $4, secret = $3, updated_at = $5
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        endpoint_id,
        secret,
        old_until,
        now,
    )


async def mark_removed(tx: Transaction, workspace_id: uuid.UUID, endpoint_id: uuid.UUID, *, now: datetime) -> None:
    """Mark the endpoint as removed and delete its secrets. Its history stays until it is old."""
    await tx.execute(
        """UPDATE webhook_endpoints SET status = 'removed', secret = '', old_secret = NULL, updated_at = $3
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        endpoint_id,
        now,
    )


async def mark_disabled(
    tx: Transaction, workspace_id: uuid.UUID, endpoint_id: uuid.UUID, reason: str, *, now: datetime
) -> None:
    await tx.execute(
        """UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $3, updated_at = $4
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        endpoint_id,
        reason,
        now,
    )


async def lock_health(tx: Transaction, workspace_id: uuid.UUID, endpoint_id: uuid.UUID) -> EndpointHealth | None:
    """Lock the endpoint. It is gone, with its deliveries, if it was a Slack channel of a client that was removed."""
    row = await tx.fetchrow(
        f"""SELECT {columns(EndpointHealth)} FROM webhook_endpoints
            WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE""",
        workspace_id,
        endpoint_id,
    )
    return to_row_or_none(EndpointHealth, row)


async def set_failing_since(
    tx: Transaction, workspace_id: uuid.UUID, endpoint_id: uuid.UUID, since: datetime | None
) -> None:
    await tx.execute(
        "UPDATE webhook_endpoints SET failing_since = $3 WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        endpoint_id,
        since,
    )


async def list_owners(db: Reader, workspace_id: uuid.UUID) -> list[Recipient]:
    rows = await db.fetch(
        """SELECT u.email, u.language FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.workspace_id = $1 AND m.role = 'owner' ORDER BY u.email""",
        workspace_id,
    )
    return [Recipient(*row) for row in rows]


async def lock_secrets_any_workspace(
    tx: Transaction, *, after: tuple[uuid.UUID, uuid.UUID] | None, limit: int
) -> list[SealedSecrets]:
    """Lock and return the next endpoints that have secrets. Removed ones have none."""
    rows = await tx.fetch(
        f"""SELECT {columns(SealedSecrets)} FROM webhook_endpoints
            WHERE status <> 'removed' AND ($1::uuid IS NULL OR (workspace_id, id) > ($1, $2::uuid))
            ORDER BY workspace_id, id LIMIT $3 FOR NO KEY UPDATE""",
        *(after or (None, None)),
        limit,
    )
    return to_rows(SealedSecrets, rows)


async def set_secrets(
    tx: Transaction, workspace_id: uuid.UUID, endpoint_id: uuid.UUID, secret: bytes, old_secret: bytes | None
) -> None:
    await tx.execute(
        "UPDATE webhook_endpoints SET secret = $3, old_secret = $4 WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        endpoint_id,
        secret,
        old_secret,
    )
