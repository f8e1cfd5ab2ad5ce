"""The single sign-on of a workspace, for its owners: its identity provider, and whether members have to use it."""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.accounts.single_sign_on import providers, queries
from sightline.accounts.single_sign_on.models import INSTALLATION_PROVIDER
from sightline.accounts.single_sign_on.providers import ProviderInput
from sightline.accounts.single_sign_on.sign_in import build_return_address
from sightline.errors import Problem
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.web.forms import read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.routing import form_action, page, redirect

_PATH = "/w/{workspace}/single-sign-on"
_DONE = {
    "saved": translatable("Identity provider saved. Sign out and sign in with single sign-on to try it."),
    "removed": translatable("Identity provider removed. Members sign in with their passwords."),
    "required": translatable("Saved."),
}


@page(_PATH)
async def single_sign_on_page(request: PageRequest, workspace: str, done: str = "") -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    return await _render(ctx, done=choose_text(_DONE, done))


@form_action(_PATH, recent=True)
async def save_provider(request: PageRequest, workspace: str) -> Response:
    """Save the identity provider, if it answers as one."""
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    form = await read_form(request)
    entered = ProviderInput(form.text("issuer"), form.text("client_id"), form.password("client_secret"))
    try:
        prepared = await providers.prepare_provider(ctx.db, ctx.app_context.settings, ctx.actor, entered, now=ctx.now)
        async with ctx.db.transaction() as tx:
            await providers.save_provider(tx, ctx.actor, prepared)
    except Problem as problem:
        return await _render(ctx, problem=problem)
    return redirect(ctx.path("single-sign-on") + "?done=saved")


@form_action(f"{_PATH}/remove", recent=True)
async def remove_provider(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    try:
        async with ctx.db.transaction() as tx:
            await providers.remove_provider(tx, ctx.actor)
    except Problem as problem:
        return await _render(ctx, problem=problem)
    return redirect(ctx.path("single-sign-on") + "?done=removed")


@form_action(f"{_PATH}/require", recent=True)
async def require_single_sign_on(request: PageRequest, workspace: str) -> Response:
    """Let members open the workspace only through single sign-on, or in any way again."""
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    required = bool((await read_form(request)).text("required"))
    try:
        async with ctx.db.transaction() as tx:
            await providers.require_single_sign_on(tx, ctx.actor, ctx.signed_in, required=required)
    except Problem as problem:
        return await _render(ctx, problem=problem)
    return redirect(ctx.path("single-sign-on") + "?done=required")


async def _render(ctx: PageContext, *, done: str | None = None, problem: Problem | None = None) -> Response:
    settings, workspace_id = ctx.app_context.settings, ctx.actor.workspace_id
    stored = await queries.find_provider(ctx.db, workspace_id)
    required = ctx.membership.required_provider_id
    own_issuer = stored.issuer if stored and required != INSTALLATION_PROVIDER else None
    return render_page(
        ctx,
        "app/single_sign_on.html",
        section="members",
        title=gettext("Single sign-on"),
        provider=stored,
        issuer=own_issuer or settings.oidc_issuer,
        has_installation_provider=settings.oidc_issuer is not None,
        email_domains=await queries.list_domains(ctx.db, workspace_id),
        required=required is not None,
        signed_in_by=ctx.signed_in.provider_id is not None,
        return_address=build_return_address(settings, workspace_id),
        done=done,
        problem=problem,
    )
