"""Signing in and out, and the way from `/` to where a person works."""

from litestar import Response

from sightline.accounts import sessions
from sightline.accounts.addresses import workspace_path
from sightline.api.app_context import AppContext
from sightline.api.edge.auth import session_cookie
from sightline.errors import Problem
from sightline.onboarding.queries import is_empty_installation
from sightline.usage.sign_in import count_sign_in, give_back_sign_in
from sightline.web.frame import acting, go_to, reading
from sightline.web.render import app_page, render
from sightline.web.visits import (
    Asked,
    SignInNeeded,
    address_of,
    agent_of,
    is_own_path,
    old_token_of,
    read_visit,
    require_own_form,
)


@reading("/")
async def home(request: Asked) -> Response[str]:
    """To the person's first workspace; who is not signed in is asked to, and a new installation is explained."""
    try:
        visit = await read_visit(request)
    except SignInNeeded:
        app_context: AppContext = request.app.state.app_context
        return go_to("/welcome" if await is_empty_installation(app_context.db) else "/sign-in")
    return go_to(workspace_path(visit.workspaces[0].workspace_id) if visit.workspaces else "/account")


@reading("/sign-in")
async def sign_in_page(request: Asked) -> Response[str]:
    return _ask(request.query_params.get("next", ""))


@acting("/sign-in")
async def sign_in(request: Asked) -> Response[str]:
    """A wrong password and an unknown e-mail look the same, and neither keeps what was typed as a password."""
    require_own_form(request)
    app_context: AppContext = request.app.state.app_context
    form = await request.form()
    email, password = str(form.get("email", "")).strip().lower(), str(form.get("password", ""))
    next_path = str(form.get("next", ""))
    now, settings = app_context.clock(), app_context.settings
    try:
        attempt = await count_sign_in(
            app_context.db, address_of(request), email, limit=settings.sign_in_rate_per_minute, now=now
        )
        token, _ = await sessions.sign_in(
            app_context.db,
            email,
            password[:1_000],
            old_token=old_token_of(request),
            agent=agent_of(request),
            lifetime=settings.session_lifetime,
            now=now,
        )
    except Problem as problem:
        return _ask(next_path, email=email, problem=problem)
    await give_back_sign_in(app_context.db, attempt, now=now)
    cookie = session_cookie(token, settings.session_lifetime, https=settings.is_https)
    return go_to(next_path if is_own_path(next_path) else "/", cookie=cookie)


@acting("/sign-out")
async def sign_out(request: Asked) -> Response[str]:
    require_own_form(request)
    visit = await read_visit(request)
    async with visit.app_context.db.transaction() as tx:
        await sessions.sign_out(tx, visit.session_digest)
    visit.app_context.copies.end_credential(visit.session_digest, now=visit.now)
    return go_to("/sign-in", cookie=session_cookie("", 0, https=visit.app_context.settings.is_https))


def _ask(next_path: str, *, email: str = "", problem: Problem | None = None) -> Response[str]:
    html = render(
        "app/sign_in.html", next_path=next_path if is_own_path(next_path) else "", email=email, problem=problem
    )
    return app_page(html, status=problem.kind.status if problem else 200)
