"""Signing in and out, and the redirect from `/` to the user's workspace."""

from starlette.responses import Response

from sightline.accounts.page_paths import is_local_path, workspace_path
from sightline.accounts.second_factor.models import FactorAnswer
from sightline.accounts.sign_in import sessions
from sightline.accounts.sign_in.factor import ask_for_factor, continue_sign_in
from sightline.accounts.users import normalize_email
from sightline.api.app_context import AppContext
from sightline.api.edge.browsers import format_session_cookie, read_browser
from sightline.errors import Problem
from sightline.onboarding.queries import is_new_installation
from sightline.presentation.language import choose_text, translatable
from sightline.web.forms import read_form
from sightline.web.page_requests import (
    PageRequest,
    SignInRequired,
    open_exchange,
    require_signed_in,
)
from sightline.web.render import private_html_response, render
from sightline.web.routing import form_action, page, redirect, redirect_signed_in
from sightline.web.sign_in_form import render_sign_in

_DONE = {"everywhere": translatable("You are signed out everywhere.")}


@page("/")
async def home(request: PageRequest) -> Response:
    """Redirect to the user's first workspace, to the sign-in page, or on a new installation to the welcome page."""
    try:
        signed_in = await require_signed_in(request)
    except SignInRequired:
        app_context: AppContext = request.app.state.app_context
        return redirect("/welcome" if await is_new_installation(app_context.db) else "/sign-in")
    return redirect(workspace_path(signed_in.workspaces[0].workspace_id) if signed_in.workspaces else "/account")


@page("/sign-in")
async def sign_in_page(request: PageRequest) -> Response:
    done = choose_text(_DONE, request.query_params.get("done", ""))
    unsent = "unsent" in request.query_params
    return await render_sign_in(request, request.query_params.get("next", ""), unsent=unsent, done=done)


@form_action("/sign-in")
async def sign_in(request: PageRequest) -> Response:
    """Sign in; a wrong password and an unknown e-mail look the same, and the password is never shown again."""
    app_context: AppContext = request.app.state.app_context
    form = await read_form(request)
    email, next_path = normalize_email(form.text("email")), form.text("next")
    try:
        opened, _ = await sessions.sign_in(
            app_context.db,
            app_context.settings,
            email,
            form.password("password"),
            browser=read_browser(open_exchange(request)),
            now=app_context.clock(),
        )
    except Problem as problem:
        if problem.code == "second_factor_required":
            raise
        return await render_sign_in(request, next_path, email=email, problem=problem)
    return redirect_signed_in(request, next_path if is_local_path(next_path) else "/", opened)


@page("/sign-in/factor")
async def factor_page(request: PageRequest) -> Response:
    return await _render_factor(request, request.query_params.get("next", ""))


@form_action("/sign-in/factor")
async def continue_with_factor(request: PageRequest) -> Response:
    """Verify the second factor and open the session. A wrong one can be tried again, until the sign-in expires."""
    app_context: AppContext = request.app.state.app_context
    form, browser = await read_form(request), read_browser(open_exchange(request))
    next_path = form.text("next")
    try:
        opened, _ = await continue_sign_in(
            app_context.db,
            app_context.settings,
            browser.factor_token,
            FactorAnswer(form.text("code"), form.text("passkey")),
            browser=browser,
            now=app_context.clock(),
        )
    except Problem as problem:
        return await _render_factor(request, next_path, problem=problem)
    return redirect_signed_in(request, next_path if is_local_path(next_path) else "/", opened)


async def _render_factor(request: PageRequest, next_path: str, *, problem: Problem | None = None) -> Response:
    """Render the page with a fresh challenge, or the sign-in page if no sign-in waits for its factor."""
    app_context: AppContext = request.app.state.app_context
    token = read_browser(open_exchange(request)).factor_token
    try:
        question = await ask_for_factor(app_context.db, app_context.settings, token, now=app_context.clock())
    except Problem as expired:
        return redirect("/sign-in") if problem is None else await render_sign_in(request, next_path, problem=expired)
    local = next_path if is_local_path(next_path) else ""
    html = render("app/sign_in_factor.html", next_path=local, question=question, problem=problem)
    return private_html_response(html, problem=problem)


@form_action("/sign-out")
async def sign_out(request: PageRequest) -> Response:
    signed_in = await require_signed_in(request)
    async with signed_in.app_context.db.transaction() as tx:
        await sessions.sign_out(tx, signed_in.session_digest)
    return redirect("/sign-in", format_session_cookie("", 0, https=signed_in.app_context.settings.is_https))
