"""Prompts where competitors are named, people ask, and the answer can be won."""

from litestar import Response
from litestar.params import FromPath

from sightline.insights import read
from sightline.reports.weekly.sayings import say_country
from sightline.web.frame import reading, show
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.proofs import link_proofs
from sightline.web.pages.dashboard.words import say_freshness
from sightline.web.paging import page_through
from sightline.web.visits import Asked

_PAGE = 25


@reading("/w/{workspace:str}/d/{domain:str}/opportunities")
async def opportunities(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    db, workspace_id, domain_id = place.visit.app_context.db, place.actor.workspace_id, place.domain.id
    paging = page_through(request, place, "opportunities")
    rows = await read.list_opportunities(db, workspace_id, domain_id, after=paging.after, page_size=_PAGE)
    scan_id = await read.find_scan_of_opportunities(db, workspace_id, domain_id)
    answers = [[(scan_id, answer_id) for answer_id in row.answer_ids] if scan_id else [] for row in rows.rows]
    return show(
        place,
        "app/opportunities.html",
        here="opportunities",
        title="Opportunities",
        rows=list(zip(rows.rows, await link_proofs(place, answers), strict=True)),
        next_cursor=paging.next_cursor(rows),
        is_first=paging.is_first,
        say_country=say_country,
        freshness=say_freshness(place.domain, place.visit.now),
    )


PAGES = (opportunities,)
