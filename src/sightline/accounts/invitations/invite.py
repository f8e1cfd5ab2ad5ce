"""Inviting people to a workspace, and revoking invitations."""

import uuid
from datetime import datetime, timedelta

from sightline.accounts.invitations import queries
from sightline.accounts.invitations.models import Invitation, InvitationInput
from sightline.accounts.invitations.tokens import digest_token, make_token
from sightline.accounts.members import lock_and_read_member, require_grant
from sightline.accounts.models import Actor, Role
from sightline.accounts.role_names import name_role
from sightline.accounts.users import clean_email, find_user
from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import new_id, parse_id
from sightline.mail.emails import EmailText, OutgoingEmail, Recipient, build_emails, join_paragraphs
from sightline.plans.entitlements import require_clients
from sightline.presentation.dates import format_datetime, in_time_zone
from sightline.presentation.language import gettext
from sightline.presentation.phrases import to_one_line

LIFETIME = timedelta(days=7)
MAX_OPEN = 50  # bounds the number of e-mails that a workspace can send


async def invite(
    tx: Transaction, actor: Actor, invitation_input: InvitationInput, *, now: datetime
) -> tuple[Invitation, str]:
    """Create an invitation and return it with its token, which is shown once.

    Refused: rights that the actor does not have (403), and the role of an owner (422). A guest of a client can be
    viewer or editor.
    """
    role, billing = invitation_input.role, invitation_input.billing
    if role is Role.OWNER:
        raise invalid_field("role", "an invitation cannot make an owner; change the role after they have joined")
    client_id = parse_id(invitation_input.client)
    if role is Role.GUEST or (invitation_input.client and (billing or not Role.EDITOR.covers(role))):
        raise invalid_field("role", "must be viewer or editor, without billing permission, for a guest of a client")
    email = clean_email(invitation_input.email) if invitation_input.email.strip() else None
    inviter = await lock_and_read_member(tx, actor)
    require_grant(inviter, role, billing=billing)
    client = client_id and await queries.find_client_name(tx, actor.workspace_id, client_id)
    if invitation_input.client:
        require_clients(actor.plan)
        if not client:
            raise invalid_field("client", "is no client of the workspace", "unknown")
    if await queries.count_open(tx, actor.workspace_id, now=now) >= MAX_OPEN:
        raise invalid_field("email", f"{MAX_OPEN} invitations are open; revoke some of them first", "limit")
    token = make_token()
    invitation = Invitation(
        new_id(), email, role, billing, inviter.name, now, now + LIFETIME, client_id, client or None
    )
    await queries.insert_invitation(tx, actor.workspace_id, invitation, digest_token(token), inviter.user_id)
    await record_audit(
        tx, actor.workspace_id, "member_invited", invitation_id=invitation.id, role=role, billing=billing
    )
    return invitation, token


async def list_invitations(db: Reader, actor: Actor, *, now: datetime) -> list[Invitation]:
    """Return the workspace's open invitations, newest first."""
    return await queries.list_open(db, actor.workspace_id, now=now)


async def revoke_invitation(tx: Transaction, actor: Actor, invitation_id: uuid.UUID | None, *, now: datetime) -> None:
    """Revoke an invitation. Revoking it again changes nothing; an accepted one cannot be revoked (404)."""
    await lock_and_read_member(tx, actor)
    if not invitation_id or not await queries.mark_revoked(tx, actor.workspace_id, invitation_id, now=now):
        raise Problem("not_found", "This invitation no longer exists: it may have been accepted.")
    await record_audit(tx, actor.workspace_id, "invitation_revoked", invitation_id=invitation_id)


async def build_invitation_email(
    db: Reader, invitation: Invitation, workspace: str, timezone: str, link: str
) -> OutgoingEmail:
    """Build the e-mail with the link.

    It is in the language of the person who is invited, if they have an account with one, otherwise in the inviter's.
    Times are in the zone of the workspace.
    """
    assert invitation.email is not None
    user = await find_user(db, invitation.email)
    recipient = Recipient(invitation.email, None if user is None else user.language)
    with in_time_zone(timezone):
        (email,) = build_emails([recipient], lambda: _write_invitation(invitation, workspace, link))
    return email


def _write_invitation(invitation: Invitation, workspace: str, link: str) -> EmailText:
    named = {
        "inviter": to_one_line(invitation.inviter),
        "workspace": to_one_line(workspace),
        "role": name_role(invitation.role),
    }
    if invitation.client is None:
        invites = gettext(
            "%(inviter)s invites you to the workspace “%(workspace)s” in Sightline, which measures how brands appear "
            "in AI answers. Your role: %(role)s.",
            **named,
        )
    else:
        invites = gettext(
            "%(inviter)s invites you to the domains of “%(client)s” in Sightline, which measures how brands appear in "
            "AI answers. Your role: %(role)s.",
            client=to_one_line(invitation.client),
            **named,
        )
    text = join_paragraphs(
        invites,
        gettext("Join here:"),
        link,
        gettext(
            "You can use the link once. It expires on %(expiry)s. If you did not expect this invitation, ignore this "
            "e-mail.",
            expiry=format_datetime(invitation.expires_at),
        ),
    )
    return EmailText(gettext("You are invited to a workspace in Sightline"), text)
