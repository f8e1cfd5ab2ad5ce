"""The SQL of users, workspaces, members and sessions. Users and sessions belong to no single workspace."""

import uuid
from datetime import datetime, timedelta

from sightline.accounts.models import (
    EmailKind,
    EmailPreferences,
    Member,
    Membership,
    OpenSession,
    Role,
    User,
    Workspace,
)
from sightline.db.engine import Database, Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.mail.emails import Recipient
from sightline.plans.table import PLAN_AFTER_TRIAL, Plan

_USER = columns(User)
_WORKSPACE = columns(Workspace)
_EMAIL_COLUMNS: dict[EmailKind, str] = {"alert": "alert_letters", "report": "report_letters"}
_MEMBERS = """
SELECT m.user_id, u.name, u.email, m.role, m.billing, coalesce(w.payer_user_id = m.user_id, false), m.created_at
FROM members m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
WHERE m.workspace_id = $1
"""


async def insert_user(tx: Transaction, user: User, password_hash: str) -> bool:
    """Insert the user; return False when the e-mail is taken."""
    return (
        await tx.fetchval(
            """INSERT INTO users (id, email, name, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)
               ON CONFLICT (email) DO NOTHING RETURNING true""",
            user.id,
            user.email,
            user.name,
            password_hash,
            user.created_at,
        )
        is not None
    )


async def find_user_by_email(db: Reader, email: str) -> User | None:
    return to_row_or_none(User, await db.fetchrow(f"SELECT {_USER} FROM users WHERE email = $1", email))


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


async def set_user_name(tx: Transaction, user_id: uuid.UUID, name: str) -> None:
    await tx.execute("UPDATE users SET name = $2 WHERE id = $1", user_id, name)


async def set_user_timezone(tx: Transaction, user_id: uuid.UUID, timezone: str | None) -> None:
    await tx.execute("UPDATE users SET timezone = $2 WHERE id = $1", user_id, timezone)


async def set_user_language(tx: Transaction, user_id: uuid.UUID, language: str | None) -> None:
    await tx.execute("UPDATE users SET language = $2 WHERE id = $1", user_id, language)


async def list_users_any_workspace(db: Reader) -> list[tuple[User, list[str]]]:
    """Return every user with lines of the form "role of workspace", for the operator."""
    rows = await db.fetch(
        f"""SELECT {columns(User, "u")},
                   coalesce(array_agg(m.role || ' of ' || w.name || ' ' || w.id ORDER BY w.created_at)
                            FILTER (WHERE w.id IS NOT NULL), '{{}}')
            FROM users u LEFT JOIN members m ON m.user_id = u.id LEFT JOIN workspaces w ON w.id = m.workspace_id
            GROUP BY u.id ORDER BY u.created_at"""
    )
    return [(User(*row[:-1]), row[-1]) for row in rows]


async def insert_workspace(tx: Transaction, workspace: Workspace) -> None:
    await tx.execute(
        f"INSERT INTO workspaces ({_WORKSPACE}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        *(getattr(workspace, name) for name in Workspace.__struct_fields__),
    )


async def find_workspace(db: Reader, workspace_id: uuid.UUID) -> Workspace | None:
    row = await db.fetchrow(f"SELECT {_WORKSPACE} FROM workspaces WHERE id = $1", workspace_id)
    return to_row_or_none(Workspace, row)


async def update_workspace(tx: Transaction, workspace_id: uuid.UUID, changes: dict[str, str | None]) -> None:
    """Update the columns named in `changes`. The names come from the caller's struct, never from the client."""
    assignments = ", ".join(f"{name} = ${number}" for number, name in enumerate(changes, start=2))
    await tx.execute(f"UPDATE workspaces SET {assignments} WHERE id = $1", workspace_id, *changes.values())


async def set_plan(tx: Transaction, workspace_id: uuid.UUID, plan: Plan, *, trial_ends_at: datetime | None) -> bool:
    """Set the plan; return False when there is no such workspace.

    A workspace that has the plan already is left alone, so that setting a trial twice does not extend it.
    """
    return (
        await tx.fetchval(
            """UPDATE workspaces SET plan = $2, trial_ends_at = CASE WHEN plan = $2 THEN trial_ends_at ELSE $3 END
               WHERE id = $1 RETURNING true""",
            workspace_id,
            plan,
            trial_ends_at,
        )
        is not None
    )


async def end_trials_any_workspace(tx: Transaction, *, now: datetime) -> list[uuid.UUID]:
    """Move workspaces whose trial is over to the next plan, and return them. `trial_ends_at` stays on record."""
    rows = await tx.fetch(
        "UPDATE workspaces SET plan = $2 WHERE plan = $3 AND trial_ends_at <= $1 RETURNING id",
        now,
        PLAN_AFTER_TRIAL,
        Plan.TRIAL,
    )
    return [workspace_id for (workspace_id,) in rows]


