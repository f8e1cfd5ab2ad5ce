"""The SQL of a workspace's members as they see each other."""

import uuid

from sightline.accounts.models import Member
from sightline.db.engine import Reader, Transaction, to_row_or_none, to_rows

_MEMBERS = """
SELECT m.user_id, u.name, u.email, m.role, m.billing, coalesce(w.payer_user_id = m.user_id, false), m.created_at
FROM members m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
WHERE m.workspace_id = $1
"""


async def list_members(db: Reader, workspace_id: uuid.UUID) -> list[Member]:
    """Owners first, then by when they joined."""
    order = "array_position(ARRAY['owner', 'admin', 'editor', 'viewer'], m.role), m.created_at, m.user_id"
    return to_rows(Member, await db.fetch(f"{_MEMBERS} ORDER BY {order}", workspace_id))


async def find_member(db: Reader, workspace_id: uuid.UUID, user_id: uuid.UUID) -> Member | None:
    row = await db.fetchrow(f"{_MEMBERS} AND m.user_id = $2", workspace_id, user_id)
    return to_row_or_none(Member, row)


async def set_payer(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID) -> None:
    await tx.execute("UPDATE workspaces SET payer_user_id = $2 WHERE id = $1", workspace_id, user_id)
