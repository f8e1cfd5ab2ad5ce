"""The SQL of invitations. An invitation is valid only while its inviter may still invite."""

import uuid
from datetime import datetime

from sightline.accounts.invitations.models import Invitation, InvitationDetails
from sightline.db.engine import Reader, Transaction, to_row_or_none, to_rows

# The inviter must still be an admin or owner, and grants billing only while they have it themselves.
_OPEN = """
FROM invitations i
JOIN members m ON m.workspace_id = i.workspace_id AND m.user_id = i.invited_by AND m.role IN ('admin', 'owner')
JOIN users u ON u.id = i.invited_by
LEFT JOIN clients c ON c.workspace_id = i.workspace_id AND c.id = i.client_id
WHERE i.accepted_at IS NULL AND i.revoked_at IS NULL
"""
_BILLING = "i.billing AND (m.billing OR m.role = 'owner')"
_DETAILS = f"""i.workspace_id, i.id, (SELECT w.name FROM workspaces w WHERE w.id = i.workspace_id), i.email, i.role,
    {_BILLING}, u.name, i.expires_at, c.id, c.name"""


async def insert_invitation(
    tx: Transaction, workspace_id: uuid.UUID, invitation: Invitation, digest: bytes, invited_by: uuid.UUID
) -> None:
    await tx.execute(
        """INSERT INTO invitations (workspace_id, id, digest, email, role, billing, invited_by, created_at, expires_at,
                                    client_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)""",
        workspace_id,
        invitation.id,
        digest,
        invitation.email,
        invitation.role,
        invitation.billing,
        invited_by,
        invitation.created_at,
        invitation.expires_at,
        invitation.client_id,
    )


async def list_open(db: Reader, workspace_id: uuid.UUID, *, now: datetime) -> list[Invitation]:
    """Return the open invitations, newest first."""
    rows = await db.fetch(
        f"""SELECT i.id, i.email, i.role, {_BILLING}, u.name, i.created_at, i.expires_at, c.id,
                   c.name {_OPEN}
              AND i.workspace_id = $1 AND i.expires_at > $2 ORDER BY i.created_at DESC, i.id DESC""",
        workspace_id,
        now,
    )
    return to_rows(Invitation, rows)


async def count_open(db: Reader, workspace_id: uuid.UUID, *, now: datetime) -> int:
    count: int = await db.fetchval(
        """SELECT count(*) FROM invitations
           WHERE workspace_id = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $2""",
        workspace_id,
        now,
    )
    return count


async def mark_revoked(tx: Transaction, workspace_id: uuid.UUID, invitation_id: uuid.UUID, *, now: datetime) -> bool:
    """Revoke an invitation; return False when there is none, or when it was accepted."""
    return (
        await tx.fetchval(
            """UPDATE invitations SET revoked_at = coalesce(revoked_at, $3)
               WHERE workspace_id = $1 AND id = $2 AND accepted_at IS NULL RETURNING true""",
            workspace_id,
            invitation_id,
            now,
        )
        is not None
    )


async def find_open_any_workspace(db: Reader, digest: bytes, *, now: datetime) -> InvitationDetails | None:
    """Find an open invitation by its link alone, which does not name the workspace."""
    row = await db.fetchrow(f"SELECT {_DETAILS} {_OPEN} AND i.digest = $1 AND i.expires_at > $2", digest, now)
    return to_row_or_none(InvitationDetails, row)


async def list_open_of_address_any_workspace(
    db: Reader, email: str, workspace_id: uuid.UUID | None, *, now: datetime
) -> list[InvitationDetails]:
    """Return the open invitations that were sent to an address, in one workspace or in all."""
    rows = await db.fetch(
        f"""SELECT {_DETAILS} {_OPEN} AND i.email = $1 AND i.expires_at > $2
              AND ($3::uuid IS NULL OR i.workspace_id = $3) ORDER BY i.created_at, i.id""",
        email,
        now,
        workspace_id,
    )
    return to_rows(InvitationDetails, rows)


async def mark_accepted(
    tx: Transaction, workspace_id: uuid.UUID, invitation_id: uuid.UUID, user_id: uuid.UUID, *, now: datetime
) -> bool:
    """Accept an invitation; return False when it was accepted or revoked before, or has expired."""
    return (
        await tx.fetchval(
            """UPDATE invitations SET accepted_at = $4, accepted_by = $3
               WHERE workspace_id = $1 AND id = $2 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $4
               RETURNING true""",
            workspace_id,
            invitation_id,
            user_id,
            now,
        )
        is not None
    )


async def find_joined_any_workspace(db: Reader, digest: bytes, user_id: uuid.UUID) -> uuid.UUID | None:
    """Return the workspace that the person has joined by this link and is still a member of."""
    workspace_id: uuid.UUID | None = await db.fetchval(
        """SELECT i.workspace_id FROM invitations i
           WHERE i.digest = $1 AND i.accepted_by = $2
             AND (EXISTS (SELECT FROM members m WHERE m.workspace_id = i.workspace_id AND m.user_id = $2)
                  OR EXISTS (SELECT FROM guests g WHERE g.workspace_id = i.workspace_id AND g.user_id = $2))""",
        digest,
        user_id,
    )
    return workspace_id


async def find_client_name(db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID) -> str | None:
    name: str | None = await db.fetchval(
        "SELECT name FROM clients WHERE workspace_id = $1 AND id = $2", workspace_id, client_id
    )
    return name
