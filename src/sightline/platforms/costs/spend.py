"""What the installation has spent on each platform, and the monthly limits that pause a platform.

A limit pauses like an operator does: new scans do not ask the platform, scans that have started are completed. The
pause ends with the month, and when the limit is raised or removed.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial

import msgspec
import structlog

from sightline.accounts.operators.grant import list_operators
from sightline.db.engine import Database, Reader
from sightline.mail.emails import EmailText, Recipient, build_emails, enqueue_emails, join_paragraphs
from sightline.platforms.costs import queries
from sightline.platforms.names import platform_name
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_cost
from sightline.settings import Settings

log = structlog.get_logger()

RECENT = timedelta(days=30)


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


async def estimate_call_costs(db: Reader, *, now: datetime) -> Mapping[str, float]:
    """Return what a call to each platform costs in US dollars, from the calls of the last 30 days that had a price."""
    return await queries.average_costs_any_workspace(db, since=(now - RECENT).date())


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
