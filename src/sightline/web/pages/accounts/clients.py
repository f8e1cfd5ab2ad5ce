"""The clients of a workspace: which domains each has. Their guests are on the page of the members."""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.accounts.queries import list_guests
from sightline.clients import manage
from sightline.clients.schemas import ClientChanges, ClientInput
from sightline.domains.tracking.read import list_tracked_domains
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.plans.table import has_clients
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.forms import decode_form, read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.routing import form_action, page, redirect

_DONE = {
    "added": translatable("Client added."),
    "changed": translatable("Client saved."),
    "removed": translatable("Client removed. Its guests have no access any more; its domains stay."),
}
_MAX_DOMAINS = 500


@page("/w/{workspace}/clients")
async def clients_page(request: PageRequest, workspace: str, done: str = "") -> Response:
    return await _render_clients(
        await open_workspace(request, workspace, needs=Role.ADMIN), done=choose_text(_DONE, done)
    )


@form_action("/w/{workspace}/clients")
async def add_client(request: PageRequest, workspace: str) -> Response:
    """Add a client. Sent again, the form adds nothing."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form = await read_form(request)
    try:
        new = decode_form(ClientInput, name=form.text("name"), domain_ids=form.values("domain"))
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                await manage.add_client(tx, ctx.actor, new, now=ctx.now)
                return redirect(await claim.settle(tx, ctx.path("clients") + "?done=added"))
    except Problem as problem:
        return await _render_clients(ctx, problem=problem)


@form_action("/w/{workspace}/clients/{client}")
async def change_client(request: PageRequest, workspace: str, client: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form = await read_form(request)
    try:
        changes = decode_form(ClientChanges, name=form.text("name"), domain_ids=form.values("domain"))
        async with ctx.db.transaction() as tx:
            await manage.change_client(tx, ctx.actor, parse_id(client), changes)
    except Problem as problem:
        return await _render_clients(ctx, problem=problem)
    return redirect(ctx.path("clients") + "?done=changed")


@form_action("/w/{workspace}/clients/{client}/remove")
async def remove_client(request: PageRequest, workspace: str, client: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    try:
        async with ctx.db.transaction() as tx:
            await manage.remove_client(tx, ctx.actor, parse_id(client))
    except Problem as problem:
        return await _render_clients(ctx, problem=problem)
    return redirect(ctx.path("clients") + "?done=removed")


async def _render_clients(ctx: PageContext, *, done: str | None = None, problem: Problem | None = None) -> Response:
    domains = await list_tracked_domains(ctx.db, ctx.actor, after=None, page_size=_MAX_DOMAINS)
    return render_page(
        ctx,
        "app/clients.html",
        section="members",
        title=gettext("Clients"),
        clients=await manage.list_clients_by_name(ctx.db, ctx.actor),
        guests=await list_guests(ctx.db, ctx.actor.workspace_id),
        tracked=domains.rows,
        is_included=has_clients(ctx.actor.plan),
        token=make_form_token(),
        done=done,
        problem=problem,
    )
