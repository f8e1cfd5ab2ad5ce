"""The first page of a new installation: the holder of the printed link creates the first owner account."""

from starlette.responses import Response

from sightline.accounts import passwords
from sightline.accounts.page_paths import workspace_path
from sightline.accounts.sign_in.models import NewSession
from sightline.accounts.sign_in.sessions import open_session, sign_in
from sightline.accounts.sign_in.waits import attempt_token
from sightline.accounts.users import clean_email, clean_name
from sightline.api.app_context import AppContext
from sightline.api.edge.browsers import read_browser
from sightline.errors import Problem
from sightline.onboarding.bootstrap import FirstOwner, bootstrap, is_token_usable, require_token
from sightline.onboarding.queries import is_new_installation
from sightline.web.forms import Form, read_form
from sightline.web.page_requests import PageRequest, open_exchange
from sightline.web.render import private_html_response, render
from sightline.web.routing import form_action, page, redirect_signed_in


@page("/welcome")
async def welcome(request: PageRequest, token: str = "") -> Response:
    """Show the form; the response is never cached, because URL and page hold the token."""
    return await _render_welcome(request, token)


@form_action("/welcome")
async def create_owner(request: PageRequest) -> Response:
    """Create the owner and sign them in. Sent again, it changes nothing and signs in with the right password."""
    app_context: AppContext = request.app.state.app_context
    db, now, form = app_context.db, app_context.clock(), await read_form(request)
    try:
        email = clean_email(form.text("email"))
        async with attempt_token(db, open_exchange(request).client_address, now=now):
            is_new = await require_token(db, form.text("token"), email, now=now)
        opened, path = await (_create_owner if is_new else _sign_in_again)(request, form, email)
    except Problem as problem:
        if problem.code == "second_factor_required":
            raise
        return await _render_welcome(request, form.text("token"), problem=problem)
    return redirect_signed_in(request, path, opened)


async def _create_owner(request: PageRequest, form: Form, email: str) -> tuple[NewSession, str]:
    """Return the new session, and the path to continue at. The caller has checked the bootstrap token."""
    app_context: AppContext = request.app.state.app_context
    now, settings, password = app_context.clock(), app_context.settings, form.password("password")
    await passwords.require_strong(password, email=email)
    name = clean_name(form.text("name"))
    workspace_name = clean_name(form.text("workspace_name"), "workspace_name")
    password_hash, browser = await passwords.hash_password(password), read_browser(open_exchange(request))
    async with app_context.db.transaction() as tx:
        owner = FirstOwner(email=email, name=name, password_hash=password_hash, workspace_name=workspace_name)
        made = await bootstrap(
            tx, form.text("token"), owner, now=now, with_operator=settings.is_embedded, with_keys=False
        )
        if made.is_new:
            opened = await open_session(tx, settings, made.user.id, browser=browser, now=now)
            return opened, workspace_path(made.workspace.id, "new")
    return await _sign_in_again(request, form, email)


async def _sign_in_again(request: PageRequest, form: Form, email: str) -> tuple[NewSession, str]:
    """Sign in a user who sends the form again, with the password that they have. Returns as `_create_owner` does."""
    app_context: AppContext = request.app.state.app_context
    opened, signed_in = await sign_in(
        app_context.db,
        app_context.settings,
        email,
        form.password("password"),
        browser=read_browser(open_exchange(request)),
        now=app_context.clock(),
    )
    workspaces = signed_in.workspaces
    return opened, workspace_path(workspaces[0].workspace_id) if workspaces else "/account"


async def _render_welcome(request: PageRequest, token: str, *, problem: Problem | None = None) -> Response:
    app_context: AppContext = request.app.state.app_context
    html = render(
        "welcome.html",
        token=token if await is_token_usable(app_context.db, token, now=app_context.clock()) else None,
        has_token=bool(token),
        is_empty=await is_new_installation(app_context.db),
        base_url=app_context.settings.public_url,
        problem=problem,
    )
    return private_html_response(html, problem=problem)
