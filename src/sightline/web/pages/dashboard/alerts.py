"""Falls of the brand from one Daily Check to the next, what became of them, and which of them nobody wants to hear."""

from datetime import datetime

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.insights.alerts import mute
from sightline.insights.alerts.models import MuteRow
from sightline.insights.alerts.schemas import Alert, parse_scope
from sightline.insights.read import list_alerts
from sightline.kit.ids import parse_id
from sightline.prompts.queries import list_tracked_prompts
from sightline.reports.weekly.sayings import say_country
from sightline.reports.words import platform_name
from sightline.web.frame import acting, go_to, reading, show
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.proofs import link_proofs
from sightline.web.pages.dashboard.words import say_freshness, say_time
from sightline.web.paging import page_through
from sightline.web.visits import Asked, require_own_form, require_role

_PAGE = 25
STATES = {
    "watch": "Watched: the next Daily Check confirms it, or it lapses.",
    "confirmed": "Confirmed by a second Daily Check.",
    "lapsed": "Lapsed: the next Daily Check did not confirm it.",
    "resolved": "Resolved: the brand is named again as before.",
}
_RULES = {
    "previous_daily": "against the Daily Check before, over the cells that both asked",
    "last_dailies": "against the last Daily Checks",
    "cell": "one prompt on one platform, against its own Daily Checks",
}
_HUSHED = {
    "platform_wide": "Nobody was told: the whole platform changed, for other brands, too.",
    "muted": "Nobody was told: it was muted.",
    "cool_down": "Nobody was told: it was told of not long ago.",
}
_DONE = {
    "mute": "Muted. Its alerts are still found and shown here, and nobody is told of them.",
    "unmute": "Unmuted. The next time that it is confirmed, people are told.",
}


@reading("/w/{workspace:str}/d/{domain:str}/alerts")
async def alerts(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], done: FromQuery[str] = ""
) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    db, workspace_id, domain_id = place.visit.app_context.db, place.actor.workspace_id, place.domain.id
    paging = page_through(request, place, "alerts")
    found = await list_alerts(db, workspace_id, domain_id, after=paging.after_time_and_id, page_size=_PAGE)
    proofs = await link_proofs(
        place, [[(answer.scan_id, answer.answer_id) for answer in row.answers] for row in found.rows]
    )
    mutes = await mute.list_mutes(db, workspace_id, domain_id)
    tracked = await list_tracked_prompts(db, workspace_id, domain_id)
    return show(
        place,
        "app/alerts.html",
        here="alerts",
        title="Alerts",
        rows=list(zip(found.rows, proofs, strict=True)),
        prompts={each.id: each.prompt for each in tracked},
        mutes=mutes,
        muted=mute.find_muted(found.rows, mutes),
        states=STATES,
        say_mute=say_mute,
        say_test=say_test,
        say_hushed=say_hushed,
        say_moment=say_moment,
        say_time=say_time,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        done=_DONE.get(done),
        freshness=say_freshness(place.domain, place.visit.now),
    )


@acting("/w/{workspace:str}/d/{domain:str}/alerts/{alert:str}/{step:str}")
async def decide(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], alert: FromPath[str], step: FromPath[str]
) -> Response[str]:
    """Mute or unmute what the alert is about. Sent twice, it is done once."""
    require_own_form(request)
    place = await enter_domain(request, workspace, domain)
    require_role(place.actor, Role.EDITOR)
    assert place.domain is not None
    alert_id = parse_id(alert)
    async with place.visit.app_context.db.transaction() as tx:
        if step == "mute":
            await mute.mute_alert(tx, place.actor, place.domain.id, alert_id, now=place.visit.now)
        elif step == "unmute":
            await mute.unmute_alert(tx, place.actor, place.domain.id, alert_id)
        else:
            raise Problem("not_found")
    return go_to(f"{place.path('alerts')}?done={step}")


def say_mute(row: MuteRow) -> str:
    """What is muted, as a person would call it."""
    kind, platform, country, _ = parse_scope(row.scope)
    if kind == "cell":
        return f"“{row.prompt or 'A prompt'}” on {platform_name(platform or '')}"
    where = {
        "overall": "overall",
        "platform": f"on {platform_name(platform or '')}",
        "country": f"in {say_country(country)}",
    }
    return f"Fewer answers name the brand {where[kind]}"


def say_test(alert: Alert) -> str:
    """What was compared with what, and how likely chance alone would do as much."""
    chance = f"p {alert.p:.4f}" if alert.p >= 0.0001 else "p below 0.0001"
    return f"Tested {' and '.join(_RULES[rule] for rule in alert.rules)}: {chance}."


def say_hushed(alert: Alert) -> str:
    return _HUSHED.get(alert.hushed or "", "")


def say_moment(text: str) -> str:
    return say_time(datetime.fromisoformat(text))


PAGES = (alerts, decide)
