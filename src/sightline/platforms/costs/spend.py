"""What the installation has spent on each platform, what an answer costs, and the limits that pause a platform.

A limit pauses like an operator does: new scans do not ask the platform, scans that have started are completed. The
pause ends with the month, and when the limit is raised or removed.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Literal

import msgspec
import structlog

from sightline.accounts.operators.queries import list_operators
from sightline.db.engine import Database, Reader
from sightline.mail.emails import EmailText, Recipient, build_emails, enqueue_emails, join_paragraphs
from sightline.platforms.access import find_connections, is_sandbox
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.costs import queries
from sightline.platforms.models import Usage
from sightline.platforms.names import platform_name
from sightline.platforms.pricing import USUAL_USAGE, Prices, compute_cost, find_list_prices, read_prices
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_cost
from sightline.settings import Settings

log = structlog.get_logger()

RECENT = timedelta(days=30)
PriceBasis = Literal["measured", "entered", "list", "sandbox"]


class PlatformSpend(msgspec.Struct, frozen=True):
    """What all workspaces spent on a platform, in US dollars. Calls whose cost is unknown are only counted."""

    platform: str
    today: Decimal
    month: Decimal
    unpriced_calls: int
    """Calls of this month whose cost is not known."""


async def read_spend_any_workspace(db: Reader, *, now: datetime) -> Mapping[str, PlatformSpend]:
    """Return the spend of today and of this month (UTC) by platform."""
    rows = await queries.sum_spend_any_workspace(db, today=now.date())
    return {row[0]: PlatformSpend(*row) for row in rows}


class AnswerPrice(msgspec.Struct, frozen=True):
    """What one answer of a platform costs in US dollars, and how we know."""

    usd: float
    basis: PriceBasis


async def price_answers(db: Reader, settings: Settings, *, now: datetime) -> Mapping[str, AnswerPrice]:
    """Return what an answer costs, by platform; platforms whose price is not known are left out.

    The first of these that is known: what answers cost in the last 30 days, in all workspaces; the operator's prices
    for what answers used; the list prices for the same. The sandbox costs nothing.
    """
    if is_sandbox(settings):
        return {each.key: AnswerPrice(0.0, "sandbox") for each in PLATFORMS}
    usual = await queries.list_usual_answers_any_workspace(db, since=(now - RECENT).date())
    prices = {
        each.platform: AnswerPrice(max(0.0, each.cost_usd), "measured") for each in usual if each.cost_usd is not None
    }
    used = {each.platform: each for each in usual}
    entered = read_prices(settings.platform_prices)
    for platform, (_, connection) in find_connections(settings).items():
        if platform in prices:
            continue
        basis: PriceBasis = "entered" if platform in entered else "list"
        charged = entered.get(platform) or find_list_prices(connection)
        cost = None if charged is None else _price_usual_answer(used.get(platform), charged)
        if cost is not None:
            prices[platform] = AnswerPrice(cost, basis)
    return prices


def _price_usual_answer(used: queries.UsualAnswer | None, prices: Prices) -> float | None:
    """Return the cost of what an answer used. What the platform has not reported is assumed."""
    names = ("input_tokens", "output_tokens", "searches")
    amounts = {name: getattr(used, name, None) or getattr(USUAL_USAGE, name) for name in names}
    return compute_cost(Usage(**amounts), prices)


class LikelyLimit(msgspec.Struct, frozen=True):
    """A platform that will probably reach its monthly limit, and when."""

    platform: str
    limit_usd: Decimal
    expected_usd: float
    """What the month will probably cost, without the limit."""
    day: date


async def announce_limits(
    db: Database, settings: Settings, likely: Sequence[LikelyLimit], *, now: datetime
) -> list[LikelyLimit]:
    """Tell all operators by e-mail which limits will probably be reached this month, and return those announced now.

    Each limit is announced once a month; a limit that was changed is another one.
    """
    today = now.date()
    async with db.transaction() as tx:
        announced = [
            each for each in likely if await queries.claim_announcement(tx, each.platform, each.limit_usd, today=today)
        ]
        operators = await list_operators(tx) if announced else []
        for each in announced:
            recipients = [Recipient(user.email, user.language) for user in operators]
            write = partial(_write_likely_limit, each, settings.public_url)
            await enqueue_emails(tx, *build_emails(recipients, write))
    for each in announced:
        log.warning("platform_limit_likely", platform=each.platform, day=each.day.isoformat())
    return announced


def _write_likely_limit(likely: LikelyLimit, public_url: str) -> EmailText:
    name, day = platform_name(likely.platform), format_short_date(likely.day)
    text = join_paragraphs(
        gettext(
            "%(platform)s will probably reach its monthly spending limit on %(day)s and will then be paused.",
            platform=name,
            day=day,
        ),
        gettext("Limit: %(amount)s", amount=format_cost(likely.limit_usd))
        + "\n"
        + gettext("Expected this month: %(amount)s", amount=format_cost(likely.expected_usd)),
        gettext("Change the limit:"),
        f"{public_url}/operator/platforms/{likely.platform}",
    )
    return EmailText(gettext("%(platform)s will probably reach its monthly limit", platform=name), text)


async def enforce_limits(db: Database, settings: Settings, *, now: datetime) -> list[str]:
    """Pause platforms that reached their monthly limit, resume those below it again, and return the paused ones.

    Operators get one e-mail for each pause. It is sent if and only if the pause is stored.
    """
    async with db.transaction() as tx:
        resumed = await queries.end_limit_pauses(tx, today=now.date())
        paused = await queries.pause_at_limit(tx, today=now.date(), now=now)
        operators = await list_operators(tx) if paused else []
        for platform, limit, spent in paused:
            recipients = [Recipient(user.email, user.language) for user in operators]
            write = partial(_write_email, platform, limit, spent, settings.public_url)
            await enqueue_emails(tx, *build_emails(recipients, write))
    for platform, *_ in paused:
        log.warning("platform_paused_at_limit", platform=platform)
    for platform in resumed:
        log.info("platform_resumed_below_limit", platform=platform)
    return [platform for platform, *_ in paused]


def _write_email(platform: str, limit: Decimal, spent: Decimal, public_url: str) -> EmailText:
    name = platform_name(platform)
    text = join_paragraphs(
        gettext("%(platform)s has reached its monthly spending limit and is paused.", platform=name),
        gettext("Limit: %(amount)s", amount=format_cost(limit))
        + "\n"
        + gettext("Spent this month: %(amount)s", amount=format_cost(spent)),
        gettext(
            "New checks skip %(platform)s until the first day of next month (UTC), or until you raise the limit. "
            "Checks that are already running will still finish.",
            platform=name,
        ),
        gettext("Change the limit:"),
        f"{public_url}/operator/platforms/{platform}",
    )
    return EmailText(gettext("Sightline paused %(platform)s: monthly limit reached", platform=name), text)
