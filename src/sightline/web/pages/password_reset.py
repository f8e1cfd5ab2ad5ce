"""A forgotten password: asking for a link by e-mail, and choosing a new password with it.

The token is in the query and not in the path, because paths are logged.
"""

from starlette.responses import Response

from sightline.accounts.sign_in import password_reset
from sightline.accounts.sign_in.waits import count_reset_request
from sightline.accounts.users import clean_email
from sightline.api.app_context import AppContext
from sightline.api.edge.browsers import read_browser
from sightline.errors import Problem
from sightline.presentation.language import gettext
from sightline.web.forms import read_form
from sightline.web.page_requests import PageRequest, open_exchange
from sightline.web.render import private_html_response, render, render_message
from sightline.web.routing import form_action, page, redirect, redirect_signed_in


@page("/forgot-password")
async def forgot_password_page(request: PageRequest, sent: str = "") -> Response:
    return _render_request(request, sent=bool(sent))


@form_action("/forgot-password")
async def request_link(request: PageRequest) -> Response:
    """Request a link. The answer is the same whether or not the address has an account, and takes the same time."""
    app_context: AppContext = request.app.state.app_context
    form, now = await read_form(request), app_context.clock()
    if app_context.settings.smtp_url is None:
        return _render_request(request, status=409)
    try:
        email = clean_email(form.text("email"))
        await count_reset_request(app_context.db, open_exchange(request).client_address, email, now=now)
    except Problem as problem:
        return _render_request(request, problem=problem)
    async with app_context.db.transaction() as tx:
        await password_reset.request_reset(tx, email, now=now)
    return redirect("/forgot-password?sent=yes")


@page("/reset-password")
async def reset_password_page(request: PageRequest, token: str = "") -> Response:
    """Show the form. Opening the link does not use it up: mail programs open links, too."""
    return await _render_reset(request, token)


@form_action("/reset-password")
async def reset_password(request: PageRequest) -> Response:
    """Set the new password, end all sessions, and sign in here."""
    app_context: AppContext = request.app.state.app_context
    db, settings, now, form = app_context.db, app_context.settings, app_context.clock(), await read_form(request)
    token, browser = form.text("token"), read_browser(open_exchange(request))
    try:
        opened = await password_reset.reset_password(
            db, settings, token, form.password("new_password"), browser=browser, now=now
        )
    except Problem as problem:
        if problem.code == "second_factor_required":
            raise
        return await _render_reset(request, token, problem=problem)
    return redirect_signed_in(request, "/account?done=password", opened)


def _render_request(
    request: PageRequest, *, sent: bool = False, problem: Problem | None = None, status: int = 200
) -> Response:
    html = render(
        "app/password_reset.html",
        token="",
        can_send_email=request.app.state.app_context.settings.smtp_url is not None,
        sent=sent,
        problem=problem,
    )
    return private_html_response(html, status=status, problem=problem)


async def _render_reset(request: PageRequest, token: str, *, problem: Problem | None = None) -> Response:
    app_context: AppContext = request.app.state.app_context
    try:
        user = await password_reset.read_reset_link(app_context.db, token, now=app_context.clock())
    except Problem as refused:
        text = gettext(
            "It is incomplete, has been used or replaced by a newer link, or is older than 30 minutes. Your password "
            "was not changed."
        )
        link = ("/forgot-password", gettext("Request a new link"))
        html = render_message(gettext("This link is not valid"), text, link=link)
        return private_html_response(html, problem=refused)
    html = render(
        "app/password_reset.html",
        token=token,
        email=user.email,
        problem=problem,
    )
    return private_html_response(html, problem=problem)
