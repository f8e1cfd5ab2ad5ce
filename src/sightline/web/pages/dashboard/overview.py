"""The Overview of a domain: verdict, league, chart, map, one real sentence, and what to do next."""

import asyncio
from collections.abc import Sequence

from starlette.responses import Response

from sightline.domains.models import TrackedDomainRow
from sightline.domains.recomputations.queries import read_recomputation
from sightline.insights.alerts.schemas import Alert
from sightline.insights.alerts.states import AlertState
from sightline.insights.findings.chips import find_movers
from sightline.insights.findings.read import Story, read_story, tell_story
from sightline.insights.read import list_alerts
from sightline.insights.recommendations.done_actions import list_watched_actions
from sightline.insights.recommendations.schemas import to_recommendation
from sightline.insights.recommendations.tasks import put_headline_first, read_tasks
from sightline.kit.clock import to_iso
from sightline.presentation.effects import format_expected
from sightline.presentation.language import gettext
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.quote import read_quote
from sightline.scoreboard.answer_list.schemas import ListedAnswer
from sightline.scoreboard.completed_scans import uncited_platforms
from sightline.scoreboard.history.queries import list_imported_weeks
from sightline.scoreboard.history.trend import read_trend, read_trend_points
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.scoreboard.subsets.trend import PartPoint, read_part_trend
from sightline.web.filter_bar import open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.answers import find_brand_classes
from sightline.web.pages.dashboard.evidence_links import link_competitors
from sightline.web.pages.dashboard.first_check import offer_competitors, read_first_check
from sightline.web.pages.dashboard.overview_charts import (
    OverviewData,
    explain_missing_trend,
    is_stored,
    list_pins,
    render_trend,
)
from sightline.web.pages.dashboard.overview_view import OverviewView, build_view
from sightline.web.pages.dashboard.page_league import METRICS, build_page_league
from sightline.web.pages.dashboard.prompt_map import build_map, read_map_changes
from sightline.web.pages.dashboard.skipped_checks import find_unavailable
from sightline.web.pages.dashboard.verdict import build_verdict
from sightline.web.pages.dashboard.what_changed import describe_changes
from sightline.web.routing import page

_MAX_TASKS = 3
_MAX_ALERTS = 100
_MAX_ACTIONS = 20
_MAX_PROMPTS = 8
_SHOWN_STATES = frozenset({AlertState.CONFIRMED, AlertState.RESOLVED})


@page("/w/{workspace}/d/{domain}")
async def overview_page(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    params = request.query_params
    bar = await open_filter_bar(request, ctx, keep=("metric", "day"))
    view = build_view(params.get("metric", ""), params.get("day", ""), bar, ctx.now)
    shown, board_bar = await read_bar_board(ctx, view.board_bar)
    story = await _read_story(ctx, ctx.domain, shown)
    data = await _read_charted(ctx, ctx.domain, shown, view, story)
    changes = await read_map_changes(ctx, shown)
    open_tasks = (await read_tasks(ctx.db, ctx.actor.workspace_id, ctx.domain.id)).open
    tasks = put_headline_first(open_tasks, story.findings if story else ())
    return render_page(
        ctx,
        "app/overview.html",
        section="overview",
        title=ctx.domain.brand_name,
        first_check=await read_first_check(ctx),
        offered=await offer_competitors(ctx, None if shown.scan is None else shown.scan.id),
        recompute=await read_recomputation(ctx.db, ctx.actor.workspace_id, ctx.domain.id),
        unavailable=await find_unavailable(ctx),
        bar=bar.with_notes(*board_bar.notes),
        shown=shown,
        view=view,
        metrics=[(key, gettext(words)) for key, words in METRICS.items()],
        verdict=build_verdict(ctx, shown, story),
        changed=describe_changes(ctx, story),
        league=build_page_league(shown, story, view.metric),
        competitor_paths=await link_competitors(ctx, shown.board.competitors),
        trend=data.trend,
        checks=data.checks,
        chart=await asyncio.to_thread(render_trend, data),
        line_notes=data.list_line_notes(),
        missing_trend=explain_missing_trend(data),
        has_alert_pins=any(pin.is_alert for pin in data.pins),
        map=build_map(shown, changes, limit=_MAX_PROMPTS),
        quote=await _read_quote(ctx, shown),
        css_classes=await find_brand_classes(ctx),
        tasks=[to_recommendation(task, ctx.domain.brand_name) for task in tasks[:_MAX_TASKS]],
        open_tasks=len(tasks),
        format_effect=format_expected,
    )


async def _read_story(ctx: PageContext, domain: TrackedDomainRow, shown: FilteredBoard) -> Story | None:
    """Return the story of the Full Check that is shown, without alerts that came after an earlier one."""
    if shown.scan is None:
        return None
    story = await read_story(ctx.db, shown.scan, domain.brand_name)
    if not shown.is_past or shown.scan.completed_at is None:
        return story
    until = to_iso(shown.scan.completed_at)
    return tell_story(story.changes, [each for each in story.findings if each.since <= until], domain.brand_name)


async def _read_quote(ctx: PageContext, shown: FilteredBoard) -> ListedAnswer | None:
    assert ctx.domain is not None
    if shown.scan is None or shown.is_expired:
        return None
    counted = AnswerFilter(**{**shown.answer_fields, "counted": "headline"})
    return await read_quote(ctx.db, ctx.actor.workspace_id, ctx.domain, counted)


async def _read_charted(
    ctx: PageContext, domain: TrackedDomainRow, shown: FilteredBoard, view: OverviewView, story: Story | None
) -> OverviewData:
    """Read what the chart shows: the checks of the period, for the part of the answers that the filter selects."""
    db, known, scan = ctx.db, (ctx.actor.workspace_id, domain.id), shown.scan
    data = OverviewData(brand=domain.brand_name, view=view, board=shown.board)
    if scan is None:
        return data
    since = view.period.start
    part: Sequence[PartPoint] = ()
    if view.is_filtered and not is_stored(view.filter):
        uncited = uncited_platforms(ctx.app_context.settings)
        part = await read_part_trend(db, scan, view.filter, view.period, uncited=uncited)
    past = view.filter_checks(await read_trend(db, *known, scan.answers_source, since=since))
    actions = await list_watched_actions(db, *known, scan_id=scan.id, until=ctx.now, limit=_MAX_ACTIONS)
    return OverviewData(
        brand=domain.brand_name,
        view=view,
        board=shown.board,
        points=view.filter_points(await read_trend_points(db, *known, scan.answers_source, since=since)),
        past=past,
        imported=view.filter_weeks(await list_imported_weeks(db, *known)),
        part=part,
        movers=frozenset() if story is None else find_movers(story.findings),
        pins=list_pins(past, await _list_alerts(ctx, domain), actions, view.period, brand=domain.brand_name),
    )


async def _list_alerts(ctx: PageContext, domain: TrackedDomainRow) -> Sequence[Alert]:
    page = await list_alerts(
        ctx.db,
        ctx.actor.workspace_id,
        domain.id,
        domain.brand_name,
        after=None,
        page_size=_MAX_ALERTS,
        states=_SHOWN_STATES,
    )
    return page.rows
