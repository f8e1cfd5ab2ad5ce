"""What to do, the answers that prove it, and what somebody has done."""

from collections.abc import Sequence

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.db.keyset import cut_page
from sightline.errors import Problem
from sightline.insights.recommendation_tasks import Task, mark_done, read_tasks, undo_mark
from sightline.insights.schemas import Recommendation
from sightline.reports.weekly.sayings import TASKS, say_country
from sightline.reports.words import platform_name
from sightline.web.frame import Place, acting, go_to, reading, show
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.proofs import link_proofs
from sightline.web.pages.dashboard.words import say_freshness, say_time
from sightline.web.paging import page_through
from sightline.web.visits import Asked, require_own_form, require_role

_PAGE = 25
_DONE = {
    "done": "Marked as done. It stays so when the next Full Check finds it again.",
    "undo": "It is open again.",
}


@reading("/w/{workspace:str}/d/{domain:str}/recommendations")
async def recommendations(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], done: FromQuery[str] = ""
) -> Response[str]:
    """Open tasks page by page; what is done stands below the last of them."""
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    paging = page_through(request, place, "recommendations")
    found = await read_tasks(place.visit.app_context.db, place.actor.workspace_id, place.domain.id)
    passed = -1 if paging.after is None else int(paging.after[0])
    left = [task for task in found.open if task.place > passed]
    shown = cut_page(left[: _PAGE + 1], _PAGE, lambda task: (str(task.place),))
    return show(
        place,
        "app/recommendations.html",
        here="recommendations",
        title="Recommendations",
        rows=await _tell(place, shown.rows),
        done_rows=[] if shown.next_key else await _tell(place, found.done),
        first=len(found.open) - len(left) + 1,
        is_checked=found.is_drawn,
        next_cursor=paging.next_cursor(shown),
        is_first=paging.is_first,
        say_time=say_time,
        done=_DONE.get(done),
        freshness=say_freshness(place.domain, place.visit.now),
    )


@acting("/w/{workspace:str}/d/{domain:str}/recommendations/{task:str}/{step:str}")
async def decide(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], task: FromPath[str], step: FromPath[str]
) -> Response[str]:
    """Done, or not done after all. Sent twice, it is done once."""
    require_own_form(request)
    place = await enter_domain(request, workspace, domain)
    require_role(place.actor, Role.EDITOR)
    assert place.domain is not None
    async with place.visit.app_context.db.transaction() as tx:
        if step == "done":
            await mark_done(tx, place.actor, place.domain.id, task, now=place.visit.now)
        elif step == "undo":
            await undo_mark(tx, place.actor, place.domain.id, task)
        else:
            raise Problem("not_found")
    return go_to(f"{place.path('recommendations')}?done={step}")


async def _tell(place: Place, tasks: Sequence[Task]) -> list[tuple[object, ...]]:
    assert place.domain is not None
    rows = [task.recommendation for task in tasks]
    proofs = await link_proofs(place, [[(answer.scan_id, answer.answer_id) for answer in row.answers] for row in rows])
    said = [say_task(row, place.domain.brand_name) for row in rows]
    return list(zip(tasks, said, proofs, strict=True))


def say_task(row: Recommendation, brand: str) -> tuple[str, str]:
    """What to do, and what was seen: in the words of the weekly report."""
    action, reason = TASKS[row.kind]
    subject = row.subject or ""
    if row.kind == "platform_access":
        subject = platform_name(subject)
    elif row.kind == "local_page":
        subject = say_country(row.subject)
    return action.format(subject=subject, brand=brand), reason.format(subject=subject, brand=brand)


PAGES = (recommendations, decide)
