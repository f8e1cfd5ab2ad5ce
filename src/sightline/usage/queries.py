"""The SQL of usage.

`recognize_key` runs for every request with a key. In one round trip it authenticates, reads role and plan, counts the
request against the minute and the month, and returns how much is left.
"""

import uuid
from collections.abc import Iterable, Mapping
from datetime import date, datetime

import msgspec

from sightline.api_keys.addresses import Address
from sightline.db.engine import Database, Reader, Transaction, to_row
from sightline.usage.models import RateLimits, RecognizedKey

_KNOWN = """
WITH known AS MATERIALIZED (
    SELECT k.workspace_id, k.id, k.kind, k.livemode, k.scopes, k.created_by,
           coalesce(k.revoked_at, w.closed_at) AS revoked_at,
           CASE WHEN k.digest = $1 THEN k.expires_at ELSE least(k.expires_at, k.previous_ends_at) END AS ends_at,
           k.digest <> $1 AS is_replaced, k.allowed_addresses,
           k.allowed_addresses = '{}' OR coalesce($6::inet <<= ANY (k.allowed_addresses), false) AS address_allowed,
           w.plan, m.role, i.console_enabled, l.per_minute, l.per_month,
           coalesce((SELECT r.n FROM rate_months r
                     WHERE r.workspace_id = k.workspace_id AND r.key_id = k.id AND r.month = $2), 0) AS month_before
    FROM api_keys k
    JOIN workspaces w ON w.id = k.workspace_id
    LEFT JOIN members m ON m.workspace_id = k.workspace_id AND m.user_id = k.created_by
    CROSS JOIN installation i
    JOIN unnest($3::text[], $4::integer[], $5::integer[]) AS l (class, per_minute, per_month)
      ON l.class = CASE k.kind WHEN 'console' THEN 'console' ELSE w.plan END
    WHERE k.digest = $1 OR k.previous_digest = $1
)"""
_COLUMNS = """
SELECT known.workspace_id, id, kind, livemode, scopes, created_by, revoked_at, ends_at, is_replaced,
       allowed_addresses, address_allowed, plan, role, console_enabled, per_minute, per_month"""
# Without a data-modifying part, which a read-only database refuses even if it changes no row.
_LOOK_UP_KEY = f"{_KNOWN} {_COLUMNS}, NULL::integer, NULL::integer, month_before FROM known"
# Commits without waiting for the disk: a crash of PostgreSQL loses at most the last fraction of a second of the month's
# count. Every other commit stays durable.
RECOGNIZE_KEY = f"""{_KNOWN}, minute AS (
    INSERT INTO rate_minutes AS r (subject, minute, n)
    SELECT id, $8, 1 FROM known
    WHERE revoked_at IS NULL AND (ends_at IS NULL OR ends_at > $9) AND address_allowed AND kind = $7
      AND month_before < per_month
    ON CONFLICT (subject, minute) DO UPDATE SET n = r.n + 1 WHERE r.n < (SELECT per_minute FROM known)
    RETURNING n
), month AS (
    INSERT INTO rate_months AS r (workspace_id, key_id, month, n)
    SELECT workspace_id, id, $2, 1 FROM known, minute
    ON CONFLICT (workspace_id, key_id, month) DO UPDATE SET n = r.n + 1 WHERE r.n < (SELECT per_month FROM known)
    RETURNING n
)
{_COLUMNS}, (SELECT n FROM minute), (SELECT n FROM month), month_before, set_config('synchronous_commit', 'off', true)
FROM known
"""


class KeyLookup(msgspec.Struct, frozen=True, kw_only=True):
    """What a key is looked up by: the hash of its secret, and what its limits and rights depend on."""

    digest: bytes
    limits: Mapping[str, RateLimits]
    address: Address | None
    month: datetime

    def to_arguments(self) -> tuple[object, ...]:
        limits = self.limits.values()
        per_minute, per_month = [each.per_minute for each in limits], [each.per_month for each in limits]
        return self.digest, self.month, list(self.limits), per_minute, per_month, self.address


