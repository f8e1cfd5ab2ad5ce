"""What people correct in the insights: the market, the themes, and whether a language model edits them at all."""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.accounts.schemas import ProfileChanges
from sightline.accounts.workspaces import change_profile
from sightline.errors import Problem
from sightline.insights.editor.overrides import change_theme, correct_market, forget_market
from sightline.insights.schemas.edition import MarketInput, ThemeChanges
from sightline.web.forms import decode_form
from sightline.web.page_context import receive_form
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.sentiment import render_sentiment
from sightline.web.pages.dashboard.settings import render_settings
from sightline.web.routing import form_action, redirect


@form_action("/w/{workspace}/d/{domain}/settings/market")
async def save_market(request: PageRequest, workspace: str, domain: str) -> Response:
    """Store what people say is sold, or forget it so that the editor is asked again."""
    ctx, form = await receive_form(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    try:
        async with ctx.db.transaction() as tx:
            if form.text("forget"):
                await forget_market(tx, ctx.actor, ctx.domain.id)
            else:
                entered = decode_form(MarketInput, **{name: form.text(name) for name in MarketInput.__struct_fields__})
                await correct_market(tx, ctx.actor, ctx.domain.id, entered)
    except Problem as problem:
        return await render_settings(ctx, problem=problem)
    return redirect(ctx.path("settings") + "?done=market#editor")


@form_action("/w/{workspace}/d/{domain}/settings/editor")
async def choose_editing(request: PageRequest, workspace: str, domain: str) -> Response:
    """Store whether a language model may edit the insights of the workspace."""
    ctx, form = await receive_form(request, workspace, domain, needs=Role.ADMIN)
    async with ctx.db.transaction() as tx:
        await change_profile(tx, ctx.actor, ProfileChanges(editor_declined=not form.text("editor")))
    return redirect(ctx.path("settings") + "?done=editor#editor")


@form_action("/w/{workspace}/d/{domain}/themes/{theme_key}")
async def save_theme(request: PageRequest, workspace: str, domain: str, theme_key: str) -> Response:
    """Rename, merge, hide or pin a theme, as the fields say."""
    ctx, form = await receive_form(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    try:
        changes = decode_form(
            ThemeChanges,
            label=form.text("label"),
            merged_into=form.text("merged_into") or None,
            hidden=bool(form.text("hidden")),
            pinned=bool(form.text("pinned")),
        )
        async with ctx.db.transaction() as tx:
            await change_theme(tx, ctx.actor, ctx.domain.id, theme_key, changes)
    except Problem as problem:
        return await render_sentiment(request, ctx, problem=problem)
    return redirect(ctx.path("sentiment") + "?done=theme#themes")
