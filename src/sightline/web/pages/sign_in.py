"""Signing in and out, and the redirect from `/` to the user's workspace."""

from litestar import Response

from sightline.accounts.kept_forms.keep import MAX_SEALED_LENGTH, open_for_browser, store_form
from sightline.accounts.page_paths import workspace_path
from sightline.accounts.sign_in import sessions
from sightline.accounts.users import normalize_email
from sightline.api.app_context import AppContext
from sightline.api.edge.session_cookies import format_session_cookie
from sightline.errors import Problem
from sightline.onboarding.bootstrap import is_new_installation
from sightline.presentation.language import choose_text, translatable
from sightline.usage.sign_in import NewSession
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
from sightline.web.returned_forms import RESTORE
from sightline.web.routing import form_action, page, redirect, redirect_signed_in
from sightline.web.sign_in_form import render_sign_in

_DONE = {"everywhere": translatable("You are signed out everywhere.")}


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
    done = choose_text(_DONE, request.query_params.get("done", ""))
    return render_sign_in(request.query_params.get("next", ""), done=done)


@form_action("/sign-in", max_bytes=MAX_SEALED_LENGTH + 10_000)
async def sign_in(request: PageRequest) -> Response[str]:
    """Sign in; a wrong password and an unknown e-mail look the same, and the password is never shown again."""
    require_same_origin(request)
    app_context: AppContext = request.app.state.app_context
    settings, form = app_context.settings, await read_form(request)
    email, next_path, kept = normalize_email(form.text("email")), form.text("next"), form.text("kept")
    browser = read_browser(request)
    try:
        opened = await sign_in_with_password(
            app_context.db,
            settings,
            email,
            form.password("password"),
            browser=browser,
            now=app_context.clock(),
        )
    except Problem as problem:
        return render_sign_in(next_path, email=email, kept=kept, problem=problem)
    target = next_path if is_local_path(next_path) else "/"
    if await _keep_form(app_context, opened, kept, browser.device_token):
        target = _with_restore(target)
    return redirect_signed_in(request, target, opened.token, opened.device)


@form_action("/sign-out")
async def sign_out(request: PageRequest) -> Response[str]:
    require_same_origin(request)
    signed_in = await require_signed_in(request)
    async with signed_in.app_context.db.transaction() as tx:
        await sessions.sign_out(tx, signed_in.session_digest)
    signed_in.app_context.ended_callers.end_credential(signed_in.session_digest)
    return redirect("/sign-in", cookie=format_session_cookie("", 0, https=signed_in.app_context.settings.is_https))


async def _keep_form(app_context: AppContext, opened: NewSession, sealed: str, device: str | None) -> bool:
    """Store the form that the sign-in page carried if the person used this browser before; return whether it was."""
    if device is None or not opened.is_known_browser:
        return False
    now = app_context.clock()
    form = open_for_browser(app_context.settings, sealed, device, now=now)
    if form is None:
        return False
    async with app_context.db.transaction() as tx:
        await store_form(tx, app_context.settings, opened.signed_in.user.id, form, now=now)
    return True


def _with_restore(path: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{RESTORE}=1"


PAGES = (home, sign_in_page, sign_in, sign_out)
