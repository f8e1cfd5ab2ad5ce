"""All SQL of checkout attempts. A reference is a secret, so it finds its attempt in any workspace."""

import uuid
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from sightline.credits.checkout.states import AttemptRow, AttemptStatus
from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows

_ATTEMPT = columns(AttemptRow)

SortKey = tuple[datetime, uuid.UUID]


class RecordedReversal(msgspec.Struct, frozen=True):
    id: str
    cents: int
    credits: int
    undone: bool


_REVERSAL = columns(RecordedReversal)


async def insert_attempt(tx: Transaction, attempt: AttemptRow, user_id: uuid.UUID) -> None:
    names = AttemptRow.__struct_fields__
    places = ", ".join(f"${place}" for place in range(1, len(names) + 1))
    await tx.execute(
        f"INSERT INTO checkout_attempts ({_ATTEMPT}, user_id) VALUES ({places}, ${len(names) + 1})",
        *(getattr(attempt, name) for name in names),
        user_id,
    )


async def save_session(tx: Transaction, workspace_id: uuid.UUID, attempt_id: uuid.UUID, session: str, url: str) -> None:
    await tx.execute(
        """UPDATE checkout_attempts SET provider_session = $3, checkout_url = $4
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        attempt_id,
        session,
        url,
    )


async def adopt_session(tx: Transaction, workspace_id: uuid.UUID, attempt_id: uuid.UUID, session: str) -> None:
    """Store the session of an attempt whose start was interrupted, once the provider names it."""
    await tx.execute(
        """UPDATE checkout_attempts SET provider_session = $3
           WHERE workspace_id = $1 AND id = $2 AND provider_session IS NULL""",
        workspace_id,
        attempt_id,
        session,
    )


async def list_attempts(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, after: SortKey | None, limit: int
) -> list[AttemptRow]:
    rows = await db.fetch(
        f"""SELECT {_ATTEMPT} FROM checkout_attempts
            WHERE workspace_id = $1 AND livemode = $2
              AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
            ORDER BY created_at DESC, id DESC LIMIT $3""",
        workspace_id,
        livemode,
        limit,
        *(after or (None, None)),
    )
    return to_rows(AttemptRow, rows)


async def find_attempt(db: Reader, workspace_id: uuid.UUID, reference: str, *, livemode: bool) -> AttemptRow | None:
    row = await db.fetchrow(
        f"""SELECT {_ATTEMPT} FROM checkout_attempts
            WHERE workspace_id = $1 AND livemode = $2 AND reference = $3""",
        workspace_id,
        livemode,
        reference,
    )
    return to_row_or_none(AttemptRow, row)


async def find_attempt_any_workspace(db: Reader, reference: str) -> AttemptRow | None:
    """Return the attempt with this reference, a secret that identifies one attempt of one workspace."""
    row = await db.fetchrow(f"SELECT {_ATTEMPT} FROM checkout_attempts WHERE reference = $1", reference)
    return to_row_or_none(AttemptRow, row)


async def lock_attempt(tx: Transaction, workspace_id: uuid.UUID, attempt_id: uuid.UUID) -> AttemptRow:
    """Lock and return the attempt. Attempts are never deleted."""
    row = await tx.fetchrow(
        f"SELECT {_ATTEMPT} FROM checkout_attempts WHERE workspace_id = $1 AND id = $2 FOR UPDATE",
        workspace_id,
        attempt_id,
    )
    return to_row(AttemptRow, row)


async def change_status(
    tx: Transaction,
    workspace_id: uuid.UUID,
    attempt_id: uuid.UUID,
    *,
    was: AttemptStatus,
    becomes: AttemptStatus,
    reason: str | None,
    payment_reference: str | None,
    credited_at: datetime | None,
    now: datetime,
) -> AttemptRow | None:
    """Change the status in one guarded UPDATE. Return None when the attempt is in another state by now."""
    row = await tx.fetchrow(
        f"""UPDATE checkout_attempts
            SET status = $4, reason = $5, payment_reference = coalesce($6, payment_reference),
                credited_at = coalesce(credited_at, $7), updated_at = $8
            WHERE workspace_id = $1 AND id = $2 AND status = $3 RETURNING {_ATTEMPT}""",
        workspace_id,
        attempt_id,
        was,
        becomes,
        reason,
        payment_reference,
        credited_at,
        now,
    )
    return to_row_or_none(AttemptRow, row)


async def mark_cancelled(tx: Transaction, workspace_id: uuid.UUID, attempt_id: uuid.UUID, *, now: datetime) -> None:
    """Record that nobody is going to pay the attempt. The reconciler checks it again after a minute."""
    await tx.execute(
        """UPDATE checkout_attempts SET cancelled_at = coalesce(cancelled_at, $3), checked_at = $3
           WHERE workspace_id = $1 AND id = $2 AND status = 'unpaid'""",
        workspace_id,
        attempt_id,
        now,
    )


async def mark_open_cancelled(
    tx: Transaction, workspace_id: uuid.UUID, *, livemode: bool, unstarted_before: datetime, now: datetime
) -> list[str]:
    """Mark all unpaid attempts of a mode as cancelled, and return their references, newest first.

    An attempt without a page that was created after `unstarted_before` is left out: its page may follow in a moment.
    """
    rows = await tx.fetch(
        """UPDATE checkout_attempts SET cancelled_at = coalesce(cancelled_at, $4), checked_at = $4
           WHERE workspace_id = $1 AND livemode = $2 AND status = 'unpaid'
             AND (provider_session IS NOT NULL OR created_at <= $3)
           RETURNING reference, created_at""",
        workspace_id,
        livemode,
        unstarted_before,
        now,
    )
    return [reference for reference, _ in sorted(rows, key=lambda row: row["created_at"], reverse=True)]


async def list_reversals(db: Reader, workspace_id: uuid.UUID, attempt_id: uuid.UUID) -> list[RecordedReversal]:
    rows = await db.fetch(
        f"SELECT {_REVERSAL} FROM checkout_reversals WHERE workspace_id = $1 AND attempt_id = $2",
        workspace_id,
        attempt_id,
    )
    return to_rows(RecordedReversal, rows)


async def insert_reversal(
    tx: Transaction,
    workspace_id: uuid.UUID,
    attempt_id: uuid.UUID,
    reversal: RecordedReversal,
    kind: Literal["refund", "dispute"],
    *,
    now: datetime,
) -> None:
    await tx.execute(
        """INSERT INTO checkout_reversals (workspace_id, attempt_id, id, cents, credits, undone, kind, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)""",
        workspace_id,
        attempt_id,
        reversal.id,
        reversal.cents,
        reversal.credits,
        reversal.undone,
        kind,
        now,
    )


async def mark_reversal_undone(
    tx: Transaction, workspace_id: uuid.UUID, attempt_id: uuid.UUID, reversal_id: str
) -> None:
    await tx.execute(
        "UPDATE checkout_reversals SET undone = true WHERE workspace_id = $1 AND attempt_id = $2 AND id = $3",
        workspace_id,
        attempt_id,
        reversal_id,
    )


async def save_refunded(
    tx: Transaction,
    workspace_id: uuid.UUID,
    attempt_id: uuid.UUID,
    *,
    cents: int,
    credits: int,  # noqa: A002 - the product's term
    now: datetime,
) -> AttemptRow:
    row = await tx.fetchrow(
        f"""UPDATE checkout_attempts SET refunded_cents = $3, refunded_credits = $4, updated_at = $5
            WHERE workspace_id = $1 AND id = $2 RETURNING {_ATTEMPT}""",
        workspace_id,
        attempt_id,
        cents,
        credits,
        now,
    )
    return to_row(AttemptRow, row)


async def list_payments_in_review_any_workspace(db: Reader) -> list[tuple[AttemptRow, str]]:
    """Return the attempts that wait for the operator and the names of their workspaces, longest waiting first."""
    rows = await db.fetch(
        f"""SELECT {columns(AttemptRow, "a")}, w.name FROM checkout_attempts a
            JOIN workspaces w ON w.id = a.workspace_id
            WHERE a.status IN ('reconciliation', 'refund_required') ORDER BY a.updated_at, a.id"""
    )
    return [(to_row(AttemptRow, row[:-1]), row[-1]) for row in rows]


async def claim_unreported_any_workspace(tx: Transaction, *, now: datetime) -> list[AttemptRow]:
    """Mark the attempts that entered review since the last report as reported, and return them."""
    rows = await tx.fetch(
        f"""UPDATE checkout_attempts SET reported_at = $1
            WHERE status IN ('reconciliation', 'refund_required')
              AND (reported_at IS NULL OR reported_at < updated_at) RETURNING {_ATTEMPT}""",
        now,
    )
    return to_rows(AttemptRow, rows)


async def claim_due_attempts_any_workspace(
    db: Reader, *, now: datetime, min_age: timedelta, max_interval: timedelta, limit: int
) -> list[str]:
    """Claim open attempts that are due, and return their references, longest unchecked first.

    A claim is not a lock: it postpones the next check, so that only one process asks the provider. The interval
    between checks is a tenth of the attempt's age, from `min_age` to `max_interval`; always `min_age` once cancelled.
    """
    rows = await db.fetch(
        """UPDATE checkout_attempts SET checked_at = $1
           WHERE (workspace_id, id) IN (
               SELECT workspace_id, id FROM checkout_attempts
               WHERE status IN ('unpaid', 'pending') AND created_at <= $1::timestamptz - $2::interval
                 AND (checked_at IS NULL
                      OR $1::timestamptz - checked_at
                         >= least($3::interval, greatest($2::interval, ($1::timestamptz - created_at) / 10))
                      OR cancelled_at IS NOT NULL AND $1::timestamptz - checked_at >= $2::interval)
               ORDER BY checked_at NULLS FIRST, created_at LIMIT $4
               FOR UPDATE SKIP LOCKED)
           RETURNING reference""",
        now,
        min_age,
        max_interval,
        limit,
    )
    return [row[0] for row in rows]
