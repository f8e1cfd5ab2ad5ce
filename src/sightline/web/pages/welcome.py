"""The first page of a new installation: the holder of the printed link creates the first owner account."""

from litestar import Response
from litestar.params import FromQuery

from sightline.accounts import passwords, sessions
from sightline.accounts.page_paths import workspace_path
from sightline.accounts.users import clean_email, clean_name
from sightline.api.app_context import AppContext
from sightline.api.edge.session_cookies import format_session_cookie
from sightline.errors import Problem
from sightline.onboarding.bootstrap import bootstrap, is_new_installation, is_token_usable, require_token
from sightline.usage.sign_in import count_sign_in, count_token_attempt, refund_sign_in
from sightline.web.forms import Form, read_form
from sightline.web.page_requests import (
    PageRequest,
    client_address,
    find_session_cookie,
    require_same_origin,
    user_agent,
)
from sightline.web.pages.accounts.phrases import describe_errors
from sightline.web.render import private_html_response, render
from sightline.web.routing import form_action, page, redirect


@page("/welcome")
async def welcome(request: PageRequest, token: FromQuery[str] = "") -> Response[str]:
    """Show the form; the response is never cached, because URL and page hold the token."""
    return await _render_welcome(request, token)


@form_action("/welcome")
async def create_owner(request: PageRequest) -> Response[str]:
    """Create the owner and sign them in. Sent again, it changes nothing and signs in with the right password."""
    require_same_origin(request)
    app_context: AppContext = request.app.state.app_context
    submitted, form = await request.form(), await read_form(request)
    password, settings, now = str(submitted.get("password", "")), app_context.settings, app_context.clock()
    limit, address = settings.sign_in_rate_per_minute, client_address(request)
    try:
        email = clean_email(form.text("email"))
        attempt = await count_token_attempt(app_context.db, address, limit=limit, now=now)
        is_new = await require_token(app_context.db, form.text("token"), email, now=now)
        if not is_new:  # this signs in with a password, which the holder of the link could guess
            attempt += await count_sign_in(app_context.db, address, email, limit=limit, now=now)
        session, path = await _create_owner(request, form, email, password, is_new=is_new)
    except Problem as problem:
        return await _render_welcome(request, form.text("token"), form=form, problem=problem)
    await refund_sign_in(app_context.db, attempt, now=now)
    return redirect(path, cookie=format_session_cookie(session, settings.session_lifetime, https=settings.is_https))


async def _create_owner(
    request: PageRequest, form: Form, email: str, password: str, *, is_new: bool
) -> tuple[str, str]:
    """Return the token of the new session and the path to continue at. The caller has checked the bootstrap token."""
    app_context: AppContext = request.app.state.app_context
    now, lifetime = app_context.clock(), app_context.settings.session_lifetime
    old_token, agent = find_session_cookie(request), user_agent(request)
    passwords.require_strong(password)
    name = clean_name(form.text("name"))
    workspace_name = clean_name(form.text("workspace_name"), "workspace_name")
    password_hash = await passwords.hash_password(password) if is_new else None
    async with app_context.db.transaction() as tx:
        made = await bootstrap(
            tx,
            form.text("token"),
            email=email,
            name=name,
            password_hash=password_hash,
            workspace_name=workspace_name,
            now=now,
            with_keys=False,
        )
        if made.is_new:
            session = await sessions.open_session(
                tx, made.user.id, old_token=old_token, agent=agent, lifetime=lifetime, now=now
            )
            return session, workspace_path(made.workspace.id, "new")
    session, _ = await sessions.sign_in(
        app_context.db, email, password, old_token=old_token, agent=agent, lifetime=lifetime, now=now
    )
    return session, workspace_path(made.workspace.id)


async def _render_welcome(
    request: PageRequest, token: str, *, form: Form | None = None, problem: Problem | None = None
) -> Response[str]:
    app_context: AppContext = request.app.state.app_context
    html = render(
        "welcome.html",
        token=token if await is_token_usable(app_context.db, token, now=app_context.clock()) else None,
        has_token=bool(token),
        is_empty=await is_new_installation(app_context.db),
        base_url=app_context.settings.public_url,
        form_values={each: form.text(each) if form else "" for each in ("name", "email", "workspace_name")},
        faults=describe_errors(problem),
    )
    return private_html_response(html, problem=problem)


PAGES = (welcome, create_owner)
