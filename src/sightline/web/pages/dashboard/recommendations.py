"""Recommended tasks with the answers behind them, open and done."""

from collections.abc import Sequence

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.db.keyset import cut_page
from sightline.errors import Problem
from sightline.insights.recommendation_tasks import RecommendationTask, mark_done, mark_open, read_tasks
from sightline.insights.schemas import Recommendation
from sightline.platforms.names import platform_name
from sightline.presentation.phrases import RECOMMENDATION_PHRASES, country_name
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.dashboard.evidence_links import link_evidence
from sightline.web.pages.dashboard.freshness import describe_freshness
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect

_PAGE_SIZE = 25
_DONE_TEXTS = {
    "done": "Marked as done. It stays so when the next Full Check finds it again.",
    "undo": "It is open again.",
}


@page("/w/{workspace:str}/d/{domain:str}/recommendations")
async def recommendations_page(
    request: PageRequest, workspace: FromPath[str], domain: FromPath[str], done: FromQuery[str] = ""
) -> Response[str]:
    """List the open tasks page by page, and below the last page those that are done."""
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    paging = read_list_paging(request, ctx, "recommendations")
    found = await read_tasks(ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    passed = -1 if paging.after is None else int(paging.after[0])
    left = [task for task in found.open if task.place > passed]
    shown = cut_page(left[: _PAGE_SIZE + 1], _PAGE_SIZE, lambda task: (str(task.place),))
    return render_page(
        ctx,
        "app/recommendations.html",
        section="recommendations",
        title="Recommendations",
        rows=await _describe_tasks(ctx, shown.rows),
        done_rows=[] if shown.next_key else await _describe_tasks(ctx, found.done),
        first=len(found.open) - len(left) + 1,
        is_checked=found.is_generated,
        next_cursor=paging.next_cursor(shown),
        is_first=paging.is_first,
        done=_DONE_TEXTS.get(done),
        freshness=describe_freshness(ctx.domain, ctx.now),
    )


@form_action("/w/{workspace:str}/d/{domain:str}/recommendations/{task:str}/{step:str}")
async def mark_task(
    request: PageRequest, workspace: FromPath[str], domain: FromPath[str], task: FromPath[str], step: FromPath[str]
) -> Response[str]:
    """Mark a task as done or as open again. Sending the form twice changes nothing."""
    require_same_origin(request)
    ctx = await open_domain(request, workspace, domain)
    require_role(ctx.actor, Role.EDITOR)
    assert ctx.domain is not None
    async with ctx.db.transaction() as tx:
        if step == "done":
            await mark_done(tx, ctx.actor, ctx.domain.id, task, now=ctx.now)
        elif step == "undo":
            await mark_open(tx, ctx.actor, ctx.domain.id, task)
        else:
            raise Problem("not_found")
    return redirect(f"{ctx.path('recommendations')}?done={step}")


async def _describe_tasks(ctx: PageContext, tasks: Sequence[RecommendationTask]) -> list[tuple[object, ...]]:
    assert ctx.domain is not None
    rows = [task.recommendation for task in tasks]
    evidence = await link_evidence(
        ctx, [[(answer.scan_id, answer.answer_id) for answer in row.answers] for row in rows]
    )
    texts = [describe_task(row, ctx.domain.brand_name) for row in rows]
    return list(zip(tasks, texts, evidence, strict=True))


def describe_task(row: Recommendation, brand: str) -> tuple[str, str]:
    """Return what to do and why, in the words of the weekly report."""
    action, reason = RECOMMENDATION_PHRASES[row.kind]
    subject = row.subject or ""
    if row.kind == "platform_access":
        subject = platform_name(subject)
    elif row.kind == "local_page":
        subject = country_name(row.subject)
    return action.format(subject=subject, brand=brand), reason.format(subject=subject, brand=brand)


PAGES = (recommendations_page, mark_task)
