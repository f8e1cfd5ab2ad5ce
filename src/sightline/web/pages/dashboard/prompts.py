"""The prompts of a domain as a map: read, search, pin, remove, add, and decide about what is proposed."""

import msgspec
from litestar import Response
from litestar.params import FromPath

from sightline.errors import Problem
from sightline.prompts.read import list_prompts, read_prompt_usage
from sightline.prompts.suggestions.review import list_suggestions
from sightline.reports.words import platform_name, short_platform_name
from sightline.scoreboard.analytics import read_scoreboard
from sightline.scoreboard.schemas import Board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.prompt_list import (
    FILTERS,
    PAGE,
    SORTS,
    View,
    choose_lines,
    make_lines,
    read_view,
)
from sightline.web.pages.dashboard.strips import LEGEND
from sightline.web.pages.dashboard.words import say_freshness, say_time
from sightline.web.routing import page

_MOST = 5_000
_MOST_SUGGESTED = 10
_read_board = msgspec.json.Decoder(Board).decode
DONE = {
    "added": "The prompt is tracked from the next check on.",
    "pinned": "Pinned: every Daily Check asks it, too.",
    "unpinned": "Unpinned. It is tracked as before.",
    "removed": "Removed. What was measured stays in history; the same text, added again, brings it back.",
    "accepted": "Accepted: it is tracked from the next check on.",
    "dismissed": "Dismissed. It will not be proposed again.",
}


@page("/w/{workspace:str}/d/{domain:str}/prompts")
async def prompts(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    ctx = await open_domain(request, workspace, domain)
    done = DONE.get(request.query_params.get("done", ""))
    return await show_prompts(ctx, read_view(request.query_params), done=done)


async def show_prompts(
    ctx: PageContext,
    view: View,
    *,
    done: str | None = None,
    problem: Problem | None = None,
    up: str = "",
    given: dict[str, str] | None = None,
) -> Response[str]:
    """`up` leads from the address of a form that was refused to the domain's; `given` is what was typed there."""
    assert ctx.domain is not None
    db, actor, domain, now = ctx.db, ctx.actor, ctx.domain, ctx.now
    found = await read_scoreboard(db, actor, domain, now=now)
    board = {row.prompt_id: row for row in _read_board(found.board).prompts}
    platforms = list(dict.fromkeys(cell.platform for row in board.values() for cell in row.cells)) or domain.platforms
    rows = await list_prompts(db, actor.workspace_id, domain.id, after=None, page_size=_MOST)
    lines = make_lines(rows.rows, board, platforms, now)
    chosen = choose_lines(lines, view)
    pages = max(1, -(-len(chosen) // PAGE))
    view = msgspec.structs.replace(view, page=min(view.page, pages))
    return render_page(
        ctx,
        "app/prompts.html",
        section="prompts",
        title="Prompts",
        freshness=say_freshness(domain, ctx.now),
        lines=chosen[(view.page - 1) * PAGE : view.page * PAGE],
        total=len(lines),
        found=len(chosen),
        pages=pages,
        view=view,
        filters=[(key, words) for key, (words, _) in FILTERS.items()],
        sorts=[(key, words) for key, (words, _, _) in SORTS.items()],
        platforms=[(platform_name(key), short_platform_name(key)) for key in platforms],
        legend=LEGEND,
        room=await read_prompt_usage(db, actor.workspace_id, domain.id, actor.plan, ctx.app_context.plans),
        suggestions=await list_suggestions(db, actor.workspace_id, domain.id, limit=_MOST_SUGGESTED),
        say_time=say_time,
        done=done,
        problem=problem,
        status=200 if problem is None else problem.kind.status,
        up=up,
        given=given or {},
    )


PAGES = (prompts,)
