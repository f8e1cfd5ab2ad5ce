"""API keys: created and shown once, listed, revoked. Only admins and owners may open these pages."""

from typing import cast

from litestar.params import FromPath

from sightline.accounts.models import Role
from sightline.api_keys import issue
from sightline.api_keys.schemas import KeyInput, Scope
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import parse_id
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.forms import Form, decode_form
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console.code_samples import build_code_samples
from sightline.web.pages.console.console_page import (
    PageResponse,
    console_form_action,
    console_page,
    open_console,
    open_console_for_form,
    receive_console_form,
    render_console_page,
)
from sightline.web.paging import read_list_paging
from sightline.web.routing import redirect


@console_page("/keys")
async def keys_page(request: PageRequest, workspace: FromPath[str]) -> PageResponse:
    ctx = await open_console(request, workspace, needs=Role.ADMIN)
    return await _render_list(ctx, request, Form({}))


async def _render_list(
    ctx: PageContext, request: PageRequest, form: Form, problem: Problem | None = None
) -> PageResponse:
    paging = read_list_paging(request, ctx, "keys")
    found = await issue.list_keys(ctx.db, ctx.actor, after=paging.after_time_and_id, page_size=paging.size)
    return render_console_page(
        ctx,
        request,
        "keys.html",
        section="keys",
        title="Keys",
        problem=problem,
        keys=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        form_values={"name": form.text("name"), "kind": form.text("kind") or "console"},
        token=make_form_token(),
    )


@console_form_action("/keys")
async def create_key(request: PageRequest, workspace: FromPath[str]) -> PageResponse:
    """Create a key and show it, this once. Sent again, the form shows the list."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    actor, app_context = ctx.actor, ctx.app_context
    try:
        payload = _read_input(form, ctx)
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with app_context.db.transaction() as tx:
                key, secret = await issue.mint_key(
                    tx,
                    actor.workspace_id,
                    actor.user_id,
                    name=payload.name,
                    kind=payload.kind,
                    livemode=payload.mode == "live",
                    scopes=payload.scopes,
                    now=ctx.now,
                )
                await claim.settle(tx, f"{ctx.console('keys')}?done=key_minted_before")
    except Problem as problem:
        return await _render_list(ctx, request, form, problem)
    samples = build_code_samples(app_context.settings.public_url, key.kind)
    return render_console_page(
        ctx, request, "key_created.html", section="keys", title="Your new key", key=key, secret=secret, samples=samples
    )


def _read_input(form: Form, ctx: PageContext) -> KeyInput:
    """Read the form. Test mode creates test keys only, whatever the form says; Data keys are always live."""
    kind = form.text("kind")
    if kind == "data" and not ctx.actor.livemode:
        raise invalid_field("kind", "Data keys are always live; leave test mode to mint one", "unsupported")
    if not form.text("name"):
        raise invalid_field("name", "must not be empty", "required")
    mode = "live" if kind == "data" else form.text("mode") or "live"
    return decode_form(
        KeyInput,
        name=form.text("name"),
        kind=kind,
        mode=mode if ctx.actor.livemode else "test",
        scopes=cast(list[Scope], form.values("scopes")) if kind == "data" else [],
    )


@console_form_action("/keys/{key:str}/revoke")
async def revoke_key(request: PageRequest, workspace: FromPath[str], key: FromPath[str]) -> PageResponse:
    """Revoke a key. Sending the form twice changes nothing."""
    ctx = await open_console_for_form(request, workspace, needs=Role.ADMIN)
    app_context, now = ctx.app_context, ctx.now
    async with app_context.db.transaction() as tx:
        revoked = await issue.revoke_key(tx, ctx.actor, parse_id(key), now=now)
    app_context.copies.mark_credential_ended(revoked.digest, now=now)
    return redirect(f"{ctx.console('keys')}?done=key_revoked")


PAGES = (keys_page, create_key, revoke_key)
