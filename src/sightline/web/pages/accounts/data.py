"""The export and the deletion of a workspace, for its owners."""

from starlette.responses import Response, StreamingResponse

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.offboarding import delete, export
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.web.forms import read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.render import HEADERS
from sightline.web.routing import form_action, page, redirect, stream

_DONE = {
    "export": translatable("The export is being made. You get an e-mail when it is ready, or reload this page."),
    "deletion": translatable("The deletion is planned. Scheduled checks have stopped."),
    "canceled": translatable("The deletion was canceled. Scheduled checks start again."),
}


@page("/w/{workspace}/data")
async def data_page(request: PageRequest, workspace: str, done: str = "") -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    return await _render(ctx, done=choose_text(_DONE, done))


@form_action("/w/{workspace}/data/export", recent=True)
async def request_export(request: PageRequest, workspace: str) -> Response:
    """Request an export. While one is under way, the form changes nothing."""
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    async with ctx.db.transaction() as tx:
        await export.request_export(tx, ctx.actor, now=ctx.now)
    return redirect(ctx.path("data") + "?done=export")


@stream("/w/{workspace}/data/exports/{export_id}.zip")
async def download_export(request: PageRequest, workspace: str, export_id: str) -> StreamingResponse:
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    content = await export.open_export(ctx.db, ctx.actor, parse_id(export_id), now=ctx.now)
    return StreamingResponse(
        content,
        media_type="application/zip",
        headers={
            **HEADERS,
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="sightline-export-{ctx.now:%Y-%m-%d}.zip"',
        },
    )


@form_action("/w/{workspace}/data/delete", recent=True)
async def request_deletion(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    form = await read_form(request)
    try:
        async with ctx.db.transaction() as tx:
            await delete.request_deletion(tx, ctx.app_context.settings, ctx.actor, form.text("name"), now=ctx.now)
    except Problem as problem:
        return await _render(ctx, problem=problem)
    return redirect(ctx.path("data") + "?done=deletion")


@form_action("/w/{workspace}/data/cancel")
async def cancel_deletion(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.OWNER)
    try:
        async with ctx.db.transaction() as tx:
            await delete.cancel_deletion(tx, ctx.app_context.settings, ctx.actor, now=ctx.now)
    except Problem as problem:
        return await _render(ctx, problem=problem)
    return redirect(ctx.path("data") + "?done=canceled")


async def _render(ctx: PageContext, *, done: str | None = None, problem: Problem | None = None) -> Response:
    return render_page(
        ctx,
        "app/data.html",
        section="members",
        title=gettext("Export and deletion"),
        exports=await export.list_exports(ctx.db, ctx.actor),
        deletion=await delete.find_deletion(ctx.db, ctx.actor.workspace_id),
        done=done,
        problem=problem,
    )
