"""SQL of passwords, sessions, links that reset a password, and failed attempts to sign in."""

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal

from sightline.accounts.models import Membership, User
from sightline.accounts.queries import MEMBERSHIP_COLUMNS, select_memberships
from sightline.accounts.sign_in.models import EmailChange, FailureCount, OpenSession, SignedIn, WaitingUser
from sightline.db.engine import Database, Reader, Transaction, columns, to_row_or_none, to_rows


async def find_credentials(db: Reader, email: str) -> tuple[uuid.UUID, str] | None:
    """Return the user's id and password hash, for checking a password."""
    row = await db.fetchrow("SELECT id, password_hash FROM users WHERE email = $1", email)
    return None if row is None else (row[0], row[1])


async def find_password_hash(db: Reader, user_id: uuid.UUID) -> str | None:
    stored: str | None = await db.fetchval("SELECT password_hash FROM users WHERE id = $1", user_id)
    return stored


async def set_password_hash(tx: Transaction, user_id: uuid.UUID, password_hash: str) -> None:
    await tx.execute("UPDATE users SET password_hash = $2 WHERE id = $1", user_id, password_hash)


async def lock_password_hash(tx: Transaction, user_id: uuid.UUID) -> str | None:
    """Return the hash, locked until the transaction ends: nobody signs in with a password that is being changed."""
    stored: str | None = await tx.fetchval("SELECT password_hash FROM users WHERE id = $1 FOR NO KEY UPDATE", user_id)
    return stored


async def insert_session(
    tx: Transaction,
    digest: bytes,
    user_id: uuid.UUID,
    agent: str | None,
    *,
    now: datetime,
    expires_at: datetime,
    provider_id: uuid.UUID | None,
    confirmed_at: datetime,
) -> None:
    await tx.execute(
        """INSERT INTO sessions (digest, user_id, agent, created_at, seen_at, expires_at, provider_id, confirmed_at)
           VALUES ($1, $2, $3, $4, $4, $5, $6, $7)""",
        digest,
        user_id,
        agent,
        now,
        expires_at,
        provider_id,
        confirmed_at,
    )


async def find_session(db: Reader, digest: bytes, *, now: datetime) -> SignedIn | None:
    """Return a live session with all that belongs to it. Every request by session needs it, so it is one statement."""
    rows = await db.fetch(
        f"""SELECT {columns(User, "u")}, {MEMBERSHIP_COLUMNS}, s.expires_at, s.seen_at,
                   EXISTS (SELECT FROM operators o WHERE o.user_id = u.id),
                   (SELECT f.email FROM operators o JOIN users f ON f.id = o.user_id
                    ORDER BY o.granted_at, f.id LIMIT 1),
                   i.sandbox_ended_at, i.console_enabled,
                   EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id),
                   coalesce(s.confirmed_at, s.created_at), s.provider_id
            FROM sessions s JOIN users u ON u.id = s.user_id CROSS JOIN installation i
            LEFT JOIN (LATERAL {select_memberships("u.id")} m
                       JOIN workspaces w ON w.id = m.workspace_id AND w.closed_at IS NULL) ON true
            WHERE s.digest = $1 AND s.expires_at > $2 ORDER BY w.created_at, w.id""",
        digest,
        now,
    )
    if not rows:
        return None
    start = len(User.__struct_fields__)
    end = start + len(Membership.__struct_fields__)
    memberships = to_rows(Membership, [row[start:end] for row in rows if row[start] is not None])
    return SignedIn(digest, User(*rows[0][:start]), memberships, *rows[0][end:])


async def touch_session(
    db: Database, digest: bytes, lifetime: timedelta, idle: timedelta, *, now: datetime, unless_seen_since: datetime
) -> None:
    """Record that a live session is used, and move its end: `idle` from now, but not beyond its whole lifetime."""
    await db.execute(
        """UPDATE sessions SET seen_at = $2, expires_at = least(created_at + $4, $2 + $5)
           WHERE digest = $1 AND (seen_at IS NULL OR seen_at < $3) AND expires_at > $2""",
        digest,
        now,
        unless_seen_since,
        lifetime,
        idle,
    )


