"""One platform: how present the brand is there, how fast and how reliably it answers, and with which models."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import msgspec
from markupsafe import Markup
from starlette.responses import Response

from sightline.errors import Problem
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_period
from sightline.presentation.language import gettext
from sightline.presentation.metric_cards import build_metric_card
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import FAULT_PHRASES
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scoreboard.answer_list.platform_history import PlatformCheck, read_platform_history
from sightline.scoreboard.answer_list.read import select_answers
from sightline.scoreboard.history.trend import SurfaceBreak, read_surface_breaks
from sightline.scoreboard.schemas import Board, ComparedFigure
from sightline.scoreboard.subsets.filter import select_period
from sightline.web.filter_bar import FilterBar, describe_board, open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.heat_strips import Square, build_cell_square, build_legend
from sightline.web.pages.dashboard.share_charts import describe_breaks, render_share_trend
from sightline.web.routing import page

_MAX_CHECKS = 30
_MAX_PROMPTS = 50
_CARD_METRICS = ("brand_coverage_pct", "visibility_score", "citation_count")


@page("/w/{workspace}/d/{domain}/platforms/{platform}")
async def platform_page(request: PageRequest, workspace: str, domain: str, platform: str) -> Response:
    """Show one platform. Refused: one that the catalog does not have (404)."""
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    if platform not in {each.key for each in PLATFORMS}:
        raise Problem("not_found", "There is no such platform.")
    name, brand = platform_name(platform), ctx.domain.brand_name
    bar = _note_platform(await open_filter_bar(request, ctx, "platforms", platform), platform, name)
    wanted = msgspec.structs.replace(bar.filter, platform=platform)
    shown, _ = await read_bar_board(ctx, msgspec.structs.replace(bar, filter=wanted))
    counted, period = select_period(wanted, ctx.now), wanted.find_period(ctx.now)
    asked = msgspec.structs.replace(counted, status="any")
    selection = await select_answers(ctx.db, ctx.actor.workspace_id, ctx.domain, asked, None)
    history = await read_platform_history(ctx.db, selection)
    prompts = _list_prompts(shown.board, platform)
    breaks = await read_surface_breaks(ctx.db, shown.scan, since=period.start, platform=platform)
    return render_page(
        ctx,
        "app/platform.html",
        section="overview",
        title=name,
        bar=bar.with_notes(
            *describe_breaks(breaks), *shown.faults, *describe_board(msgspec.structs.replace(shown, filter=bar.filter))
        ),
        shown=shown,
        platform=platform,
        name=name,
        cards=[_build_card(shown.board, ctx.domain.brand_name, key) for key in _CARD_METRICS],
        history=history,
        counted=counted.values,
        dates=format_period(period.start, period.end - timedelta(seconds=1)),
        checks=history.checks[:_MAX_CHECKS],
        more_checks=max(0, len(history.checks) - _MAX_CHECKS),
        chart=await asyncio.to_thread(_render_chart, history.checks, brand, name, breaks),
        prompts=prompts[:_MAX_PROMPTS],
        more_prompts=max(0, len(prompts) - _MAX_PROMPTS),
        legend=build_legend(),
        scopes=SCOPE_LABELS,
        fault_words=FAULT_PHRASES,
        format_latency=_format_latency,
    )


def _note_platform(bar: FilterBar, platform: str, name: str) -> FilterBar:
    if bar.filter.platform in ("", platform):
        return bar
    return bar.with_notes(
        gettext("This page shows only %(platform)s, so the platform in the filter does not apply.", platform=name)
    )


def _build_card(board: Board, brand: str, key: str) -> dict[str, object]:
    figure: ComparedFigure = getattr(board.headline, key)
    answers = board.headline.brand_coverage_pct.n
    return build_metric_card(key, figure, figure.comparison, brand=brand, answers=answers) | {"figure": figure}


def _list_prompts(board: Board, platform: str) -> list[tuple[object, Square]]:
    """Return the prompts that the platform was asked, each with its square: where the brand is missing first."""
    cells = [(row, cell) for row in board.prompts for cell in row.cells if cell.platform == platform]
    order = {"absent": 0, "cited_only": 1, "named": 2}
    asked = [each for each in cells if each[1].state != "not_asked"]
    asked.sort(key=lambda each: (order.get(each[1].state, 3), -(each[1].position or 0)))
    return [(row, build_cell_square(cell)) for row, cell in asked]


def _render_chart(
    checks: Sequence[PlatformCheck], brand: str, name: str, breaks: Sequence[SurfaceBreak]
) -> Markup | None:
    """Return the chart of the presence over Full Checks, oldest first; None with fewer than two."""
    full = [each for each in reversed(checks) if each.scope == "full_check" and each.presence.value is not None]
    title = gettext("Share of answers of %(platform)s that name %(brand)s, over time", platform=name, brand=brand)
    return render_share_trend(title, brand, [(each.completed_at, each.presence) for each in full], breaks=breaks)


def _format_latency(milliseconds: float | None) -> str:
    if milliseconds is None:
        return gettext("not measured")
    if milliseconds >= 1000:
        return gettext("%(number)s s", number=format_number(milliseconds / 1000))
    return gettext("%(number)s ms", number=format_number(round(milliseconds)))
