"""Joining a workspace by an invitation link, with an existing account or a new one.

The token is in the query and not in the path, because paths are logged.
"""

import uuid
from urllib.parse import quote

from starlette.responses import Response

from sightline.accounts import passwords
from sightline.accounts.invitations import accept as invitations
from sightline.accounts.invitations.models import InvitationDetails
from sightline.accounts.page_paths import workspace_path
from sightline.accounts.sign_in.models import NewSession
from sightline.accounts.sign_in.sessions import open_session, sign_in
from sightline.accounts.sign_in.waits import attempt_sign_in
from sightline.accounts.users import clean_email, normalize_email
from sightline.api.app_context import AppContext
from sightline.api.edge.browsers import read_browser
from sightline.errors import Problem
from sightline.web.forms import Form, read_form
from sightline.web.page_requests import (
    PageRequest,
    SignedInRequest,
    SignInRequired,
    open_exchange,
    require_signed_in,
    sign_in_path,
)
from sightline.web.render import private_html_response, render
from sightline.web.routing import form_action, page, redirect, redirect_signed_in


@page("/join")
async def invitation_page(request: PageRequest, token: str = "") -> Response:
    app_context: AppContext = request.app.state.app_context
    signed_in = await _find_signed_in(request)
    if signed_in and (joined := await invitations.find_joined_workspace(app_context.db, token, signed_in.user.id)):
        return redirect(workspace_path(joined))
    found = await invitations.read_invitation(app_context.db, token, now=app_context.clock())
    return _render_invitation(found, token, signed_in)


@form_action("/join")
async def accept_invitation(request: PageRequest) -> Response:
    """Join as the user who is signed in. Sending the form twice joins once."""
    token = (await read_form(request)).text("token")
    signed_in = await _find_signed_in(request)
    if signed_in is None:  # the session has ended meanwhile; signing in leads back to the link
        return redirect(sign_in_path(_join_path(token)))
    db = signed_in.app_context.db
    joined = await invitations.find_joined_workspace(db, token, signed_in.user.id)
    if joined is None:
        async with db.transaction() as tx:
            joined = await invitations.accept_invitation(tx, token, signed_in.user.id, now=signed_in.now)
    return redirect(workspace_path(joined))


@form_action("/join/new")
async def join_as_new_user(request: PageRequest) -> Response:
    """Create the account, join and sign in.

    Counted like a sign-in, because the response reveals whether an e-mail address has an account.
    """
    app_context: AppContext = request.app.state.app_context
    db, now, form = app_context.db, app_context.clock(), await read_form(request)
    token, email = form.text("token"), normalize_email(form.text("email"))
    try:
        found = await invitations.read_invitation(db, token, now=now)
    except Problem:
        return await _sign_in_again(request, form)
    try:
        async with attempt_sign_in(db, open_exchange(request).client_address, email, now=now):
            joined, opened = await _create_user(request, form)
    except Problem as problem:
        if problem.code == "invitation_invalid":
            return await _sign_in_again(request, form)
        return _render_invitation(found, token, None, problem=problem)
    return redirect_signed_in(request, workspace_path(joined), opened)


async def _create_user(request: PageRequest, form: Form) -> tuple[uuid.UUID, NewSession]:
    """Return the workspace that the new user joined, and their session."""
    app_context: AppContext = request.app.state.app_context
    now, email, password = app_context.clock(), clean_email(form.text("email")), form.password("password")
    await passwords.require_strong(password, email=email)
    hashed, browser = await passwords.hash_password(password), read_browser(open_exchange(request))
    async with app_context.db.transaction() as tx:
        user, joined = await invitations.join_as_new_user(
            tx, form.text("token"), email=email, name=form.text("name"), password_hash=hashed, now=now
        )
        return joined, await open_session(tx, app_context.settings, user.id, browser=browser, now=now)


async def _sign_in_again(request: PageRequest, form: Form) -> Response:
    """Sign in a user who sends the form again after having joined; anybody else gets "invitation invalid"."""
    app_context: AppContext = request.app.state.app_context
    try:
        opened, signed_in = await sign_in(
            app_context.db,
            app_context.settings,
            normalize_email(form.text("email")),
            form.password("password"),
            browser=read_browser(open_exchange(request)),
            now=app_context.clock(),
        )
    except Problem as problem:
        if problem.code != "sign_in_failed":
            raise
        raise Problem("invitation_invalid") from problem
    joined = await invitations.find_joined_workspace(app_context.db, form.text("token"), signed_in.user.id)
    return redirect_signed_in(request, workspace_path(joined) if joined else "/", opened)


async def _find_signed_in(request: PageRequest) -> SignedInRequest | None:
    try:
        return await require_signed_in(request)
    except SignInRequired:
        return None


def _join_path(token: str) -> str:
    return f"/join?token={quote(token, safe='')}"


def _render_invitation(
    found: InvitationDetails,
    token: str,
    signed_in: SignedInRequest | None,
    *,
    problem: Problem | None = None,
) -> Response:
    member = (
        next((each for each in signed_in.workspaces if each.workspace_id == found.workspace_id), None)
        if signed_in
        else None
    )
    html = render(
        "app/join.html",
        found=found,
        token=token,
        user=signed_in.user if signed_in else None,
        member=member,
        sign_in=sign_in_path(_join_path(token)),
        problem=problem,
    )
    return private_html_response(html, problem=problem)
