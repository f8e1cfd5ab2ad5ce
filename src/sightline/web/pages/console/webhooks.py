"""Webhooks: endpoints, their secrets, and switching them. For admins and owners."""

from typing import Any

from litestar.params import FromPath

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.events import EVENT_TYPES
from sightline.kit.ids import parse_id
from sightline.web.frame import Place, go_to
from sightline.web.pages.console import words
from sightline.web.pages.console.forms import Form, fit
from sightline.web.pages.console.once import act_once, make_token
from sightline.web.pages.console.places import (
    Shown,
    enter,
    enter_by_form,
    looking,
    open_form,
    sending,
    show_page,
)
from sightline.web.paging import page_through
from sightline.web.visits import Asked
from sightline.webhooks import endpoints, history
from sightline.webhooks.addresses import webhook_guard
from sightline.webhooks.models import Endpoint
from sightline.webhooks.schemas import WebhookChanges, WebhookInput
from sightline.webhooks.secrets import SecretBox

_DELIVERIES = 20


@looking("/webhooks")
async def webhooks(request: Asked, workspace: FromPath[str]) -> Shown:
    return await _list(await enter(request, workspace, needs=Role.ADMIN), request, Form({}))


async def _list(place: Place, request: Asked, form: Form, problem: Problem | None = None) -> Shown:
    paging = page_through(request, place, "webhooks")
    found = await endpoints.list_endpoints(
        place.visit.app_context.db, place.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return show_page(
        place,
        request,
        "webhooks.html",
        here="webhooks",
        title="Webhooks",
        problem=problem,
        endpoints=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        typed=_typed(form),
        event_types=EVENT_TYPES,
        token=make_token(),
        words=words,
    )


@sending("/webhooks")
async def register_webhook(request: Asked, workspace: FromPath[str]) -> Shown:
    """The answer to this form is the only page that ever shows the secret. Sent again, it shows the list."""
    place, form = await open_form(request, workspace, needs=Role.ADMIN)
    settings = place.visit.app_context.settings
    try:
        given = fit(WebhookInput, **_typed(form))
        async with act_once(place, form) as once:
            if once.led_to:
                return go_to(once.led_to)
            async with place.visit.app_context.db.transaction() as tx:
                endpoint, secret = await endpoints.register_endpoint(
                    tx,
                    place.actor,
                    given,
                    guard=webhook_guard(settings),
                    box=SecretBox(settings.signing_key),
                    now=place.visit.now,
                )
                await once.settle(tx, f"{place.console('webhooks')}?done=webhook_made_before")
    except Problem as problem:
        return await _list(place, request, form, problem)
    return _show_secret(place, request, endpoint, secret, rotated=False)


@looking("/webhooks/{webhook:str}")
async def webhook_detail(request: Asked, workspace: FromPath[str], webhook: FromPath[str]) -> Shown:
    return await show_webhook(await enter(request, workspace, needs=Role.ADMIN), request, webhook)


async def show_webhook(
    place: Place, request: Asked, webhook: str, problem: Problem | None = None, form: Form | None = None
) -> Shown:
    db = place.visit.app_context.db
    endpoint = await endpoints.read_endpoint(db, place.actor, parse_id(webhook))
    paging = page_through(request, place, f"webhooks.{endpoint.id}.deliveries")
    found = await history.list_deliveries(
        db, place.actor, endpoint, after=paging.after_time_and_id, page_size=_DELIVERIES
    )
    known = {"url": endpoint.url, "description": endpoint.description, "events": endpoint.events}
    return show_page(
        place,
        request,
        "webhook.html",
        here="webhooks",
        title=endpoint.description or "Webhook",
        problem=problem,
        endpoint=endpoint,
        stories=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        typed=known if form is None else _typed(form),
        event_types=EVENT_TYPES,
        token=make_token(),
        words=words,
    )


@sending("/webhooks/{webhook:str}")
async def change_webhook(request: Asked, workspace: FromPath[str], webhook: FromPath[str]) -> Shown:
    """The details, or, by a button of its own, whether it is enabled."""
    place, form = await open_form(request, workspace, needs=Role.ADMIN)
    app_context = place.visit.app_context
    status = form.text("status")
    try:
        changes = fit(WebhookChanges, **({"status": status} if status else _typed(form)))
        async with app_context.db.transaction() as tx:
            endpoint = await endpoints.read_endpoint(tx, place.actor, parse_id(webhook), lock=True)
            await endpoints.change_endpoint(
                tx, place.actor, endpoint, changes, guard=webhook_guard(app_context.settings), now=place.visit.now
            )
    except Problem as problem:
        return await show_webhook(place, request, webhook, problem, None if status else form)
    return go_to(f"{place.console('webhooks', webhook)}?done=webhook_{status or 'changed'}")


@sending("/webhooks/{webhook:str}/rotate")
async def rotate_secret(request: Asked, workspace: FromPath[str], webhook: FromPath[str]) -> Shown:
    """Sent twice it rotates once: a second rotation would end the old secret before its day is over."""
    place, form = await open_form(request, workspace, needs=Role.ADMIN)
    app_context = place.visit.app_context
    async with act_once(place, form) as once:
        if once.led_to:
            return go_to(once.led_to)
        async with app_context.db.transaction() as tx:
            endpoint, secret = await endpoints.rotate_secret(
                tx,
                place.actor,
                parse_id(webhook),
                box=SecretBox(app_context.settings.signing_key),
                now=place.visit.now,
            )
            await once.settle(tx, f"{place.console('webhooks', webhook)}?done=webhook_rotated_before")
    return _show_secret(place, request, endpoint, secret, rotated=True)


@sending("/webhooks/{webhook:str}/remove")
async def remove_webhook(request: Asked, workspace: FromPath[str], webhook: FromPath[str]) -> Shown:
    place = await enter_by_form(request, workspace, needs=Role.ADMIN)
    async with place.visit.app_context.db.transaction() as tx:
        await endpoints.remove_endpoint(tx, place.actor, parse_id(webhook), now=place.visit.now)
    return go_to(f"{place.console('webhooks')}?done=webhook_removed")


def _show_secret(place: Place, request: Asked, endpoint: Endpoint, secret: str, *, rotated: bool) -> Shown:
    return show_page(
        place,
        request,
        "webhook_secret.html",
        here="webhooks",
        title="The new secret" if rotated else "The secret of your webhook",
        endpoint=endpoint,
        secret=secret,
        rotated=rotated,
    )


def _typed(form: Form) -> dict[str, Any]:
    return {"url": form.text("url"), "description": form.text("description"), "events": form.every("events")}


PAGES = (
    webhooks,
    register_webhook,
    webhook_detail,
    change_webhook,
    rotate_secret,
    remove_webhook,
)
