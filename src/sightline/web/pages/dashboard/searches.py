"""What the platforms searched for to answer each prompt, and tracking such a search as a prompt."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.dates import format_period
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.prompts.imports.near_duplicates import find_near_duplicates
from sightline.prompts.queries import list_tracked_prompts
from sightline.prompts.read import read_prompt
from sightline.prompts.track_search import track_search
from sightline.scoreboard.answer_list.read import select_answers
from sightline.scoreboard.answer_list.searches import PlatformSearch, list_searches
from sightline.scoreboard.subsets.filter import select_period
from sightline.web.filter_bar import open_filter_bar
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.prompts import read_room
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect

_PAGE_SIZE = 20
_SHADES = ("third", "later", "unranked")
_OWN_FIELDS = ("prompt",)
_DONE_TEXTS = {"tracked": translatable("The search is now a pinned prompt. It is asked from the next check on.")}


@page("/w/{workspace}/d/{domain}/searches")
async def searches_page(request: PageRequest, workspace: str, domain: str) -> Response:
    """List searches by prompt, those of the newest check first, with the platforms and the cited sites."""
    return await _render(request, await open_domain(request, workspace, domain))


@form_action("/w/{workspace}/d/{domain}/searches/track")
async def track_search_from_form(request: PageRequest, workspace: str, domain: str) -> Response:
    """Pin a prompt with the text of the search. Sending the form twice changes nothing."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    form = await request.form()
    prompt_id, search = parse_id(str(form.get("prompt_id", ""))), str(form.get("search", ""))
    try:
        async with ctx.db.transaction() as tx:
            answered = await read_prompt(tx, ctx.actor.workspace_id, ctx.domain.id, prompt_id)
            await track_search(tx, ctx.actor.workspace_id, answered, search, ctx.app_context.plans, now=ctx.now)
    except Problem as problem:
        if problem.kind.status == 404:
            raise
        return await _render(request, ctx, problem)
    bar = await open_filter_bar(request, ctx, "searches", keep=_OWN_FIELDS)
    return redirect(f"{bar.path}{bar.query(done='tracked')}")


async def _render(request: PageRequest, ctx: PageContext, problem: Problem | None = None) -> Response:
    assert ctx.domain is not None
    db, at = ctx.db, (ctx.actor.workspace_id, ctx.domain.id)
    bar = await open_filter_bar(request, ctx, "searches", keep=_OWN_FIELDS)
    if bar.filter.against:
        bar = bar.with_notes(gettext("Searches are not compared with another check."))
    prompt = bar.kept.get("prompt", "")
    counted = msgspec.structs.replace(select_period(bar.filter, ctx.now), prompt=prompt)
    period = bar.filter.find_period(ctx.now)
    paging = read_list_paging(request, ctx, "searches", **counted.values)
    selection = await select_answers(db, ctx.actor.workspace_id, ctx.domain, counted, None)
    found = await list_searches(db, selection, after=paging.after, page_size=_PAGE_SIZE)
    tracked = [each.prompt for each in await list_tracked_prompts(db, *at)]
    return render_page(
        ctx,
        "app/searches.html",
        section="searches",
        title=gettext("Searches"),
        bar=bar,
        prompt=prompt,
        counted=counted.values,
        dates=format_period(period.start, period.end - timedelta(seconds=1)),
        rows=found.rows,
        columns=[(key, platform_name(key), short_platform_name(key)) for key in _list_platforms(found.rows)],
        counts_of=lambda row: {each.name: each.answers for each in row.platforms},
        shade=_find_shade,
        similar=_find_similar([row.search for row in found.rows], tracked),
        room=await read_room(ctx),
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        up="" if problem is None else "../",
        done=choose_text(_DONE_TEXTS, request.query_params.get("done", "")),
        problem=problem,
    )


def _list_platforms(rows: Sequence[PlatformSearch]) -> list[str]:
    """Return the platforms that made any of the searches, in the order of the catalog."""
    asked = {each.name for row in rows for each in row.platforms}
    return [each.key for each in PLATFORMS if each.key in asked]


def _find_shade(number: int, row: PlatformSearch) -> str:
    """Return the color of a square: the darker, the more of the search's answers are of this platform."""
    most = max(each.answers for each in row.platforms)
    return _SHADES[min(len(_SHADES) - 1, int(len(_SHADES) * (1 - number / most)))]


def _find_similar(searches: Sequence[str], tracked: Sequence[str]) -> dict[str, str]:
    """Return for each search a tracked prompt that is worded almost the same."""
    known = set(tracked)
    return {text: other for text, other in find_near_duplicates(searches, tracked).items() if other in known}
