"""Signing in through an identity provider: leaving for it, coming back, and proving there who it is."""

import uuid
from urllib.parse import quote, urlsplit

from starlette.responses import Response

from sightline.accounts.page_paths import is_local_path
from sightline.accounts.sign_in.models import PendingSignIn
from sightline.accounts.single_sign_on.models import Provider
from sightline.accounts.single_sign_on.providers import find_provider_of_address, load_provider
from sightline.accounts.single_sign_on.sign_in import Departure, arrive, leave, parse_provider_name
from sightline.accounts.users import normalize_email
from sightline.api.app_context import AppContext
from sightline.api.edge.browsers import format_factor_cookie, format_single_sign_on_cookie, read_browser
from sightline.errors import Problem, invalid_field
from sightline.web.forms import read_form
from sightline.web.page_requests import (
    PageRequest,
    SignedInRequest,
    SignInRequired,
    open_exchange,
    require_signed_in,
)
from sightline.web.pages.not_found import PageNotFound
from sightline.web.render import private_html_response, render
from sightline.web.routing import form_action, page, redirect, redirect_signed_in
from sightline.web.sign_in_form import render_sign_in


@form_action("/sign-in/sso")
async def choose_provider(request: PageRequest) -> Response:
    """Find the provider by the domain of the e-mail address, and show the page that leads there."""
    app_context: AppContext = request.app.state.app_context
    form = await read_form(request)
    email, next_path = normalize_email(form.text("email")), form.text("next")
    try:
        provider = await find_provider_of_address(app_context.db, app_context.settings, email)
        if provider is None:
            raise invalid_field("email", "belongs to no identity provider; sign in with the password", "no_provider")
        departure = await _leave(request, provider, email, next_path)
    except Problem as problem:
        return await render_sign_in(request, next_path, email=email, problem=problem)
    html = render("app/sign_in_leaving.html", url=departure.url, host=urlsplit(departure.url).netloc)
    response = private_html_response(html)
    response.headers.append("Set-Cookie", _format_cookie(request, departure.cookie))
    return response


@page("/sign-in/sso/{provider}")
async def start_at_provider(request: PageRequest, provider: str) -> Response:
    """Redirect to a provider, for links and for the application lists of providers."""
    found = await _find_provider(request, parse_provider_name(provider))
    next_path = request.query_params.get("next", "")
    try:
        departure = await _leave(request, found, "", next_path)
    except Problem as problem:
        return await render_sign_in(request, next_path, problem=problem)
    return redirect(departure.url, _format_cookie(request, departure.cookie))


@page("/account/confirm/sso")
async def confirm_at_provider(request: PageRequest) -> Response:
    """Redirect people who signed in through a provider to it, so that they prove again who they are."""
    signed_in = await require_signed_in(request)
    found = await _find_provider(request, signed_in.provider_id)
    next_path = request.query_params.get("next", "")
    departure = await _leave(request, found, signed_in.user.email, next_path, confirms=signed_in.session_digest)
    return redirect(departure.url, _format_cookie(request, departure.cookie))


@page("/sign-in/sso/{provider}/callback")
async def come_back(request: PageRequest, provider: str) -> Response:
    """Complete the sign-in, or the proof. What the provider sent is used up, whatever becomes of it."""
    app_context: AppContext = request.app.state.app_context
    signed_in, browser = await _find_signed_in(request), read_browser(open_exchange(request))
    settings, done = app_context.settings, _format_cookie(request, "")
    try:
        arrival = await arrive(
            app_context.db,
            settings,
            provider,
            request.query_params,
            browser=browser,
            signed_in=signed_in,
            now=app_context.clock(),
        )
    except Problem as problem:
        response = await render_sign_in(request, "", problem=problem)
        response.headers.append("Set-Cookie", done)
        return response
    path = arrival.next_path if is_local_path(arrival.next_path) else "/"
    if arrival.started is None:
        return redirect(path, done)
    if isinstance(arrival.started, PendingSignIn):
        waiting = format_factor_cookie(arrival.started.token, https=settings.is_https)
        return redirect(f"/sign-in/factor?next={quote(path, safe='')}", waiting, done)
    response = redirect_signed_in(request, path, arrival.started)
    response.headers.append("Set-Cookie", done)
    return response


async def _leave(
    request: PageRequest, provider: Provider, email: str, next_path: str, *, confirms: bytes | None = None
) -> Departure:
    app_context: AppContext = request.app.state.app_context
    return await leave(
        app_context.db,
        app_context.settings,
        provider,
        email=email,
        next_path=next_path if is_local_path(next_path) else "",
        address=open_exchange(request).client_address,
        confirms=confirms,
        now=app_context.clock(),
    )


async def _find_provider(request: PageRequest, provider_id: uuid.UUID | None) -> Provider:
    app_context: AppContext = request.app.state.app_context
    found = provider_id and await load_provider(app_context.db, app_context.settings, provider_id)
    if not found:
        raise PageNotFound
    return found


async def _find_signed_in(request: PageRequest) -> SignedInRequest | None:
    try:
        return await require_signed_in(request)
    except SignInRequired:
        return None


def _format_cookie(request: PageRequest, sealed: str) -> str:
    return format_single_sign_on_cookie(sealed, https=request.app.state.app_context.settings.is_https)
