"""The prompts of a domain: the table with search, filters and suggestions."""

import msgspec
from starlette.responses import Response

from sightline.errors import Problem
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.language import gettext
from sightline.presentation.ranges import describe_sample
from sightline.prompts.market_names import list_countries, list_languages
from sightline.prompts.read import PromptUsage, list_prompts, read_prompt_usage
from sightline.prompts.suggestions.origins import describe_origin
from sightline.prompts.suggestions.review import list_suggestions
from sightline.prompts.volumes.dataforseo import has_volume_source
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.scoreboard.tag_figures import measure_tags
from sightline.web.filter_bar import FilterBar, build_filter_bar, open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.done_with_prompts import describe_done
from sightline.web.pages.dashboard.prompt_list import (
    FILTERS,
    PAGE_SIZE,
    SORTS,
    PromptListQuery,
    build_rows,
    describe_change,
    describe_compared,
    read_query,
    select_rows,
)
from sightline.web.pages.dashboard.prompt_map import read_map_changes
from sightline.web.routing import page

_MAX_PROMPTS = 5_000
_MAX_SUGGESTIONS = 10
_KEPT = ("q", "show", "sort")


@page("/w/{workspace}/d/{domain}/prompts")
async def prompts_page(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    bar = await open_filter_bar(request, ctx, "prompts", keep=_KEPT)
    done = describe_done(request.query_params)
    return await render_prompts(ctx, read_query(request.query_params), bar=bar, done=done)


async def read_room(ctx: PageContext) -> PromptUsage:
    """Return how many prompts the plan has left. The prompts of all domains share its limit."""
    assert ctx.domain is not None
    limit = ctx.app_context.plans[ctx.actor.plan].tracked_prompts
    return await read_prompt_usage(ctx.db, ctx.actor.workspace_id, ctx.domain.id, max_prompts=limit)


async def render_prompts(
    ctx: PageContext,
    query: PromptListQuery,
    *,
    bar: FilterBar | None = None,
    done: str | None = None,
    problem: Problem | None = None,
    up: str = "",
) -> Response:
    """Render the table. After a refused form, `up` is the relative path to the prompts."""
    assert ctx.domain is not None
    db, actor, domain, now = ctx.db, ctx.actor, ctx.domain, ctx.now
    bar = bar or await build_filter_bar(ctx, query.values, "prompts", keep=_KEPT)
    query = msgspec.structs.replace(query, filter=bar.filter)
    shown, bar = await read_bar_board(ctx, bar)
    board = {row.prompt_id: row for row in shown.board.prompts}
    platforms = list(dict.fromkeys(cell.platform for row in board.values() for cell in row.cells)) or domain.platforms
    prompts = await list_prompts(db, actor.workspace_id, domain.id, after=None, page_size=_MAX_PROMPTS)
    changes = await read_map_changes(ctx, shown)
    table = build_rows(prompts.rows, board, platforms, changes, now)
    tagged = {row.id: row.tags for row in prompts.rows if row.tags and query.includes(row)}
    if bar.filter.tag:  # a prompt of two tags would be counted for the other one, too
        tagged = {prompt_id: [bar.filter.tag] for prompt_id in tagged}
    has_demand = has_volume_source(ctx.app_context.settings)
    selected = select_rows(table, query)
    pages = max(1, -(-len(selected) // PAGE_SIZE))
    query = msgspec.structs.replace(query, page=min(query.page, pages))
    return render_page(
        ctx,
        "app/prompts.html",
        section="prompts",
        title=gettext("Prompts"),
        bar=bar.with_notes(*_describe_columns(shown)),
        shown=shown,
        rows=selected[(query.page - 1) * PAGE_SIZE : query.page * PAGE_SIZE],
        total=len(table),
        measured=(measured := sum(row.answered > 0 for row in table)),
        sample=describe_sample(len(table)) if table and not measured and ctx.runs_checks else None,
        named=sum(row.named > 0 for row in table),
        found=len(selected),
        pages=pages,
        query=query,
        filters=[(key, words) for key, (words, _) in FILTERS.items()],
        sorts=[(key, words) for key, (words, _, _) in SORTS.items() if key != "demand" or has_demand],
        has_demand=has_demand,
        changes=changes,
        describe_change=describe_change,
        describe_compared=describe_compared,
        tag_figures=measure_tags(tagged, board.values()),
        platforms=[(platform_name(key), short_platform_name(key)) for key in platforms],
        has_markets=len({row.market for row in table}) > 1,
        countries=list_countries(),
        languages=list_languages(),
        room=await read_room(ctx),
        suggestions=[
            (each, describe_origin(each.origin, each.origin_subjects, each.origin_answers))
            for each in await list_suggestions(db, actor.workspace_id, domain.id, limit=_MAX_SUGGESTIONS)
        ],
        done=done,
        problem=problem,
        up=up,
    )


def _describe_columns(shown: FilteredBoard) -> list[str]:
    """Say which columns do not follow the filter."""
    if shown.filter.platform or shown.is_past:
        return [
            gettext("Sentiment, demand and last check do not follow the filter: they show all platforms, as of now.")
        ]
    return []
