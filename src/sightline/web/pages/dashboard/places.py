"""From an address to a place in the dashboard: the workspace, the domain, and those beside it."""

from sightline.domains.tracked import list_tracked_domains, read_tracked_domain
from sightline.kit.ids import parse_id
from sightline.web.frame import Place
from sightline.web.visits import Asked, read_visit

_MOST_IN_SWITCHER = 50


async def enter_workspace(request: Asked, workspace: str) -> Place:
    visit = await read_visit(request)
    membership, actor = visit.enter(workspace)
    domains = await list_tracked_domains(visit.app_context.db, actor, after=None, page_size=_MOST_IN_SWITCHER)
    return Place(visit, membership, actor, None, domains.rows)


async def enter_domain(request: Asked, workspace: str, domain: str) -> Place:
    place = await enter_workspace(request, workspace)
    found = await read_tracked_domain(place.visit.app_context.db, place.actor, parse_id(domain))
    return place._replace(domain=found)
