"""Webhooks: endpoints and their secrets. Only admins and owners may open these pages."""

from typing import Any

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.events import EVENT_TYPES
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.forms import Form, decode_form
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console import phrases
from sightline.web.pages.console.console_page import (
    PageResponse,
    console_form_action,
    console_page,
    open_console,
    receive_console_form,
    render_console_page,
)
from sightline.web.paging import read_list_paging
from sightline.web.routing import redirect
from sightline.webhooks import endpoints
from sightline.webhooks.addresses import build_webhook_guard
from sightline.webhooks.deliveries import history
from sightline.webhooks.models import Endpoint
from sightline.webhooks.schemas import WebhookChanges, WebhookInput
from sightline.webhooks.secrets import SecretBox

_DELIVERIES_PER_PAGE = 20


@console_page("/webhooks")
async def webhooks_page(request: PageRequest, workspace: str) -> PageResponse:
    return await _render_list(await open_console(request, workspace, needs=Role.ADMIN), request)


async def _render_list(ctx: PageContext, request: PageRequest, problem: Problem | None = None) -> PageResponse:
    paging = read_list_paging(request, ctx, "webhooks")
    found = await endpoints.list_endpoints(ctx.db, ctx.actor, after=paging.after_time_and_id, page_size=paging.size)
    return render_console_page(
        ctx,
        request,
        "webhooks.html",
        section="webhooks",
        title=gettext("Webhooks"),
        problem=problem,
        endpoints=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        event_types=EVENT_TYPES,
        token=make_form_token(),
        phrases=phrases,
    )


@console_form_action("/webhooks")
async def register_webhook(request: PageRequest, workspace: str) -> PageResponse:
    """Register a webhook and show its secret, this once. Sent again, the form shows the list."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    settings = ctx.app_context.settings
    try:
        payload = decode_form(WebhookInput, **_read_values(form))
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                endpoint, secret = await endpoints.register_endpoint(
                    tx,
                    ctx.actor,
                    payload,
                    guard=build_webhook_guard(settings),
                    box=SecretBox(*settings.signing_keys),
                    now=ctx.now,
                )
                await claim.settle(tx, f"{ctx.console('webhooks')}?done=webhook_made_before")
    except Problem as problem:
        return await _render_list(ctx, request, problem)
    return _render_secret(ctx, request, endpoint, secret, rotated=False)


@console_page("/webhooks/{webhook}")
async def webhook_page(request: PageRequest, workspace: str, webhook: str) -> PageResponse:
    return await render_webhook(await open_console(request, workspace, needs=Role.ADMIN), request, webhook)


async def render_webhook(
    ctx: PageContext, request: PageRequest, webhook: str, problem: Problem | None = None
) -> PageResponse:
    db = ctx.db
    endpoint = await endpoints.read_endpoint(db, ctx.actor, parse_id(webhook))
    paging = read_list_paging(request, ctx, f"webhooks.{endpoint.id}.deliveries")
    found = await history.list_deliveries(
        db, ctx.actor, endpoint, after=paging.after_time_and_id, page_size=_DELIVERIES_PER_PAGE
    )
    return render_console_page(
        ctx,
        request,
        "webhook.html",
        section="webhooks",
        title=endpoint.description or gettext("Webhook"),
        problem=problem,
        endpoint=endpoint,
        deliveries=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        form_values={"url": endpoint.url, "description": endpoint.description, "events": endpoint.events},
        event_types=EVENT_TYPES,
        token=make_form_token(),
        phrases=phrases,
    )


@console_form_action("/webhooks/{webhook}")
async def change_webhook(request: PageRequest, workspace: str, webhook: str) -> PageResponse:
    """Change the details or, with its own button, enable or disable the webhook."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    app_context = ctx.app_context
    status = form.text("status")
    try:
        changes = decode_form(WebhookChanges, **({"status": status} if status else _read_values(form)))
        async with app_context.db.transaction() as tx:
            endpoint = await endpoints.read_endpoint(tx, ctx.actor, parse_id(webhook), lock=True)
            await endpoints.change_endpoint(
                tx, ctx.actor, endpoint, changes, guard=build_webhook_guard(app_context.settings), now=ctx.now
            )
    except Problem as problem:
        return await render_webhook(ctx, request, webhook, problem)
    return redirect(f"{ctx.console('webhooks', webhook)}?done=webhook_{status or 'changed'}")


@console_form_action("/webhooks/{webhook}/rotate")
async def rotate_secret(request: PageRequest, workspace: str, webhook: str) -> PageResponse:
    """Rotate the secret and show the new one, this once.

    Sent again, the form does not rotate: a second rotation would end the old secret before its day is over.
    """
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    app_context = ctx.app_context
    async with claim_form(ctx, form) as claim:
        if claim.previous_path:
            return redirect(claim.previous_path)
        async with app_context.db.transaction() as tx:
            endpoint, secret = await endpoints.rotate_secret(
                tx,
                ctx.actor,
                parse_id(webhook),
                box=SecretBox(*app_context.settings.signing_keys),
                now=ctx.now,
            )
            await claim.settle(tx, f"{ctx.console('webhooks', webhook)}?done=webhook_rotated_before")
    return _render_secret(ctx, request, endpoint, secret, rotated=True)


@console_form_action("/webhooks/{webhook}/remove")
async def remove_webhook(request: PageRequest, workspace: str, webhook: str) -> PageResponse:
    ctx = await open_console(request, workspace, needs=Role.ADMIN)
    async with ctx.db.transaction() as tx:
        await endpoints.remove_endpoint(tx, ctx.actor, parse_id(webhook), now=ctx.now)
    return redirect(f"{ctx.console('webhooks')}?done=webhook_removed")


def _render_secret(
    ctx: PageContext, request: PageRequest, endpoint: Endpoint, secret: str, *, rotated: bool
) -> PageResponse:
    return render_console_page(
        ctx,
        request,
        "secret.html",
        section="webhooks",
        title=gettext("Your new secret") if rotated else gettext("Secret of your webhook"),
        endpoint=endpoint,
        secret=secret,
        rotated=rotated,
    )


def _read_values(form: Form) -> dict[str, Any]:
    return {"url": form.text("url"), "description": form.text("description"), "events": form.values("events")}
