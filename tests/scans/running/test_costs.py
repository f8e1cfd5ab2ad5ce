"""What platform calls cost is counted by workspace, domain, platform and day, and shown to owners and admins."""

import asyncio
import uuid
from decimal import Decimal

from sightline.accounts.models import Role
from sightline.platforms.costs.call_log import CallLog
from sightline.platforms.models import PlatformCall, Usage
from tests.running_worker import Console, until, working
from tests.scans.running.test_prompts_at_start import ASKED
from tests.web.console.console_browser import open_console_browser

PRICES = {"chatgpt": {"input": 1.0, "output": 5.0, "search": 10.0}}


async def read_rows(live, query=""):
    response = await live.get(f"/usage/costs{query}")
    assert response.status_code == 200, response.text
    return response.json()["data"]


async def test_every_call_of_a_scan_counts_also_failed_ones_retries_and_suggestions(live_installation, live, provider):
    provider.faults[ASKED] = 500
    domain = await live.domain()
    scan = await live.submit(domain, platforms=["chatgpt"])
    async with working(live_installation, ask_attempts=2, platform_prices=PRICES):
        assert (await live.ended(scan["id"]))["status"] == "completed"
    (row,) = await read_rows(live)
    assert provider.asked[ASKED] == 2 and provider.asked.total() == 12
    assert (row["calls"], row["failed_calls"], row["priced_calls"]) == (12, 2, 10)
    assert (row["domain_id"], row["domain"], row["platform"]) == (domain, "acme.com", "chatgpt")
    assert row["day"] == live_installation.clock().date().isoformat()
    one = row["input_tokens"] // 10, row["output_tokens"] // 10
    assert row["cost_usd"] == round(10 * (one[0] * 1e-6 + one[1] * 5e-6 + 0.01), 6) and row["searches"] == 10
    assert await read_rows(live, "?until=2026-11-14") == []


async def test_without_prices_the_cost_is_null(live_installation, live):
    scan = await live.submit(await live.domain(), keywords=["crm auf deutsch"], platforms=["chatgpt"])
    async with working(live_installation):

        async def stored():
            return await live_installation.db.fetchval("SELECT count(*) FROM answers WHERE scan_id = $1", scan["id"])

        await until(stored)
    (row,) = await read_rows(live)
    assert (row["calls"], row["priced_calls"], row["cost_usd"]) == (1, 0, None) and row["input_tokens"] > 0
    assert (row["editor_calls"], row["editor_cost_usd"]) == (0, None)


async def test_a_call_given_up_by_cancelling_counts(live_installation, live, provider):
    provider.held.clear()
    scan = await live.submit(await live.domain(), keywords=["best crm"], platforms=["chatgpt"])
    async with working(live_installation):

        async def asked():
            return provider.asked.total() == 1

        await until(asked)
        await live.post(f"/scans/{scan['id']}/cancel")

        async def counted():
            return await live_installation.db.fetchval("SELECT sum(calls) FROM platform_costs")

        await until(counted)
    (row,) = await read_rows(live)
    assert (row["calls"], row["failed_calls"], row["input_tokens"], row["cost_usd"]) == (1, 1, None, None)


async def test_a_batch_that_is_written_twice_counts_once_and_batches_of_many_processes_add_up(installation, tenant):
    """After a commit whose outcome is unknown, the batch is written again."""
    db, domain_id = installation.db, uuid.UUID(await installation.console_domain(tenant.live))
    logs = [CallLog(db, clock=installation.clock) for _ in range(4)]

    async def work(log, cost):
        for _ in range(5):
            call = PlatformCall(platform="grok", requests=1, failed=False, usage=Usage(10, None, 10**18), cost_usd=cost)
            log.recorder(tenant.workspace.id, domain_id)(call)
            batches = log.close_batch()
            for _ in range(2):
                async with db.transaction() as tx:
                    await log.write(tx, batches)
            log.confirm(batches)
            await log.flush()

    await asyncio.gather(*(work(log, cost) for log, cost in zip(logs, (0.1, 0.2, None, float("nan")), strict=True)))
    row = await db.fetchrow(
        "SELECT calls, priced_calls, input_tokens, output_tokens, searches, cost_usd FROM platform_costs"
    )
    assert tuple(row) == (20, 10, 200, None, None, Decimal("1.5")), "what cannot be true counts as not reported"
    async with open_console_browser(installation, tenant) as owner:
        page = (await owner.get("/usage")).text
        assert "Cost of platform calls this month" in page and "1.50 USD" in page
        assert "The cost of 10 of 20 calls is unknown" in page
    viewer = await installation.member(tenant, Role.VIEWER)
    async with open_console_browser(installation, tenant, viewer) as browser:
        assert "Cost of platform calls" not in (await browser.get("/usage")).text


async def test_costs_are_paged_by_day_and_belong_to_one_workspace(installation, tenant):
    other = await installation.tenant()
    log = CallLog(installation.db, clock=installation.clock)
    for who, name in ((tenant, "acme.com"), (tenant, "globex.com"), (other, "acme.com")):
        count = log.recorder(who.workspace.id, uuid.UUID(await installation.console_domain(who.live, name)))
        for platform in ("grok", "chatgpt"):
            count(PlatformCall(platform=platform, requests=2, failed=False))
            installation.clock.advance(days=-1)
            count(PlatformCall(platform=platform, requests=1, failed=True))
            installation.clock.advance(days=1)
    await log.flush()
    async with Console(installation, tenant.live) as console:
        everything, seen = await read_rows(console), []
        cursor = ""
        while cursor is not None:
            answer = (await console.get(f"/usage/costs?page_size=3{cursor and '&cursor='}{cursor}")).json()
            seen += answer["data"]
            cursor = answer["meta"]["next_cursor"]
        assert seen == everything and len(everything) == 8
        assert [row["calls"] for row in everything] == [2] * 4 + [1] * 4, "the newest day first"
        for query in ("since=yesterday", "since=2026-11-16&until=2026-11-15"):
            refused = await console.get(f"/usage/costs?{query}")
            assert refused.status_code == 422 and refused.json()["code"] == "validation_failed"
    async with Console(installation, tenant.test) as console:
        assert await read_rows(console) == [], "test mode calls nobody"
