"""Alerts of a domain: drops between Daily Checks, their state, and which of them are muted."""

from datetime import datetime

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.insights.alerts import mute
from sightline.insights.alerts.models import MuteRow
from sightline.insights.alerts.schemas import Alert
from sightline.insights.alerts.scopes import parse_scope
from sightline.insights.read import list_alerts
from sightline.kit.ids import parse_id
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_datetime
from sightline.presentation.phrases import country_name
from sightline.prompts.read import list_tracked_prompts
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.dashboard.branded import find_branded_texts
from sightline.web.pages.dashboard.evidence_links import link_evidence
from sightline.web.pages.dashboard.freshness import describe_freshness
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect

_PAGE_SIZE = 25
STATE_TEXTS = {
    "watch": "Watched: the next Daily Check confirms it, or it lapses.",
    "confirmed": "Confirmed by a second Daily Check.",
    "lapsed": "Lapsed: the next Daily Check did not confirm it.",
    "resolved": "Resolved: the brand is named again as before.",
}
_RULE_TEXTS = {
    "previous_daily": "against the Daily Check before, over the cells that both asked",
    "last_dailies": "against the last Daily Checks",
    "cell": "one prompt on one platform, against its own Daily Checks",
}
_SUPPRESSION_TEXTS = {
    "platform_wide": "Nobody was told: the whole platform changed, for other brands, too.",
    "muted": "Nobody was told: it was muted.",
    "cool_down": "Nobody was told: it was told of not long ago.",
}
_DONE_TEXTS = {
    "mute": "Muted. Its alerts are still found and shown here, and nobody is told of them.",
    "unmute": "Unmuted. The next time that it is confirmed, people are told.",
}


@page("/w/{workspace:str}/d/{domain:str}/alerts")
async def alerts_page(
    request: PageRequest, workspace: FromPath[str], domain: FromPath[str], done: FromQuery[str] = ""
) -> Response[str]:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, workspace_id, domain_id = ctx.db, ctx.actor.workspace_id, ctx.domain.id
    paging = read_list_paging(request, ctx, "alerts")
    found = await list_alerts(db, workspace_id, domain_id, after=paging.after_time_and_id, page_size=_PAGE_SIZE)
    evidence = await link_evidence(
        ctx,
        [[(answer.scan_id, answer.answer_id) for answer in row.answers] for row in found.rows],
        [f"alert:{row.id}" for row in found.rows],
    )
    mutes = await mute.list_mutes(db, workspace_id, domain_id)
    tracked = await list_tracked_prompts(db, workspace_id, domain_id)
    named = {row.prompt_id for row in found.rows}
    return render_page(
        ctx,
        "app/alerts.html",
        section="alerts",
        title="Alerts",
        rows=list(zip(found.rows, evidence, strict=True)),
        prompts={each.id: each.prompt for each in tracked},
        branded=find_branded_texts(ctx.domain, [each.prompt for each in tracked if each.id in named]),
        mutes=mutes,
        muted=mute.find_muted(found.rows, mutes),
        states=STATE_TEXTS,
        describe_mute=describe_mute,
        describe_test=describe_test,
        describe_suppression=describe_suppression,
        format_moment=_format_moment,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        done=_DONE_TEXTS.get(done),
        freshness=describe_freshness(ctx.domain, ctx.now),
    )


@form_action("/w/{workspace:str}/d/{domain:str}/alerts/{alert:str}/{step:str}")
async def decide_alert(
    request: PageRequest, workspace: FromPath[str], domain: FromPath[str], alert: FromPath[str], step: FromPath[str]
) -> Response[str]:
    """Mute or unmute what the alert is about. Sending the form twice changes nothing."""
    require_same_origin(request)
    ctx = await open_domain(request, workspace, domain)
    require_role(ctx.actor, Role.EDITOR)
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


def describe_mute(row: MuteRow) -> str:
    """Return what is muted as a phrase."""
    kind, platform, country, _ = parse_scope(row.scope)
    if kind == "cell":
        return f"“{row.prompt or 'A prompt'}” on {platform_name(platform or '')}"
    where = {
        "overall": "overall",
        "platform": f"on {platform_name(platform or '')}",
        "country": f"in {country_name(country)}",
    }
    return f"Fewer answers name the brand {where[kind]}"


def describe_test(alert: Alert) -> str:
    """Return what was compared with what, and the p-value."""
    chance = f"p {alert.p:.4f}" if alert.p >= 0.0001 else "p below 0.0001"
    return f"Tested {' and '.join(_RULE_TEXTS[rule] for rule in alert.rules)}: {chance}."


def describe_suppression(alert: Alert) -> str:
    return _SUPPRESSION_TEXTS.get(alert.hushed or "", "")


def _format_moment(text: str) -> str:
    return format_short_datetime(datetime.fromisoformat(text))


PAGES = (alerts_page, decide_alert)
