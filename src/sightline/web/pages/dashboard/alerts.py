"""Alerts of a domain: drops, gains and rises of competitors, their state, and which of them are muted."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.insights.alerts import mute
from sightline.insights.alerts.models import DIRECTIONS
from sightline.insights.alerts.queries import count_alerts, list_mutes
from sightline.insights.alerts.schemas import Alert
from sightline.insights.alerts.states import AlertState
from sightline.insights.findings.read import read_latest_findings
from sightline.insights.findings.sentences import TIER_NAMES
from sightline.insights.read import list_alerts, list_counted_figures, read_alert
from sightline.kit.ids import parse_id
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.prompts.queries import list_tracked_prompts
from sightline.scans.name_mentions import find_answer_origins
from sightline.scoreboard.breakdowns.read import to_share_figure
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard import alert_phrases
from sightline.web.pages.dashboard.branded import find_branded_texts
from sightline.web.pages.dashboard.evidence_links import ChangedCells, link_changed_cells
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect

_PAGE_SIZE = 25
# Open alerts come first; those that were never confirmed are collapsed at the end.
_SECTIONS = {
    AlertState.CONFIRMED: (translatable("Open"), 25),
    AlertState.WATCH: (translatable("Watching"), 25),
    AlertState.RESOLVED: (translatable("Resolved"), 5),
    AlertState.LAPSED: (translatable("Lapsed"), 5),
}
_DONE_TEXTS = {
    "mute": translatable("Muted. This change is still shown here, but no notifications are sent."),
    "unmute": translatable("Unmuted. Members are notified when this change is confirmed again."),
}


class ShownAlert(NamedTuple):
    alert: Alert
    cells: ChangedCells
    counted: frozenset[str]
    """The figures whose answers are stored with the alert."""
    days: Mapping[uuid.UUID, datetime]
    """When each check that the alert refers to asked its prompts."""


class AlertSection(NamedTuple):
    """The alerts in one state, with how many there are in all."""

    state: AlertState
    title: str
    rows: Sequence[Alert]
    total: int


@page("/w/{workspace}/d/{domain}/alerts")
async def alerts_page(request: PageRequest, workspace: str, domain: str, done: str = "") -> Response:
    """List the first alerts of each state, or all of one state page by page."""
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    state = request.query_params.get("state", "")
    chosen = AlertState(state) if state in set(AlertState) else None
    paging = read_list_paging(request, ctx, "alerts", **({"state": chosen.value} if chosen else {}))
    workspace_id, domain_id = ctx.actor.workspace_id, ctx.domain.id
    totals = await count_alerts(ctx.db, workspace_id, domain_id)
    sections, next_cursor = [], None
    for each, (title, limit) in _SECTIONS.items():
        if totals.get(each, 0) and chosen in {None, each}:
            found = await list_alerts(
                ctx.db,
                workspace_id,
                domain_id,
                ctx.domain.brand_name,
                after=paging.after_time_and_id if chosen else None,
                page_size=_PAGE_SIZE if chosen else limit,
                states=[each],
            )
            next_cursor = paging.next_cursor(found) if chosen else None
            sections.append(AlertSection(each, title, found.rows, totals[each]))
    return await _render_alerts(
        ctx,
        "app/alerts.html",
        [row for section in sections for row in section.rows],
        title=gettext("Alerts"),
        sections=sections,
        chosen=chosen,
        empty=alert_phrases.describe_no_alerts(ctx.domain, ctx.now, runs_checks=ctx.runs_checks),
        next_cursor=next_cursor,
        is_first=paging.is_first,
        done=choose_text(_DONE_TEXTS, done),
    )


@page("/w/{workspace}/d/{domain}/alerts/{alert}")
async def alert_page(request: PageRequest, workspace: str, domain: str, alert: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    at = (ctx.actor.workspace_id, ctx.domain.id)
    found = await read_alert(ctx.db, *at, ctx.domain.brand_name, parse_id(alert))
    return await _render_alerts(
        ctx,
        "app/alert.html",
        [found],
        title=gettext("Alert"),
        shown=await _link_answers(ctx, found),
        share=to_share_figure,
    )


@form_action("/w/{workspace}/d/{domain}/alerts/{alert}/{step}")
async def decide_alert(request: PageRequest, workspace: str, domain: str, alert: str, step: str) -> Response:
    """Mute or unmute what the alert is about. Sending the form twice changes nothing."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    alert_id = parse_id(alert)
    async with ctx.db.transaction() as tx:
        if step == "mute":
            await mute.mute_alert(tx, ctx.actor, ctx.domain.id, alert_id, now=ctx.now)
        elif step == "unmute":
            await mute.unmute_alert(tx, ctx.actor, ctx.domain.id, alert_id)
        else:
            raise Problem("not_found")
    return redirect(f"{ctx.path('alerts')}?done={step}")


async def _link_answers(ctx: PageContext, alert: Alert) -> ShownAlert:
    assert ctx.domain is not None
    answers = [(answer.scan_id, answer.answer_id) for answer in alert.answers]
    (cells,) = await link_changed_cells(ctx, [answers], [f"alert:{alert.id}"])
    counted = await list_counted_figures(ctx.db, ctx.actor.workspace_id, ctx.domain.id, [alert.id])
    origins = await find_answer_origins(ctx.db, ctx.actor.workspace_id, answers)
    days = {scan_id: origins[answer_id].asked_at for scan_id, answer_id in answers if answer_id in origins}
    return ShownAlert(alert, cells, counted[alert.id], days)


async def _render_alerts(
    ctx: PageContext, template: str, alerts: Sequence[Alert], *, title: str, **context: Any
) -> Response:
    assert ctx.domain is not None
    workspace_id, domain_id = ctx.actor.workspace_id, ctx.domain.id
    mutes = await list_mutes(ctx.db, workspace_id, domain_id)
    tracked = await list_tracked_prompts(ctx.db, workspace_id, domain_id)
    named = {alert.prompt_id for alert in alerts}
    latest = await read_latest_findings(ctx.db, workspace_id, ctx.domain)
    return render_page(
        ctx,
        template,
        section="alerts",
        title=title,
        prompts={each.id: each.prompt for each in tracked},
        branded=find_branded_texts(ctx.domain, [each.prompt for each in tracked if each.id in named]),
        mutes=mutes,
        muted=mute.find_muted(alerts, mutes),
        phrases=alert_phrases,
        directions=DIRECTIONS,
        told={each.alert_id: each for each in latest.findings if each.alert_id is not None},
        tiers=TIER_NAMES,
        **context,
    )
