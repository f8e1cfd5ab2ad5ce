"""The Console's overview, and the usage of its API."""

import asyncio
from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from sightline.credits import ledger, spend
from sightline.credits.ledger import build_credit_rules
from sightline.credits.models import Spend
from sightline.platforms.costs.models import CallTotals
from sightline.platforms.costs.read import read_costs, read_period, sum_costs
from sightline.presentation.charts.bar_charts import build_request_chart
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number
from sightline.scans import console_scans
from sightline.usage.models import DailyUsage
from sightline.web.chart_cache import CHARTS
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console.console_page import PageResponse, console_page, open_console, render_console_page
from sightline.web.pages.dashboard.checks import STATUS_TEXTS

_MAX_RECENT_SCANS = 8
_DAYS = 30


class CostSummary(msgspec.Struct, frozen=True):
    """What platform calls cost: by domain and platform, and in all."""

    rows: Sequence[tuple[str, str, CallTotals]]
    total: CallTotals


async def read_account(ctx: PageContext) -> tuple[int, Spend]:
    """Return the balance, and the month's spending with its cap."""
    actor, app_context, now = ctx.actor, ctx.app_context, ctx.now
    balance = await ledger.read_balance(
        app_context.db,
        ledger.CreditAccount(actor.workspace_id, actor.livemode, build_credit_rules(app_context.settings)),
        now=now,
    )
    spent = await spend.read_spend(
        app_context.db,
        actor.workspace_id,
        livemode=actor.livemode,
        now=now,
        default_cap=app_context.settings.spend_cap_cents,
    )
    return balance, spent


async def _read_request_chart(ctx: PageContext) -> tuple[Sequence[DailyUsage], Markup | None]:
    """Return the days and their chart; the chart is None if there was no request."""
    days = await ctx.app_context.usage.read_days(ctx.actor.workspace_id, _DAYS, now=ctx.now)
    total, errors = sum(each.requests for each in days), sum(each.errors for each in days)
    if not total:
        return days, None
    busiest = max(days, key=lambda each: each.requests)
    chart = await asyncio.to_thread(
        CHARTS.render,
        build_request_chart(days),
        "requests",
        gettext("API requests, last 30 days"),
        gettext(
            "Requests: %(total)s, of these with status 400 or above: %(errors)s. Most on %(day)s: %(most)s.",
            total=format_number(total),
            errors=format_number(errors),
            day=format_short_date(busiest.day),
            most=format_number(busiest.requests),
        ),
        sizes=((900, 190), (340, 170)),
    )
    return days, chart


async def _read_costs(ctx: PageContext) -> CostSummary:
    """Return what platform calls of this month cost, by domain and platform, most expensive first."""
    period = read_period(None, None, now=ctx.now)
    rows = await read_costs(ctx.db, ctx.actor.workspace_id, period)
    sums = sum_costs(rows, lambda row: (row.domain, row.platform))
    ordered = sorted(sums.items(), key=lambda item: (-(item[1].cost_usd or 0), -item[1].calls, item[0]))
    total = next(iter(sum_costs(rows, lambda _: None).values()), CallTotals())
    return CostSummary([(*group, totals) for group, totals in ordered], total)


@console_page()
async def overview_page(request: PageRequest, workspace: str) -> PageResponse:
    ctx = await open_console(request, workspace)
    app_context, actor = ctx.app_context, ctx.actor
    balance, spent = await read_account(ctx)
    days, requests_chart = await _read_request_chart(ctx)
    recent = await console_scans.list_scans(
        app_context.db, actor, domain_id=None, after=None, page_size=_MAX_RECENT_SCANS
    )
    return render_console_page(
        ctx,
        request,
        "overview.html",
        section="overview",
        title=gettext("Console"),
        balance=balance,
        is_low=balance <= app_context.settings.credits_low,
        spent=spent,
        usage=await app_context.usage.read_usage(actor.workspace_id, now=ctx.now),
        days=days,
        requests_chart=requests_chart,
        scans=recent.rows,
        price=app_context.settings.credits_per_platform,
        statuses=STATUS_TEXTS,
    )


@console_page("/usage")
async def usage_page(request: PageRequest, workspace: str) -> PageResponse:
    ctx = await open_console(request, workspace)
    app_context = ctx.app_context
    figures = await app_context.usage.read_usage(ctx.actor.workspace_id, now=ctx.now)
    days, requests_chart = await _read_request_chart(ctx)
    limits = app_context.limits["console"]
    costs = await _read_costs(ctx) if ctx.may_manage and ctx.actor.livemode else None
    return render_console_page(
        ctx,
        request,
        "usage.html",
        section="usage",
        title=gettext("Usage"),
        usage=figures,
        days=days,
        requests_chart=requests_chart,
        limits=limits,
        costs=costs,
    )
