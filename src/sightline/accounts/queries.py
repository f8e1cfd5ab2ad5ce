"""The SQL of users, workspaces, members and sessions. Users and sessions belong to no single workspace."""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sightline.accounts.models import (
    EmailKind,
    EmailPreferences,
    Guest,
    Member,
    Membership,
    Role,
    User,
    Workspace,
)
from sightline.accounts.passwords import NO_PASSWORD
from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.mail.emails import Recipient
from sightline.plans.table import PLAN_AFTER_TRIAL, PLANS_WITH_CLIENTS, Plan

_USER = columns(User)
_WORKSPACE = columns(Workspace)
_EMAIL_COLUMNS: dict[EmailKind, str] = {"alert": "alert_letters", "report": "report_letters"}
_MEMBERS = """
SELECT m.user_id, u.name, u.email, m.role, m.billing, coalesce(w.payer_user_id = m.user_id, false), m.created_at,
       EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id)
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


async def set_user_name(tx: Transaction, user_id: uuid.UUID, name: str) -> None:
    await tx.execute("UPDATE users SET name = $2 WHERE id = $1", user_id, name)


async def set_user_timezone(tx: Transaction, user_id: uuid.UUID, timezone: str | None) -> None:
    await tx.execute("UPDATE users SET timezone = $2 WHERE id = $1", user_id, timezone)


async def set_user_language(tx: Transaction, user_id: uuid.UUID, language: str | None) -> None:
    await tx.execute("UPDATE users SET language = $2 WHERE id = $1", user_id, language)


async def delete_rows_of_user(tx: Transaction, user_id: uuid.UUID) -> None:
    """Delete all that belongs to a person alone, and their memberships."""
    for statement in (
        "DELETE FROM sessions WHERE user_id = $1",
        "DELETE FROM pending_sign_ins WHERE user_id = $1",
        "DELETE FROM second_factors WHERE user_id = $1",
        "DELETE FROM recovery_codes WHERE user_id = $1",
        "DELETE FROM password_resets WHERE user_id = $1",
        "DELETE FROM identities WHERE user_id = $1",
        "DELETE FROM email_changes WHERE user_id = $1",
        "DELETE FROM members WHERE user_id = $1",
        "DELETE FROM guests WHERE user_id = $1",
    ):
        await tx.execute(statement, user_id)


async def pseudonymize_user(tx: Transaction, user_id: uuid.UUID, *, name: str) -> None:
    """Replace what tells who a user was. They have no password, and no e-mail can be sent to the address."""
    await tx.execute(
        """UPDATE users SET name = $2, email = 'deleted-' || id || '@invalid', password_hash = $3, timezone = NULL,
               language = NULL WHERE id = $1""",
        user_id,
        name,
        NO_PASSWORD,
    )


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
        f"INSERT INTO workspaces ({_WORKSPACE}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        *(getattr(workspace, name) for name in Workspace.__struct_fields__),
    )


async def find_workspace(db: Reader, workspace_id: uuid.UUID) -> Workspace | None:
    row = await db.fetchrow(f"SELECT {_WORKSPACE} FROM workspaces WHERE id = $1", workspace_id)
    return to_row_or_none(Workspace, row)


async def update_workspace(tx: Transaction, workspace_id: uuid.UUID, changes: Mapping[str, object]) -> None:
    """Update the columns named in `changes`. The names come from the code, never from a request."""
    assignments = ", ".join(f"{name} = ${number}" for number, name in enumerate(changes, start=2))
    await tx.execute(f"UPDATE workspaces SET {assignments} WHERE id = $1", workspace_id, *changes.values())


async def claim_audit(tx: Transaction, workspace_id: uuid.UUID, *, now: datetime) -> bool:
    """Claim the free audit, once per workspace, ever. Of two concurrent calls one waits and then fails."""
    claimed = await tx.fetchval(
        "UPDATE workspaces SET audited_at = $2 WHERE id = $1 AND audited_at IS NULL RETURNING true", workspace_id, now
    )
    return claimed is not None


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
    """Close the workspace, and end its open invitations."""
    await tx.execute("UPDATE workspaces SET closed_at = coalesce(closed_at, $2) WHERE id = $1", workspace_id, now)
    await tx.execute(
        """UPDATE invitations SET revoked_at = $2
           WHERE workspace_id = $1 AND accepted_at IS NULL AND revoked_at IS NULL""",
        workspace_id,
        now,
    )


async def delete_empty_workspace(tx: Transaction, workspace_id: uuid.UUID) -> None:
    """Delete a workspace that no row of another table refers to any more."""
    await tx.execute("DELETE FROM workspaces WHERE id = $1", workspace_id)


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
    """Add a member or change them. A member is no guest: who leaves later must not remain one."""
    await tx.execute("DELETE FROM guests WHERE workspace_id = $1 AND user_id = $2", workspace_id, user_id)
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


MEMBERSHIP_COLUMNS = (
    "w.id, w.name, w.plan, m.role, m.billing, coalesce(w.payer_user_id = m.user_id, false), w.timezone, m.clients, "
    "m.edited_clients, w.requires_second_factor, w.required_provider_id"
)
_WITH_CLIENTS = ", ".join(f"'{plan}'" for plan in sorted(PLANS_WITH_CLIENTS))


def select_memberships(user_id: str) -> str:
    """Return SQL for whom a workspace lets in: its members, and guests as long as its plan includes clients."""
    return f"""(
        SELECT workspace_id, user_id, role, billing, ARRAY[]::uuid[] AS clients, ARRAY[]::uuid[] AS edited_clients
        FROM members WHERE user_id = {user_id}
        UNION ALL
        SELECT g.workspace_id, g.user_id, 'guest', false, array_agg(g.client_id),
               coalesce(array_agg(g.client_id) FILTER (WHERE g.role = 'editor'), '{{}}')
        FROM guests g JOIN workspaces s ON s.id = g.workspace_id AND s.plan IN ({_WITH_CLIENTS})
        WHERE g.user_id = {user_id} GROUP BY g.workspace_id, g.user_id
    )"""


async def list_memberships(db: Reader, user_id: uuid.UUID) -> list[Membership]:
    rows = await db.fetch(
        f"""SELECT {MEMBERSHIP_COLUMNS} FROM {select_memberships("$1")} m
            JOIN workspaces w ON w.id = m.workspace_id
            WHERE w.closed_at IS NULL ORDER BY w.created_at, w.id""",
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


async def list_guests(db: Reader, workspace_id: uuid.UUID) -> list[Guest]:
    """Return the guests of all clients, by client and name."""
    rows = await db.fetch(
        """SELECT g.user_id, g.client_id, c.name, u.name, u.email, g.role, g.created_at
           FROM guests g JOIN users u ON u.id = g.user_id
           JOIN clients c ON c.workspace_id = g.workspace_id AND c.id = g.client_id
           WHERE g.workspace_id = $1 ORDER BY lower(c.name), u.name, u.id""",
        workspace_id,
    )
    return to_rows(Guest, rows)


async def upsert_guest(
    tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, user_id: uuid.UUID, role: Role, *, now: datetime
) -> None:
    await tx.execute(
        """INSERT INTO guests (workspace_id, client_id, user_id, role, created_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (workspace_id, client_id, user_id)
           DO UPDATE SET role = EXCLUDED.role WHERE EXCLUDED.role = 'editor'""",
        workspace_id,
        client_id,
        user_id,
        role,
        now,
    )


async def delete_guest(tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, user_id: uuid.UUID) -> bool:
    return (
        await tx.fetchval(
            "DELETE FROM guests WHERE workspace_id = $1 AND client_id = $2 AND user_id = $3 RETURNING true",
            workspace_id,
            client_id,
            user_id,
        )
        is not None
    )


async def set_payer(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID) -> None:
    await tx.execute("UPDATE workspaces SET payer_user_id = $2 WHERE id = $1", workspace_id, user_id)


async def list_recipients(db: Reader, workspace_id: uuid.UUID, kind: EmailKind) -> list[Recipient]:
    """Return the members who can act on e-mails of this kind and want to receive them."""
    rows = await db.fetch(
        f"""SELECT u.email, u.language FROM members m JOIN users u ON u.id = m.user_id
            WHERE m.workspace_id = $1 AND m.role IN ('editor', 'admin', 'owner') AND m.{_EMAIL_COLUMNS[kind]}
            ORDER BY u.email""",
        workspace_id,
    )
    return [Recipient(*row) for row in rows]


async def find_common_language(db: Reader, workspace_id: uuid.UUID) -> str | None:
    """Return the language that most members have chosen; None if nobody has chosen one."""
    found: str | None = await db.fetchval(
        """SELECT u.language FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.workspace_id = $1 AND u.language IS NOT NULL
           GROUP BY u.language ORDER BY count(*) DESC, u.language LIMIT 1""",
        workspace_id,
    )
    return found


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


async def list_ended_any_workspace(db: Reader, recorded_within: timedelta | None) -> list[Any]:
    """Return what was recorded within the time, or everything. PostgreSQL's clock decides, as it dated the rows."""
    return await db.fetch(
        """SELECT subject, is_over, ends_at FROM ended_access
            WHERE $1::interval IS NULL OR recorded_at > clock_timestamp() - $1::interval""",
        recorded_within,
    )


async def delete_old_ended_any_workspace(tx: Transaction, *, age: timedelta) -> None:
    await tx.execute("DELETE FROM ended_access WHERE recorded_at < clock_timestamp() - $1::interval", age)