async def list_sessions(db: Reader, user_id: uuid.UUID, current: bytes, *, now: datetime) -> list[OpenSession]:
    """Return the user's live sessions, the current one first, then the most recently seen."""
    rows = await db.fetch(
        """SELECT id, agent, created_at, seen_at, expires_at, digest = $2, provider_id IS NOT NULL FROM sessions
           WHERE user_id = $1 AND expires_at > $3
           ORDER BY digest = $2 DESC, coalesce(seen_at, created_at) DESC, id""",
        user_id,
        current,
        now,
    )
    return to_rows(OpenSession, rows)


async def set_challenge(db: Database, digest: bytes, challenge: bytes) -> None:
    """Store what a passkey has to sign to prove itself in this session."""
    await db.execute("UPDATE sessions SET challenge = $2 WHERE digest = $1", digest, challenge)


async def take_challenge(tx: Transaction, digest: bytes) -> bytes | None:
    """Return the session's challenge and use it up."""
    challenge: bytes | None = await tx.fetchval("SELECT challenge FROM sessions WHERE digest = $1 FOR UPDATE", digest)
    await tx.execute("UPDATE sessions SET challenge = NULL WHERE digest = $1", digest)
    return challenge


async def set_confirmed(tx: Transaction, digest: bytes, *, now: datetime) -> None:
    await tx.execute("UPDATE sessions SET confirmed_at = $2 WHERE digest = $1", digest, now)


async def insert_pending(
    tx: Transaction,
    digest: bytes,
    user_id: uuid.UUID,
    *,
    now: datetime,
    expires_at: datetime,
    provider_id: uuid.UUID | None,
) -> None:
    await tx.execute(
        """INSERT INTO pending_sign_ins (digest, user_id, started_at, expires_at, provider_id)
           VALUES ($1, $2, $3, $4, $5)""",
        digest,
        user_id,
        now,
        expires_at,
        provider_id,
    )


async def find_pending(db: Reader, digest: bytes, *, now: datetime) -> WaitingUser | None:
    row = await db.fetchrow(
        "SELECT user_id, challenge, provider_id FROM pending_sign_ins WHERE digest = $1 AND expires_at > $2",
        digest,
        now,
    )
    return to_row_or_none(WaitingUser, row)


async def set_pending_challenge(db: Database, digest: bytes, challenge: bytes) -> None:
    await db.execute("UPDATE pending_sign_ins SET challenge = $2 WHERE digest = $1", digest, challenge)


async def delete_pending(tx: Transaction, digest: bytes, *, now: datetime) -> bool:
    """Use up a sign-in that waits; return False when it was completed before, or has expired."""
    deleted = await tx.fetchval(
        "DELETE FROM pending_sign_ins WHERE digest = $1 AND expires_at > $2 RETURNING true", digest, now
    )
    return deleted is not None


async def delete_session_of_user(tx: Transaction, user_id: uuid.UUID, session_id: uuid.UUID) -> bool:
    """Delete the session; return False when the user has no such session."""
    return await tx.execute("DELETE FROM sessions WHERE user_id = $1 AND id = $2", user_id, session_id) == "DELETE 1"


async def delete_sessions_of_user(tx: Transaction, user_id: uuid.UUID, *, keep: bytes | None = None) -> int:
    """Delete the sessions of the user, except for the one with the digest `keep`, and return how many.

    Sign-ins that wait for a second factor end, too.
    """
    await tx.execute("DELETE FROM pending_sign_ins WHERE user_id = $1", user_id)
    rows = await tx.fetch(
        "DELETE FROM sessions WHERE user_id = $1 AND digest IS DISTINCT FROM $2 RETURNING true", user_id, keep
    )
    return len(rows)


async def delete_session(tx: Transaction, digest: bytes) -> uuid.UUID | None:
    """Delete a session and return its user; None when it has ended before."""
    user_id: uuid.UUID | None = await tx.fetchval("DELETE FROM sessions WHERE digest = $1 RETURNING user_id", digest)
    return user_id


async def delete_ended_sessions_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await tx.execute("DELETE FROM sessions WHERE expires_at <= $1", now)
    await tx.execute("DELETE FROM pending_sign_ins WHERE expires_at <= $1", now)


async def upsert_reset(db: Database, user_id: uuid.UUID, digest: bytes, *, now: datetime, expires_at: datetime) -> None:
    """Store the user's link to reset the password. An earlier link ends."""
    await db.execute(
        """INSERT INTO password_resets (user_id, digest, created_at, expires_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (user_id) DO UPDATE SET digest = $2, created_at = $3, expires_at = $4""",
        user_id,
        digest,
        now,
        expires_at,
    )


