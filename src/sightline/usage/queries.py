"""The SQL of usage.

`recognize_key` runs for every request with a key. In one round trip it authenticates, reads role and plan, counts the
request against the minute and the month, and returns how much is left.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

import msgspec

from sightline.accounts.models import Role
from sightline.api_keys.addresses import Address
from sightline.db.engine import Database, Reader, Transaction, to_row, to_rows
from sightline.plans.table import Plan
from sightline.usage.models import FailureCount, RateLimits, RecognizedKey, RecognizedSession

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


async def recognize_session(
    db: Reader, digest: bytes, workspace_id: uuid.UUID | None, *, now: datetime
) -> RecognizedSession | None:
    row = await db.fetchrow(
        """SELECT s.user_id, m.workspace_id, m.role, coalesce(m.billing, false), w.plan, i.console_enabled, s.seen_at
           FROM sessions s
           CROSS JOIN installation i
           LEFT JOIN members m ON m.user_id = s.user_id AND m.workspace_id = $2
           LEFT JOIN workspaces w ON w.id = m.workspace_id AND w.closed_at IS NULL
           WHERE s.digest = $1 AND s.expires_at > $3""",
        digest,
        workspace_id,
        now,
    )
    if row is None:
        return None
    return RecognizedSession(row[0], row[1], row[2] and Role(row[2]), row[3], row[4] and Plan(row[4]), row[5], row[6])


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


async def lock_failures(tx: Transaction, subjects: Sequence[uuid.UUID], *, now: datetime) -> list[FailureCount]:
    """Return the counts of the subjects, locked until the transaction ends; those without one get an empty count."""
    rows = await tx.fetch(
        """INSERT INTO failed_attempts AS f (subject, failures, counted_at, wait_until)
           SELECT subject, 0, $2, $2 FROM unnest($1::uuid[]) AS t (subject)
           ON CONFLICT (subject) DO UPDATE SET failures = f.failures
           RETURNING subject, failures, counted_at, wait_until""",
        subjects,
        now,
    )
    return to_rows(FailureCount, rows)


async def store_failures(tx: Transaction, counts: Iterable[FailureCount]) -> None:
    await tx.executemany(
        "UPDATE failed_attempts SET failures = $2, counted_at = $3, wait_until = $4 WHERE subject = $1",
        [(count.subject, count.failures, count.counted_at, count.wait_until) for count in counts],
    )


async def refund_failures(db: Database, subjects: Sequence[uuid.UUID], *, now: datetime) -> None:
    """Remove one failure of each subject, and end its wait."""
    await db.execute(
        """WITH mine AS (SELECT subject FROM failed_attempts WHERE subject = ANY($1) ORDER BY subject FOR UPDATE)
           UPDATE failed_attempts SET failures = greatest(0, failures - 1), wait_until = $2
           WHERE subject IN (SELECT subject FROM mine)""",
        subjects,
        now,
    )


async def delete_old_failures(tx: Transaction, *, before: datetime) -> None:
    await tx.execute("DELETE FROM failed_attempts WHERE counted_at < $1", before)


async def add_usage(tx: Transaction, rows: Iterable[tuple[uuid.UUID, datetime, int, int]]) -> None:
    await tx.executemany(
        """INSERT INTO usage_minutes AS u (workspace_id, minute, requests, errors) VALUES ($1, $2, $3, $4)
           ON CONFLICT (workspace_id, minute)
           DO UPDATE SET requests = u.requests + EXCLUDED.requests, errors = u.errors + EXCLUDED.errors""",
        rows,
    )


async def touch_keys(tx: Transaction, rows: Iterable[tuple[uuid.UUID, uuid.UUID, datetime]]) -> None:
    await tx.executemany(
        """UPDATE api_keys SET last_used_at = greatest(last_used_at, $3) WHERE workspace_id = $1 AND id = $2""", rows
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


async def set_console_enabled(tx: Transaction, *, enabled: bool) -> None:
    await tx.execute("UPDATE installation SET console_enabled = $1", enabled)
