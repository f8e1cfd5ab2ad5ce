"""Workspaces with something of everything: a Console scan, or a tracked domain with checks, insights and a report."""

import msgspec

from sightline.competitors.detect import DetectedCompetitor, suggest_competitors
from sightline.insights.editor.queries import add_themes
from sightline.insights.editor.sorting import CodebookTheme
from tests.competitors.competitor_steps import CompetitorSteps
from tests.console_customers import Customer
from tests.insights.watched_market import WatchedMarket
from tests.reports.stored_reports import store_report
from tests.scan_history import ScriptedAnswer


class ConsoleWorkspace(msgspec.Struct):
    """A workspace with a completed scan."""

    key: str
    scan_id: str

    @classmethod
    async def open(cls, installation) -> "ConsoleWorkspace":
        async with installation.client() as client:
            customer = await Customer.create(installation, client)
            scan_id, _ = await customer.completed()
        return cls(customer.key, scan_id)


class DataWorkspace(msgspec.Struct, kw_only=True):
    """A workspace with a tracked domain, two Full Checks and what follows from them."""

    key: str
    domain_id: str
    check_id: str
    recommendation: str
    theme: str
    competitor_id: str
    report_id: str

    @classmethod
    async def open(cls, installation) -> "DataWorkspace":
        market = await WatchedMarket.open(installation)
        history, domain_id = market.history, str(market.history.domain_id)
        await history.run_full_check(_say)
        check_id = await history.run_full_check(_say)
        competitor = await CompetitorSteps(installation, history.tenant, domain_id).add("globex.com", "Globex")
        return cls(
            key=history.tenant.data_write,
            domain_id=domain_id,
            check_id=str(check_id),
            recommendation=await market.recommend(check_id),
            theme=await _prepare_review(history),
            competitor_id=str(competitor.id),
            report_id=str(await store_report(installation, history.workspace_id, domain_id)),
        )


async def _prepare_review(history) -> str:
    """Store a theme of the codebook and a suggested competitor; return the key of the theme."""
    domain_key, now = (history.workspace_id, history.domain_id), history.installation.clock()
    async with history.installation.db.transaction() as tx:
        await tx.execute("DELETE FROM competitors WHERE status = 'suggested'")
        await suggest_competitors(tx, *domain_key, [DetectedCompetitor("Hooli", None, 1.0)], now=now)
        await add_themes(tx, *domain_key, [CodebookTheme("t1", "ease of use", "How easy it is to use.")])
    return "t1"


def _say(prompt, platform):
    named = len(prompt.text + platform) % 3
    return ScriptedAnswer(
        "1. Globex leads.\n2. **Acme** is a solid and excellent choice."
        if named
        else "Globex is good. Initech is, too.",
        cited=("https://reviews.com/anvils", "https://acme.com/anvils") if named else ("https://reviews.com/anvils",),
        queries=(f"{prompt.text} reviews",),
    )
