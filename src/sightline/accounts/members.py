"""The members of a workspace: their roles and permissions, and how they leave.

Every change locks the workspace and reads the acting member again, so that changes happen one after the other and a
role that was lost a moment ago no longer counts.
"""

import uuid
from datetime import datetime

from sightline.accounts import queries
from sightline.accounts.models import Actor, Member, Role
from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.errors import Problem, role_required


async def lock_and_read_member(tx: Transaction, actor: Actor, *, needed: Role = Role.ADMIN) -> Member:
    """Lock the workspace and return the acting member as of now. Refused: a role that is too low (403)."""
    await queries.lock_workspace(tx, actor.workspace_id)
    acting_member = await queries.find_member(tx, actor.workspace_id, actor.user_id)
    if acting_member is None:
        raise Problem("workspace_not_found", "You are no longer a member of this workspace.")
    if not acting_member.role.covers(needed):
        raise role_required(needed, acting_member.role)
    return acting_member


def require_grant(acting_member: Member, role: Role, *, billing: bool) -> None:
    """Refuse with 403 a member who grants more than they have themselves."""
    if not acting_member.role.covers(role):
        raise _access_required(f"You are {acting_member.role} and cannot grant the role {role}.", role)
    if billing and not acting_member.can_grant_billing:
        raise Problem("billing_permission_required", "Only an owner or a member with billing permission may grant it.")


async def change_member(
    tx: Transaction, actor: Actor, user_id: uuid.UUID | None, *, role: Role, billing: bool | None, now: datetime
) -> None:
    """Change a member's role and billing permission; None leaves the permission as it is.

    Refused: a member above the actor and rights that the actor does not have (403), the last owner losing the role and
    the payer losing the permission (409).
    """
    acting_member, member = await _lock_and_read_both(tx, actor, user_id)
    billing = member.billing if billing is None else billing
    require_grant(acting_member, role, billing=billing != member.billing)
    if member.is_payer and member.billing and not billing:
        raise Problem("payer_stays")
    await set_member_role(tx, actor.workspace_id, member.user_id, role, billing=billing, now=now)


async def remove_member(tx: Transaction, actor: Actor, user_id: uuid.UUID | None) -> None:
    """End a membership, and with it the links that the member shared.

    Keys that the member made are refused from now on, because they act with their maker's role. They work again if the
    person comes back.
    """
    _, member = await _lock_and_read_both(tx, actor, user_id)
    await _leave(tx, actor.workspace_id, member)


async def leave_workspace(tx: Transaction, actor: Actor) -> None:
    await _leave(tx, actor.workspace_id, await lock_and_read_member(tx, actor, needed=Role.VIEWER))


async def set_payer(tx: Transaction, actor: Actor, user_id: uuid.UUID | None) -> None:
    """Choose who pays for the workspace. Refused: anyone but an owner, and a payer without billing permission (403)."""
    await lock_and_read_member(tx, actor, needed=Role.OWNER)
    member = await _read_member(tx, actor.workspace_id, user_id)
    if not member.billing:
        raise Problem("billing_permission_required", "Give this member billing permission first.")
    await queries.set_payer(tx, actor.workspace_id, member.user_id)
    await record_audit(tx, actor.workspace_id, "payer_set", user_id=member.user_id)


async def _lock_and_read_both(tx: Transaction, actor: Actor, user_id: uuid.UUID | None) -> tuple[Member, Member]:
    acting_member = await lock_and_read_member(tx, actor)
    member = await _read_member(tx, actor.workspace_id, user_id)
    if not acting_member.role.covers(member.role):
        raise _access_required(
            f"You are {acting_member.role}; only an {member.role} can change what an {member.role} may do.", member.role
        )
    return acting_member, member


async def _read_member(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID | None) -> Member:
    member = user_id and await queries.find_member(tx, workspace_id, user_id)
    if not member:
        raise Problem("not_found", "This person is no longer a member of the workspace.")
    return member


async def _leave(tx: Transaction, workspace_id: uuid.UUID, member: Member) -> None:
    if member.is_payer:
        raise Problem("payer_stays")
    await end_membership(tx, workspace_id, member.user_id)


def _access_required(detail: str, needed: Role) -> Problem:
    return Problem("workspace_access_required", detail, reason="role", required_role=str(needed))


# Without an acting member: for operators, invitations and the setup


async def set_member_role(
    tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID, role: Role, *, billing: bool, now: datetime
) -> None:
    """Add a member or change their role. Refused: a lower role for the last owner (409)."""
    if role is not Role.OWNER:
        await _require_other_owner(tx, workspace_id, user_id)
    await store_member(tx, workspace_id, user_id, role, billing=billing, now=now)


async def end_membership(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID) -> bool:
    """End a membership; return False when there is none. Refused: the last owner (409)."""
    await _require_other_owner(tx, workspace_id, user_id)
    if not await queries.delete_member(tx, workspace_id, user_id):
        return False
    await record_audit(tx, workspace_id, "member_removed", user_id=user_id)
    return True


async def store_member(
    tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID, role: Role, *, billing: bool, now: datetime
) -> None:
    """Add a member or change their role, without looking at other owners."""
    await queries.upsert_member(tx, workspace_id, user_id, role, billing=billing, now=now)
    await record_audit(tx, workspace_id, "member_role_set", user_id=user_id, role=role, billing=billing)


async def _require_other_owner(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID) -> None:
    is_owner = await queries.find_member_role(tx, workspace_id, user_id) is Role.OWNER
    if is_owner and await queries.count_other_owners(tx, workspace_id, user_id) == 0:
        raise Problem("last_owner")
