"""Links to one report: made and shown once, listed, taken back; and what whoever holds one gets to see."""

from typing import Any

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.addresses import shared_report_path
from sightline.accounts.models import Role
from sightline.domains.queries import find_tracked_domain
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.reports.weekly import read, share
from sightline.reports.weekly.models import ReportRow
from sightline.web.frame import Place, acting, go_to, reading, show
from sightline.web.pages.console.forms import read_form
from sightline.web.pages.console.once import act_once, make_token
from sightline.web.pages.dashboard.forms import say_problem
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.reports import serve_report
from sightline.web.pages.dashboard.words import say_freshness, say_time
from sightline.web.render import page, render
from sightline.web.visits import Asked, require_own_form, require_role

_UNLISTED = {"X-Robots-Tag": "noindex, nofollow, noarchive"}
_DONE = {
    "revoked": "Taken back. The link opens nothing any more.",
    "made_before": "This form has made its link already. It was shown once; make another one if you lost it.",
}


@reading("/w/{workspace:str}/d/{domain:str}/reports/{report:str}/share")
async def sharing(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], report: FromPath[str], done: FromQuery[str] = ""
) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    return await _page(place, await _find(place, report), done=_DONE.get(done))


@acting("/w/{workspace:str}/d/{domain:str}/reports/{report:str}/share")
async def make_link(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], report: FromPath[str]
) -> Response[str]:
    """The answer to this form is the only page that ever shows the link. Sent again, it makes no other."""
    place = await _enter_to_act(request, workspace, domain)
    found, form = await _find(place, report), await read_form(request)
    days = int(form.text("days")) if form.text("days") in {str(each) for each in share.DAYS} else 0
    try:
        async with act_once(place, form) as once:
            if once.led_to:
                return go_to(once.led_to)
            async with place.visit.app_context.db.transaction() as tx:
                made = await share.share_report(tx, place.actor, found.domain_id, found.id, days, now=place.visit.now)
                await once.settle(tx, f"{_share_path(place, found)}?done=made_before")
    except Problem as problem:
        return await _page(place, found, problem=problem)
    link = place.visit.app_context.settings.public_url.rstrip("/") + shared_report_path(made.token)
    return await _page(place, found, link=link, expires_at=made.share.expires_at)


@acting("/w/{workspace:str}/d/{domain:str}/reports/{report:str}/share/{link:str}/revoke")
async def take_back(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], report: FromPath[str], link: FromPath[str]
) -> Response[str]:
    place = await _enter_to_act(request, workspace, domain)
    found = await _find(place, report)
    async with place.visit.app_context.db.transaction() as tx:
        await share.revoke_share(tx, place.actor, found.domain_id, found.id, parse_id(link), now=place.visit.now)
    return go_to(f"{_share_path(place, found)}?done=revoked")


@reading("/shared/reports/{token:str}")
async def shared(request: Asked, token: FromPath[str]) -> Response[Any]:
    """For whoever holds the link, signed in or not. Nothing here leads to anything else of the workspace."""
    app_context = request.app.state.app_context
    try:
        found = await share.open_shared(app_context.db, token.removesuffix(".pdf"), now=app_context.clock())
    except Problem:
        gone = page(render("shared_away.html"), status=404, cache="no-store")
        gone.headers.update(_UNLISTED)
        return gone
    domain = await find_tracked_domain(app_context.db, found.workspace_id, found.domain_id)
    name = domain.domain if domain else "report"
    return await serve_report(app_context.db, found, name, as_pdf=token.endswith(".pdf"), headers=_UNLISTED)


async def _enter_to_act(request: Asked, workspace: str, domain: str) -> Place:
    require_own_form(request)
    place = await enter_domain(request, workspace, domain)
    require_role(place.actor, Role.EDITOR)
    return place


async def _find(place: Place, report: str) -> ReportRow:
    assert place.domain is not None
    return await read.read_report(
        place.visit.app_context.db, place.actor.workspace_id, place.domain.id, parse_id(report)
    )


def _share_path(place: Place, report: ReportRow) -> str:
    return place.path("reports", str(report.id), "share")


async def _page(
    place: Place, report: ReportRow, *, done: str | None = None, problem: Problem | None = None, **context: object
) -> Response[str]:
    assert place.domain is not None
    return show(
        place,
        "app/share.html",
        status=problem.kind.status if problem else 200,
        here="reports",
        title="Share a report",
        report=report,
        shares=await share.list_shares(place.visit.app_context.db, report, now=place.visit.now),
        spans=share.DAYS,
        token=make_token(),
        done=done,
        faults=say_problem(problem),
        say_time=say_time,
        freshness=say_freshness(place.domain, place.visit.now),
        **({"link": None, "expires_at": None} | context),
    )


PAGES = (sharing, make_link, take_back, shared)
