"""Invitations by link: whoever holds the link joins the workspace, once, in the role that it was made for.

Only the hash of a link is kept. One that was used, revoked, never made or is past its time looks like any other that
does not work.
"""

import hashlib
import secrets
import uuid
from datetime import datetime, timedelta
from typing import Annotated

import msgspec

from sightline.accounts import invitation_queries, member_queries, queries
from sightline.accounts.members import hold_and_read, require_grant
from sightline.accounts.models import Actor, FoundInvitation, Invitation, Role, User
from sightline.accounts.users import clean_email, clean_name, create_user
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id
from sightline.mail.emails import OutgoingEmail

LIFETIME = timedelta(days=7)
MOST_OPEN = 50  # a workspace cannot be made to write letters without end
_PREFIX = "in_"


class InvitationInput(msgspec.Struct, frozen=True):
    role: Role
    billing: bool = False
    email: Annotated[str, msgspec.Meta(max_length=254)] = ""
    """Where the link is to be sent; may stay empty."""


async def invite(tx: Transaction, actor: Actor, given: InvitationInput, *, now: datetime) -> tuple[Invitation, str]:
    """The invitation and its token, which is shown once. Refused: more than the actor has (403), and an owner."""
    if given.role is Role.OWNER:
        raise invalid_field("role", "nobody becomes an owner by a link; change the role after they have joined")
    email = clean_email(given.email) if given.email.strip() else None
    me = await hold_and_read(tx, actor)
    require_grant(me, given.role, billing=given.billing)
    if await invitation_queries.count_open(tx, actor.workspace_id, now=now) >= MOST_OPEN:
        raise invalid_field("email", f"{MOST_OPEN} invitations are open; revoke some of them first", "limit")
    token = _PREFIX + secrets.token_urlsafe(32)
    made = Invitation(new_id(), email, given.role, given.billing, me.name, now, now + LIFETIME)
    await invitation_queries.insert_invitation(tx, actor.workspace_id, made, _digest(token), me.user_id)
    return made, token


async def list_invitations(db: Reader, actor: Actor, *, now: datetime) -> list[Invitation]:
    return await invitation_queries.list_open(db, actor.workspace_id, now=now)


async def revoke_invitation(tx: Transaction, actor: Actor, invitation_id: uuid.UUID | None, *, now: datetime) -> None:
    """Twice changes nothing. One that was accepted is a membership by now."""
    await hold_and_read(tx, actor)
    if not invitation_id or not await invitation_queries.mark_revoked(tx, actor.workspace_id, invitation_id, now=now):
        raise Problem("not_found", "There is no such invitation any more: it may have been accepted.")


async def read_invitation(db: Reader, token: str, *, now: datetime) -> FoundInvitation:
    found = await invitation_queries.find_open_any_workspace(db, _digest(token), now=now)
    if found is None:
        raise Problem("invitation_invalid")
    return found


async def find_joined(db: Reader, token: str, user_id: uuid.UUID) -> uuid.UUID | None:
    """Where this very link has brought this very person: whoever sends the form twice has joined."""
    return await invitation_queries.find_joined_any_workspace(db, _digest(token), user_id)


async def accept_invitation(tx: Transaction, token: str, user_id: uuid.UUID, *, now: datetime) -> uuid.UUID:
    """The workspace that the person is a member of from now on. One who was a member before keeps what they had and
    gains what is more."""
    found = await read_invitation(tx, token, now=now)
    await queries.lock_workspace(tx, found.workspace_id)
    found = await read_invitation(tx, token, now=now)  # as it is now that nobody changes it, or who made it
    if not await invitation_queries.mark_accepted(tx, found.workspace_id, found.id, user_id, now=now):
        raise Problem("invitation_invalid")
    known = await member_queries.find_member(tx, found.workspace_id, user_id)
    role = known.role if known and known.role.covers(found.role) else found.role
    billing = found.billing or (known is not None and known.billing)
    await queries.upsert_member(tx, found.workspace_id, user_id, role, billing=billing, now=now)
    return found.workspace_id


async def join_as_new_user(
    tx: Transaction, token: str, *, email: str, name: str, password_hash: str, now: datetime
) -> tuple[User, uuid.UUID]:
    """An account and its first membership, or neither. Refused: an e-mail that has an account (422)."""
    user = await create_user(tx, clean_email(email), clean_name(name), password_hash, now=now)
    if user is None:
        raise invalid_field("email", "this address has an account already: sign in with it to join", "taken")
    return user, await accept_invitation(tx, token, user.id, now=now)


def write_letter(made: Invitation, workspace: str, link: str) -> OutgoingEmail:
    """For the address that was given with the invitation."""
    assert made.email is not None
    text = (
        f"{made.inviter} invites you to the workspace {workspace} in Sightline, as {made.role}.\n\n"
        f"Join here:\n\n{link}\n\n"
        f"The link works once, until {to_iso(made.expires_at)}. If you do not know what this is about, do nothing.\n"
    )
    return OutgoingEmail(made.email, "You are invited to a workspace in Sightline", text)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
