"""What to do, and the answers that prove it."""

from litestar import Response
from litestar.params import FromPath

from sightline.insights.read import list_recommendations
from sightline.insights.shapes import Recommendation
from sightline.reports.weekly.sayings import TASKS, say_country
from sightline.reports.words import platform_name
from sightline.web.frame import reading, show
from sightline.web.pages.dashboard.paging import page_of
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.proofs import link_proofs
from sightline.web.pages.dashboard.words import say_freshness
from sightline.web.visits import Asked

_PAGE = 25


@reading("/w/{workspace:str}/d/{domain:str}/recommendations")
async def recommendations(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    paging = page_of(request, place, "recommendations")
    found = await list_recommendations(
        place.visit.wiring.db, place.actor.workspace_id, place.domain.id, after=paging.after, page_size=_PAGE
    )
    tasks = [row for row in found.rows if row.kind != "nothing_significant"]
    proofs = await link_proofs(place, [[(answer.scan_id, answer.answer_id) for answer in row.answers] for row in tasks])
    said = [say_task(row, place.domain.brand_name) for row in tasks]
    return show(
        place,
        "app/recommendations.html",
        here="recommendations",
        title="Recommendations",
        rows=list(zip(tasks, said, proofs, strict=True)),
        is_checked=bool(found.rows),
        next_cursor=paging.sign_next(found),
        is_first=paging.is_first,
        freshness=say_freshness(place.domain),
    )


def say_task(row: Recommendation, brand: str) -> tuple[str, str]:
    """What to do, and what was seen: in the words of the weekly report."""
    action, reason = TASKS[row.kind]
    subject = row.subject or ""
    if row.kind == "platform_access":
        subject = platform_name(subject)
    elif row.kind == "local_page":
        subject = say_country(row.subject)
    return action.format(subject=subject, brand=brand), reason.format(subject=subject, brand=brand)


PAGES = (recommendations,)
