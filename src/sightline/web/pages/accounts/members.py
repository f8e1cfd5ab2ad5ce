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
from sightline.web.frame import Place, acting, go_to, reading, show
from sightline.web.pages.accounts.words import ROLES, say_day, say_faults, say_when
from sightline.web.pages.console.forms import Form, fit, read_form
from sightline.web.pages.console.once import act_once, make_token
from sightline.web.pages.dashboard.places import enter_workspace
from sightline.web.visits import Asked, require_own_form, require_role

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


@reading("/w/{workspace:str}/members")
async def list_members(request: Asked, workspace: FromPath[str], done: FromQuery[str] = "") -> Response[str]:
    return await _page(await enter_workspace(request, workspace), done=_DONE.get(done))


@acting("/w/{workspace:str}/members/invitations")
async def invite(request: Asked, workspace: FromPath[str]) -> Response[str]:
    """The answer to this form is the only page that ever shows the link. Sent again, it shows the list."""
    place = await _enter_to_act(request, workspace)
    form, visit = await read_form(request), place.visit
    try:
        given = _read_invitation(form)
        async with act_once(place, form) as once:
            if once.led_to:
                return go_to(once.led_to)
            async with visit.app_context.db.transaction() as tx:
                made, token = await invitations.invite(tx, place.actor, given, now=visit.now)
                await once.settle(tx, place.path("members") + "?done=invited_before")
    except Problem as problem:
        return await _page(place, problem=problem, form=form)
    link = f"{visit.app_context.settings.public_url}/join?token={token}"
    sent = await _send(place, made, link)
    return show(
        place,
        "app/invited.html",
        here="members",
        title="Your invitation",
        made=made,
        link=link,
        sent=sent,
        say_when=say_when,
    )


@acting("/w/{workspace:str}/members/invitations/{invitation:str}/revoke")
async def revoke(request: Asked, workspace: FromPath[str], invitation: FromPath[str]) -> Response[str]:
    place = await _enter_to_act(request, workspace)

    async def act(tx: Transaction) -> None:
        await invitations.revoke_invitation(tx, place.actor, parse_id(invitation), now=place.visit.now)

    return await _act(place, act, "revoked")


@acting("/w/{workspace:str}/members/{member:str}/change")
async def change(request: Asked, workspace: FromPath[str], member: FromPath[str]) -> Response[str]:
    place = await _enter_to_act(request, workspace)
    form = await read_form(request)

    async def act(tx: Transaction) -> None:
        billing = bool(form.text("billing")) if form.text("billing_asked") else None
        await members.change_member(
            tx, place.actor, parse_id(member), role=_read_role(form), billing=billing, now=place.visit.now
        )

    return await _act(place, act, "changed")


@acting("/w/{workspace:str}/members/{member:str}/remove")
async def remove(request: Asked, workspace: FromPath[str], member: FromPath[str]) -> Response[str]:
    place = await _enter_to_act(request, workspace)

    async def act(tx: Transaction) -> None:
        await members.remove_member(tx, place.actor, parse_id(member))

    return await _act(place, act, "removed")


@acting("/w/{workspace:str}/members/{member:str}/payer")
async def let_pay(request: Asked, workspace: FromPath[str], member: FromPath[str]) -> Response[str]:
    place = await _enter_to_act(request, workspace, Role.OWNER)

    async def act(tx: Transaction) -> None:
        await members.set_payer(tx, place.actor, parse_id(member))

    return await _act(place, act, "payer")


@acting("/w/{workspace:str}/members/leave")
async def leave(request: Asked, workspace: FromPath[str]) -> Response[str]:
    place = await _enter_to_act(request, workspace, Role.VIEWER)
    try:
        async with place.visit.app_context.db.transaction() as tx:
            await members.leave_workspace(tx, place.actor)
    except Problem as problem:
        return await _page(place, problem=problem)
    return go_to("/")


async def _enter_to_act(request: Asked, workspace: str, needed: Role = Role.ADMIN) -> Place:
    require_own_form(request)
    place = await enter_workspace(request, workspace)
    require_role(place.actor, needed)
    return place


async def _act(place: Place, act: Act, done: str) -> Response[str]:
    """All of it or nothing; a refusal is told on the page. Whoever took their own rights away sees what is left."""
    try:
        async with place.visit.app_context.db.transaction() as tx:
            await act(tx)
    except Problem as problem:
        return await _page(place, problem=problem)
    return go_to(place.path("members") + f"?done={done}")


def _read_role(form: Form) -> Role:
    try:
        return Role(form.text("role"))
    except ValueError as error:
        raise invalid_field("role", "is none of the roles") from error


def _read_invitation(form: Form) -> invitations.InvitationInput:
    return fit(
        invitations.InvitationInput,
        role=_read_role(form),
        billing=bool(form.text("billing")),
        email=form.text("email"),
    )


async def _send(place: Place, made: Invitation, link: str) -> bool | None:
    """Whether the letter is on its way; None when none was wanted, or there is no mail server.

    At once and not by the queue, which would keep the link in the database until the letter is gone.
    """
    settings = place.visit.app_context.settings
    if made.email is None or settings.smtp_url is None:
        return None
    letter = invitations.write_letter(made, place.membership.name, link)
    try:
        await asyncio.wait_for(send_email(settings, letter, now=place.visit.now), _MAIL_SECONDS)
    except (OSError, SettingsError) as error:
        log.warning("invitation_not_sent", reason=type(error).__name__)
        return False
    return True


async def _page(
    place: Place, *, done: str | None = None, problem: Problem | None = None, form: Form | None = None
) -> Response[str]:
    db, workspace_id = place.visit.app_context.db, place.actor.workspace_id
    found = await members.list_members(db, workspace_id)
    me = next((each for each in found if each.user_id == place.actor.user_id), None)
    if me is None:
        raise Problem("workspace_not_found", "You are no member of this workspace any more.")
    may_manage = me.role.covers(Role.ADMIN)
    typed = form or Form({})
    return show(
        place,
        "app/members.html",
        status=problem.kind.status if problem else 200,
        here="members",
        title="Members",
        members=found,
        me=me,
        may_manage=may_manage,
        may_change=lambda them: _may_change(me, them),
        grantable=[role for role in Role if me.role.covers(role)],
        invitable=[role for role in _INVITABLE if me.role.covers(role)],
        open_invitations=await invitations.list_invitations(db, place.actor, now=place.visit.now) if may_manage else [],
        roles=ROLES,
        mails=place.visit.app_context.settings.smtp_url is not None,
        typed={"role": typed.text("role") or Role.VIEWER, "email": typed.text("email")},
        token=make_token(),
        done=done,
        faults=say_faults(problem),
        say_day=say_day,
        say_when=say_when,
    )


def _may_change(me: Member, them: Member) -> bool:
    return me.role.covers(Role.ADMIN) and me.role.covers(them.role)


PAGES = (list_members, invite, revoke, change, remove, let_pay, leave)
