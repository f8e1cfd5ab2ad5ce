"""The user's own account: name, password and sessions. It belongs to the person, not to a workspace."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.responses import Response

from sightline.accounts import users
from sightline.accounts.page_paths import is_local_path
from sightline.accounts.passwords import NO_PASSWORD
from sightline.accounts.sign_in import email_change, sessions
from sightline.accounts.sign_in.queries import find_password_hash, list_sessions
from sightline.api.app_context import AppContext
from sightline.api.edge.browsers import format_session_cookie, read_browser
from sightline.db.engine import Transaction
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import LANGUAGES, choose_text, gettext, translatable
from sightline.web.forms import read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, read_notices
from sightline.web.page_requests import (
    PageRequest,
    SignedInRequest,
    SignInRequired,
    open_exchange,
    require_signed_in,
)
from sightline.web.render import link_start_page, private_html_response, render, render_message
from sightline.web.routing import form_action, page, redirect, redirect_signed_in

_DONE = {
    "renamed": translatable("Name saved."),
    "timezone": translatable("Time zone saved."),
    "language": translatable("Language saved."),
    "email": translatable(
        "We have sent a link to your address and one to the new address. Open both within a day. Until then, the "
        "address stays as it is."
    ),
    "password": translatable("Password changed. You are signed out everywhere else."),
    "ended": translatable("The session was ended."),
    "others": translatable("You are signed out everywhere else."),
}

# By a part of the User-Agent. The order matters: each browser also names those that it is compatible with.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
    ("python", "Python"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@page("/account")
async def account(request: PageRequest, done: str = "") -> Response:
    return await _render_account(request, await require_signed_in(request), done=choose_text(_DONE, done))


@form_action("/account/name")
async def rename(request: PageRequest) -> Response:
    return await _change_user(request, "name", users.rename_user, done="renamed")


@form_action("/account/timezone")
async def choose_time_zone(request: PageRequest) -> Response:
    return await _change_user(request, "timezone", users.choose_time_zone, done="timezone")


@form_action("/account/language")
async def choose_language(request: PageRequest) -> Response:
    return await _change_user(request, "language", users.choose_language, done="language")


async def _change_user(
    request: PageRequest, field: str, change: Callable[[Transaction, uuid.UUID, str], Awaitable[None]], *, done: str
) -> Response:
    """Store one field of the form as the user's own, or show the page again with what is wrong with it."""
    signed_in = await require_signed_in(request)
    form = await read_form(request)
    try:
        text = form.text(field)
        async with signed_in.app_context.db.transaction() as tx:
            await change(tx, signed_in.user.id, text)
    except Problem as problem:
        return await _render_account(request, signed_in, problem=problem)
    return _redirect_to_account(request, done)


@form_action("/account/password")
async def change_password(request: PageRequest) -> Response:
    """Change the password and continue with a fresh session. Wrong guesses count as failed sign-ins."""
    signed_in = await require_signed_in(request)
    form = await read_form(request)
    try:
        opened = await sessions.change_own_password(
            signed_in.app_context.db,
            signed_in.app_context.settings,
            signed_in.user,
            form.password("current_password"),
            form.password("new_password"),
            browser=read_browser(open_exchange(request)),
            now=signed_in.now,
        )
    except Problem as problem:
        return await _render_account(request, signed_in, problem=problem)
    return redirect_signed_in(request, _account_path(request, "password"), opened)


@form_action("/account/email", recent=True)
async def request_email_change(request: PageRequest) -> Response:
    """Request a change of the address. The answer is the same whether or not the new one has an account."""
    signed_in = await require_signed_in(request)
    form = await read_form(request)
    if signed_in.app_context.settings.smtp_url is None:
        return await _render_account(request, signed_in)
    try:
        await email_change.request_change(
            signed_in.app_context.db, signed_in.user, form.text("email"), now=signed_in.now
        )
    except Problem as problem:
        return await _render_account(request, signed_in, problem=problem)
    return _redirect_to_account(request, "email")


@page("/confirm-email")
async def confirm_email_page(request: PageRequest, token: str = "") -> Response:
    """Show what the link confirms. Opening it does not use it up: mail programs open links, too."""
    app_context: AppContext = request.app.state.app_context
    change = await email_change.read_change(app_context.db, token, now=app_context.clock())
    html = render("app/confirm_email.html", title=gettext("Confirm your e-mail address"), change=change, token=token)
    return private_html_response(html)