async def lock_workspace(tx: Transaction, workspace_id: uuid.UUID) -> Workspace | None:
    """Return the workspace, locked until the transaction ends, so that plan limits are counted one at a time."""
    row = await tx.fetchrow(f"SELECT {_WORKSPACE} FROM workspaces WHERE id = $1 FOR NO KEY UPDATE", workspace_id)
    return to_row_or_none(Workspace, row)


async def close_workspace(tx: Transaction, workspace_id: uuid.UUID, *, now: datetime) -> None:
    """Close the workspace, end its open invitations, and end its members' reading from saved copies."""
    await tx.execute("UPDATE workspaces SET closed_at = coalesce(closed_at, $2) WHERE id = $1", workspace_id, now)
    await tx.execute(
        """UPDATE invitations SET revoked_at = $2
           WHERE workspace_id = $1 AND accepted_at IS NULL AND revoked_at IS NULL""",
        workspace_id,
        now,
    )
    await tx.execute(
        """INSERT INTO ended_access (subject, is_over)
           SELECT 'member ' || workspace_id || ' ' || user_id, true FROM members WHERE workspace_id = $1
           ON CONFLICT (subject) DO UPDATE SET is_over = true, recorded_at = clock_timestamp()""",
        workspace_id,
    )


async def delete_sessions_without_workspace(tx: Transaction, workspace_id: uuid.UUID) -> None:
    """Delete the sessions of members of a closed workspace who are members of no open one."""
    await tx.execute(
        """DELETE FROM sessions s USING members m
           WHERE m.workspace_id = $1 AND s.user_id = m.user_id AND NOT EXISTS (
               SELECT FROM members o JOIN workspaces w ON w.id = o.workspace_id
               WHERE o.user_id = m.user_id AND w.closed_at IS NULL)""",
        workspace_id,
    )


async def list_workspaces_any_workspace(db: Reader) -> list[Workspace]:
    return to_rows(Workspace, await db.fetch(f"SELECT {_WORKSPACE} FROM workspaces ORDER BY created_at"))


async def upsert_member(
    tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID, role: Role, *, billing: bool, now: datetime
) -> None:
    await tx.execute(
        """INSERT INTO members (workspace_id, user_id, role, billing, created_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = EXCLUDED.role, billing = EXCLUDED.billing""",
        workspace_id,
        user_id,
        role,
        billing,
        now,
    )


async def delete_member(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID) -> bool:
    return (
        await tx.fetchval(
            "DELETE FROM members WHERE workspace_id = $1 AND user_id = $2 RETURNING true", workspace_id, user_id
        )
        is not None
    )


async def find_member_role(db: Reader, workspace_id: uuid.UUID, user_id: uuid.UUID) -> Role | None:
    role = await db.fetchval("SELECT role FROM members WHERE workspace_id = $1 AND user_id = $2", workspace_id, user_id)
    return None if role is None else Role(role)


async def count_other_owners(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID) -> int:
    """Count the other owners and lock them all, so that two of them cannot leave at the same time."""
    rows = await tx.fetch(
        "SELECT user_id FROM members WHERE workspace_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE",
        workspace_id,
    )
    return sum(1 for (owner,) in rows if owner != user_id)


_MEMBERSHIP = "w.id, w.name, w.plan, m.role, m.billing, coalesce(w.payer_user_id = m.user_id, false), w.timezone"


async def list_memberships(db: Reader, user_id: uuid.UUID) -> list[Membership]:
    rows = await db.fetch(
        f"""SELECT {_MEMBERSHIP} FROM members m JOIN workspaces w ON w.id = m.workspace_id
            WHERE m.user_id = $1 AND w.closed_at IS NULL ORDER BY w.created_at, w.id""",
        user_id,
    )
    return to_rows(Membership, rows)


async def list_members(db: Reader, workspace_id: uuid.UUID) -> list[Member]:
    """Return the members, owners first, then by when they joined."""
    order = "array_position(ARRAY['owner', 'admin', 'editor', 'viewer'], m.role), m.created_at, m.user_id"
    return to_rows(Member, await db.fetch(f"{_MEMBERS} ORDER BY {order}", workspace_id))


async def find_member(db: Reader, workspace_id: uuid.UUID, user_id: uuid.UUID) -> Member | None:
    row = await db.fetchrow(f"{_MEMBERS} AND m.user_id = $2", workspace_id, user_id)
    return to_row_or_none(Member, row)


async def set_payer(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID) -> None:
    await tx.execute("UPDATE workspaces SET payer_user_id = $2 WHERE id = $1", workspace_id, user_id)


