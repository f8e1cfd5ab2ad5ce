"""The list of domains, and the overview of one: its figures, trend, competitors, sources, alerts and tasks."""

import asyncio
from collections.abc import Sequence

from starlette.responses import Response

from sightline.competitors.display_order import assign_display_order
from sightline.domains.models import TrackedDomainRow
from sightline.insights.alerts.mute import find_muted, list_mutes
from sightline.insights.alerts.schemas import Alert
from sightline.insights.alerts.states import AlertState
from sightline.insights.read import list_alerts
from sightline.insights.recommendations.schemas import to_recommendation
from sightline.insights.recommendations.tasks import read_tasks
from sightline.metrics.figure import Figure
from sightline.onboarding.demo.load import may_load_demo
from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext
from sightline.presentation.metric_cards import build_metric_card
from sightline.presentation.phrases import METRIC_NAMES, describe_standing
from sightline.scans.schemas.results import Headline
from sightline.scans.stored import decode_measured
from sightline.scoreboard.completed_scans import uncited_platforms
from sightline.scoreboard.history.trend import PastFullCheck, read_trend, read_trend_points
from sightline.scoreboard.schemas import Board, ComparedFigure, ComparedHeadline, TrendPoint
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.scoreboard.subsets.trend import PartPoint, read_part_trend
from sightline.web.filter_bar import describe_part, open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.evidence_links import link_competitors
from sightline.web.pages.dashboard.first_check import read_first_check
from sightline.web.pages.dashboard.first_week import read_first_week_part
from sightline.web.pages.dashboard.freshness import describe_freshness
from sightline.web.pages.dashboard.overview_charts import OverviewData, describe_omissions, render_charts
from sightline.web.pages.dashboard.overview_parts import list_competitor_rows, list_source_types
from sightline.web.pages.dashboard.overview_view import OverviewView, build_view
from sightline.web.pages.dashboard.skipped_checks import find_unavailable
from sightline.web.pages.dashboard.what_changed import read_what_changed
from sightline.web.routing import page

_CARD_METRICS = ("visibility_score", "brand_coverage_pct", "ai_mentions", "share_of_voice_pct", "market_position")
_MAX_TASKS = 3
_MAX_ALERTS = 100
_OPEN_STATES = frozenset({AlertState.WATCH, AlertState.CONFIRMED})
_SHOWN_STATES = _OPEN_STATES | {AlertState.RESOLVED}


@page("/w/{workspace}")
async def domains_page(request: PageRequest, workspace: str) -> Response:
    """List the domains of a workspace, each with the figures of its scoreboard."""
    ctx = await open_workspace(request, workspace)
    app_context, now = ctx.app_context, ctx.now
    return render_page(
        ctx,
        "app/domains.html",
        section="domains",
        title=gettext("Domains"),
        describe_freshness=lambda each: describe_freshness(each, now),
        may_load_demo=not ctx.domains and await may_load_demo(app_context.db, app_context.settings, ctx.actor),
    )


@page("/w/{workspace}/d/{domain}")
async def overview_page(request: PageRequest, workspace: str, domain: str) -> Response:
    return await _render_overview(request, await open_domain(request, workspace, domain))


async def _render_overview(request: PageRequest, ctx: PageContext) -> Response:
    domain = ctx.domain
    assert domain is not None
    db, actor, brand, now = ctx.db, ctx.actor, domain.brand_name, ctx.now
    scope = (actor.workspace_id, domain.id)
    shown, bar = await read_bar_board(ctx, await open_filter_bar(request, ctx, keep=("metric",)))
    board, view = shown.board, build_view(request.query_params.get("metric", ""), bar, now)
    alerts = (await list_alerts(db, *scope, brand, after=None, page_size=_MAX_ALERTS, states=_SHOWN_STATES)).rows
    tasks = (await read_tasks(db, *scope)).open[:_MAX_TASKS]
    muted = find_muted(alerts, await list_mutes(db, *scope))
    data = await _read_charted(ctx, domain, shown, view, alerts)
    is_whole = not (view.is_filtered or bar.filter.against)
    return render_page(
        ctx,
        "app/overview.html",
        section="overview",
        title=brand,
        first_week=await read_first_week_part(ctx),
        first_check=await read_first_check(ctx),
        unavailable=await find_unavailable(ctx),
        freshness=describe_freshness(domain, now),
        board=board,
        bar=bar,
        shown=shown,
        view=view,
        changed=await read_what_changed(ctx, domain, shown),
        standing=_describe_standing(brand, board, view) if shown.scan else None,
        cards=[_build_card(board.headline, domain.brand_name, key) for key in _CARD_METRICS],
        headline=board.headline,
        base_id=None if shown.scan is None else str(shown.scan.id),
        checks=data.checks,
        trend=data.trend,
        charts=await asyncio.to_thread(render_charts, data),
        chosen_name=gettext(METRIC_NAMES[view.metric]),
        omissions=describe_omissions(data),
        rivals=list_competitor_rows(board, data.past if is_whole else ()),
        competitor_paths=await link_competitors(ctx, board.competitors),
        sources=list_source_types(board.sources),
        alerts=[alert for alert in alerts if alert.state in _OPEN_STATES],
        muted=muted,
        tasks=[to_recommendation(task, brand) for task in tasks],
    )


async def _read_charted(
    ctx: PageContext, domain: TrackedDomainRow, shown: FilteredBoard, view: OverviewView, alerts: Sequence[Alert]
) -> OverviewData:
    """Read what the charts show: the checks of the period, for the part of the answers that the filter selects."""
    db, workspace_id, scan = ctx.db, ctx.actor.workspace_id, shown.scan
    known = (workspace_id, domain.id)
    since = view.period.start
    points: list[TrendPoint] = []
    past: list[PastFullCheck] = []
    part: list[PartPoint] = []
    if scan is not None:
        points = await read_trend_points(db, *known, scan.answers_source, since=since)
        past = await read_trend(db, *known, scan.answers_source, since=since)
        if view.is_filtered:
            uncited = uncited_platforms(ctx.app_context.settings)
            part = await read_part_trend(db, scan, view.filter, view.period, uncited=uncited)
    measured = decode_measured(scan.brand).competitors if scan else ()
    return OverviewData(
        brand=domain.brand_name,
        view=view,
        board=shown.board,
        points=view.filter_points(points),
        past=view.filter_checks(past),
        places=await assign_display_order(db, *known, measured),
        alerts=alerts,
        part=part,
    )


def _describe_standing(brand: str, board: Board, view: OverviewView) -> str:
    chosen = view.filter.part
    platform = platform_name(chosen["platform"]) if set(chosen) == {"platform"} else None
    standing = describe_standing(brand, board.headline, has_ranking=bool(board.competitors), platform=platform)
    part = "" if platform else describe_part(view.filter)
    return f"{part[:1].upper()}{part[1:]}: {standing}" if part else standing


def _build_card(headline: Headline | ComparedHeadline, brand: str, key: str) -> dict[str, object]:
    figure: Figure = getattr(headline, key)
    change = figure.comparison if isinstance(figure, ComparedFigure) else None
    return build_metric_card(key, figure, change, brand=brand, answers=headline.brand_coverage_pct.n)


PAGES = (domains_page, overview_page)
