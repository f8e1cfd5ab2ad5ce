"""The members of a workspace: everybody sees them, admins and owners decide, and anybody may leave."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts import invitations, members
from sightline.accounts.models import Invitation, Member, Role
from sightline.db.engine import Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import parse_id
from sightline.mail.send import send_email
from sightline.settings import SettingsError
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.forms import Form, decode_form, read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.accounts.words import ROLES, say_day, say_faults, say_when
from sightline.web.routing import form_action, page, redirect

log = structlog.get_logger()

_MAIL_SECONDS = 15
_INVITABLE = (Role.VIEWER, Role.EDITOR, Role.ADMIN)
_DONE = {
    "changed": "Saved. It holds from the next request on.",
    "removed": "Removed. The keys that this person made are refused from now on.",
    "revoked": "The invitation is revoked. Its link does not work any more.",
    "payer": "Saved. Credits are bought by this member from now on.",
    "invited_before": "This invitation was made already. If its link is lost, revoke it and make a new one.",
}
Act = Callable[[Transaction], Awaitable[None]]


@page("/w/{workspace:str}/members")
async def list_members(request: PageRequest, workspace: FromPath[str], done: FromQuery[str] = "") -> Response[str]:
    return await _page(await open_workspace(request, workspace), done=_DONE.get(done))


@form_action("/w/{workspace:str}/members/invitations")
async def invite(request: PageRequest, workspace: FromPath[str]) -> Response[str]:
    """The answer to this form is the only page that ever shows the link. Sent again, it shows the list."""
    ctx = await _enter_to_act(request, workspace)
    form, signed_in = await read_form(request), ctx.signed_in
    try:
        given = _read_invitation(form)
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with signed_in.app_context.db.transaction() as tx:
                made, token = await invitations.invite(tx, ctx.actor, given, now=signed_in.now)
                await claim.settle(tx, ctx.path("members") + "?done=invited_before")
    except Problem as problem:
        return await _page(ctx, problem=problem, form=form)
    link = f"{signed_in.app_context.settings.public_url}/join?token={token}"
    sent = await _send(ctx, made, link)
    return render_page(
        ctx,
        "app/invitation_created.html",
        section="members",
        title="Your invitation",
        made=made,
        link=link,
        sent=sent,
        say_when=say_when,
    )


@form_action("/w/{workspace:str}/members/invitations/{invitation:str}/revoke")
async def revoke(request: PageRequest, workspace: FromPath[str], invitation: FromPath[str]) -> Response[str]:
    ctx = await _enter_to_act(request, workspace)

    async def act(tx: Transaction) -> None:
        await invitations.revoke_invitation(tx, ctx.actor, parse_id(invitation), now=ctx.now)

    return await _act(ctx, act, "revoked")


@form_action("/w/{workspace:str}/members/{member:str}/change")
async def change(request: PageRequest, workspace: FromPath[str], member: FromPath[str]) -> Response[str]:
    ctx = await _enter_to_act(request, workspace)
    form = await read_form(request)

    async def act(tx: Transaction) -> None:
        billing = bool(form.text("billing")) if form.text("billing_asked") else None
        await members.change_member(
            tx, ctx.actor, parse_id(member), role=_read_role(form), billing=billing, now=ctx.now
        )

    return await _act(ctx, act, "changed")


@form_action("/w/{workspace:str}/members/{member:str}/remove")
async def remove(request: PageRequest, workspace: FromPath[str], member: FromPath[str]) -> Response[str]:
    ctx = await _enter_to_act(request, workspace)

    async def act(tx: Transaction) -> None:
        await members.remove_member(tx, ctx.actor, parse_id(member))

    return await _act(ctx, act, "removed")


@form_action("/w/{workspace:str}/members/{member:str}/payer")
async def let_pay(request: PageRequest, workspace: FromPath[str], member: FromPath[str]) -> Response[str]:
    ctx = await _enter_to_act(request, workspace, Role.OWNER)

    async def act(tx: Transaction) -> None:
        await members.set_payer(tx, ctx.actor, parse_id(member))

    return await _act(ctx, act, "payer")


@form_action("/w/{workspace:str}/members/leave")
async def leave(request: PageRequest, workspace: FromPath[str]) -> Response[str]:
    ctx = await _enter_to_act(request, workspace, Role.VIEWER)
    try:
        async with ctx.db.transaction() as tx:
            await members.leave_workspace(tx, ctx.actor)
    except Problem as problem:
        return await _page(ctx, problem=problem)
    return redirect("/")


async def _enter_to_act(request: PageRequest, workspace: str, needed: Role = Role.ADMIN) -> PageContext:
    require_same_origin(request)
    ctx = await open_workspace(request, workspace)
    require_role(ctx.actor, needed)
    return ctx


async def _act(ctx: PageContext, act: Act, done: str) -> Response[str]:
    """All of it or nothing; a refusal is told on the page. Whoever took their own rights away sees what is left."""
    try:
        async with ctx.db.transaction() as tx:
            await act(tx)
    except Problem as problem:
        return await _page(ctx, problem=problem)
    return redirect(ctx.path("members") + f"?done={done}")


def _read_role(form: Form) -> Role:
    try:
        return Role(form.text("role"))
    except ValueError as error:
        raise invalid_field("role", "is none of the roles") from error


def _read_invitation(form: Form) -> invitations.InvitationInput:
    return decode_form(
        invitations.InvitationInput,
        role=_read_role(form),
        billing=bool(form.text("billing")),
        email=form.text("email"),
    )


async def _send(ctx: PageContext, made: Invitation, link: str) -> bool | None:
    """Whether the letter is on its way; None when none was wanted, or there is no mail server.

    At once and not by the queue, which would keep the link in the database until the letter is gone.
    """
    settings = ctx.app_context.settings
    if made.email is None or settings.smtp_url is None:
        return None
    letter = invitations.write_letter(made, ctx.membership.name, link)
    try:
        await asyncio.wait_for(send_email(settings, letter, now=ctx.now), _MAIL_SECONDS)
    except (OSError, SettingsError) as error:
        log.warning("invitation_not_sent", reason=type(error).__name__)
        return False
    return True


async def _page(
    ctx: PageContext, *, done: str | None = None, problem: Problem | None = None, form: Form | None = None
) -> Response[str]:
    db, workspace_id = ctx.db, ctx.actor.workspace_id
    found = await members.list_members(db, workspace_id)
    me = next((each for each in found if each.user_id == ctx.actor.user_id), None)
    if me is None:
        raise Problem("workspace_not_found", "You are no member of this workspace any more.")
    may_manage = me.role.covers(Role.ADMIN)
    typed = form or Form({})
    return render_page(
        ctx,
        "app/members.html",
        status=problem.kind.status if problem else 200,
        section="members",
        title="Members",
        members=found,
        me=me,
        may_manage=may_manage,
        may_change=lambda them: _may_change(me, them),
        grantable=[role for role in Role if me.role.covers(role)],
        invitable=[role for role in _INVITABLE if me.role.covers(role)],
        open_invitations=await invitations.list_invitations(db, ctx.actor, now=ctx.now) if may_manage else [],
        roles=ROLES,
        mails=ctx.app_context.settings.smtp_url is not None,
        typed={"role": typed.text("role") or Role.VIEWER, "email": typed.text("email")},
        token=make_form_token(),
        done=done,
        faults=say_faults(problem),
        say_day=say_day,
        say_when=say_when,
    )


def _may_change(me: Member, them: Member) -> bool:
    return me.role.covers(Role.ADMIN) and me.role.covers(them.role)


PAGES = (list_members, invite, revoke, change, remove, let_pay, leave)
