"""The second factors of a person: authenticator app, passkeys and recovery codes."""

import io

import segno
from markupsafe import Markup
from starlette.responses import Response

from sightline.accounts.second_factor import manage
from sightline.accounts.second_factor.manage import NewApp
from sightline.accounts.second_factor.passkeys import find_host
from sightline.accounts.second_factor.verify import read_factors
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.web.forms import read_form
from sightline.web.page_requests import PageRequest, SignedInRequest, require_signed_in
from sightline.web.render import private_html_response, render
from sightline.web.routing import form_action, page, redirect

_DONE = {
    "added": translatable("Second factor added."),
    "removed": translatable("Second factor removed."),
}


@page("/account/factors")
async def factors_page(request: PageRequest, done: str = "") -> Response:
    return await _render_factors(await require_signed_in(request), done=choose_text(_DONE, done))


@page("/account/factors/app", recent=True)
async def app_page(request: PageRequest) -> Response:
    """Show a new key as a QR code. It is stored only with a code that the app has made of it."""
    signed_in = await require_signed_in(request)
    return _render_app(manage.start_app(signed_in.app_context.settings, signed_in))


@form_action("/account/factors/app", recent=True)
async def add_app(request: PageRequest) -> Response:
    signed_in, form = await require_signed_in(request), await read_form(request)
    settings, sealed = signed_in.app_context.settings, form.text("sealed")
    try:
        async with signed_in.app_context.db.transaction() as tx:
            codes = await manage.add_app(tx, settings, signed_in, sealed, form.text("code"), now=signed_in.now)
    except Problem as problem:
        return _render_app(_restart_app(signed_in, sealed), problem)
    return _show_codes(codes) if codes else redirect("/account/factors?done=added")


@page("/account/factors/passkey", recent=True)
async def passkey_page(request: PageRequest) -> Response:
    return await _render_passkey(await require_signed_in(request))


@form_action("/account/factors/passkey", recent=True)
async def add_passkey(request: PageRequest) -> Response:
    signed_in, form = await require_signed_in(request), await read_form(request)
    name, credential = form.text("name"), form.text("credential")
    try:
        async with signed_in.app_context.db.transaction() as tx:
            codes = await manage.add_passkey(
                tx, signed_in.app_context.settings, signed_in, name, credential, now=signed_in.now
            )
    except Problem as problem:
        return await _render_passkey(signed_in, problem)
    return _show_codes(codes) if codes else redirect("/account/factors?done=added")


@form_action("/account/factors/codes", recent=True)
async def replace_codes(request: PageRequest) -> Response:
    """Make new recovery codes and show them, this once."""
    signed_in = await require_signed_in(request)
    try:
        async with signed_in.app_context.db.transaction() as tx:
            codes = await manage.replace_codes(tx, signed_in.app_context.settings, signed_in.user, now=signed_in.now)
    except Problem as problem:
        return await _render_factors(signed_in, problem=problem)
    return _show_codes(codes)


@form_action("/account/factors/{factor}/remove", recent=True)
async def remove_factor(request: PageRequest, factor: str) -> Response:
    signed_in = await require_signed_in(request)
    async with signed_in.app_context.db.transaction() as tx:
        await manage.remove_factor(
            tx, signed_in.app_context.settings, signed_in.user, parse_id(factor), now=signed_in.now
        )
    return redirect("/account/factors?done=removed")


async def _render_factors(
    signed_in: SignedInRequest, *, done: str | None = None, problem: Problem | None = None
) -> Response:
    html = render(
        "app/factors.html",
        title=gettext("Second factor"),
        user=signed_in.user,
        state=await read_factors(signed_in.app_context.db, signed_in.user.id),
        has_passkeys=find_host(signed_in.app_context.settings) is not None,
        done=done,
        problem=problem,
    )
    return private_html_response(html, problem=problem)


def _restart_app(signed_in: SignedInRequest, sealed: str) -> NewApp:
    """Return the key that the form was about, or a new one if it belongs to another session."""
    settings = signed_in.app_context.settings
    try:
        return manage.start_app(settings, signed_in, sealed)
    except Problem:
        return manage.start_app(settings, signed_in)


def _render_app(new: NewApp, problem: Problem | None = None) -> Response:
    title = gettext("Add an authenticator app")
    html = render("app/factor_app.html", title=title, new=new, qr=_draw(new.uri), problem=problem)
    return private_html_response(html, problem=problem)


async def _render_passkey(signed_in: SignedInRequest, problem: Problem | None = None) -> Response:
    options = await manage.start_passkey(signed_in.app_context.db, signed_in.app_context.settings, signed_in)
    html = render(
        "app/factor_passkey.html",
        title=gettext("Add a passkey"),
        options=options,
        public_url=signed_in.app_context.settings.public_url,
        problem=problem,
    )
    return private_html_response(html, problem=problem)


def _show_codes(codes: list[str]) -> Response:
    html = render("app/recovery_codes.html", title=gettext("Your recovery codes"), codes=codes)
    return private_html_response(html)


def _draw(uri: str) -> Markup:
    """Return the address as a QR code."""
    drawn = io.BytesIO()
    segno.make(uri, micro=False).save(
        drawn, kind="svg", scale=5, light="#fff", xmldecl=False, svgns=False, svgclass="qr", lineclass=None
    )
    return Markup(drawn.getvalue().decode())  # noqa: S704 - paths of squares, without any text
