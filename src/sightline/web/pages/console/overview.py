"""The Console at one glance, and the figures of its requests."""

import asyncio
from collections.abc import Sequence

from litestar.params import FromPath
from markupsafe import Markup

from sightline.credits import ledger, spend
from sightline.credits.ledger import rules_of
from sightline.credits.models import Spend
from sightline.kit.counting import count
from sightline.reports.bars import chart_requests
from sightline.scans import read_scans
from sightline.usage.models import DayOfUsage
from sightline.web.drawings import DRAWINGS
from sightline.web.frame import Place
from sightline.web.pages.console.places import Shown, enter, looking, show_page
from sightline.web.pages.console.words import STATUSES, say_money, say_time
from sightline.web.visits import Asked

_RECENT = 8
_DAYS = 30


async def read_account(place: Place) -> tuple[int, Spend]:
    """The balance, and the month's spending beside the cap."""
    actor, app_context, now = place.actor, place.visit.app_context, place.visit.now
    balance = await ledger.read_balance(
        app_context.db, actor.workspace_id, livemode=actor.livemode, rules=rules_of(app_context.settings), now=now
    )
    spent = await spend.read_spend(
        app_context.db,
        actor.workspace_id,
        livemode=actor.livemode,
        now=now,
        default_cap=app_context.settings.spend_cap_cents,
    )
    return balance, spent


async def _draw_requests(place: Place) -> tuple[Sequence[DayOfUsage], Markup | None]:
    """The days, and their chart; none where nothing was asked on any of them."""
    days = await place.visit.app_context.usage.read_days(place.actor.workspace_id, _DAYS, now=place.visit.now)
    total, errors = sum(each.requests for each in days), sum(each.errors for each in days)
    if not total:
        return days, None
    busiest = max(days, key=lambda each: each.requests)
    drawn = await asyncio.to_thread(
        DRAWINGS.draw,
        chart_requests(days),
        "requests",
        f"API requests of the last {_DAYS} days",
        f"{count(total, 'request')}, {errors:,} of them answered with 400 or above. Most on {busiest.day.day} "
        f"{busiest.day:%B}: {busiest.requests:,}.",
        sizes=((900, 190), (340, 170)),
    )
    return days, drawn


@looking()
async def console_overview(request: Asked, workspace: FromPath[str]) -> Shown:
    place = await enter(request, workspace)
    app_context, actor = place.visit.app_context, place.actor
    balance, spent = await read_account(place)
    days, requests_chart = await _draw_requests(place)
    recent = await read_scans.list_scans(app_context.db, actor, domain_id=None, after=None, page_size=_RECENT)
    return show_page(
        place,
        request,
        "overview.html",
        here="overview",
        title="Console",
        balance=balance,
        is_low=balance <= app_context.settings.credits_low,
        spent=spent,
        usage=await app_context.usage.read_usage(actor.workspace_id, now=place.visit.now),
        days=days,
        requests_chart=requests_chart,
        scans=recent.rows,
        price=app_context.settings.credits_per_platform,
        statuses=STATUSES,
        say_money=say_money,
        say_time=say_time,
    )


@looking("/usage")
async def usage(request: Asked, workspace: FromPath[str]) -> Shown:
    place = await enter(request, workspace)
    app_context = place.visit.app_context
    figures = await app_context.usage.read_usage(place.actor.workspace_id, now=place.visit.now)
    days, requests_chart = await _draw_requests(place)
    limits = app_context.limits["console"]
    return show_page(
        place,
        request,
        "usage.html",
        here="usage",
        title="Usage",
        usage=figures,
        days=days,
        requests_chart=requests_chart,
        limits=limits,
        say_time=say_time,
    )


PAGES = (console_overview, usage)
