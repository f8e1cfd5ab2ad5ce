"""The domains of a workspace, one row each: what changed, alerts and the next check. Those that changed come first."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

import msgspec
from markupsafe import Markup
from starlette.responses import Response

from sightline.domains.models import TrackedDomainRow
from sightline.insights.alerts.states import AlertState
from sightline.insights.findings.chips import FindingChip, build_chip, find_surest
from sightline.insights.findings.read import read_story
from sightline.insights.read import count_alerts
from sightline.metrics.period_change import Tier
from sightline.onboarding.demo.load import may_load_demo
from sightline.presentation.charts.small_charts import draw_sparkline
from sightline.presentation.dates import format_near_datetime
from sightline.presentation.language import gettext, ngettext
from sightline.scoreboard.history.trend import list_surface_breaks, read_trend_points
from sightline.scoreboard.read import read_scoreboard
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.routing import page

_PERIOD = timedelta(weeks=12)
_ORDER: Sequence[Tier] = ("clear", "watch", "rest")


class DomainLine(msgspec.Struct, frozen=True, kw_only=True):
    """A row. `tier` is that of its most important finding; None where there is nothing to compare yet."""

    domain: TrackedDomainRow
    path: str
    trend: Markup = Markup("")
    tier: Tier | None = None
    chip: FindingChip | None = None
    alerts: int = 0
    next_check: str = ""


@page("/w/{workspace}")
async def home_page(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace)
    lines = [await _read_line(ctx, each) for each in ctx.domains]
    lines.sort(key=lambda line: len(_ORDER) if line.tier is None else _ORDER.index(line.tier))
    headline, more = _summarize(lines)
    return render_page(
        ctx,
        "app/home.html",
        section="domains",
        title=gettext("Domains"),
        lines=lines,
        headline=headline,
        more=more,
        may_load_demo=not ctx.domains and await may_load_demo(ctx.db, ctx.app_context.settings, ctx.actor),
    )


async def _read_line(ctx: PageContext, domain: TrackedDomainRow) -> DomainLine:
    db, workspace_id = ctx.db, ctx.actor.workspace_id
    is_new = domain.status == "setup" and ctx.may_edit
    line = DomainLine(
        domain=domain,
        path=f"{ctx.path('new')}?domain={domain.id}" if is_new else ctx._replace(domain=domain).path(),
        next_check="" if domain.next_check_at is None else format_near_datetime(domain.next_check_at, ctx.now),
    )
    scan = (await read_scoreboard(db, workspace_id, domain)).scan
    if scan is None:
        return line
    points = await read_trend_points(db, workspace_id, domain.id, scan.answers_source, since=ctx.now - _PERIOD)
    breaks = list_surface_breaks(points)
    values = [
        point.visibility_score.value
        for point in points
        if (not breaks or point.completed_at >= breaks[-1].at)
        and point.scope != "daily_check"
        and point.visibility_score.value is not None
    ]
    story = await read_story(db, scan, domain.brand_name)
    first = find_surest(story.findings)
    return msgspec.structs.replace(
        line,
        trend=draw_sparkline(values),
        tier="rest" if first is None and story.changes is not None else first and first.tier,
        chip=first and build_chip(first),
        alerts=(await count_alerts(db, workspace_id, domain.id)).get(AlertState.CONFIRMED, 0),
    )


def _summarize(lines: Sequence[DomainLine]) -> tuple[str, str]:
    """Say how many domains changed, and how many may have or did not; empty before there is something to compare."""
    tiers = Counter(line.tier for line in lines if line.tier is not None)
    if not tiers:
        return "", ""
    total, clear = len(lines), tiers["clear"]
    headline = (
        ngettext(
            "%(clear)s of %(num)s domain with a clear change",
            "%(clear)s of %(num)s domains with a clear change",
            total,
            clear=clear,
        )
        if clear
        else gettext("No domain has a clear change")
    )
    watched, quiet = tiers["watch"], total - clear - tiers["watch"]
    more = []
    if watched:
        more.append(ngettext("%(num)s is worth watching.", "%(num)s are worth watching.", watched))
    if quiet:
        more.append(ngettext("%(num)s is quiet.", "%(num)s are quiet.", quiet))
    return headline, " ".join(more)


PAGES = (home_page,)
