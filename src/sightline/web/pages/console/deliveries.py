"""Deliveries of a webhook: one with its attempts, sending it again, and sending a test event."""

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.web.form_idempotency import claim_form, make_form_token
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
from sightline.web.pages.console.webhooks import render_webhook
from sightline.web.routing import redirect
from sightline.webhooks import endpoints
from sightline.webhooks.deliveries import history
from sightline.webhooks.deliveries.models import DeliveryAttempt

_MAX_BODY_LENGTH = 20_000
_MAX_RESPONSE_LENGTH = 2_000


@console_page("/webhooks/{webhook}/deliveries/{delivery}")
async def delivery_page(request: PageRequest, workspace: str, webhook: str, delivery: str) -> PageResponse:
    ctx = await open_console(request, workspace, needs=Role.ADMIN)
    db = ctx.db
    endpoint = await endpoints.read_endpoint(db, ctx.actor, parse_id(webhook))
    found = await history.read_delivery(db, ctx.actor, endpoint, parse_id(delivery))
    return render_console_page(
        ctx,
        request,
        "delivery.html",
        section="webhooks",
        title=found.delivery.event_type,
        endpoint=endpoint,
        delivery=found.delivery,
        attempts=found.attempts[::-1],
        body=truncate(found.delivery.body, _MAX_BODY_LENGTH),
        read_response=_read_response,
        token=make_form_token(),
        phrases=phrases,
    )


@console_form_action("/webhooks/{webhook}/test")
async def send_test_event(request: PageRequest, workspace: str, webhook: str) -> PageResponse:
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    try:
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                await history.send_test(tx, ctx.actor, parse_id(webhook), now=ctx.now)
                path = await claim.settle(tx, f"{ctx.console('webhooks', webhook)}?done=test_sent#deliveries")
    except Problem as problem:
        return await render_webhook(ctx, request, webhook, problem)
    return redirect(path)


@console_form_action("/webhooks/{webhook}/deliveries/{delivery}/redeliver")
async def redeliver(request: PageRequest, workspace: str, webhook: str, delivery: str) -> PageResponse:
    ctx, form = await receive_console_form(request, workspace, needs=Role.ADMIN)
    delivery_path = ctx.console("webhooks", webhook, "deliveries", delivery)
    try:
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                await history.redeliver(tx, ctx.actor, parse_id(webhook), parse_id(delivery), now=ctx.now)
                path = await claim.settle(tx, f"{delivery_path}?done=redelivered")
    except Problem as problem:
        if problem.code == "not_found":
            raise
        return await render_webhook(ctx, request, webhook, problem)
    return redirect(path)


def truncate(raw: bytes, max_length: int) -> str:
    """Return bytes as text, whatever they are; a long text ends with an ellipsis."""
    text = raw.decode(errors="replace")
    return text if len(text) <= max_length else f"{text[:max_length]}\n…"


def _read_response(attempt: DeliveryAttempt) -> str:
    return truncate(attempt.response_body, _MAX_RESPONSE_LENGTH)
