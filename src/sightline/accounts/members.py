"""Who belongs to a workspace, what they may do there, and how they leave.

Every change holds the workspace and reads anew who acts: two people who act at once act one after the other, and
somebody who lost their role a moment ago has lost it here, too.
"""

import uuid
from datetime import datetime

from sightline.accounts import member_queries, queries, workspaces
from sightline.accounts.models import Actor, Member, Role
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem


async def list_members(db: Reader, workspace_id: uuid.UUID) -> list[Member]:
    return await member_queries.list_members(db, workspace_id)


async def hold_and_read(tx: Transaction, actor: Actor, *, needed: Role = Role.ADMIN) -> Member:
    """Holds the workspace. The member who acts, as they are now; 403 when their role does not suffice any more."""
    await queries.lock_workspace(tx, actor.workspace_id)
    me = await member_queries.find_member(tx, actor.workspace_id, actor.user_id)
    if me is None:
        raise Problem("workspace_not_found", "You are no member of this workspace any more.")
    if not me.role.covers(needed):
        raise _beyond(f"This needs the role {needed} or above; you are {me.role} today.", needed)
    return me


def require_grant(me: Member, role: Role, *, billing: bool) -> None:
    """Nobody grants more than they have themselves."""
    if not me.role.covers(role):
        raise _beyond(f"You are {me.role} and cannot make anybody {role}.", role)
    if billing and not me.may_bill:
        raise Problem("billing_permission_required", "Only somebody with billing permission or an owner may grant it.")


async def change_member(
    tx: Transaction, actor: Actor, user_id: uuid.UUID | None, *, role: Role, billing: bool | None, now: datetime
) -> None:
    """Another role or billing permission, for anybody but those above oneself. None leaves the permission as it is.

    Refused: more than the actor has (403), the end of the last owner (409), and the payer without billing (409).
    """
    me, them = await _hold_both(tx, actor, user_id)
    billing = them.billing if billing is None else billing
    require_grant(me, role, billing=billing != them.billing)
    if them.is_payer and them.billing and not billing:
        raise Problem("payer_stays")
    await workspaces.set_member_role(tx, actor.workspace_id, them.user_id, role, billing=billing, now=now)


async def remove_member(tx: Transaction, actor: Actor, user_id: uuid.UUID | None) -> None:
    """Ends the membership and nothing else: the keys that they made are refused from now on, because they act with
    the role of their maker, and work again should the person come back."""
    _, them = await _hold_both(tx, actor, user_id)
    await _end_membership(tx, actor.workspace_id, them)


async def leave_workspace(tx: Transaction, actor: Actor) -> None:
    await _end_membership(tx, actor.workspace_id, await hold_and_read(tx, actor, needed=Role.VIEWER))


async def set_payer(tx: Transaction, actor: Actor, user_id: uuid.UUID | None) -> None:
    """Who buys credits from now on: a member with billing permission, chosen by an owner."""
    await hold_and_read(tx, actor, needed=Role.OWNER)
    them = await _find(tx, actor.workspace_id, user_id)
    if not them.billing:
        raise Problem("billing_permission_required", "Give this member billing permission first.")
    await member_queries.set_payer(tx, actor.workspace_id, them.user_id)


async def _hold_both(tx: Transaction, actor: Actor, user_id: uuid.UUID | None) -> tuple[Member, Member]:
    me = await hold_and_read(tx, actor)
    them = await _find(tx, actor.workspace_id, user_id)
    if not me.role.covers(them.role):
        raise _beyond(f"You are {me.role}; only an {them.role} can change what an {them.role} may do.", them.role)
    return me, them


async def _find(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID | None) -> Member:
    them = user_id and await member_queries.find_member(tx, workspace_id, user_id)
    if not them:
        raise Problem("not_found", "This person is no member of the workspace any more.")
    return them


async def _end_membership(tx: Transaction, workspace_id: uuid.UUID, them: Member) -> None:
    if them.is_payer:
        raise Problem("payer_stays")
    await workspaces.remove_member(tx, workspace_id, them.user_id)


def _beyond(detail: str, needed: Role) -> Problem:
    return Problem("workspace_access_required", detail, reason="role", required_role=str(needed))