async def recognize_key(
    db: Reader, lookup: KeyLookup, needed_kind: str, *, minute: datetime, now: datetime
) -> RecognizedKey | None:
    """Find the key; count the request only when the key works here, is of the needed kind, and under both limits."""
    row = await db.fetchrow(RECOGNIZE_KEY, *lookup.to_arguments(), needed_kind, minute, now)
    return None if row is None else to_row(RecognizedKey, row[: len(RecognizedKey.__struct_fields__)])


async def look_up_key(db: Reader, lookup: KeyLookup) -> RecognizedKey | None:
    """Find the key and write nothing."""
    row = await db.fetchrow(_LOOK_UP_KEY, *lookup.to_arguments())
    return None if row is None else to_row(RecognizedKey, row)


async def refund_minute(db: Database, subject: uuid.UUID, minute: datetime) -> None:
    """Remove one request from the count of a minute."""
    await db.execute("UPDATE rate_minutes SET n = n - 1 WHERE subject = $1 AND minute = $2", subject, minute)


async def count_in_minute(db: Reader, subject: uuid.UUID, minute: datetime, limit: int) -> int | None:
    """Count one more in this window, which all processes share; return None when the window is full."""
    count: int | None = await db.fetchval(
        """INSERT INTO rate_minutes AS r (subject, minute, n) VALUES ($1, $2, 1)
           ON CONFLICT (subject, minute) DO UPDATE SET n = r.n + 1 WHERE r.n < $3 RETURNING n""",
        subject,
        minute,
        limit,
    )
    return count


async def add_usage(tx: Transaction, rows: Iterable[tuple[uuid.UUID, datetime, int, int]]) -> None:
    await tx.executemany(
        """INSERT INTO usage_minutes AS u (workspace_id, minute, requests, errors) VALUES ($1, $2, $3, $4)
           ON CONFLICT (workspace_id, minute)
           DO UPDATE SET requests = u.requests + EXCLUDED.requests, errors = u.errors + EXCLUDED.errors""",
        rows,
    )


async def sum_usage(
    db: Reader, workspace_id: uuid.UUID, *, hour_start: datetime, day_start: datetime, month_start: datetime
) -> tuple[int, int, int, int]:
    """Return the requests of the last hour and the last 24 hours, the errors among those, and the month's requests."""
    row = await db.fetchrow(
        """SELECT coalesce(sum(requests) FILTER (WHERE minute > $2), 0),
                  coalesce(sum(requests) FILTER (WHERE minute > $3), 0),
                  coalesce(sum(errors) FILTER (WHERE minute > $3), 0),
                  coalesce(sum(requests) FILTER (WHERE minute >= $4), 0)
           FROM usage_minutes WHERE workspace_id = $1 AND minute >= least($3, $4)""",
        workspace_id,
        hour_start,
        day_start,
        month_start,
    )
    return row[0], row[1], row[2], row[3]


async def sum_usage_by_day(db: Reader, workspace_id: uuid.UUID, *, since: datetime) -> list[tuple[date, int, int]]:
    """Return each day (UTC) with its requests and errors; days without a request are left out."""
    rows = await db.fetch(
        """SELECT (minute AT TIME ZONE 'UTC')::date AS day, sum(requests), sum(errors)
           FROM usage_minutes WHERE workspace_id = $1 AND minute >= $2 GROUP BY day ORDER BY day""",
        workspace_id,
        since,
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def delete_old_windows_any_workspace(
    tx: Transaction, *, minutes_before: datetime, usage_before: datetime
) -> None:
    await tx.execute("DELETE FROM rate_minutes WHERE minute < $1", minutes_before)
    await tx.execute("DELETE FROM usage_minutes WHERE minute < $1", usage_before)
    await tx.execute("DELETE FROM rate_months WHERE month < $1", usage_before)
