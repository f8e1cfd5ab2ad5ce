"""Signing in and out, and the redirect from `/` to the user's workspace."""

from litestar import Response

from sightline.accounts import sessions
from sightline.accounts.page_paths import workspace_path
from sightline.accounts.users import normalize_email
from sightline.api.app_context import AppContext
from sightline.api.edge.session_cookies import format_session_cookie
from sightline.errors import Problem
from sightline.onboarding.bootstrap import is_new_installation
from sightline.usage.sign_in import sign_in as sign_in_with_password
from sightline.web.forms import read_form
from sightline.web.page_requests import (
    PageRequest,
    SignInRequired,
    is_local_path,
    read_browser,
    require_same_origin,
    require_signed_in,
)
from sightline.web.render import private_html_response, render
from sightline.web.routing import form_action, page, redirect, redirect_signed_in

_DONE = {"everywhere": "You are signed out everywhere."}


@page("/")
async def home(request: PageRequest) -> Response[str]:
    """Redirect to the user's first workspace, to the sign-in page, or on a new installation to the welcome page."""
    try:
        signed_in = await require_signed_in(request)
    except SignInRequired:
        app_context: AppContext = request.app.state.app_context
        return redirect("/welcome" if await is_new_installation(app_context.db) else "/sign-in")
    return redirect(workspace_path(signed_in.workspaces[0].workspace_id) if signed_in.workspaces else "/account")


@page("/sign-in")
async def sign_in_page(request: PageRequest) -> Response[str]:
    return _render_sign_in(request.query_params.get("next", ""), done=_DONE.get(request.query_params.get("done", "")))


@form_action("/sign-in")
async def sign_in(request: PageRequest) -> Response[str]:
    """Sign in; a wrong password and an unknown e-mail look the same, and the password is never shown again."""
    require_same_origin(request)
    app_context: AppContext = request.app.state.app_context
    settings, form = app_context.settings, await read_form(request)
    email, next_path = normalize_email(form.text("email")), form.text("next")
    try:
        opened = await sign_in_with_password(
            app_context.db,
            settings,
            email,
            form.password("password"),
            browser=read_browser(request),
            now=app_context.clock(),
        )
    except Problem as problem:
        return _render_sign_in(next_path, email=email, problem=problem)
    return redirect_signed_in(request, next_path if is_local_path(next_path) else "/", opened.token, opened.device)


@form_action("/sign-out")
async def sign_out(request: PageRequest) -> Response[str]:
    require_same_origin(request)
    signed_in = await require_signed_in(request)
    async with signed_in.app_context.db.transaction() as tx:
        await sessions.sign_out(tx, signed_in.session_digest)
    signed_in.app_context.ended_callers.end_credential(signed_in.session_digest)
    return redirect("/sign-in", cookie=format_session_cookie("", 0, https=signed_in.app_context.settings.is_https))


def _render_sign_in(
    next_path: str, *, email: str = "", problem: Problem | None = None, done: str | None = None
) -> Response[str]:
    html = render(
        "app/sign_in.html",
        next_path=next_path if is_local_path(next_path) else "",
        email=email,
        problem=problem,
        done=done,
    )
    return private_html_response(html, problem=problem)


PAGES = (home, sign_in_page, sign_in, sign_out)
