"""Falls of the brand from one Daily Check to the next, and what became of them."""

from datetime import datetime

from litestar import Response
from litestar.params import FromPath

from sightline.insights.alerts.shapes import Alert
from sightline.insights.read import list_alerts
from sightline.web.frame import reading, show
from sightline.web.pages.dashboard.paging import page_of
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.proofs import link_proofs
from sightline.web.pages.dashboard.words import say_freshness, say_time
from sightline.web.visits import Asked

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
_HUSHED = {"platform_wide": "Nobody was told: the whole platform changed, for other brands, too."}


@reading("/w/{workspace:str}/d/{domain:str}/alerts")
async def alerts(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    paging = page_of(request, place, "alerts")
    found = await list_alerts(
        place.visit.wiring.db,
        place.actor.workspace_id,
        place.domain.id,
        after=paging.after_time_and_id,
        page_size=_PAGE,
    )
    proofs = await link_proofs(
        place, [[(answer.scan_id, answer.answer_id) for answer in row.answers] for row in found.rows]
    )
    return show(
        place,
        "app/alerts.html",
        here="alerts",
        title="Alerts",
        rows=list(zip(found.rows, proofs, strict=True)),
        states=STATES,
        say_test=say_test,
        say_hushed=say_hushed,
        say_moment=say_moment,
        next_cursor=paging.sign_next(found),
        is_first=paging.is_first,
        freshness=say_freshness(place.domain),
    )


def say_test(alert: Alert) -> str:
    """What was compared with what, and how likely chance alone would do as much."""
    chance = f"p {alert.p:.4f}" if alert.p >= 0.0001 else "p below 0.0001"
    return f"Tested {' and '.join(_RULES[rule] for rule in alert.rules)}: {chance}."


def say_hushed(alert: Alert) -> str:
    if alert.hushed is None:
        return ""
    return _HUSHED.get(alert.hushed, "Nobody was told: it was told of not long ago.")


def say_moment(text: str) -> str:
    return say_time(datetime.fromisoformat(text))


PAGES = (alerts,)
