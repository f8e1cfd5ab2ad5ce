"""Recommended actions with the answers behind them, open and done."""

from collections.abc import Sequence
from typing import NamedTuple

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.db.keyset import cut_page
from sightline.errors import Problem
from sightline.insights.recommendation_tasks import MAX_SHOWN, RecommendationTask, mark_done, mark_open, read_tasks
from sightline.insights.schemas import Recommendation, to_recommendation
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.dashboard.evidence_links import EvidenceLinks, link_evidence
from sightline.web.pages.dashboard.freshness import describe_freshness
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect

_PAGE_SIZE = 25
_DONE_TEXTS = {
    "done": "Marked as done. It stays so when the next Full Check finds it again.",
    "undo": "It is open again.",
}


class ActionRow(NamedTuple):
    task: RecommendationTask
    row: Recommendation
    evidence: EvidenceLinks


@page("/w/{workspace:str}/d/{domain:str}/recommendations")
async def recommendations_page(
    request: PageRequest,
    workspace: FromPath[str],
    domain: FromPath[str],
    done: FromQuery[str] = "",
    show: FromQuery[str] = "",
) -> Response[str]:
    """List the open actions: the first twelve, or with `show=all` all of them page by page. Below are the done ones."""
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    show_all = show == "all"
    paging = read_list_paging(request, ctx, "recommendations", show="all" if show_all else "")
    found = await read_tasks(ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    passed = 0 if paging.after is None else int(paging.after[0])
    left = [task for task in found.open if task.rank > passed]
    size = _PAGE_SIZE if show_all else MAX_SHOWN
    shown = cut_page(left[: size + 1], size, lambda task: (str(task.rank),))
    is_last = not show_all or shown.next_key is None
    return render_page(
        ctx,
        "app/recommendations.html",
        section="recommendations",
        title="Recommendations",
        rows=await _describe(ctx, shown.rows),
        done_rows=await _describe(ctx, found.done) if is_last else [],
        total=len(found.open),
        first=len(found.open) - len(left) + 1,
        most=max((task.found.expected.high for task in found.rows if task.found.expected), default=0),
        is_checked=found.is_generated,
        show_all=show_all,
        next_cursor=paging.next_cursor(shown) if show_all else None,
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


async def _describe(ctx: PageContext, tasks: Sequence[RecommendationTask]) -> list[ActionRow]:
    assert ctx.domain is not None
    rows = [to_recommendation(task, ctx.domain.brand_name) for task in tasks]
    evidence = await link_evidence(
        ctx, [[(answer.scan_id, answer.answer_id) for answer in row.answers] for row in rows]
    )
    return [ActionRow(*each) for each in zip(tasks, rows, evidence, strict=True)]


PAGES = (recommendations_page, mark_task)