async def find_reset_user(db: Reader, digest: bytes, *, now: datetime) -> User | None:
    row = await db.fetchrow(
        f"""SELECT {columns(User, "u")} FROM password_resets r JOIN users u ON u.id = r.user_id
            WHERE r.digest = $1 AND r.expires_at > $2""",
        digest,
        now,
    )
    return to_row_or_none(User, row)


async def delete_reset(tx: Transaction, digest: bytes, *, now: datetime) -> bool:
    """Use up a link; return False when it was used before, replaced or has expired."""
    return (
        await tx.fetchval(
            "DELETE FROM password_resets WHERE digest = $1 AND expires_at > $2 RETURNING true", digest, now
        )
        is not None
    )


async def delete_reset_of_user(tx: Transaction, user_id: uuid.UUID) -> None:
    await tx.execute("DELETE FROM password_resets WHERE user_id = $1", user_id)


async def delete_expired_resets_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await tx.execute("DELETE FROM password_resets WHERE expires_at <= $1", now)


async def upsert_email_change(
    tx: Transaction, user_id: uuid.UUID, email: str, *, now: datetime, expires_at: datetime
) -> None:
    """Store a change of the user's address. An earlier one ends."""
    await tx.execute(
        """INSERT INTO email_changes (user_id, email, requested_at, expires_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (user_id) DO UPDATE SET email = $2, requested_at = $3, expires_at = $4, old_digest = NULL,
               new_digest = NULL, old_confirmed = false, new_confirmed = false""",
        user_id,
        email,
        now,
        expires_at,
    )


async def find_email_change(
    db: Reader, user_id: uuid.UUID, *, requested_at: datetime, now: datetime
) -> tuple[User, str] | None:
    """Return the user and the new address of a change that was requested at this time."""
    row = await db.fetchrow(
        f"""SELECT {columns(User, "u")}, c.email FROM email_changes c JOIN users u ON u.id = c.user_id
            WHERE c.user_id = $1 AND c.requested_at = $2 AND c.expires_at > $3""",
        user_id,
        requested_at,
        now,
    )
    return None if row is None else (User(*row[:-1]), row[-1])


async def set_email_change_digest(
    db: Database, user_id: uuid.UUID, side: Literal["old", "new"], digest: bytes, *, requested_at: datetime
) -> None:
    await db.execute(
        f"UPDATE email_changes SET {side}_digest = $2 WHERE user_id = $1 AND requested_at = $3",
        user_id,
        digest,
        requested_at,
    )


async def lock_email_change(tx: Transaction, digest: bytes) -> None:
    """Lock a change until the transaction ends: of two confirmations at once, the second one sees the first."""
    await tx.execute("SELECT FROM email_changes WHERE old_digest = $1 OR new_digest = $1 FOR UPDATE", digest)


async def find_email_change_by_link(db: Reader, digest: bytes, *, now: datetime) -> EmailChange | None:
    row = await db.fetchrow(
        f"""SELECT {columns(EmailChange)} FROM email_changes
            WHERE (old_digest = $1 OR new_digest = $1) AND expires_at > $2""",
        digest,
        now,
    )
    return to_row_or_none(EmailChange, row)


async def confirm_email_change(tx: Transaction, user_id: uuid.UUID, digest: bytes) -> None:
    """Note the confirmation at the address that the link was sent to."""
    await tx.execute(
        """UPDATE email_changes SET old_confirmed = old_confirmed OR old_digest IS NOT DISTINCT FROM $2,
               new_confirmed = new_confirmed OR new_digest IS NOT DISTINCT FROM $2 WHERE user_id = $1""",
        user_id,
        digest,
    )


async def delete_email_change_of_user(tx: Transaction, user_id: uuid.UUID) -> None:
    await tx.execute("DELETE FROM email_changes WHERE user_id = $1", user_id)


async def delete_expired_email_changes_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await tx.execute("DELETE FROM email_changes WHERE expires_at <= $1", now)


async def find_user(db: Reader, user_id: uuid.UUID) -> User | None:
    return to_row_or_none(User, await db.fetchrow(f"SELECT {columns(User)} FROM users WHERE id = $1", user_id))


async def set_email(tx: Transaction, user_id: uuid.UUID, email: str) -> None:
    """Set the address of a user. Raises `UniqueViolationError` for one that has an account."""
    await tx.execute("UPDATE users SET email = $2 WHERE id = $1", user_id, email)


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
