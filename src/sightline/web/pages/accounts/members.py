"""The members of a workspace: every member sees them, admins and owners manage them, and anybody may leave."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import structlog
from starlette.responses import Response

from sightline.accounts import guests, members
from sightline.accounts.invitations import invite as invitations
from sightline.accounts.invitations.models import Invitation, InvitationInput
from sightline.accounts.models import Member, Role
from sightline.accounts.queries import list_guests, list_members
from sightline.accounts.schemas import ProfileChanges
from sightline.accounts.second_factor.manage import require_factor, reset_member_factors
from sightline.accounts.users import list_time_zones
from sightline.accounts.workspaces import change_profile
from sightline.clients.manage import list_clients_by_name
from sightline.db.engine import Transaction
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.mail.send import send_email
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.settings import SettingsError
from sightline.web.fault_texts import refuse_input
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.forms import Form, decode_form, read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.routing import form_action, page, redirect

log = structlog.get_logger()

_EMAIL_TIMEOUT_SECONDS = 15
_INVITABLE = (Role.VIEWER, Role.EDITOR, Role.ADMIN)
ROLES: Mapping[Role, str] = {
    Role.VIEWER: translatable(
        "Can view everything except keys, webhooks and the cost of platform calls. Cannot change anything."
    ),
    Role.EDITOR: translatable("Can also set up domains and change prompts and competitors."),
    Role.ADMIN: translatable("Can also manage members, keys and webhooks."),
    Role.OWNER: translatable("Can also manage owners and choose the payer."),
}
_DONE = {
    "changed": translatable("Role and permissions saved."),
    "guest_removed": translatable("Guest removed. This person no longer sees the client's domains."),
    "removed": translatable("Member removed. The keys that this person created no longer work."),
    "revoked": translatable("Invitation revoked. Its link no longer works."),
    "factors_reset": translatable("Second factors removed. This person signs in with the password alone."),
    "second_factor": translatable("Saved."),
    "timezone": translatable("Time zone saved. E-mails and reports use it from now on."),
    "payer": translatable("Saved. This member is now the payer."),
    "invited_before": translatable(
        "You have already sent this form. If you lost the link, revoke the invitation and create a new one."
    ),
}
Change = Callable[[Transaction], Awaitable[None]]


@page("/w/{workspace}/members")
async def members_page(request: PageRequest, workspace: str, done: str = "") -> Response:
    return await _render_members(await open_workspace(request, workspace), done=choose_text(_DONE, done))


@form_action("/w/{workspace}/members/invitations", recent=True)
async def invite_member(request: PageRequest, workspace: str) -> Response:
    """Create an invitation and show its link, this once. Sent again, the form shows the list."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form, signed_in = await read_form(request), ctx.signed_in
    try:
        invitation = _read_invitation(form)
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with signed_in.app_context.db.transaction() as tx:
                made, token = await invitations.invite(tx, ctx.actor, invitation, now=signed_in.now)
                await claim.settle(tx, ctx.path("members") + "?done=invited_before")
    except Problem as problem:
        return await _render_members(ctx, problem=problem)
    link = f"{signed_in.app_context.settings.public_url}/join?token={token}"
    sent = await _send_invitation(ctx, made, link)
    return render_page(
        ctx,
        "app/invitation_created.html",
        section="members",
        title=gettext("Your invitation"),
        made=made,
        link=link,
        sent=sent,
    )


@form_action("/w/{workspace}/members/timezone")
async def choose_time_zone(request: PageRequest, workspace: str) -> Response:
    """Choose the time zone of the workspace, in which e-mails and reports are written."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form = await read_form(request)

    async def apply(tx: Transaction) -> None:
        await change_profile(tx, ctx.actor, ProfileChanges(timezone=form.text("timezone")))

    return await _apply(ctx, apply, "timezone")


@form_action("/w/{workspace}/members/invitations/{invitation}/revoke")
async def revoke_invitation(request: PageRequest, workspace: str, invitation: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)

    async def apply(tx: Transaction) -> None:
        await invitations.revoke_invitation(tx, ctx.actor, parse_id(invitation), now=ctx.now)

    return await _apply(ctx, apply, "revoked")


@form_action("/w/{workspace}/members/{member}/change", recent=True)
async def change_member(request: PageRequest, workspace: str, member: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form = await read_form(request)

    async def apply(tx: Transaction) -> None:
        billing = bool(form.text("billing")) if form.text("billing_asked") else None
        await members.change_member(
            tx, ctx.actor, parse_id(member), role=_read_role(form), billing=billing, now=ctx.now
        )

    return await _apply(ctx, apply, "changed")


@form_action("/w/{workspace}/members/{member}/remove", recent=True)
async def remove_member(request: PageRequest, workspace: str, member: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)

    async def apply(tx: Transaction) -> None:
        await members.remove_member(tx, ctx.actor, parse_id(member))

    return await _apply(ctx, apply, "removed")


@form_action("/w/{workspace}/members/{member}/remove-guest", recent=True)
async def remove_guest(request: PageRequest, workspace: str, member: str) -> Response:
    """End a person's access to one client."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form = await read_form(request)

    async def apply(tx: Transaction) -> None:
        await guests.remove_guest(tx, ctx.actor, parse_id(form.text("client")), parse_id(member))

    return await _apply(ctx, apply, "guest_removed")


