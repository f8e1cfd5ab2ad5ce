"""Joining a workspace by an invitation link, with an existing account or a new one.

The token is in the query and not in the path, because paths are logged.
"""

from urllib.parse import quote

from litestar import Response
from litestar.params import FromQuery

from sightline.accounts import passwords, sessions
from sightline.accounts.invitations import accept as invitations
from sightline.accounts.invitations.models import InvitationDetails
from sightline.accounts.page_paths import workspace_path
from sightline.api.app_context import AppContext
from sightline.api.edge.session_cookies import format_session_cookie
from sightline.errors import Problem
from sightline.usage.sign_in import count_sign_in, refund_sign_in
from sightline.web.forms import Form, read_form
from sightline.web.page_requests import (
    PageRequest,
    SignedInRequest,
    SignInRequired,
    client_address,
    find_session_cookie,
    require_same_origin,
    require_signed_in,
    sign_in_path,
    user_agent,
)
from sightline.web.pages.accounts.phrases import describe_errors
from sightline.web.render import private_html_response, render
from sightline.web.routing import form_action, page, redirect


@page("/join")
async def invitation_page(request: PageRequest, token: FromQuery[str] = "") -> Response[str]:
    app_context: AppContext = request.app.state.app_context
    signed_in = await _find_signed_in(request)
    if signed_in and (joined := await invitations.find_joined_workspace(app_context.db, token, signed_in.user.id)):
        return redirect(workspace_path(joined))
    found = await invitations.read_invitation(app_context.db, token, now=app_context.clock())
    return _render_invitation(found, token, signed_in)


@form_action("/join")
async def accept_invitation(request: PageRequest) -> Response[str]:
    """Join as the user who is signed in. Sending the form twice joins once."""
    require_same_origin(request)
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
async def join_as_new_user(request: PageRequest) -> Response[str]:
    """Create the account, join and sign in.

    Counted like a sign-in, because the answer tells whether an e-mail has an account.
    """
    require_same_origin(request)
    app_context: AppContext = request.app.state.app_context
    submitted, form = await request.form(), await read_form(request)
    password, token = str(submitted.get("password", "")), form.text("token")
    settings, now = app_context.settings, app_context.clock()
    email = form.text("email").lower()
    attempt = await count_sign_in(
        app_context.db, client_address(request), email, limit=settings.sign_in_rate_per_minute, now=now
    )
    try:
        found = await invitations.read_invitation(app_context.db, token, now=now)
    except Problem:
        return await _sign_in_again(request, email, password, token)
    try:
        passwords.require_strong(password)
        hashed = await passwords.hash_password(password)
        async with app_context.db.transaction() as tx:
            user, joined = await invitations.join_as_new_user(
                tx, token, email=email, name=form.text("name"), password_hash=hashed, now=now
            )
            session = await sessions.open_session(
                tx,
                user.id,
                old_token=find_session_cookie(request),
                agent=user_agent(request),
                lifetime=settings.session_lifetime,
                now=now,
            )
    except Problem as problem:
        if problem.code == "invitation_invalid":
            return await _sign_in_again(request, email, password, token)
        return _render_invitation(found, token, None, form=form, problem=problem)
    await refund_sign_in(app_context.db, attempt, now=now)
    cookie = format_session_cookie(session, settings.session_lifetime, https=settings.is_https)
    return redirect(workspace_path(joined), cookie=cookie)


async def _sign_in_again(request: PageRequest, email: str, password: str, token: str) -> Response[str]:
    """Sign in a user who sends the form again after having joined; anybody else gets "invitation invalid"."""
    app_context: AppContext = request.app.state.app_context
    settings, now = app_context.settings, app_context.clock()
    try:
        session, known = await sessions.sign_in(
            app_context.db,
            email,
            password[:1_000],
            old_token=find_session_cookie(request),
            agent=user_agent(request),
            lifetime=settings.session_lifetime,
            now=now,
        )
    except Problem as problem:
        if problem.code != "sign_in_failed":
            raise
        raise Problem("invitation_invalid") from problem
    joined = await invitations.find_joined_workspace(app_context.db, token, known.user.id)
    cookie = format_session_cookie(session, settings.session_lifetime, https=settings.is_https)
    return redirect(workspace_path(joined) if joined else "/", cookie=cookie)


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
    form: Form | None = None,
    problem: Problem | None = None,
) -> Response[str]:
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
        form_values={
            "name": form.text("name") if form else "",
            "email": form.text("email") if form else found.email or "",
        },
        faults=describe_errors(problem),
    )
    return private_html_response(html, problem=problem)


PAGES = (invitation_page, accept_invitation, join_as_new_user)
