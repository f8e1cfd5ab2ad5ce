"""Guests: people who see the domains of single clients and nothing else of a workspace. A member is never a guest."""

import uuid
from datetime import datetime

from sightline.accounts import queries
from sightline.accounts.members import lock_and_read_member
from sightline.accounts.models import Actor, Role
from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.errors import Problem


async def add_guest(
    tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, user_id: uuid.UUID, role: Role, *, now: datetime
) -> None:
    """Make a person a guest of a client. Members stay what they are, and an editor remains one."""
    if await queries.find_member_role(tx, workspace_id, user_id) is not None:
        return
    await queries.upsert_guest(tx, workspace_id, client_id, user_id, role, now=now)
    await record_audit(tx, workspace_id, "guest_added", user_id=user_id, client_id=client_id, role=role)


async def remove_guest(tx: Transaction, actor: Actor, client_id: uuid.UUID | None, user_id: uuid.UUID | None) -> None:
    """End a person's access to a client. Refused: someone who is no guest of it (404)."""
    await lock_and_read_member(tx, actor)
    removed = client_id and user_id and await queries.delete_guest(tx, actor.workspace_id, client_id, user_id)
    if not removed:
        raise Problem("not_found", "This person is no longer a guest of the client.")
    await record_audit(tx, actor.workspace_id, "guest_removed", user_id=user_id, client_id=client_id)
