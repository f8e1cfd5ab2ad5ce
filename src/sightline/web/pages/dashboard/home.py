"""The domains of a workspace, one row each: what changed, alerts and the next check. Those that changed come first."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

import msgspec
from markupsafe import Markup
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.clients.manage import list_clients_by_name
from sightline.domains.models import TrackedDomainRow
from sightline.insights.alerts.queries import count_confirmed_alerts
from sightline.insights.findings.chips import FindingChip, build_chip, find_surest
from sightline.insights.findings.read import Story, read_stories
from sightline.metrics.figure import Number
from sightline.metrics.period_change import Tier
from sightline.onboarding.demo.load import may_load_demo
from sightline.presentation.charts.small_charts import draw_sparkline
from sightline.presentation.dates import format_near_datetime
from sightline.presentation.language import gettext, ngettext
from sightline.scoreboard.history.trend import read_scores
from sightline.scoreboard.queries import list_board_scans
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
    client: str = ""
    alerts: int = 0
    next_check: str = ""


@page("/w/{workspace}")
async def home_page(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.GUEST)
    lines = await _read_lines(ctx)
    lines.sort(key=lambda line: len(_ORDER) if line.tier is None else _ORDER.index(line.tier))
    lines.sort(key=lambda line: (not line.client, line.client.casefold()))
    headline, more = _summarize(lines)
    return render_page(
        ctx,
        "app/home.html",
        section="domains",
        title=gettext("Domains"),
        lines=lines,
        groups=_name_groups(lines),
        headline=headline,
        more=more,
        may_load_demo=not ctx.domains and await may_load_demo(ctx.db, ctx.app_context.settings, ctx.actor),
    )


def _name_groups(lines: Sequence[DomainLine]) -> list[str]:
    """Return the heading above each row: its client, where that differs from the row before."""
    if len({line.client for line in lines}) < 2:
        return [""] * len(lines)
    before = [None, *(line.client for line in lines)]
    return [
        "" if line.client == previous else line.client or gettext("Without a client")
        for line, previous in zip(lines, before, strict=False)
    ]


async def _read_lines(ctx: PageContext) -> list[DomainLine]:
    db, workspace_id = ctx.db, ctx.actor.workspace_id
    brands = {domain.id: domain.brand_name for domain in ctx.domains}
    scans = [scan for scan in await list_board_scans(db, workspace_id) if scan.domain_id in brands]
    sources = [(scan.domain_id, scan.answers_source) for scan in scans]
    scores = await read_scores(db, workspace_id, sources, since=ctx.now - _PERIOD)
    stories = await read_stories(db, workspace_id, [(scan, brands[scan.domain_id]) for scan in scans])
    alerts = await count_confirmed_alerts(db, workspace_id)
    clients = {each.id: each.name for each in await list_clients_by_name(db, ctx.actor)}
    lines = [_build_line(ctx, domain, clients) for domain in ctx.domains]
    return [
        _add_story(line, stories[domain.id], scores[domain.id], alerts.get(domain.id, 0))
        if domain.id in stories
        else line
        for line, domain in zip(lines, ctx.domains, strict=True)
    ]


def _build_line(ctx: PageContext, domain: TrackedDomainRow, clients: Mapping[uuid.UUID, str]) -> DomainLine:
    is_new = domain.status == "setup" and ctx.may_edit
    return DomainLine(
        domain=domain,
        client=clients.get(domain.client_id, "") if domain.client_id else "",
        path=f"{ctx.path('new')}?domain={domain.id}" if is_new else ctx._replace(domain=domain).path(),
        next_check="" if domain.next_check_at is None else format_near_datetime(domain.next_check_at, ctx.now),
    )


def _add_story(line: DomainLine, story: Story, scores: Sequence[Number], alerts: int) -> DomainLine:
    first = find_surest(story.findings)
    return msgspec.structs.replace(
        line,
        trend=draw_sparkline(scores),
        tier="rest" if first is None and story.changes is not None else first and first.tier,
        chip=first and build_chip(first),
        alerts=alerts,
    )


def _summarize(lines: Sequence[DomainLine]) -> tuple[str, str]:
    """Say how many domains changed, and how many may have or did not; empty before there is something to compare."""
    tiers = Counter(line.tier for line in lines if line.tier is not None)
    if not tiers:
        return "", ""
    total, clear = len(lines), tiers["clear"]
    headline = (
        ngettext(
            "%(num)s domain, with a clear change",
            "%(clear)s of %(num)s domains with a clear change",
            total,
            clear=clear,
        )
        if clear
        else gettext("No domain has a clear change")
    )
    watched, quiet, unknown = tiers["watch"], tiers["rest"], total - tiers.total()
    more = []
    if watched:
        more.append(ngettext("%(num)s is worth watching.", "%(num)s are worth watching.", watched))
    if quiet:
        more.append(ngettext("%(num)s is quiet.", "%(num)s are quiet.", quiet))
    if unknown:
        more.append(ngettext("%(num)s has nothing to compare yet.", "%(num)s have nothing to compare yet.", unknown))
    return headline, " ".join(more)
