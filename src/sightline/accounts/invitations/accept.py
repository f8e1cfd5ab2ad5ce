"""Joining a workspace by an invitation's link.

A link that is unknown, used, revoked or expired is refused with the same problem.
"""

import uuid
from datetime import datetime

from sightline.accounts import queries as accounts_queries
from sightline.accounts.guests import add_guest
from sightline.accounts.invitations import queries
from sightline.accounts.invitations.models import InvitationDetails
from sightline.accounts.invitations.tokens import digest_token
from sightline.accounts.members import set_member_role
from sightline.accounts.models import User
from sightline.accounts.users import clean_email, clean_name, create_user
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem, invalid_field


async def read_invitation(db: Reader, token: str, *, now: datetime) -> InvitationDetails:
    """Return the open invitation behind a link. Refused: a link that does not work (404)."""
    found = await queries.find_open_any_workspace(db, digest_token(token), now=now)
    if found is None:
        raise Problem("invitation_invalid")
    return found


async def find_joined_workspace(db: Reader, token: str, user_id: uuid.UUID) -> uuid.UUID | None:
    """Return the workspace that this person has joined by this link, so that sending the form again succeeds."""
    return await queries.find_joined_any_workspace(db, digest_token(token), user_id)


async def accept_invitation(tx: Transaction, token: str, user_id: uuid.UUID, *, now: datetime) -> uuid.UUID:
    """Make the person a member, or a guest of a client, and return the workspace.

    Someone who is a member already keeps their rights and gains those that are higher.
    """
    found = await read_invitation(tx, token, now=now)
    await accounts_queries.lock_workspace(tx, found.workspace_id)
    found = await read_invitation(tx, token, now=now)  # it may have changed before the lock
    await _accept(tx, found, user_id, now=now)
    return found.workspace_id


async def accept_invitations_of_address(
    tx: Transaction, email: str, user_id: uuid.UUID, workspace_id: uuid.UUID | None, *, now: datetime
) -> int:
    """Accept the open invitations that were sent to the person's verified address, in one workspace or in all.

    Returns how many there were.
    """
    accepted = 0
    for seen in await queries.list_open_of_address_any_workspace(tx, email, workspace_id, now=now):
        await accounts_queries.lock_workspace(tx, seen.workspace_id)
        open_now = await queries.list_open_of_address_any_workspace(tx, email, seen.workspace_id, now=now)
        for found in [each for each in open_now if each.id == seen.id]:  # it may have changed before the lock
            await _accept(tx, found, user_id, now=now)
            accepted += 1
    return accepted


async def _accept(tx: Transaction, found: InvitationDetails, user_id: uuid.UUID, *, now: datetime) -> None:
    if not await queries.mark_accepted(tx, found.workspace_id, found.id, user_id, now=now):
        raise Problem("invitation_invalid")
    if found.client_id is not None:
        await add_guest(tx, found.workspace_id, found.client_id, user_id, found.role, now=now)
        return
    known = await accounts_queries.find_member(tx, found.workspace_id, user_id)
    role = known.role if known and known.role.covers(found.role) else found.role
    billing = found.billing or (known is not None and known.billing)
    await set_member_role(tx, found.workspace_id, user_id, role, billing=billing, now=now)


async def join_as_new_user(
    tx: Transaction, token: str, *, email: str, name: str, password_hash: str, now: datetime
) -> tuple[User, uuid.UUID]:
    """Create an account and its first membership, or neither. Refused: an e-mail that has an account (422)."""
    user = await create_user(tx, clean_email(email), clean_name(name), password_hash, now=now)
    if user is None:
        raise invalid_field("email", "this address already has an account; sign in with it to join", "taken")
    return user, await accept_invitation(tx, token, user.id, now=now)