async def list_recipients(db: Reader, workspace_id: uuid.UUID, kind: EmailKind) -> list[Recipient]:
    rows = await db.fetch(
        f"""SELECT u.email, u.language FROM members m JOIN users u ON u.id = m.user_id
            WHERE m.workspace_id = $1 AND m.role IN ('editor', 'admin', 'owner') AND m.{_EMAIL_COLUMNS[kind]}
            ORDER BY u.email""",
        workspace_id,
    )
    return [Recipient(*row) for row in rows]


async def find_email_preferences(db: Reader, workspace_id: uuid.UUID, user_id: uuid.UUID) -> EmailPreferences | None:
    row = await db.fetchrow(
        "SELECT alert_letters, report_letters FROM members WHERE workspace_id = $1 AND user_id = $2",
        workspace_id,
        user_id,
    )
    return to_row_or_none(EmailPreferences, row)


async def set_email_preferences(
    tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID, preferences: EmailPreferences
) -> bool:
    """Store the preferences; return False when the person is not a member."""
    done = await tx.fetchval(
        """UPDATE members SET alert_letters = $3, report_letters = $4 WHERE workspace_id = $1 AND user_id = $2
           RETURNING true""",
        workspace_id,
        user_id,
        preferences.alert_emails,
        preferences.report_emails,
    )
    return done is not None


async def insert_session(
    tx: Transaction, digest: bytes, user_id: uuid.UUID, agent: str | None, *, now: datetime, expires_at: datetime
) -> None:
    await tx.execute(
        """INSERT INTO sessions (digest, user_id, agent, created_at, seen_at, expires_at)
           VALUES ($1, $2, $3, $4, $4, $5)""",
        digest,
        user_id,
        agent,
        now,
        expires_at,
    )


async def find_session_user(
    db: Reader, digest: bytes, *, now: datetime
) -> tuple[User, list[Membership], datetime, datetime | None, bool, str | None, datetime | None] | None:
    """Return everything of `SignedIn` for a live session. Every page needs it, so it is one statement."""
    rows = await db.fetch(
        f"""SELECT {columns(User, "u")}, {_MEMBERSHIP}, s.expires_at, s.seen_at,
                   EXISTS (SELECT FROM operators o WHERE o.user_id = u.id),
                   (SELECT f.email FROM operators o JOIN users f ON f.id = o.user_id
                    ORDER BY o.granted_at, f.id LIMIT 1),
                   (SELECT sandbox_ended_at FROM installation)
            FROM sessions s JOIN users u ON u.id = s.user_id
            LEFT JOIN (members m JOIN workspaces w ON w.id = m.workspace_id AND w.closed_at IS NULL) ON m.user_id = u.id
            WHERE s.digest = $1 AND s.expires_at > $2 ORDER BY w.created_at, w.id""",
        digest,
        now,
    )
    if not rows:
        return None
    start = len(User.__struct_fields__)
    end = start + len(Membership.__struct_fields__)
    memberships = to_rows(Membership, [row[start:end] for row in rows if row[start] is not None])
    return User(*rows[0][:start]), memberships, *rows[0][end:]


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
        """SELECT id, agent, created_at, seen_at, expires_at, digest = $2 FROM sessions
           WHERE user_id = $1 AND expires_at > $3
           ORDER BY digest = $2 DESC, coalesce(seen_at, created_at) DESC, id""",
        user_id,
        current,
        now,
    )
    return to_rows(OpenSession, rows)


async def delete_session_of_user(tx: Transaction, user_id: uuid.UUID, session_id: uuid.UUID) -> bytes | None:
    """Delete the session and return its digest; None when the user has no such session."""
    digest: bytes | None = await tx.fetchval(
        "DELETE FROM sessions WHERE user_id = $1 AND id = $2 RETURNING digest", user_id, session_id
    )
    return digest


async def delete_other_sessions(tx: Transaction, user_id: uuid.UUID, current: bytes) -> list[bytes]:
    rows = await tx.fetch("DELETE FROM sessions WHERE user_id = $1 AND digest <> $2 RETURNING digest", user_id, current)
    return [digest for (digest,) in rows]


async def delete_session(tx: Transaction, digest: bytes) -> uuid.UUID | None:
    """Delete a session and return its user; None when it has ended before."""
    user_id: uuid.UUID | None = await tx.fetchval("DELETE FROM sessions WHERE digest = $1 RETURNING user_id", digest)
    return user_id


async def delete_sessions_of_user(tx: Transaction, user_id: uuid.UUID) -> list[bytes]:
    """Delete all sessions of the user and return their digests."""
    rows = await tx.fetch("DELETE FROM sessions WHERE user_id = $1 RETURNING digest", user_id)
    return [digest for (digest,) in rows]


async def delete_ended_sessions_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await tx.execute("DELETE FROM sessions WHERE expires_at <= $1", now)


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
    """Use a link up; return False when it was used before, replaced or has expired."""
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