@form_action("/w/{workspace}/members/{member}/reset-factors", recent=True)
async def reset_factors(request: PageRequest, workspace: str, member: str) -> Response:
    """Remove the second factors of a member who has lost them."""
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)

    async def apply(tx: Transaction) -> None:
        await reset_member_factors(tx, ctx.app_context.settings, ctx.actor, parse_id(member), now=ctx.now)

    return await _apply(ctx, apply, "factors_reset")


@form_action("/w/{workspace}/members/second-factor", recent=True)
async def choose_second_factor(request: PageRequest, workspace: str) -> Response:
    """Let only people with a second factor open the workspace, or everyone again."""
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    form = await read_form(request)

    async def apply(tx: Transaction) -> None:
        await require_factor(tx, ctx.actor, required=bool(form.text("required")))

    return await _apply(ctx, apply, "second_factor")


@form_action("/w/{workspace}/members/{member}/payer", recent=True)
async def set_payer(request: PageRequest, workspace: str, member: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)

    async def apply(tx: Transaction) -> None:
        await members.set_payer(tx, ctx.actor, parse_id(member))

    return await _apply(ctx, apply, "payer")


@form_action("/w/{workspace}/members/leave")
async def leave_workspace(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace)
    try:
        async with ctx.db.transaction() as tx:
            await members.leave_workspace(tx, ctx.actor)
    except Problem as problem:
        return await _render_members(ctx, problem=problem)
    return redirect("/")


async def _apply(ctx: PageContext, change: Change, done: str) -> Response:
    """Apply a change in one transaction; a refusal is shown on the page."""
    try:
        async with ctx.db.transaction() as tx:
            await change(tx)
    except Problem as problem:
        return await _render_members(ctx, problem=problem)
    return redirect(ctx.path("members") + f"?done={done}")


def _read_role(form: Form) -> Role:
    try:
        return Role(form.text("role"))
    except ValueError as error:
        raise refuse_input("role", gettext("Choose a role from the list.")) from error


def _read_invitation(form: Form) -> InvitationInput:
    return decode_form(
        InvitationInput,
        role=_read_role(form),
        billing=bool(form.text("billing")),
        email=form.text("email"),
        client=form.text("client"),
    )


async def _send_invitation(ctx: PageContext, made: Invitation, link: str) -> bool | None:
    """Return whether the e-mail was sent; None if none was requested, or there is no mail server.

    It is sent directly and not queued: a queued e-mail would store the link in the database.
    """
    settings = ctx.app_context.settings
    if made.email is None or settings.smtp_url is None:
        return None
    letter = await invitations.build_invitation_email(ctx.db, made, ctx.membership.name, ctx.membership.timezone, link)
    try:
        await asyncio.wait_for(send_email(settings, letter, now=ctx.now), _EMAIL_TIMEOUT_SECONDS)
    except (OSError, SettingsError) as error:
        log.warning("invitation_not_sent", reason=type(error).__name__)
        return False
    return True


async def _render_members(ctx: PageContext, *, done: str | None = None, problem: Problem | None = None) -> Response:
    db, workspace_id = ctx.db, ctx.actor.workspace_id
    found = await list_members(db, workspace_id)
    me = next((each for each in found if each.user_id == ctx.actor.user_id), None)
    if me is None:
        raise Problem("workspace_not_found")
    may_manage = me.role.covers(Role.ADMIN)
    return render_page(
        ctx,
        "app/members.html",
        section="members",
        title=gettext("Members"),
        members=found,
        me=me,
        may_manage=may_manage,
        may_change=lambda them: _may_change(me, them),
        guests=await list_guests(db, workspace_id) if may_manage else [],
        clients=await list_clients_by_name(db, ctx.actor) if may_manage else [],
        grantable=[role for role in ROLES if me.role.covers(role)],
        invitable=[role for role in _INVITABLE if me.role.covers(role)],
        open_invitations=await invitations.list_invitations(db, ctx.actor, now=ctx.now) if may_manage else [],
        roles=ROLES,
        time_zones=list_time_zones() if may_manage else [],
        token=make_form_token(),
        done=done,
        problem=problem,
    )


def _may_change(me: Member, them: Member) -> bool:
    return me.role.covers(Role.ADMIN) and me.role.covers(them.role)