@form_action("/confirm-email")
async def confirm_email(request: PageRequest) -> Response:
    """Confirm the change at one of the two addresses; at the second one, the address changes."""
    app_context: AppContext = request.app.state.app_context
    try:
        signed_in = await require_signed_in(request)
    except SignInRequired:
        signed_in = None
    token, now = (await read_form(request)).text("token"), app_context.clock()
    async with app_context.db.transaction() as tx:
        changed = await email_change.confirm_change(tx, app_context.settings, token, signed_in=signed_in, now=now)
    if changed:
        title, text = gettext("E-mail address changed"), gettext("Sign in with the new address from now on.")
    else:
        title = gettext("Confirmed here")
        text = gettext("The address changes once you have also opened the link in the e-mail to the other address.")
    return private_html_response(render_message(title, text, link=link_start_page()))


@form_action("/account/sessions/{session}/end", recent=True)
async def end_session(request: PageRequest, session: str) -> Response:
    signed_in = await require_signed_in(request)
    async with signed_in.app_context.db.transaction() as tx:
        await sessions.end_session(tx, signed_in.user.id, parse_id(session))
    return _redirect_to_account(request, "ended")


@form_action("/account/sessions/end-others", recent=True)
async def end_other_sessions(request: PageRequest) -> Response:
    signed_in = await require_signed_in(request)
    async with signed_in.app_context.db.transaction() as tx:
        await sessions.end_other_sessions(tx, signed_in.user.id, signed_in.session_digest)
    return _redirect_to_account(request, "others")


@form_action("/account/sessions/end-all", recent=True)
async def end_all_sessions(request: PageRequest) -> Response:
    """Sign out everywhere, here included."""
    signed_in = await require_signed_in(request)
    async with signed_in.app_context.db.transaction() as tx:
        await sessions.end_all_sessions(tx, signed_in.user.id)
    cookie = format_session_cookie("", 0, https=signed_in.app_context.settings.is_https)
    return redirect("/sign-in?done=everywhere", cookie)


@form_action("/account/confirm", recent=True)
async def confirm(request: PageRequest) -> Response:
    """Go on to a page that asked who it is. The proof was verified on the way here."""
    await require_signed_in(request)
    next_path = (await read_form(request)).text("next")
    return redirect(next_path if is_local_path(next_path) else "/account")


def _redirect_to_account(request: PageRequest, done: str) -> Response:
    return redirect(_account_path(request, done))


def _account_path(request: PageRequest, done: str) -> str:
    workspace_id = parse_id(request.query_params.get("from", ""))
    return f"/account?done={done}" + (f"&from={workspace_id}" if workspace_id else "")


async def _render_account(
    request: PageRequest, signed_in: SignedInRequest, *, done: str | None = None, problem: Problem | None = None
) -> Response:
    """Render the page in the layout of the workspace it was opened from, or without layout for non-members."""
    ctx = _select_context(signed_in, request.query_params.get("from", ""))
    notices = await read_notices(signed_in, ctx.membership if ctx else None)
    known = await list_sessions(
        signed_in.app_context.db, signed_in.user.id, signed_in.session_digest, now=signed_in.now
    )
    context: dict[str, Any] = {
        "sessions": known,
        "user_has_factor": signed_in.has_second_factor,
        "has_password": await find_password_hash(signed_in.app_context.db, signed_in.user.id) != NO_PASSWORD,
        "may_change_email": signed_in.app_context.settings.smtp_url is not None,
        "origin": f"?from={ctx.membership.workspace_id}" if ctx else "",
        "done": done,
        "problem": problem,
        "describe_browser": describe_browser,
        "time_zones": users.list_time_zones(),
        "languages": LANGUAGES,
    }
    if ctx is None:
        html = render(
            "app/account.html",
            is_alone=True,
            title=gettext("Account"),
            user=signed_in.user,
            workspaces=[],
            notices=notices,
            **context,
        )
        return private_html_response(html, problem=problem)
    ctx = ctx._replace(notices=notices)
    return render_page(ctx, "app/account.html", section="account", title=gettext("Account"), is_alone=False, **context)


def _select_context(signed_in: SignedInRequest, workspace: str) -> PageContext | None:
    offered = [each for each in signed_in.workspaces if signed_in.may_open(each)]
    if not offered:
        return None
    wanted = parse_id(workspace)
    chosen = next((each for each in offered if each.workspace_id == wanted), offered[0])
    membership, actor = signed_in.select_workspace(str(chosen.workspace_id))
    return PageContext(signed_in, membership, actor)


def describe_browser(agent: str | None) -> str:
    """Name the browser and the system of a User-Agent, as far as they are known."""
    if agent is None:
        return gettext("Unknown browser")
    browser = next((name for mark, name in _BROWSERS if mark in agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in agent), None)
    if browser and system:
        return gettext("%(browser)s on %(system)s", browser=browser, system=system)
    return browser or system or agent[:60]
