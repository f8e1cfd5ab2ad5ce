"""Slack channels of a workspace or a client: adding, testing and changing them, and what became of their messages."""

from typing import Any

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.clients.manage import list_clients_by_name
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.plans.table import has_clients
from sightline.platforms.access import is_sandbox
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.forms import Form, decode_form, read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console import phrases
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect
from sightline.webhooks.addresses import build_webhook_guard
from sightline.webhooks.deliveries.history import list_deliveries, send_test
from sightline.webhooks.endpoints import list_endpoints, read_endpoint, remove_endpoint
from sightline.webhooks.secrets import SecretBox
from sightline.webhooks.slack.channels import MAX_CHANNELS, add_channel, change_channel
from sightline.webhooks.slack.schemas import SLACK_EVENTS, SlackChannelChanges, SlackChannelInput

_DONE = {
    "added": translatable("Channel added. Post a test message to try it."),
    "changed": translatable("Channel saved."),
    "enabled": translatable("Channel enabled. Earlier failures no longer count."),
    "disabled": translatable("Channel disabled. Messages that waited were canceled."),
    "removed": translatable("Channel removed. Nothing is posted to it anymore."),
    "tested": translatable("Test message sent. The newest message below shows the result."),
}
EVENTS = {
    "check.completed": translatable("Finished Full Checks, with their findings"),
    "alert.raised": translatable("Confirmed changes between Daily Checks"),
    "report.ready": translatable("New reports"),
}
_MESSAGES_PER_PAGE = 20


@page("/w/{workspace}/slack")
async def slack_page(request: PageRequest, workspace: str, done: str = "") -> Response:
    return await _render_list(await open_workspace(request, workspace, needs=Role.ADMIN), done=choose_text(_DONE, done))


@form_action("/w/{workspace}/slack")
async def add_slack_channel(request: PageRequest, workspace: str) -> Response:
    """Add a channel. Sent again, the form adds nothing."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form, settings = await read_form(request), ctx.app_context.settings
    try:
        new = decode_form(SlackChannelInput, **_read_values(form))
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                guard, box = build_webhook_guard(settings), SecretBox(*settings.signing_keys)
                added = await add_channel(tx, ctx.actor, new, guard=guard, box=box, now=ctx.now)
                return redirect(await claim.settle(tx, ctx.path("slack", str(added.id)) + "?done=added"))
    except Problem as problem:
        return await _render_list(ctx, problem=problem)


@page("/w/{workspace}/slack/{channel}")
async def slack_channel_page(request: PageRequest, workspace: str, channel: str, done: str = "") -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    return await _render_channel(ctx, request, channel, done=choose_text(_DONE, done))


@form_action("/w/{workspace}/slack/{channel}")
async def change_slack_channel(request: PageRequest, workspace: str, channel: str) -> Response:
    """Change the details or, with its own button, enable or disable the channel. Without an address, it stays."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form, settings = await read_form(request), ctx.app_context.settings
    status = form.text("status")
    values = {name: value for name, value in _read_values(form).items() if name != "url" or value}
    try:
        changes = decode_form(SlackChannelChanges, **({"status": status} if status else values))
        async with ctx.db.transaction() as tx:
            guard, box = build_webhook_guard(settings), SecretBox(*settings.signing_keys)
            await change_channel(tx, ctx.actor, parse_id(channel), changes, guard=guard, box=box, now=ctx.now)
    except Problem as problem:
        return await _render_channel(ctx, request, channel, problem=problem)
    return redirect(f"{ctx.path('slack', channel)}?done={status or 'changed'}")


@form_action("/w/{workspace}/slack/{channel}/test")
async def test_slack_channel(request: PageRequest, workspace: str, channel: str) -> Response:
    """Post a test message on the path of every real one. Sent again, the form posts nothing."""
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    form = await read_form(request)
    try:
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with ctx.db.transaction() as tx:
                await send_test(tx, ctx.actor, parse_id(channel), "slack", now=ctx.now)
                path = await claim.settle(tx, f"{ctx.path('slack', channel)}?done=tested#messages")
    except Problem as problem:
        return await _render_channel(ctx, request, channel, problem=problem)
    return redirect(path)


@form_action("/w/{workspace}/slack/{channel}/remove")
async def remove_slack_channel(request: PageRequest, workspace: str, channel: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    async with ctx.db.transaction() as tx:
        await remove_endpoint(tx, ctx.actor, parse_id(channel), "slack", now=ctx.now)
    return redirect(ctx.path("slack") + "?done=removed")


def _read_values(form: Form) -> dict[str, Any]:
    return {
        "name": form.text("name"),
        "url": form.text("url"),
        "client_id": form.text("client_id") or None,
        "events": form.values("events"),
    }


async def _render_list(ctx: PageContext, *, done: str | None = None, problem: Problem | None = None) -> Response:
    found = await list_endpoints(ctx.db, ctx.actor, "slack", after=None, page_size=MAX_CHANNELS)
    return await _render(ctx, "app/slack.html", title="Slack", channels=found.rows, done=done, problem=problem)


async def _render_channel(
    ctx: PageContext,
    request: PageRequest,
    channel: str,
    *,
    done: str | None = None,
    problem: Problem | None = None,
) -> Response:
    endpoint = await read_endpoint(ctx.db, ctx.actor, parse_id(channel), "slack")
    paging = read_list_paging(request, ctx, f"slack.{endpoint.id}")
    found = await list_deliveries(
        ctx.db, ctx.actor, endpoint, after=paging.after_time_and_id, page_size=_MESSAGES_PER_PAGE
    )
    return await _render(
        ctx,
        "app/slack_channel.html",
        title=endpoint.description,
        channel=endpoint,
        messages=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        explain=gettext,
        done=done,
        problem=problem,
    )


async def _render(ctx: PageContext, template: str, *, title: str, **context: Any) -> Response:
    return render_page(
        ctx,
        template,
        section="members",
        title=title,
        clients=await list_clients_by_name(ctx.db, ctx.actor),
        is_included=has_clients(ctx.actor.plan),
        keeps_inside=is_sandbox(ctx.app_context.settings),
        event_types=SLACK_EVENTS,
        event_names=EVENTS,
        phrases=phrases,
        token=make_form_token(),
        **context,
    )
